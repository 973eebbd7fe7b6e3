use clap::Parser;
use serde_json::{Value, json};

use super::fit::Fit;
use super::recording::{Metrics, Spread};
use super::table::print;
use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn args(words: &str) -> Args {
    // A word in brackets is one argument: [ch02 --kv]
    let mut arguments = vec!["sweep".to_string()];
    for part in words.split(['[', ']']).enumerate() {
        match part {
            (odd, setting) if odd % 2 == 1 => arguments.push(setting.into()),
            (_, words) => arguments.extend(words.split_whitespace().map(String::from)),
        }
    }
    Line::parse_from(arguments).args
}

fn config() -> Config {
    Config::from_gguf(&ground::embedded::tiny_qwen3().unwrap()).unwrap()
}

/// A chapter of the imagination: a prefill of `prefill` ms, and decode passes of these.
fn fake(point: Point, prefill: f64, decode: &[f64], recomputes: bool) -> Run {
    let prompt = point.prompt_tokens();
    let mut forwards = vec![json!({ "phase": "prefill", "tokens": prompt, "ms": prefill })];
    for (step, ms) in decode.iter().enumerate() {
        let tokens = if recomputes { prompt + step + 1 } else { 1 };
        forwards.push(json!({ "phase": "decode", "tokens": tokens, "ms": ms }));
    }
    let metrics = json!({
        "machine": { "cpu": "abacus" }, "model": "tiny", "stored_as": "F32",
        "time_to_first_token_ms": prefill,
        "prefill_tokens_per_second": prompt as f64 / prefill * 1e3,
        "decode_tokens_per_second": if decode.is_empty() { Value::Null } else { json!(77.0) },
        "peak_memory_bytes": 1_000_000,
        "roofline": {
            "weight_bytes_per_token": 100, "kv_bytes_per_token": 20,
            "flops_per_token": 240, "bandwidth_gb_per_second": 5.0,
        },
        "forwards": forwards,
    });
    let metrics: Metrics = serde_json::from_value(metrics).unwrap();
    Run { metrics, generated_ids: json!([1, 2]), wall_ms: prefill + 1e3 }
}

#[test]
fn a_sweep_measures_in_turn_and_takes_medians() {
    let args =
        args("--run [a --kv] --run [b] --depth 0,5 --depth-steps 2 --repeat 3 --compare");
    let mut calls = Vec::new();
    let mut out = Vec::new();
    let run = |index: usize, point: Point| {
        calls.push(format!("{index} {point}"));
        let times = [[4.0, 4.0], [1.0, 1.0], [2.0, 2.0]][(calls.len() - 1) / 2 % 3];
        let faster = if index == 0 { 1.0 } else { 2.0 };
        Ok(fake(point, 10.0 / faster, &times.map(|ms| ms / faster), false))
    };
    let recording = measure(&args, &config(), run, &mut out).unwrap().unwrap();
    let once = ["0 depth 0", "1 depth 0"];
    assert_eq!(calls[..2], ["0 prompt 4", "1 prompt 4"]); // the warm-up
    assert_eq!(calls[2..8], [once, once, once].concat());
    assert_eq!(recording.cells.len(), 4);

    let cell = &recording.cells[0];
    let decode = cell.decode_tokens_per_second.clone().unwrap();
    assert_eq!(decode, Spread::new(vec![1000.0, 500.0, 250.0]).unwrap());
    assert_eq!((decode.median, decode.min, decode.max), (500.0, 250.0, 1000.0));
    let passes: Vec<(f64, usize)> = cell.forwards.iter().map(|p| (p.ms, p.end)).collect();
    assert_eq!(passes, [(10.0, 1), (2.0, 2), (2.0, 3)]); // those of the median run
    assert_eq!(cell.whole_run_ms.as_ref().unwrap().median, 14.0);
    assert!(cell.fit.is_none());
    assert!(cell.command.ends_with(
        "--kv --json --bandwidth --ignore-eos -n 3 --token-ids <1 random ids, seed 0>"
    ));

    let ratio = &recording.ratios[1];
    assert_eq!(ratio.point.tokens, 5);
    for spread in [&ratio.prefill, &ratio.decode, &ratio.whole_run] {
        let Spread { median, min, max, raw } = spread.as_ref().unwrap();
        assert_eq!((*median, *min, *max, raw.len()), (2.0, 2.0, 2.0, 3));
    }
    print(&recording, &args.run, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("12 runs, about"), "{text}");
    assert!(text.contains("500.0 (250.0-1000)"), "{text}");
    assert!(text.contains("b is so many times as fast as a --kv"), "{text}");
    let json = serde_json::to_string(&recording).unwrap();
    let back: Recording = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), json);
}

#[test]
fn prompts_of_many_lengths_are_a_curve_without_decode() {
    let args = args(
        "--run [a] --prompt 10,20,30,40,50,60,70,80,90,100,110,120,130,140,150,160 -n 1 --repeat 1",
    );
    let mut out = Vec::new();
    let run = |_, point: Point| {
        let n = point.tokens as f64;
        Ok(fake(point, 3.0 + 0.2 * n + 0.01 * n * n, &[], false))
    };
    let recording = measure(&args, &config(), run, &mut out).unwrap().unwrap();
    assert!(recording.cells[0].decode_tokens_per_second.is_none());
    let fit = &recording.prompt_fits[0].fit;
    assert!((fit.linear_ms - 0.2).abs() < 1e-9, "{fit:?}");
    assert!((fit.quadratic_ms - 0.01).abs() < 1e-9, "{fit:?}");
    print(&recording, &args.run, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for said in ["fit of the prompts with a: 3.000 ms + 200.0 us n", " n/a "] {
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn medians_of_few_values() {
    let spread = |raw: &[f64]| Spread::new(raw.to_vec());
    assert_eq!(spread(&[]), None);
    assert_eq!(spread(&[3.0]).unwrap().to_string(), "3.000 (3.000-3.000)");
    assert_eq!(spread(&[4.0, 1.0]).unwrap().median, 2.5);
    assert_eq!(spread(&[40.0, 1.0, 2.0, 3.0]).unwrap().median, 2.5);
}

#[test]
fn a_fit_finds_the_curve_that_made_the_points() {
    let points = |curve: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        (17..1000).map(|n| (f64::from(n), curve(f64::from(n)))).collect()
    };
    let fit = Fit::new(&points(&|n| 2.0 + 0.03 * n + 0.000_05 * n * n)).unwrap();
    assert!((fit.constant_ms - 2.0).abs() < 1e-9, "{fit:?}");
    assert!((fit.linear_ms - 0.03).abs() < 1e-11, "{fit:?}");
    assert!((fit.quadratic_ms - 0.000_05).abs() < 1e-14, "{fit:?}");
    assert!((fit.r_squared - 1.0).abs() < 1e-12, "{fit:?}");
    let shares = fit.constant_share + fit.linear_share + fit.quadratic_share;
    assert!((shares - 1.0).abs() < 1e-12, "{fit:?}");
    let fit = Fit::new(&points(&|n| 0.5 * n)).unwrap();
    assert!((fit.linear_share - 1.0).abs() < 1e-9, "{fit:?}");
    assert!(fit.quadratic_share.abs() < 1e-9, "{fit:?}");
    assert!(Fit::new(&[(1.0, 1.0); 15]).is_none());
    assert!(Fit::new(&[(1.0, 1.0); 50]).is_none());
}

#[test]
fn the_estimate_is_exact_where_time_goes_with_the_work() {
    let config = config();
    for recomputes in [false, true] {
        let run = |point: Point| {
            let mut run = fake(point, 1.0, &vec![1.0; point.new_tokens - 1], recomputes);
            run.metrics.note_work(&config);
            run.metrics.forwards.iter_mut().for_each(|pass| pass.ms = pass.flops / 1e6);
            run.wall_ms = run.metrics.whole_run_ms() + 250.0;
            run
        };
        let warm_up = run(Point { kind: Kind::Prompt, tokens: 4, new_tokens: 3 });
        let point = Point { kind: Kind::Prompt, tokens: 100, new_tokens: 20 };
        let estimate = Speed::new(&warm_up.metrics, warm_up.wall_ms).estimate(&config, point);
        assert!((estimate / run(point).wall_ms - 1.0).abs() < 1e-9, "{estimate}");
    }
    assert_eq!(estimate::duration(59_400.0), "59 s");
    assert_eq!(estimate::duration(7_200_000.0 + 180_000.0), "2 h 3 min");
}

#[test]
fn what_cannot_be_measured_is_refused_in_one_line() {
    let long = args("--run [a] --depth 1000000");
    let never = |_, _| panic!("nothing may run");
    let error = measure(&long, &config(), never, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("depth 1000000 with 9 new tokens needs a context of"), "{error}");
    let error = run(&args("--run [a] --compare")).unwrap_err().to_string();
    assert_eq!(error, "--compare takes at least two --run settings, not 1");
    let error = run(&args("--run [a] --out no/such/folder/x.json")).unwrap_err().to_string();
    assert_eq!(error, "no/such/folder/x.json: cannot be written there");
    assert!(["", "--kv", "a,b"].iter().all(|text| text.parse::<Setting>().is_err()));
}

#[test]
fn a_program_by_its_path_is_called_by_its_name_alone() {
    let setting: Setting =
        "here/or/there/ch03-lanes --kv=off".parse().expect("a path and a flag");
    assert_eq!(setting.name, "ch03-lanes --kv=off");
    assert_eq!(
        setting.program(true).expect("it is not built"),
        Path::new("here/or/there/ch03-lanes")
    );
    let error =
        setting.run(Path::new("here/or/there/ch03-lanes"), &[]).err().expect("it is not there");
    assert!(error.to_string().starts_with("ch03-lanes --kv=off: "), "{error}");
    let setting: Setting = "a/\u{1b}[2J --b=\u{7}".parse().expect("any path, any flag");
    assert_eq!(setting.name, r"\u{1b}[2J --b=\u{7}");
}

#[test]
fn a_comparison_of_three_pairs_neighbours() {
    let args =
        args("--run [a] --run [b] --run [c] --depth 0 --depth-steps 2 --repeat 2 --compare");
    let run = |index: usize, point: Point| {
        let faster = [1.0, 2.0, 6.0][index];
        Ok(fake(point, 10.0, &[12.0 / faster, 12.0 / faster], false))
    };
    let mut out = Vec::new();
    let recording = measure(&args, &config(), run, &mut out).unwrap().unwrap();
    let decode = |ratio: &Ratio| ratio.decode.as_ref().expect("a ratio").median;
    assert_eq!(recording.ratios.iter().map(decode).collect::<Vec<_>>(), [2.0, 3.0]);
    print(&recording, &args.run, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("c is so many times as fast as b:"), "{text}");
}

#[test]
fn random_ids_are_in_the_vocabulary_and_repeatable() {
    let ids = |seed| random_ids(seed, 100, 2000);
    assert!(ids(1).iter().all(|id| *id < 100));
    assert_eq!(ids(1), ids(1));
    assert_ne!(ids(1), ids(2));
    let all: std::collections::HashSet<_> = ids(1).into_iter().collect();
    assert_eq!(all.len(), 100);
}
