//! Speeds as bars from zero: a staircase.

use std::fmt::Write;

use super::chart::{WIDTH, colour, document, text};
use crate::sweep::recording::{Spread, short};

const LEFT: f64 = 8.0;
const LONGEST: f64 = WIDTH - LEFT - 130.0; // the value has its place to the right of the bar
const ROW: f64 = 54.0;

/// One bar for each name, in the order given.
pub fn draw(title: &str, unit: &str, bars: &[(String, Spread)]) -> String {
    let largest = bars.iter().map(|(_, spread)| spread.max).fold(f64::MIN_POSITIVE, f64::max);
    let length = |value: f64| value.max(0.0) / largest * LONGEST;
    let mut out = String::new();
    let mut words = format!("Bars, in {unit}.");
    for (row, (name, spread)) in bars.iter().enumerate() {
        let top = 50.0 + ROW * row as f64;
        let Spread { median, min, max, .. } = spread;
        let (end, below) = (LEFT + length(*median), top + 27.0);
        out += &text(LEFT, top, "start", name);
        out += &colour(0);
        let _ = writeln!(
            out,
            "<rect x=\"{LEFT:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"16\" stroke=\"none\" fill=\"currentColor\"/></g>",
            top + 6.0,
            length(*median).max(1.0)
        );
        let (from, to) = (LEFT + length(*min), LEFT + length(*max));
        let _ = writeln!(
            out,
            "<path d=\"M{from:.1} {below:.1}H{to:.1}M{from:.1} {0:.1}v6M{to:.1} {0:.1}v6\" stroke=\"currentColor\" stroke-width=\"1.5\"/>",
            below - 3.0
        );
        let value = format!("{} {unit}", short(*median));
        out += &text(end.max(to) + 7.0, top + 19.0, "start", &value);
        let _ = write!(words, " {name}: {value}.");
    }
    document(title, &words, 40.0 + ROW * bars.len() as f64, &out)
}
