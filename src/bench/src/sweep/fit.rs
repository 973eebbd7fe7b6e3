//! Which part of a curve is constant, which grows with the length, and which with its square.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::spread::short;

/// `ms(n) = constant + linear * n + quadratic * n^2` by least squares, and each part's share of
/// all the time that the curve comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    pub constant_ms: f64,
    pub linear_ms: f64,
    pub quadratic_ms: f64,
    pub constant_share: f64,
    pub linear_share: f64,
    pub quadratic_share: f64,
    /// How much of the ups and downs the curve explains: 1 is all.
    pub r_squared: f64,
}

/// With fewer points the noise would decide.
const FEWEST: usize = 16;

/// Below this R^2 the parts say more about the noise than about the program.
const CLEAR: f64 = 0.5;

impl Fit {
    /// `points`: (n, ms). `None` for a handful of points, or when they lie at too few different n.
    pub fn new(points: &[(f64, f64)]) -> Option<Fit> {
        let largest = points.iter().map(|(n, _)| *n).fold(0.0, f64::max);
        if points.len() < FEWEST || largest <= 0.0 {
            return None;
        }
        // Scaled to at most 1: a sum of n^4 beside a sum of 1 would lose its digits.
        let powers = |n: f64| [1.0, n / largest, (n / largest).powi(2)];
        let mut system = [[0.0; 4]; 3];
        for (n, ms) in points {
            let powers = powers(*n);
            for (row, power) in system.iter_mut().zip(powers) {
                for (sum, other) in row.iter_mut().zip([powers[0], powers[1], powers[2], *ms]) {
                    *sum += power * other;
                }
            }
        }
        let parts = solve(system)?;

        let value = |n: f64| -> f64 { powers(n).iter().zip(parts).map(|(x, c)| x * c).sum() };
        let total: f64 = points.iter().map(|(n, _)| value(*n)).sum();
        let share = |power: usize| {
            points.iter().map(|(n, _)| parts[power] * powers(*n)[power]).sum::<f64>() / total
        };
        let mean = points.iter().map(|(_, ms)| ms).sum::<f64>() / points.len() as f64;
        let missed: f64 = points.iter().map(|(n, ms)| (ms - value(*n)).powi(2)).sum();
        let spread: f64 = points.iter().map(|(_, ms)| (ms - mean).powi(2)).sum();
        Some(Fit {
            constant_ms: parts[0],
            linear_ms: parts[1] / largest,
            quadratic_ms: parts[2] / largest.powi(2),
            constant_share: share(0),
            linear_share: share(1),
            quadratic_share: share(2),
            r_squared: if spread > 0.0 { 1.0 - missed / spread } else { 1.0 },
        })
    }
}

/// Gauss with pivots: three equations, the right side in the last column.
fn solve(mut system: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for step in 0..3 {
        let size = |row: &usize| system[*row][step].abs();
        let pivot = (step..3).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        system.swap(step, pivot);
        if system[step][step].abs() < 1e-9 {
            return None;
        }
        let chosen = system[step];
        for (_, row) in system.iter_mut().enumerate().filter(|(index, _)| *index != step) {
            let factor = row[step] / chosen[step];
            for (value, other) in row.iter_mut().zip(chosen) {
                *value -= factor * other;
            }
        }
    }
    Some([0, 1, 2].map(|row| system[row][3] / system[row][row]))
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.r_squared < CLEAR {
            return write!(f, "no clear curve, R^2 {:.3}", self.r_squared);
        }
        write!(
            f,
            "{} ms + {} us n + {} ns n^2: {:.0}% constant, {:.0}% linear, {:.0}% quadratic, R^2 {:.3}",
            short(self.constant_ms),
            short(self.linear_ms * 1e3),
            short(self.quadratic_ms * 1e6),
            self.constant_share * 100.0,
            self.linear_share * 100.0,
            self.quadratic_share * 100.0,
            self.r_squared
        )
    }
}
