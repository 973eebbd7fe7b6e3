//! The numbers of chapter 2's pages that are arithmetic: its own functions compute them here, and
//! the pages must say the same.

use std::fs;

use ch02_kv_cache::cache::{ContiguousCache, KvCache};
use ch02_kv_cache::roofline::{flops_per_token, kv_bytes_per_position};
use ground::config::Config;
use ground::dtype::StoredType;
use test_support::{qwen3_0_6b, root};

fn page(path: &str) -> String {
    fs::read_to_string(root().join("book").join(path)).expect("the page is there")
}

fn assert_says(page: &str, text: &str) {
    assert!(page.contains(text), "the page does not say: {text}");
}

/// 28 MiB, 1.75 GiB.
fn binary_units(bytes: usize) -> String {
    let kib = bytes as f64 / 1024.0;
    match kib {
        ..1024.0 => format!("{kib} KiB"),
        ..1_048_576.0 => format!("{} MiB", kib / 1024.0),
        _ => format!("{} GiB", kib / 1_048_576.0),
    }
}

/// 40,960.
fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The bytes of all weights: matrices of this type, norms in F32.
fn weight_bytes(config: &Config, stored: StoredType) -> usize {
    let bytes = |(name, rows, columns): (String, usize, usize)| {
        let stored = if name.ends_with("norm.weight") { StoredType::F32 } else { stored };
        rows * stored.row_bytes(columns)
    };
    config.tensors().map(bytes).sum()
}

#[test]
fn the_budget_table() {
    let config = qwen3_0_6b();
    let result = page("src/ch02/result.md");
    let position = kv_bytes_per_position(&config);
    let (f32, q8_0) =
        (weight_bytes(&config, StoredType::F32), weight_bytes(&config, StoredType::Q8_0));
    for positions in [1, 128, 1024, 2048, 4096, 8192, 16_384, 32_768, 40_960] {
        let bytes = position * positions;
        let percent = |weights: usize| format!("{:.1}", 100.0 * bytes as f64 / weights as f64);
        let row = [with_commas(positions), binary_units(bytes), percent(f32), percent(q8_0)];
        assert_says(&result, &format!("| {} |", row.join(" | ")));
    }
    // Where the cache has become as large as the weights.
    for weights in [f32, q8_0] {
        assert_says(&result, &format!("{} positions", with_commas(weights.div_ceil(position))));
    }
    assert_says(&result, &format!("{} bytes, which is 224 KiB", with_commas(position)));
    // Where attention has as much to compute as the rest of the layers.
    let pair = flops_per_token(&config, 1) - flops_per_token(&config, 0);
    let head = 2 * config.vocab * config.hidden;
    let row = flops_per_token(&config, 0) - pair - head;
    assert_says(&result, &format!("At {} positions, attention", with_commas(row / pair)));
    assert_eq!(row % pair, 0);
    assert_says(
        &result,
        &format!("{0} FLOP and {1} bytes", with_commas(pair), with_commas(position)),
    );
}

/// The table over published models is computed from these sizes: ours must be the ones that we run.
#[test]
fn the_published_sizes_of_our_model() {
    let published = page("measurements/published-models.json");
    let published: serde_json::Value = serde_json::from_str(&published).expect("it is JSON");
    let config = qwen3_0_6b();
    for (name, number) in [
        ("layers", config.layers),
        ("hidden", config.hidden),
        ("heads", config.heads),
        ("kv_heads", config.kv_heads),
        ("head_dim", config.head_dim),
    ] {
        assert_eq!(published["models"]["qwen3_0_6b"][name], number, "{name}");
    }
    let row = StoredType::Q8_0.row_bytes(32) as f64 / 32.0;
    assert_eq!(published["bytes_per_number"]["q8_0"], row);
}

#[test]
fn a_cache_takes_what_the_budget_says() {
    let config = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&config).expect("its config is sound");
    let cache = ContiguousCache::new(config.layers, config.kv_heads * config.head_dim, 10)
        .expect("there is memory");
    assert_eq!(cache.shape().memory_bytes, 10 * kv_bytes_per_position(&config));
    let bytes = with_commas(kv_bytes_per_position(&config));
    assert_says(&page("src/ch02/result.md"), &format!("2 × 6 × 3 × 64 × 4 = {bytes} bytes"));
}

/// Work of one pass over `rows` new tokens behind `position`, in FLOP.
fn pass(config: &Config, position: usize, rows: usize) -> usize {
    let head = 2 * config.vocab * config.hidden;
    // The head runs for the last row only.
    (position..position + rows)
        .map(|depth| flops_per_token(config, depth) - head)
        .sum::<usize>()
        + head
}

#[test]
fn the_prediction() {
    let config = qwen3_0_6b();
    let index = page("src/ch02/index.md");
    // A row meets so many numbers in the layers, and so many in the head: half of the FLOPs without attention's pairs.
    let pair = flops_per_token(&config, 1) - flops_per_token(&config, 0);
    let head = config.vocab * config.hidden;
    let layers = (flops_per_token(&config, 0) - pair) / 2 - head;
    let in_rows =
        |rows: usize, passes: usize| rows as f64 + passes as f64 * head as f64 / layers as f64;
    let (prompt, new) = (16, 32);
    let lengths = prompt + 1..prompt + new;
    let (rows, count) = (lengths.clone().sum(), lengths.len());
    let (prefill, off, on) = (in_rows(prompt, 1), in_rows(rows, count), in_rows(count, count));
    for row in [
        format!("meets {} numbers", with_commas(layers)),
        format!("and {} in the head", with_commas(head)),
        format!("{:.3} of a row", in_rows(0, 1)),
        format!("| prefill, off and on | {prompt} | 1 | {prefill:.1} |"),
        format!("| decode, off | {rows} | {count} | {off:.1} |"),
        format!("| decode, on | {count} | {count} | {on:.1} |"),
        format!("decode = {off:.1} / {on:.1} //"),
        format!("whole = ({prefill:.1} + {off:.1}) / ({prefill:.1} + {on:.1}) //"),
    ] {
        assert_says(&index, &row);
    }
}

#[test]
fn the_prediction_for_the_tiny_model() {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its config is sound");
    let of = |new: usize| {
        let lengths = 5..4 + new;
        let off: usize = lengths.clone().map(|length| pass(&config, 0, length)).sum();
        let on: usize = lengths.clone().map(|length| pass(&config, length - 1, 1)).sum();
        let mean = lengths.clone().sum::<usize>() / lengths.len();
        ((off + on / 2) / on, mean)
    };
    let gain = page("src/ch02/gain.md");
    for new in [64, 128, 512] {
        let (times, rows) = of(new);
        assert_says(&gain, &format!("| {new} | {rows} | {times} | "));
    }
}

#[test]
fn the_figure_that_steps_has_the_same_numbers() {
    let config = qwen3_0_6b();
    let script = page("js/kv-steps.js");
    let head = 2 * config.vocab * config.hidden;
    let pair = flops_per_token(&config, 1) - flops_per_token(&config, 0);
    for (name, number) in [
        ("FLOPS_PER_ROW", flops_per_token(&config, 0) - pair - head),
        ("FLOPS_OF_HEAD", head),
        ("FLOPS_PER_PAIR", pair),
        ("BYTES_PER_POSITION", kv_bytes_per_position(&config)),
        ("WEIGHT_BYTES", weight_bytes(&config, StoredType::F32)),
    ] {
        assert_says(&script, &format!("const {name} = {number};"));
    }
    let still = page("src/figures/kv-steps.svg");
    for (position, rows) in [(0, 6), (5, 1)] {
        assert_says(
            &still,
            &format!("{:.2} GFLOP", pass(&config, position, rows) as f64 / 1e9),
        );
    }
}
