//! The reader's tools: they begin a chapter, try it, say where it differs, and keep count.

pub mod check;
pub mod download;
pub mod exercise;
pub mod exercises;
mod first_difference;
pub mod measure;
mod partial_check;
pub mod progress;
mod reader_position;
pub mod start;
pub mod take;
