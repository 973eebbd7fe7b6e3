//! Whether the figures are those of the run: counts that are the same for everybody, and times that follow from the
//! passes beside them.

use serde_json::Value;

use crate::engine::{Engine, Question, Tried};
use crate::judgement::Judgement;
use crate::profile;
use crate::wrong::{Wrong, said};
use catalog::manifest::Way;

/// The prompt's ids are in the metrics, the passes are those that this way has to make, and the figures follow.
pub fn add_up(engine: &Engine, judgement: &Judgement) -> Tried {
    if !engine.metrics {
        return Ok(());
    }
    const PROMPT: usize = 4;
    let prompt = [7, 3, 5, 2];
    for way in engine.ways_here() {
        for tokens in [0, 1, 6] {
            let question =
                Question::of(&judgement.model_file, &prompt, tokens).with(&["--ignore-eos"]);
            let answer = engine.ask(way, &question)?;
            let wrong = |said: Wrong| {
                let place = format!("{} of the metrics", said.figure);
                engine.mistake(way, &question, &place, said.wanted, said.found)
            };
            let Some(metrics) = answer.metrics else {
                return Err(engine.mistake(way, &question, "metrics", "some", "none"));
            };
            for (figure, wanted) in [("prompt_tokens", PROMPT), ("generated_tokens", tokens)] {
                if metrics[figure] != wanted {
                    return Err(wrong(said(figure, wanted, shown(metrics.get(figure)))));
                }
            }
            passes(&metrics, &expected_passes(way, PROMPT, tokens))
                .or_else(|| times_add_up(&metrics))
                .or_else(|| only_if_it_exists(&metrics, tokens))
                .map_or(Ok(()), |said| Err(wrong(said)))?;
        }
        a_line_for_each_token(engine, way, judgement, &prompt)?;
        profile::adds_up(engine, way, judgement, &prompt)?;
    }
    a_long_prompt_is_no_decode(engine, judgement)
}

/// Beside a long prompt the steps between two tokens are short. Now and then something else delays one, hence three
/// attempts.
fn a_long_prompt_is_no_decode(engine: &Engine, judgement: &Judgement) -> Tried {
    let way = engine.ways_here().find(|way| !way.recomputes).unwrap_or(&engine.ways[0]);
    let question = Question::of(&judgement.model_file, &[7; 200], 2).with(&["--ignore-eos"]);
    let mut last = Ok(());
    for _ in 0..3 {
        let answer = engine.ask(way, &question)?;
        let Some(wrong) = answer.metrics.as_ref().and_then(decode_without_prefill) else {
            return Ok(());
        };
        let place = format!("{} of the metrics", wrong.figure);
        last = Err(engine.mistake(way, &question, &place, wrong.wanted, wrong.found));
    }
    last
}

fn decode_without_prefill(found: &Value) -> Option<Wrong> {
    let (first, steps) = (found["time_to_first_token_ms"].as_f64()?, times(found, "decode"));
    let speed = found["decode_tokens_per_second"].as_f64()?;
    let least = steps.len() as f64 / (first + steps.iter().sum::<f64>()) * 1e3;
    let wanted = format!("more than {least}: the time to the first token is no part of it");
    (speed <= least).then(|| said("/decode_tokens_per_second", wanted, speed))
}

/// With `--log`, on standard error: the answer itself is not touched.
fn a_line_for_each_token(
    engine: &Engine,
    way: &Way,
    judgement: &Judgement,
    prompt: &[u32],
) -> Tried {
    const TOKENS: usize = 3;
    let question = Question::of(&judgement.model_file, prompt, TOKENS);
    let question = question.with(&["--ignore-eos", "--json", "--log"]);
    let ended = engine.run(way, &question)?;
    let lines = ended.errors.lines().filter(|line| line.contains("token_id=")).count();
    if lines != TOKENS || ended.output.lines().count() != 1 {
        let wanted = format!("{TOKENS} lines with token_id=, and one of JSON");
        let found = format!("{lines} lines, and {}", ended.output.lines().count());
        return Err(engine.mistake(way, &question, "--log", wanted, found));
    }
    Ok(())
}

/// One pass over the prompt, then one for every further token: over all so far, or over the new one.
fn expected_passes(way: &Way, prompt: usize, tokens: usize) -> Vec<(Value, Value)> {
    let pass = |at: usize| match (at, way.recomputes) {
        (0, _) => ("prefill".into(), prompt.into()),
        (_, true) => ("decode".into(), (prompt + at).into()),
        (_, false) => ("decode".into(), 1.into()),
    };
    (0..tokens).map(pass).collect()
}

/// A figure that does not exist is null, not zero; one that exists is there.
fn only_if_it_exists(metrics: &Value, tokens: usize) -> Option<Wrong> {
    for (figure, least) in [
        ("time_to_first_token_ms", 1),
        ("prefill_tokens_per_second", 1),
        ("decode_tokens_per_second", 2),
    ] {
        let wanted = if tokens >= least { "a number" } else { "null" };
        let found = &metrics[figure];
        if found.is_number() != (tokens >= least) || !(found.is_number() || found.is_null()) {
            return Some(said(figure, wanted, found));
        }
    }
    None
}

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

/// The first figure that is not as in the other run.
pub fn difference(found: Option<&Value>, wanted: Option<&Value>) -> Option<Wrong> {
    let wanted = wanted?;
    let Some(found) = found else { return Some(said("metrics", "some", "none")) };
    for pointer in COUNTS {
        let (wanted, found) = (wanted.pointer(pointer), found.pointer(pointer));
        if wanted != found {
            return Some(said(pointer, shown(wanted), shown(found)));
        }
    }
    passes(found, &passes_of(wanted)).or_else(|| times_add_up(found))
}

/// What follows from the times of the passes.
fn times_add_up(metrics: &Value) -> Option<Wrong> {
    spread(metrics).or_else(|| prefill(metrics)).or_else(|| decode_speed(metrics))
}

fn passes_of(metrics: &Value) -> Vec<(Value, Value)> {
    let list = metrics["forwards"].as_array().into_iter().flatten();
    list.map(|pass| (pass["phase"].clone(), pass["tokens"].clone())).collect()
}

/// Every pass has its phase and its number of tokens.
fn passes(found: &Value, wanted: &[(Value, Value)]) -> Option<Wrong> {
    let found = passes_of(found);
    let at = (0..found.len().max(wanted.len())).find(|&at| found.get(at) != wanted.get(at))?;
    let shown = |pass: Option<&(Value, Value)>| {
        pass.map_or("no pass".into(), |(phase, tokens)| format!("{phase}, {tokens} tokens"))
    };
    Some(said(&format!("/forwards/{at}"), shown(wanted.get(at)), shown(found.get(at))))
}

/// The first token comes after the pass over the prompt, whose time the prompt's speed is made of.
fn prefill(found: &Value) -> Option<Wrong> {
    let time: f64 = times(found, "prefill").iter().sum();
    let first = found["time_to_first_token_ms"].as_f64()?;
    if first < time * (1.0 - NEAR) {
        let wanted = format!("at least {time}, the time of the pass over the prompt");
        return Some(said("/time_to_first_token_ms", wanted, first));
    }
    let speed = &found["prefill_tokens_per_second"];
    let wanted = found["prompt_tokens"].as_f64()? / time * 1e3;
    let near = speed.as_f64().is_some_and(|speed| (speed - wanted).abs() <= NEAR * wanted);
    (!near).then(|| said("/prefill_tokens_per_second", wanted, speed))
}

/// The last digits depend on the order of a sum.
const NEAR: f64 = 1e-6;

/// The two summaries are those of the passes that stand in the same report.
fn spread(found: &Value) -> Option<Wrong> {
    for (name, phase) in [("forward_ms", ""), ("decode_ms", "decode")] {
        let mut times = times(found, phase);
        times.sort_by(f64::total_cmp);
        let n = times.len();
        if n == 0 {
            continue;
        }
        let median = (times[(n - 1) / 2] + times[n / 2]) / 2.0;
        // Nearest rank: the smallest value that at least so many percent do not exceed.
        let rank = |percent: usize| times[(n * percent).div_ceil(100).max(1) - 1];
        let sum: f64 = times.iter().sum();
        let wanted = [
            ("n", n as f64),
            ("sum", sum),
            ("min", times[0]),
            ("max", times[n - 1]),
            ("mean", sum / n as f64),
            ("median", median),
            ("p95", rank(95)),
            ("p99", rank(99)),
        ];
        for (field, wanted) in wanted {
            let figure = found[name][field].as_f64();
            if figure.is_none_or(|figure| (figure - wanted).abs() > NEAR * wanted) {
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
fn decode_speed(found: &Value) -> Option<Wrong> {
    let times = times(found, "decode");
    let speed = found["decode_tokens_per_second"].as_f64()?;
    let most = times.len() as f64 / times.iter().sum::<f64>() * 1e3;
    let wanted =
        format!("at most {most}, which is {} steps by the time of their passes", times.len());
    (speed > most * (1.0 + 1e-9)).then(|| said("/decode_tokens_per_second", wanted, speed))
}

/// The times of all passes, or of one phase.
fn times(metrics: &Value, phase: &str) -> Vec<f64> {
    let passes = metrics["forwards"].as_array().into_iter().flatten();
    let wanted = passes.filter(|pass| phase.is_empty() || pass["phase"] == phase);
    wanted.filter_map(|pass| pass["ms"].as_f64()).collect()
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".into(), Value::to_string)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{decode_without_prefill, difference};

    fn report() -> Value {
        let pass = |phase: &str, tokens: u32, ms: f64| json!({"phase": phase, "tokens": tokens, "ms": ms});
        json!({
            "prompt_tokens": 4, "generated_tokens": 3, "time_to_first_token_ms": 8.5, "prefill_tokens_per_second": 500.0, "weight_bytes": 100, "cache": null,
            "roofline": {"weight_bytes_per_token": 90, "kv_bytes_per_token": 8, "flops_per_token": 7},
            "forwards": [pass("prefill", 4, 8.0), pass("decode", 5, 1.0), pass("decode", 6, 3.0)],
            "forward_ms": {"n": 3, "sum": 12.0, "min": 1.0, "max": 8.0, "mean": 4.0, "median": 3.0, "p95": 8.0, "p99": 8.0},
            "decode_ms": {"n": 2, "sum": 4.0, "min": 1.0, "max": 3.0, "mean": 2.0, "median": 2.0, "p95": 3.0, "p99": 3.0},
            "decode_tokens_per_second": 499.0,
        })
    }

    #[test]
    fn a_decode_speed_that_counts_the_prompt_is_named() {
        let mut found = report();
        assert_eq!(decode_without_prefill(&found), None);
        found["decode_tokens_per_second"] = json!(2.0 / 12.7 * 1e3);
        let said = decode_without_prefill(&found).expect("it is wrong");
        assert_eq!(said.figure, "/decode_tokens_per_second");
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
            ("/decode_ms/sum", json!(12.0)),
            // Before its pass has ended.
            ("/time_to_first_token_ms", json!(0.5)),
            // One of the tokens left out.
            ("/prefill_tokens_per_second", json!(375.0)),
            // Three tokens by the time of two steps.
            ("/decode_tokens_per_second", json!(748.0)),
        ] {
            let mut found = report();
            *found.pointer_mut(pointer).expect("it is there") = wrong;
            let said = difference(Some(&found), Some(&report())).expect("it is wrong");
            let named = pointer.rsplit_once('/').expect("a path").0;
            assert!(said.figure.contains(named), "{pointer}: {said:?}");
        }
    }
}
