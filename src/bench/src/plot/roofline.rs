//! What memory and arithmetic permit, and what programs reach of it, over operations for each byte of the weights.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::chart::{self, Chart, Dot, Drawn, Series};
use crate::sweep::recording::{Cell, Recording, short};

/// How fast a core is with nothing but products, in billions of operations a second, by their kind.
#[derive(Deserialize)]
pub struct Peaks {
    peaks: BTreeMap<String, f64>,
}

/// The settings of the sweep are called `names`, as far as there are any.
pub fn draw(
    title: &str,
    names: &[String],
    recording: &Recording,
    peaks: &Peaks,
) -> Result<String, &'static str> {
    let mut programs = Vec::new();
    for (index, cell) in recording.cells.iter().enumerate() {
        let name = names.get(index).unwrap_or(&cell.setting);
        programs.extend(dots(cell).map(|dots| (name.clone(), dots)));
    }
    let memory = recording
        .cells
        .iter()
        .filter_map(|cell| Some(cell.roofline.as_ref()?.bandwidth_gb_per_second));
    let memory = memory.fold(0.0, f64::max);
    let all = || programs.iter().flat_map(|(_, dots)| dots);
    if programs.is_empty() || peaks.peaks.is_empty() || memory <= 0.0 {
        return Err("a roofline takes a sweep with the speed of memory, and a file with peaks");
    }
    // The roofs begin and end a little outside of the points.
    let low = all().map(|dot| dot.x).fold(f64::MAX, f64::min) / 1.2;
    let high = all().map(|dot| dot.x).fold(0.0, f64::max) * 1.2;
    let roof = |(name, peak): (&String, &f64)| {
        let edge = (peak / memory).clamp(low, high);
        let points = [low, edge, high].map(|x| Dot { x, y: peak.min(x * memory) }).to_vec();
        (format!("{name}: {} Gop/s", short(*peak)), points, Drawn::Line)
    };
    let program = |(name, points)| (name, points, Drawn::Dots);
    let lines = peaks.peaks.iter().map(roof).chain(programs.into_iter().map(program));
    let series = lines.enumerate().map(|(style, (name, points, drawn))| Series {
        name,
        style,
        drawn,
        points,
    });
    Ok(chart::draw(&Chart {
        title: title.into(),
        x: "operations for each byte of the weights".into(),
        y: "billions of operations a second".into(),
        log: true,
        log_x: true,
        series: series.collect(),
        note: Some(format!(
            "Slope: memory, {} GB/s. Points: decode left, prefill right.",
            short(memory)
        )),
    }))
}

/// Decode, then prefill: a prompt reads the weights once.
fn dots(cell: &Cell) -> Option<Vec<Dot>> {
    let roofline = cell.roofline.as_ref()?;
    let speed = |spread: &Option<_>| {
        spread.as_ref().map(|spread: &crate::sweep::recording::Spread| spread.median)
    };
    let (decode, prefill) =
        (speed(&cell.decode_tokens_per_second)?, speed(&cell.prefill_tokens_per_second)?);
    let prompt = cell.prefill_flops?;
    let of_token = prompt / cell.point.prompt_tokens() as f64;
    let weights = roofline.weight_bytes_per_token;
    Some(vec![
        Dot {
            x: roofline.flops_per_token / (weights + roofline.kv_bytes_per_token),
            y: decode * roofline.flops_per_token / 1e9,
        },
        Dot { x: prompt / weights, y: prefill * of_token / 1e9 },
    ])
}
