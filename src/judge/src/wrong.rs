//! A figure that is not what it has to be.

use std::fmt::Display;

/// One figure that is wrong.
#[derive(Debug, PartialEq)]
pub struct Wrong {
    pub figure: String,
    pub wanted: String,
    pub found: String,
}

pub fn said(figure: &str, wanted: impl Display, found: impl Display) -> Wrong {
    Wrong { figure: figure.into(), wanted: wanted.to_string(), found: found.to_string() }
}
