//! Whether the reader's figures are those of the run: counts as the course's own chapter counts them, and times
//! that follow from the passes beside them.

use serde_json::Value;

use crate::sweep::recording::Spread;

/// What a run counts is the same for everybody.
const COUNTS: [&str; 7] = [
    "/prompt_tokens",
    "/generated_tokens",
    "/weight_bytes",
    "/cache",
    "/roofline/weight_bytes_per_token",
    "/roofline/kv_bytes_per_token",
    "/roofline/flops_per_token",
];

/// Two lines about the first figure that is wrong. Chapter 0 has none.
pub fn difference(found: Option<&Value>, wanted: Option<&Value>) -> Option<String> {
    let wanted = wanted?;
    let Some(found) = found else { return Some(said("metrics", "some", "none")) };
    for pointer in COUNTS {
        let (wanted, found) = (wanted.pointer(pointer), found.pointer(pointer));
        if wanted != found {
            return Some(said(pointer, shown(wanted), shown(found)));
        }
    }
    passes(found, wanted).or_else(|| spread(found)).or_else(|| decode_speed(found))
}

/// Every pass has its phase and its number of tokens.
fn passes(found: &Value, wanted: &Value) -> Option<String> {
    let passes = |metrics: &Value| -> Vec<(Value, Value)> {
        let list = metrics["forwards"].as_array().into_iter().flatten();
        list.map(|pass| (pass["phase"].clone(), pass["tokens"].clone())).collect()
    };
    let (found, wanted) = (passes(found), passes(wanted));
    let at = (0..found.len().max(wanted.len())).find(|&at| found.get(at) != wanted.get(at))?;
    let shown = |pass: Option<&(Value, Value)>| {
        pass.map_or("no pass".into(), |(phase, tokens)| format!("{phase}, {tokens} tokens"))
    };
    Some(said(&format!("/forwards/{at}"), shown(wanted.get(at)), shown(found.get(at))))
}

/// The two summaries are those of the passes that stand in the same report.
fn spread(found: &Value) -> Option<String> {
    for (name, decode_only) in [("forward_ms", false), ("decode_ms", true)] {
        let mut times = times(found, decode_only);
        times.sort_by(f64::total_cmp);
        let n = times.len();
        let Some(Spread { median, min, max, .. }) = Spread::new(times.clone()) else {
            continue;
        };
        // Nearest rank: the smallest value that at least so many percent do not exceed.
        let rank = |percent: usize| times[(n * percent).div_ceil(100).max(1) - 1];
        let sum: f64 = times.iter().sum();
        let wanted = [
            ("n", n as f64),
            ("min", min),
            ("max", max),
            ("mean", sum / n as f64),
            ("median", median),
            ("p95", rank(95)),
            ("p99", rank(99)),
        ];
        for (field, wanted) in wanted {
            let figure = found[name][field].as_f64();
            // The last digit depends on the order of a sum.
            if figure.is_none_or(|figure| (figure - wanted).abs() > 1e-6 * wanted) {
                return Some(said(
                    &format!("/{name}/{field}"),
                    wanted,
                    shown(found[name].get(field)),
                ));
            }
        }
    }
    None
}

/// n tokens have n - 1 steps between them, which took at least as long as their passes.
fn decode_speed(found: &Value) -> Option<String> {
    let times = times(found, true);
    let speed = found["decode_tokens_per_second"].as_f64()?;
    let most = times.len() as f64 / times.iter().sum::<f64>() * 1e3;
    let wanted =
        format!("at most {most}, which is {} steps by the time of their passes", times.len());
    (speed > most * (1.0 + 1e-9)).then(|| said("/decode_tokens_per_second", wanted, speed))
}

fn times(metrics: &Value, decode_only: bool) -> Vec<f64> {
    let passes = metrics["forwards"].as_array().into_iter().flatten();
    let wanted = passes.filter(|pass| !decode_only || pass["phase"] == "decode");
    wanted.filter_map(|pass| pass["ms"].as_f64()).collect()
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".into(), Value::to_string)
}

fn said(figure: &str, wanted: impl std::fmt::Display, found: impl std::fmt::Display) -> String {
    format!("  figure:   {figure} of the metrics\n  expected: {wanted}\n  found:    {found}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::difference;

    fn report() -> Value {
        let pass = |phase: &str, tokens: u32, ms: f64| json!({"phase": phase, "tokens": tokens, "ms": ms});
        json!({
            "prompt_tokens": 4, "generated_tokens": 3, "weight_bytes": 100, "cache": null,
            "roofline": {"weight_bytes_per_token": 90, "kv_bytes_per_token": 8, "flops_per_token": 7},
            "forwards": [pass("prefill", 4, 8.0), pass("decode", 5, 1.0), pass("decode", 6, 3.0)],
            "forward_ms": {"n": 3, "min": 1.0, "max": 8.0, "mean": 4.0, "median": 3.0, "p95": 8.0, "p99": 8.0},
            "decode_ms": {"n": 2, "min": 1.0, "max": 3.0, "mean": 2.0, "median": 2.0, "p95": 3.0, "p99": 3.0},
            "decode_tokens_per_second": 499.0,
        })
    }

    #[test]
    fn each_wrong_figure_is_named() {
        assert_eq!(difference(Some(&report()), Some(&report())), None);
        assert_eq!(difference(None, None), None);
        for (pointer, wrong) in [
            ("/roofline/flops_per_token", json!(8)),
            ("/forwards/1/tokens", json!(1)),
            ("/forwards/2/phase", json!("prefill")),
            ("/forward_ms/median", json!(4.0)),
            ("/decode_ms/p95", json!(2.9)),
            ("/decode_ms/n", json!(3)),
            // Three tokens by the time of two steps.
            ("/decode_tokens_per_second", json!(748.0)),
        ] {
            let mut found = report();
            *found.pointer_mut(pointer).expect("it is there") = wrong;
            let said = difference(Some(&found), Some(&report())).expect("it is wrong");
            let named = pointer.rsplit_once('/').expect("a path").0;
            assert!(said.contains(named), "{pointer}: {said}");
        }
    }
}
