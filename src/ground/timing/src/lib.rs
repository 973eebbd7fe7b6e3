//! What a run cost: a chapter hands in its notes and what it alone knows, and gets a table for people and JSON for machines.

pub mod args;
pub mod events;
pub mod forward;
pub mod metrics;
pub mod profile;
pub mod report;
pub mod roofline;
