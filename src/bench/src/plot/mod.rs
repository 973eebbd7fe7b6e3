//! `plot`: figures for the book from what `sweep` wrote. The same files give the same bytes.

pub mod chart;
mod roofline;
mod scale;
mod steps;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use catalog::error::problem_at;
use clap::ValueEnum;
use ground::error::Error;
use serde::de::DeserializeOwned;

use crate::sweep::recording::{Cell, Pass, Recording, short};
use crate::whole_file;
use chart::{Chart, Dot, Drawn, Series};

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

    /// With curves: what is to the right
    #[arg(long, value_name = "TEXT", default_value = "tokens so far")]
    along: String,

    /// With curves: a logarithmic scale for the time
    #[arg(long)]
    log: bool,

    /// With curves: what each pass would take if it computed at the run's mean speed
    #[arg(long)]
    flops: bool,

    /// With rooflines: what each setting is called, in order
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    names: Vec<String>,

    /// What `sweep --out` wrote; for steps, one file with `--compare`; for a roofline, one and the peaks
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Figure {
    /// Milliseconds of every forward pass
    Curve,
    /// Decode and prefill after each step of a chapter
    Steps,
    /// Operations a second under the limits of memory and core: a sweep, then a file with "peaks"
    Roofline,
}

/// Reads, draws, writes.
pub fn run(args: &Args) -> Result<(), Error> {
    let figure = match (args.kind, args.inputs.as_slice()) {
        (Figure::Steps, [path]) => steps::stairs(&read(path)?, there)
            .and_then(|stairs| steps::draw(&args.title, &stairs)),
        (Figure::Roofline, [sweep, peaks]) => {
            roofline::draw(&args.title, &args.names, &read(sweep)?, &read(peaks)?)
        }
        (_, paths) => {
            let mut cells = Vec::new();
            for path in paths {
                cells.extend(read::<Recording>(path)?.cells);
            }
            figure(args, &cells)
        }
    };
    let figure = figure.map_err(Error::chapter)?;
    match &args.out {
        Some(path) => whole_file::write(path, &figure),
        None => Ok(io::stdout().write_all(figure.as_bytes())?),
    }
}

/// Whether a chapter has this program or step; a recording may be older than its steps.
fn there(program: &str) -> bool {
    let root = catalog::chapters::root();
    let Some((short, step)) = program.split_once('-') else { return true };
    let chapters = catalog::chapters::names(&root).unwrap_or_default();
    let Some(chapter) = chapters.iter().find(|name| name.starts_with(short)) else {
        return true;
    };
    let steps = catalog::repository::step_names(&root.join("chapters").join(chapter));
    let is_it = |name: &String| name.split_once('-').is_some_and(|(_, name)| name == step);
    program == chapter || steps.iter().any(is_it)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let wrong = |why: String| problem_at(path, why);
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))
}

fn figure(args: &Args, cells: &[Cell]) -> Result<String, &'static str> {
    let wanted = |cell: &&Cell| {
        let name = format!("{}, {}", cell.setting, cell.point);
        args.only.is_empty() || args.only.iter().any(|text| name.contains(text))
    };
    let cells: Vec<&Cell> = cells.iter().filter(wanted).collect();
    match args.kind {
        Figure::Steps => Err("the steps are in one file"),
        Figure::Roofline => Err("a roofline takes two files: a sweep, and one with peaks"),
        Figure::Curve => {
            let (mut series, note) = curves(&cells, args.flops);
            series.retain(|series| !series.points.is_empty());
            if series.is_empty() {
                return Err(NOTHING);
            }
            let (x, y) = (args.along.clone(), "ms per forward pass".into());
            let title = args.title.clone();
            Ok(chart::draw(&Chart { title, x, y, log: args.log, log_x: false, series, note }))
        }
    }
}

const NOTHING: &str = "the files hold nothing for this figure (or --only fits no cell)";

/// The point is only named where it tells two cells apart.
fn name(cell: &Cell, among: &[&Cell]) -> String {
    if among.iter().all(|other| other.point == cell.point) {
        return cell.setting.clone();
    }
    format!("{}, {}", cell.setting, cell.point)
}

/// What was measured, smoothed where a line has many passes, and with it what was counted, as it is.
fn curves(cells: &[&Cell], flops: bool) -> (Vec<Series>, Option<String>) {
    let mut all = Vec::new();
    let mut widest = 0;
    for (name, passes) in lines(cells) {
        let curve = |name: String, drawn, ms: &dyn Fn(&Pass) -> f64| {
            let dot = |pass: &Pass| Dot { x: pass.end as f64, y: ms(pass) };
            let points = passes.iter().map(dot).collect();
            Series { name, style: all.len(), drawn, points }
        };
        let mut measured = curve(name, Drawn::Marked, &|pass| pass.ms);
        let reach = if passes.len() < MANY { 0 } else { REACH };
        measured.points = running_medians(&measured.points, reach);
        widest = widest.max(reach);
        let sum = |part: &dyn Fn(&Pass) -> f64| passes.iter().map(part).sum::<f64>();
        let speed = sum(&|pass| pass.flops) / sum(&|pass| pass.ms); // FLOPs per ms
        let counted = curve(
            format!("its FLOPs at {} GFLOP/s", short(speed / 1e6)),
            Drawn::Line,
            &|pass| pass.flops / speed,
        );
        all.push(measured);
        if flops && speed > 0.0 {
            all.push(Series { style: all.len(), ..counted });
        }
    }
    // A cache is blue in every figure of the book, and what does without one orange.
    let cached = |series: &Series| series.name.split(',').next().unwrap().ends_with(" --kv");
    if let [off, on] = &mut all[..]
        && cached(on)
        && !cached(off)
    {
        (off.style, on.style) = (1, 0);
    }
    let note =
        || format!("Lines of {MANY} passes or more are running medians of {}", 2 * widest + 1);
    let note = (widest > 0).then(note);
    (all, note)
}

/// A line of so many passes is smoothed: the median of a pass, `REACH` before it and `REACH` after it.
const MANY: usize = 50;
const REACH: usize = 7;

/// One pass that the machine interrupted would flatten all others. In a curve that only rises or
/// only falls nothing moves. Towards the ends the window shrinks, so that it has a middle.
fn running_medians(points: &[Dot], reach: usize) -> Vec<Dot> {
    let median = |(index, dot): (usize, &Dot)| {
        let reach = reach.min(index).min(points.len() - 1 - index);
        let window = &points[index - reach..=index + reach];
        let mut window: Vec<f64> = window.iter().map(|dot| dot.y).collect();
        window.sort_by(f64::total_cmp);
        Dot { x: dot.x, y: window[reach] }
    };
    points.iter().enumerate().map(median).collect()
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
