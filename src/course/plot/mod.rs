//! `plot`: figures for the book from what `sweep` wrote. The same files give the same bytes.

mod bars;
mod chart;
mod scale;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use ground::error::Error;

use crate::sweep::recording::{Cell, Kind, Pass, Recording, Spread, short};
use crate::sweep::write_whole;
use chart::{Axis, Chart, Dot, Series};

/// Which figure, from which files, to which one.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What the figure shows
    #[arg(long, value_enum)]
    kind: Figure,

    /// The SVG to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// The line above the figure
    #[arg(long, default_value = "")]
    title: String,

    /// Only cells whose name has this in it, such as "prompt 128" or "kv=basic"; more than one: any of them
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,

    /// The figure of a bar, or of a point over the depth
    #[arg(long, value_enum, default_value = "decode")]
    value: Which,

    /// A logarithmic scale for the time or speed
    #[arg(long)]
    log: bool,

    /// With curves: what each pass would take if it computed at the run's mean speed
    #[arg(long)]
    flops: bool,

    /// What `sweep --out` wrote
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Figure {
    /// Milliseconds of every forward pass
    Curve,
    /// Speed over the number of tokens before
    Depth,
    /// Speed of computing over the work per byte, below what the memory allows
    Roofline,
    /// One bar per setting
    Bars,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Which {
    Decode,
    Prefill,
    FirstToken,
    WholeRun,
}

impl Which {
    fn of(self, cell: &Cell) -> Option<&Spread> {
        match self {
            Which::Decode => cell.decode_tokens_per_second.as_ref(),
            Which::Prefill => cell.prefill_tokens_per_second.as_ref(),
            Which::FirstToken => cell.time_to_first_token_ms.as_ref(),
            Which::WholeRun => cell.whole_run_ms.as_ref(),
        }
    }

    fn unit(self) -> &'static str {
        if matches!(self, Which::Decode | Which::Prefill) { "tok/s" } else { "ms" }
    }

    fn label(self) -> &'static str {
        match self {
            Which::Decode => "decode, tokens per second",
            Which::Prefill => "prefill, tokens per second",
            Which::FirstToken => "ms to the first token",
            Which::WholeRun => "ms for all forward passes",
        }
    }
}

/// Reads, draws, writes.
pub fn run(args: &Args) -> Result<(), Error> {
    let mut cells = Vec::new();
    for path in &args.inputs {
        let wrong = |why: String| Error::Chapter(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let recording: Recording =
            serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        cells.extend(recording.cells);
    }
    let figure = figure(args, &cells).map_err(|why| Error::Chapter(why.into()))?;
    match &args.out {
        Some(path) => write_whole(path, &figure),
        None => Ok(io::stdout().write_all(figure.as_bytes())?),
    }
}

fn figure(args: &Args, cells: &[Cell]) -> Result<String, &'static str> {
    let wanted = |cell: &&Cell| {
        let name = format!("{}, {}", cell.setting, cell.point);
        args.only.is_empty() || args.only.iter().any(|text| name.contains(text))
    };
    let cells: Vec<&Cell> = cells.iter().filter(wanted).collect();
    let (mut series, x, y) = match args.kind {
        Figure::Bars if args.log => return Err("a bar begins at zero: --log has none"),
        Figure::Bars => {
            let value = |cell: &&Cell| Some((name(cell, &cells), args.value.of(cell)?.clone()));
            let bars: Vec<_> = cells.iter().filter_map(value).collect();
            if bars.is_empty() {
                return Err(NOTHING);
            }
            return Ok(bars::draw(&args.title, args.value.unit(), &bars));
        }
        Figure::Curve => (curves(&cells, args.flops), "tokens so far", "ms per forward pass"),
        Figure::Depth => (depths(&cells, args.value), "tokens before", args.value.label()),
        Figure::Roofline => (roofline(&cells), "FLOPs per byte read", "GFLOP/s"),
    };
    series.retain(|series| !series.points.is_empty());
    if series.is_empty() {
        return Err(NOTHING);
    }
    let log = args.kind == Figure::Roofline;
    let mut y = Axis { label: y.into(), log: args.log || log, end: None };
    let mut note = None;
    if args.kind == Figure::Curve && !y.log {
        (y.end, note) = without_spikes(&series);
    }
    let x = Axis { label: x.into(), log, end: None };
    Ok(chart::draw(&Chart { title: args.title.clone(), x, y, series, note }))
}

const NOTHING: &str = "the files hold nothing for this figure (or --only fits no cell)";

/// The point is only named where it tells two cells apart.
fn name(cell: &Cell, among: &[&Cell]) -> String {
    if among.iter().all(|other| other.point == cell.point) {
        return cell.setting.clone();
    }
    format!("{}, {}", cell.setting, cell.point)
}

fn curves(cells: &[&Cell], flops: bool) -> Vec<Series> {
    let mut all = Vec::new();
    for (name, passes) in lines(cells) {
        let curve = |name: String, marker, ms: &dyn Fn(&Pass) -> f64| {
            let dot = |pass: &Pass| Dot { x: pass.end as f64, y: ms(pass), range: None };
            let points = passes.iter().map(dot).collect();
            Series { name, style: all.len(), line: true, marker, points }
        };
        let measured = curve(name, true, &|pass| pass.ms);
        let sum = |part: &dyn Fn(&Pass) -> f64| passes.iter().map(part).sum::<f64>();
        let speed = sum(&|pass| pass.flops) / sum(&|pass| pass.ms); // FLOPs per ms
        let counted =
            curve(format!("its FLOPs at {} GFLOP/s", short(speed / 1e6)), false, &|pass| {
                pass.flops / speed
            });
        all.push(measured);
        if flops && speed > 0.0 {
            all.push(Series { style: all.len(), ..counted });
        }
    }
    all
}

/// The passes of every cell; but cells of a single pass are points of one line, one for a setting.
fn lines(cells: &[&Cell]) -> Vec<(String, Vec<Pass>)> {
    let mut lines: Vec<(String, Vec<Pass>)> = Vec::new();
    for cell in cells {
        match (cell.forwards.as_slice(), lines.iter_mut().find(|line| line.0 == cell.setting)) {
            ([pass], Some((_, passes))) => passes.push(pass.clone()),
            ([pass], None) => lines.push((cell.setting.clone(), vec![pass.clone()])),
            (passes, _) => lines.push((name(cell, cells), passes.to_vec())),
        }
    }
    for (_, passes) in &mut lines {
        passes.sort_by_key(|pass| pass.end);
    }
    lines
}

/// One pass that the machine interrupted would flatten all others: the axis ends above nearly all
/// of them, and says how many lie beyond.
fn without_spikes(series: &[Series]) -> (Option<f64>, Option<String>) {
    let mut all: Vec<f64> = series.iter().flat_map(|s| &s.points).map(|dot| dot.y).collect();
    all.sort_by(f64::total_cmp);
    let end = all[(all.len() - 1) * 98 / 100] * 1.5;
    let beyond = all.iter().filter(|ms| **ms > end).count();
    if beyond == 0 {
        return (None, None);
    }
    let note = format!("{beyond} of {} passes lie above this figure", all.len());
    (Some(end), Some(note))
}

fn depths(cells: &[&Cell], value: Which) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.point.kind == Kind::Depth) {
        let Some(&Spread { median, min, max, .. }) = value.of(cell) else { continue };
        let dot = Dot { x: cell.point.tokens as f64, y: median, range: Some((min, max)) };
        match all.iter_mut().find(|series| series.name == cell.setting) {
            Some(series) => series.points.push(dot),
            None => {
                let (name, style, points) = (cell.setting.clone(), all.len(), vec![dot]);
                all.push(Series { name, style, line: true, marker: true, points });
            }
        }
    }
    for series in &mut all {
        series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    all
}

/// What each cell computes per byte that it must read at least, and how fast: a decode step reads
/// all weights for one token, a prefill reads them once for the whole prompt.
fn roofline(cells: &[&Cell]) -> Vec<Series> {
    let mut all = Vec::new();
    let mut bandwidth = 0.0_f64;
    for cell in cells {
        let Some(roofline) = &cell.roofline else { continue };
        bandwidth = bandwidth.max(roofline.bandwidth_gb_per_second);
        let name = name(cell, cells);
        let mut point = |name, flops: f64, bytes: f64, each: Option<(f64, f64, f64)>| {
            let Some((median, min, max)) = each else { return };
            let gflops = |per_second: f64| flops * per_second / 1e9;
            let range = Some((gflops(min), gflops(max)));
            let points = vec![Dot { x: flops / bytes, y: gflops(median), range }];
            all.push(Series { name, style: all.len(), line: false, marker: true, points });
        };
        let values = |spread: &Spread| (spread.median, spread.min, spread.max);
        let decode = cell.decode_tokens_per_second.as_ref().map(values);
        let bytes = roofline.weight_bytes_per_token + roofline.kv_bytes_per_token;
        point(format!("{name}: decode"), roofline.flops_per_token, bytes, decode);
        let tokens = cell.point.prompt_tokens() as f64;
        let prefill = cell.prefill_tokens_per_second.as_ref().map(values);
        let prefill = prefill.map(|(a, b, c)| (a / tokens, b / tokens, c / tokens));
        let flops = cell.prefill_flops.filter(|_| tokens > 1.0).unwrap_or(f64::NAN);
        point(format!("{name}: prefill"), flops, roofline.weight_bytes_per_token, prefill);
    }
    all.retain(|series| series.points.iter().all(|dot| dot.x > 0.0 && dot.y > 0.0));
    let xs = || all.iter().flat_map(|series| &series.points).map(|dot| dot.x);
    let x = scale::Scale::new(true, xs(), 0.0, 1.0);
    if !all.is_empty() && bandwidth > 0.0 {
        let roof = |x: f64| Dot { x, y: x * bandwidth, range: None };
        let name = format!("memory: {} GB/s", short(bandwidth));
        let points = vec![roof(x.low), roof(x.high)];
        all.push(Series { name, style: all.len(), line: true, marker: false, points });
    }
    all
}
