//! The exercises: open a file, read the task at its top, replace `todo!()` or mend the fault. README.md lists them.

// A starter does not use its arguments yet.
#![allow(unused_variables)]

pub mod own_line;
pub mod reusable_barrier;
pub mod shared_sum;
pub mod split_rows;
