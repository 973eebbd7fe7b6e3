use clap::Parser;
use serde_json::json;

use super::scale::{Scale, label};
use super::*;
use crate::sweep::recording::Spread;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn args(words: &str) -> Args {
    let words = format!("plot --out x.svg in.json {words}");
    Line::parse_from(words.split_whitespace()).args
}

/// Two settings at a prompt and at two depths, with one pass that was interrupted.
fn cells() -> Vec<Cell> {
    let spread =
        |median: f64| json!({ "median": median, "min": median * 0.9, "max": median * 1.2 });
    let mut cells = Vec::new();
    for (setting, speed) in [("ch02 <off>", 3.0), ("ch02 --kv & more", 40.0)] {
        for (kind, tokens) in [("prompt", 16), ("depth", 0), ("depth", 512)] {
            let pass = |n: usize| {
                let ms = if n == 70 { 1e4 } else { n as f64 / speed };
                json!({ "phase": "decode", "tokens": 1, "end": n, "ms": ms, "flops": 1e6 * n as f64 })
            };
            let cell = json!({
                "setting": setting,
                "point": { "kind": kind, "tokens": tokens },
                "decode_tokens_per_second": spread(speed),
                "prefill_tokens_per_second": spread(speed * 20.0),
                "forwards": (1..=100).map(pass).collect::<Vec<_>>(),
            });
            cells.push(serde_json::from_value(cell).unwrap());
        }
    }
    cells
}

/// Every tag closed in its order, every attribute quoted, no stray character.
fn check_xml(svg: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && !svg.starts_with('\n'), "{text}");
        for entity in text.split('&').skip(1) {
            assert!(
                ["amp;", "lt;", "gt;"].iter().any(|known| entity.starts_with(known)),
                "{text}"
            );
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_figure_is_well_formed_complete_and_the_same_each_time() {
    for words in ["--kind curve --only prompt", "--kind curve --flops --log"] {
        let args = Args { title: "A & B <1>".into(), ..args(words) };
        let svg = figure(&args, &cells()).unwrap();
        assert_eq!(svg, figure(&args, &cells()).unwrap());
        check_xml(&svg);
        assert!(svg.contains("<title>A &amp; B &lt;1&gt;</title>"), "{svg}");
        // Once to be seen, once in the description.
        for name in ["ch02 &lt;off&gt;", "ch02 --kv &amp; more"] {
            assert!(svg.matches(name).count() >= 2, "{words}: {name}");
        }
    }
}

#[test]
fn names_stand_at_the_ends_of_their_lines_and_not_on_each_other() {
    let dot = |y: f64| Dot { x: 1.0, y };
    let series = |(style, (name, y)): (usize, (&str, f64))| {
        let points = vec![dot(1.0), Dot { x: 9.0, y }];
        Series { name: name.into(), style, drawn: Drawn::Marked, points }
    };
    let named =
        [("low", 0.0), ("in the middle, and so long that it breaks", 7.0), ("high", 7.0)];
    let svg = chart::draw(&Chart {
        title: String::new(),
        x: "x".into(),
        y: "y".into(),
        log: false,
        log_x: false,
        series: named.into_iter().enumerate().map(series).collect(),
        note: None,
    });
    let y = |words: &str| -> f64 {
        let text =
            svg.split("<text ").find(|text| text.contains(&format!(">{words}<"))).unwrap();
        text.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let all = ["in the middle, and", "so long that it", "breaks", "high", "low"].map(y);
    assert!(all.is_sorted_by(|a, b| b - a > 15.0), "{all:?}");
}

#[test]
fn a_running_median_moves_nothing_in_a_curve_that_only_rises() {
    let dots = |ys: &[f64]| -> Vec<Dot> {
        (0_u8..).zip(ys).map(|(x, y)| Dot { x: f64::from(x), y: *y }).collect()
    };
    let medians = |ys: &[f64], reach| -> Vec<f64> {
        running_medians(&dots(ys), reach).iter().map(|dot| dot.y).collect()
    };
    let rising = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    assert_eq!(medians(&rising, 2), rising);
    assert_eq!(medians(&[1.0, 2.0, 900.0, 3.0, 4.0], 2), [1.0, 2.0, 3.0, 4.0, 4.0]);
    assert_eq!(medians(&[5.0, 1.0], 0), [5.0, 1.0]);
    assert!(medians(&[], 7).is_empty());
}

#[test]
fn runs_of_a_single_pass_are_points_of_one_line() {
    let mut cells: Vec<Cell> = cells().into_iter().skip(1).step_by(3).collect();
    cells.extend(cells.clone());
    for (n, cell) in (1..).zip(&mut cells) {
        cell.point.tokens = n;
        cell.forwards.truncate(1);
        cell.forwards[0].end = 10 - n;
    }
    let cells: Vec<&Cell> = cells.iter().collect();
    let ends = |passes: &[Pass]| passes.iter().map(|pass| pass.end).collect::<Vec<_>>();
    let found: Vec<_> =
        lines(&cells).into_iter().map(|(name, passes)| (name, ends(&passes))).collect();
    let (off, on) = ("ch02 <off>".to_string(), "ch02 --kv & more".to_string());
    assert_eq!(found, [(off, vec![7, 9]), (on, vec![6, 8])]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    assert_eq!(figure(&args("--kind curve --only ch07"), &cells()).unwrap_err(), NOTHING);
    let error = run(&args("--kind curve")).unwrap_err().to_string();
    assert!(error.starts_with("in.json: ") && !error.contains('\n'), "{error}");
}

#[test]
fn stairs_come_from_a_comparison() {
    let mut recording = Recording { cells: cells(), ..Recording::default() };
    recording.cells.truncate(3);
    for (index, cell) in recording.cells.iter_mut().enumerate() {
        cell.setting = ["ch98-a --x", "ch98-gone", "ch98-far-rows"][index].into();
        cell.decode_tokens_per_second = Spread::new(vec![1.0 + index as f64, 2.0]);
        cell.prefill_tokens_per_second = cell.decode_tokens_per_second.clone();
    }
    let there = |program: &str| program != "ch98-gone";
    let stairs = steps::stairs(&recording, there).unwrap();
    assert!(stairs.steps[0].decode_ratio.is_none());
    // Round by round: 3 / 1 and 2 / 2.
    assert_eq!(stairs.steps[1].decode_ratio.as_ref().unwrap().median, 2.0);
    assert_eq!(stairs.steps[1].title, "far rows");
    recording.cells[2].decode_tokens_per_second = None;
    assert!(steps::stairs(&recording, there).is_err());
}

#[test]
fn stairs_that_cannot_be_drawn_are_refused() {
    let speed = |min: f64| json!({ "median": 2.0, "min": min, "max": 3.0 });
    let step = json!({ "title": "lanes", "decode": speed(1.0), "prefill": speed(0.0) });
    let mut stairs: steps::Stairs = serde_json::from_value(json!({ "steps": [step] })).unwrap();
    assert!(steps::draw("", &stairs).unwrap_err().contains("positive"));
    stairs.steps.clear();
    assert_eq!(steps::draw("", &stairs).unwrap_err(), NOTHING);
    assert!(figure(&args("--kind steps"), &cells()).unwrap_err().contains("one file"));
}

#[test]
fn a_roofline_has_its_edge_where_memory_and_core_agree() {
    let mut cells = cells();
    cells.retain(|cell| cell.point.tokens == 16);
    for cell in &mut cells {
        cell.prefill_flops = Some(16e9);
        let roofline = json!({ "weight_bytes_per_token": 5e8, "kv_bytes_per_token": 0,
            "flops_per_token": 1e9, "bandwidth_gb_per_second": 20.0 });
        cell.roofline = Some(serde_json::from_value(roofline).unwrap());
    }
    let mut recording = Recording { cells, ..Recording::default() };
    let peaks = serde_json::from_value(json!({ "peaks": { "bytes & more": 400.0 } })).unwrap();
    let svg = roofline::draw("A & B", &["one".into()], &recording, &peaks).unwrap();
    check_xml(&svg);
    // Decode does 2 operations for a byte, prefill 32. The roof reaches a little further on both sides: there memory
    // feeds 20 times as many operations, or the core is at its peak. What programs do comes from their speeds.
    for words in [
        "bytes &amp; more: 400.0 Gop/s: from 33.3333 at 1.67 to 400.0000 at 38.4.",
        "one: from 3.0000 at 2 to 60.0000 at 32.",
        "memory, 20.00 GB/s.",
    ] {
        assert!(svg.contains(words), "{svg}");
    }
    recording.cells[0].roofline.as_mut().unwrap().bandwidth_gb_per_second = 0.0;
    recording.cells[1].roofline = None;
    assert!(
        roofline::draw("", &[], &recording, &peaks).unwrap_err().contains("speed of memory")
    );
    assert!(
        figure(&args("--kind roofline"), &recording.cells).unwrap_err().contains("two files")
    );
}

#[test]
fn axes_have_round_numbers_and_room_for_every_value() {
    for high in [0.0037, 0.9, 1.0, 7.3, 10.0, 64.0, 999.0, 123_456.0] {
        let scale = Scale::new(false, [high].into_iter(), 0.0, 100.0);
        assert!((4..=8).contains(&scale.ticks.len()), "{:?}", scale.ticks);
        assert!(scale.place(high) > 80.0 && scale.place(0.0) == 0.0);
        let scale = Scale::new(true, [high / 30.0, high].into_iter(), 0.0, 100.0);
        assert!((3..=8).contains(&scale.ticks.len()), "{:?}", scale.ticks);
        assert!(scale.low <= high / 30.0 * 1.000_001 && scale.high >= high * 0.999_999);
    }
    let labels = [0.0, 0.25, 2.5, 1000.0, 0.003].map(label);
    assert_eq!(labels, ["0", "0.25", "2.5", "1,000", "0.003"]);
}

#[test]
fn colours_can_be_seen_on_light_and_on_dark() {
    let light = |colour: &str| -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let colours = chart::COLOURS.iter().map(|(_, colour)| *colour);
    for colour in colours.chain([chart::INK]) {
        for paper in ["#ffffff", "#1a1a1a", "#161923"] {
            let (a, b) = (light(colour) + 0.05, light(paper) + 0.05);
            assert!(a.max(b) / a.min(b) > 3.0, "{colour} on {paper}");
        }
    }
}
