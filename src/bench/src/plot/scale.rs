//! From numbers to places in a figure, and the round numbers beside an axis.

use catalog::thousands::thousands;

/// One axis: which numbers it shows, and where.
pub struct Scale {
    pub log: bool,
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<f64>,
    from: f64,
    to: f64,
}

impl Scale {
    /// An axis from place `from` to place `to` that has room for all `values`. A linear one begins
    /// at zero. A logarithmic one shows nothing that is not positive.
    pub fn new(log: bool, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let values = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (low, high) = values
            .fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let high = if high > 0.0 { high } else { 1.0 };
        if log {
            let ticks = log_ticks(low.min(high), high);
            Scale { log, low: ticks[0], high: ticks[ticks.len() - 1], ticks, from, to }
        } else {
            let ticks = linear_ticks(high);
            // A little room above the last value, but no empty step.
            let high = (high * 1.04).max(ticks[ticks.len() - 1]);
            Scale { log, low: 0.0, high, ticks, from, to }
        }
    }

    /// Where a value lies; outside of the axis: at its end.
    pub fn place(&self, value: f64) -> f64 {
        let share = if self.log {
            // libm: the same digits on every platform.
            let at = |value: f64| libm::log10(value.max(f64::MIN_POSITIVE));
            (at(value) - at(self.low)) / (at(self.high) - at(self.low))
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }
}

/// Four to seven steps of 1, 2 or 5 times a power of ten, not beyond `high`.
fn linear_ticks(high: f64) -> Vec<f64> {
    let power = libm::exp10(libm::floor(libm::log10(high)));
    let steps = [0.1, 0.2, 0.5, 1.0, 2.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| high / step < 7.0).unwrap_or(power);
    (0..=(high / step) as u32).map(|count| f64::from(count) * step).collect()
}

/// Powers of ten around the values; over few decades their doubles and fives as well.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (libm::floor(libm::log10(low)), libm::ceil(libm::log10(high)));
    let decades = ((last - first) as i32).max(1);
    let steps: &[f64] = if decades <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let all = (0..=decades).flat_map(|decade| {
        steps.iter().map(move |step| step * libm::exp10(first + f64::from(decade)))
    });
    let all: Vec<f64> = all.collect();
    // From the last tick below the values to the first one above.
    let start = all.iter().rposition(|tick| *tick <= low).unwrap_or(0);
    let end = all.iter().position(|tick| *tick >= high).unwrap_or(all.len() - 1).max(start + 1);
    all[start..=end.min(all.len() - 1)].to_vec()
}

/// A tick as a person writes it.
pub fn label(value: f64) -> String {
    let digits = match value.abs() {
        1.0.. | 0.0 => 2,
        0.1.. => 3,
        0.001.. => 5,
        _ => return format!("{value:e}"),
    };
    let text = format!("{value:.digits$}");
    thousands(text.trim_end_matches('0').trim_end_matches('.'))
}
