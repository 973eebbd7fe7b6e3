//! Tools that measure: what a model file holds, files of any shape to measure with, how fast engines are, and pictures of it.

pub mod inspect;
pub mod load;
pub mod plot;
pub mod reference;
mod size;
pub mod sweep;
pub mod synth;
mod weight_reads;
mod whole_file;
