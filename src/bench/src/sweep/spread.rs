//! Figures that were measured several times: their median and their range.

use std::fmt;

use serde::{Deserialize, Serialize};

/// All figures in the order in which they were measured, and what they come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
    #[serde(default)]
    pub raw: Vec<f64>,
}

impl Spread {
    /// `None` when there is nothing to summarise.
    pub fn new(raw: Vec<f64>) -> Option<Spread> {
        let mut sorted = raw.clone();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2];
        Some(Spread { median: middle / 2.0, min, max, raw })
    }
}

/// Four digits are more than a measurement has.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Spread { median, min, max, .. } = self;
        write!(f, "{} ({}-{})", short(*median), short(*min), short(*max))
    }
}

/// A number with about four digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        1000.0.. => format!("{value:.0}"),
        100.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
