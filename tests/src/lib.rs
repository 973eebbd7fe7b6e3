//! Helpers shared by the tests of the course.

pub mod engines;
pub mod judge;
pub mod tiny;
