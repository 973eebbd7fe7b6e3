//! Tools that measure: what a model file holds, files of any shape to measure with, how fast engines are, and pictures of it.

// Chapter 15's table of the families, which is the one that there is.
#[path = "../../../chapters/ch15-families/src/family.rs"]
mod family;
pub mod inspect;
pub mod load;
pub mod plot;
mod size;
pub mod sweep;
pub mod synth;
mod weight_reads;
mod whole_file;
