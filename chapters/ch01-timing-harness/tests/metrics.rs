//! Chapter 1's figures, with a clock that the test sets.

use std::cell::Cell;
use std::time::Duration;

use ch01_timing_harness::metrics::metrics;
use ch01_timing_harness::profile::Operation;
use ch01_timing_harness::recorder::{Phase, Recorder};
use ch01_timing_harness::roofline::{
    BytesRead, Roofline, flops_per_token, kv_bytes_per_position,
};
use test_support::qwen3_0_6b;
use timing::metrics::{Metrics, Summary, nearest_rank};

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A run in which pass i takes `passes[i]` milliseconds and everything between takes 1.
fn run(passes: &[u64]) -> Metrics {
    let now = Cell::new(Duration::ZERO);
    let clock = || now.get();
    let mut recorder = Recorder::new(&clock);
    for &time in passes {
        recorder.forward(1, || now.set(now.get() + ms(time)));
        now.set(now.get() + ms(1));
        recorder.token();
    }
    let phases: Vec<_> = recorder.forwards.iter().map(|forward| forward.phase).collect();
    assert!(phases.iter().skip(1).all(|&phase| phase == Phase::Decode));
    assert!(phases.iter().take(1).all(|&phase| phase == Phase::Prefill));
    metrics(&recorder, 8, passes.len())
}

#[test]
fn exact_times_give_exact_figures() {
    let metrics = run(&[80, 10, 20, 30]);
    assert_eq!(metrics.time_to_first_token_ms, Some(81.0));
    assert_eq!(metrics.prefill_tokens_per_second, Some(100.0)); // 8 tokens in 80 ms
    // Three tokens after the first, in 10 + 20 + 30 ms and three times the 1 ms between.
    assert_eq!(metrics.decode_tokens_per_second, Some(3.0 / 0.063));
    assert_eq!(metrics.middle_depth(), 8 + 1); // steps at 8, 9 and 10
    let all = metrics.forward_ms.expect("there were passes");
    assert_eq!(all.sum, 140.0);
    assert_eq!((all.n, all.min, all.max, all.mean, all.median), (4, 10.0, 80.0, 35.0, 25.0));
    let decode = metrics.decode_ms.expect("there were decode steps");
    assert_eq!((decode.n, decode.min, decode.max, decode.median), (3, 10.0, 30.0, 20.0));
}

#[test]
fn one_token_has_no_decode_speed() {
    let metrics = run(&[80]);
    assert_eq!(metrics.time_to_first_token_ms, Some(81.0));
    assert_eq!(metrics.decode_tokens_per_second, None);
    assert_eq!(metrics.decode_ms, None);
    let all = metrics.forward_ms.clone().expect("there was one pass");
    let one = Summary {
        n: 1,
        sum: 80.0,
        min: 80.0,
        max: 80.0,
        mean: 80.0,
        median: 80.0,
        p95: 80.0,
        p99: 80.0,
    };
    assert_eq!(all, one);
    let json = serde_json::to_value(&metrics).expect("figures are plain");
    assert!(json["decode_tokens_per_second"].is_null(), "n/a is null in JSON");
}

#[test]
fn no_token_has_no_figures_at_all() {
    let metrics = run(&[]);
    assert_eq!(metrics.time_to_first_token_ms, None);
    assert_eq!(metrics.prefill_tokens_per_second, None);
    assert_eq!(metrics.decode_tokens_per_second, None);
    assert_eq!(metrics.forward_ms, None);
}

#[test]
fn a_clock_that_stands_still_divides_nothing_by_zero() {
    let clock = || Duration::ZERO;
    let mut recorder = Recorder::new(&clock);
    for _ in 0..2 {
        recorder.forward(1, || ());
        recorder.token();
    }
    let metrics = metrics(&recorder, 8, 2);
    assert_eq!(metrics.prefill_tokens_per_second, None);
    assert_eq!(metrics.decode_tokens_per_second, None);
}

#[test]
fn percentiles_by_nearest_rank() {
    let hundred: Vec<_> = (1..=100).map(ms).collect();
    for percent in [1, 50, 95, 99, 100] {
        assert_eq!(nearest_rank(&hundred, percent), ms(percent as u64));
    }
    // The textbook's example: ranks 1, 2, 2, 3 and 5 of five values.
    let five = [15, 20, 35, 40, 50].map(ms);
    let found = [5, 30, 40, 50, 100].map(|percent| nearest_rank(&five, percent));
    assert_eq!(found, [15, 20, 20, 35, 50].map(ms));
    assert_eq!(nearest_rank(&five, 0), ms(15));
    assert_eq!(nearest_rank(&[ms(7)], 99), ms(7));
    assert_eq!(Summary::new(&[]), None);
}

#[test]
fn an_operation_that_nobody_counted_has_no_speed() {
    let operation = |ms, bytes, flops| {
        let operation = Operation { name: "test", calls: 1, ms, bytes, flops };
        (operation.gb_per_second(), operation.gflop_per_second())
    };
    assert_eq!(operation(2.0, 6_000_000, 8_000_000), (Some(3.0), Some(4.0)));
    assert_eq!(operation(2.0, 0, 0), (None, None));
    assert_eq!(operation(0.0, 6_000_000, 8_000_000), (None, None));
}

#[test]
fn the_roofline_of_qwen3_0_6b() {
    let config = qwen3_0_6b();
    assert_eq!(kv_bytes_per_position(&config), 224 * 1024);
    // Twice the parameters that are multiplied: 596,049,920 less the 65,536 of the norms.
    let depth_0 = 2 * (596_049_920 - 65_536) + 28 * 4 * 16 * 128;
    assert_eq!(flops_per_token(&config, 0), depth_0);
    let step = flops_per_token(&config, 1001) - flops_per_token(&config, 1000);
    assert_eq!(step, 28 * 4 * 16 * 128);

    let per_position = kv_bytes_per_position(&config);
    let bytes = BytesRead { weights: 2_000_000_000, per_position };
    let mut roofline = Roofline::new(&config, bytes, 0);
    assert_eq!(roofline.bandwidth_gb_per_second, None, "not measured yet");
    roofline.bound(10e9, Some(2.5));
    assert_eq!(roofline.bandwidth_gb_per_second, Some(10.0));
    assert_eq!(roofline.bound_tokens_per_second, Some(5.0));
    assert_eq!(roofline.share_of_bound, Some(0.5));
    let mut deep = Roofline::new(&config, bytes, 1000);
    deep.bound(10e9, None);
    assert_eq!(deep.kv_bytes_per_token, 1000 * 224 * 1024);
    assert!(deep.bound_tokens_per_second.is_some_and(|bound| bound < 5.0));
    assert_eq!(deep.share_of_bound, None);
}
