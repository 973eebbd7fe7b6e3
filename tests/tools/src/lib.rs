//! The book machine.
