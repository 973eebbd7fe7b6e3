//! How long a sweep will take, told from one short run and the work that is ahead.

use ground::config::Config;

use super::metrics::{Metrics, flops};
use super::point::Point;

/// What one short run tells about a setting.
pub struct Speed {
    overhead_ms: f64, // starting, loading, whatever is no forward pass
    prefill_ms_per_flop: f64,
    decode_ms_per_flop: f64,
    recomputes: bool, // every step goes through all tokens again
}

impl Speed {
    pub fn new(warm_up: &Metrics, wall_ms: f64) -> Speed {
        let per_flop = |decode| {
            let passes = || warm_up.passes(decode);
            let flops: f64 = passes().map(|pass| pass.flops).sum();
            passes().map(|pass| pass.ms).sum::<f64>() / flops.max(1.0)
        };
        Speed {
            overhead_ms: (wall_ms - warm_up.whole_run_ms()).max(0.0),
            prefill_ms_per_flop: per_flop(false),
            decode_ms_per_flop: per_flop(true),
            recomputes: warm_up.passes(true).any(|pass| pass.tokens > 1),
        }
    }

    /// One run at `point`, in milliseconds.
    pub fn estimate(&self, config: &Config, point: Point) -> f64 {
        let prompt = point.prompt_tokens();
        let steps = (prompt + 1..prompt + point.new_tokens).map(|end| {
            let tokens = if self.recomputes { end } else { 1 };
            flops(config, tokens, end)
        });
        self.overhead_ms
            + self.prefill_ms_per_flop * flops(config, prompt, prompt)
            + self.decode_ms_per_flop * steps.sum::<f64>()
    }
}

/// A duration in words.
pub fn duration(ms: f64) -> String {
    let seconds = (ms / 1e3).round() as u64;
    match seconds {
        0..=1 => "a second".into(),
        2..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}
