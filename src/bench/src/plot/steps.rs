//! Speeds after each step of a chapter, as stairs: one tread for each step, as high as it is fast.

use std::fmt::Write;

use catalog::thousands::thousands;
use serde::Deserialize;

use super::chart::{WIDTH, colour, document, escape};
use crate::sweep::recording::{Cell, Ratio, Recording, Spread};

/// What was measured after each step, on the same machine and with the same files.
#[derive(Clone, Debug, Deserialize)]
pub struct Stairs {
    pub steps: Vec<Step>,
}

/// Speeds in tok/s. A ratio was measured in turn with the step before, so the first step has none.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    pub title: String,
    pub decode: Spread,
    pub prefill: Spread,
    pub decode_ratio: Option<Spread>,
    pub prefill_ratio: Option<Spread>,
}

/// A sweep of a chapter's steps at one point. `there` says which programs there still are: the ratio of a step is to the one
/// before it that is there.
pub fn stairs(
    recording: &Recording,
    there: impl Fn(&str) -> bool,
) -> Result<Stairs, &'static str> {
    let program = |cell: &Cell| cell.setting.split(' ').next().unwrap_or_default().to_string();
    let cells: Vec<&Cell> =
        recording.cells.iter().filter(|cell| there(&program(cell))).collect();
    let step = |at: usize| {
        let ratio = at.checked_sub(1).map(|before| Ratio::new(cells[before], cells[at], true));
        let (decode_ratio, prefill_ratio) =
            ratio.map_or((None, None), |ratio| (ratio.decode, ratio.prefill));
        Some(Step {
            title: plain(&program(cells[at])),
            decode: cells[at].decode_tokens_per_second.clone()?,
            prefill: cells[at].prefill_tokens_per_second.clone()?,
            decode_ratio,
            prefill_ratio,
        })
    };
    let steps = (0..cells.len()).map(step).collect::<Option<_>>();
    steps.map(|steps| Stairs { steps }).ok_or("expected one point with both speeds")
}

/// `far rows` of `ch03-far-rows`, `chapter 3` of a chapter's own program.
fn plain(program: &str) -> String {
    let root = catalog::chapters::root();
    match program.split_once('-') {
        Some((short, _)) if root.join("chapters").join(program).is_dir() => {
            format!("chapter {}", short.trim_start_matches("ch").trim_start_matches('0'))
        }
        Some((_, step)) => step.replace('-', " "),
        None => program.into(),
    }
}

const LEFT: f64 = 38.0;
const RIGHT: f64 = WIDTH - 8.0;
const DECADE: f64 = 116.0; // ten times as fast, in both panels
const ROOM: f64 = 22.0; // for the speed above the highest tread, and the ratio below the lowest
const LINE: f64 = 21.0; // of the key
/// Round a speed, which may stand on a line of the grid.
const BORDER: &str = " stroke=\"var(--bg,none)\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"";

pub fn draw(title: &str, stairs: &Stairs) -> Result<String, &'static str> {
    let all = &stairs.steps;
    if all.is_empty() {
        return Err(super::NOTHING);
    }
    let speeds = || all.iter().flat_map(|step| [&step.decode, &step.prefill]);
    if speeds().any(|speed| !(speed.min > 0.0 && speed.min <= speed.max && speed.max < 1e9)) {
        return Err("on a logarithmic scale every speed is positive");
    }
    let (mut out, mut words) =
        (String::new(), String::from("In tok/s, on logarithmic scales."));
    let mut top = 38.0;
    let panels: [(&str, usize, Figures); 2] = [
        ("decode", 0, |step| (&step.decode, step.decode_ratio.as_ref())),
        ("prefill", 1, |step| (&step.prefill, step.prefill_ratio.as_ref())),
    ];
    for (name, style, figures) in panels {
        let _ = write!(words, " {name}:");
        top = panel(&mut out, &mut words, (name, style, top), all, figures);
        words.replace_range(words.len() - 1.., ".");
    }
    let rows = all.len().div_ceil(2);
    for (index, step) in all.iter().enumerate() {
        let (x, y) = (8.0 + 236.0 * (index / rows) as f64, top + LINE * (index % rows) as f64);
        let weight = if index + 1 == all.len() { " font-weight=\"bold\"" } else { "" };
        let squeeze = if step.title.chars().count() > 30 {
            " textLength=\"204\" lengthAdjust=\"spacingAndGlyphs\""
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "<g font-size=\"13\"{weight}><text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{index}</text>\
             <text x=\"{:.1}\" y=\"{y:.1}\"{squeeze}>{}</text></g>",
            x + 16.0,
            x + 24.0,
            escape(&step.title)
        );
    }
    let height = top + LINE * rows as f64 - 10.0;
    Ok(document(title, &words, height, &out))
}

type Figures = fn(&Step) -> (&Spread, Option<&Spread>);

/// One flight of stairs. Returns where the figure goes on below it.
fn panel(
    out: &mut String,
    words: &mut String,
    (name, style, top): (&str, usize, f64),
    all: &[Step],
    figures: Figures,
) -> f64 {
    let speeds = || all.iter().map(|step| figures(step).0);
    let low = speeds().map(|speed| speed.min).fold(f64::MAX, f64::min);
    let high = speeds().map(|speed| speed.max).fold(0.0, f64::max);
    // libm: the same digits on every platform.
    let above = |value: f64| (libm::log10(value) - libm::log10(low)) * DECADE;
    let field = top + 20.0;
    let bottom = field + above(high) + 2.0 * ROOM;
    let place = |value: f64| bottom - ROOM - above(value);

    let _ = writeln!(
        out,
        "<text x=\"8\" y=\"{:.1}\" font-weight=\"bold\">{name}, tok/s</text>",
        top + 10.0
    );
    let width = (RIGHT - LEFT) / all.len() as f64;
    for tick in ticks().filter(|tick| (field + 4.0..bottom - 4.0).contains(&place(*tick))) {
        // A line ends where it would run into the stairs.
        let free = all.iter().take_while(|step| figures(step).0.max < tick).count();
        let end = if free == all.len() { RIGHT } else { LEFT + width * free as f64 };
        let (at, text) = (place(tick), super::scale::label(tick));
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT:.1} {at:.1}H{end:.1}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.25\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"13\">{text}</text>",
            LEFT - 6.0,
            at + 4.5
        );
    }

    let (mut areas, mut treads, mut labels) = (String::new(), String::new(), String::new());
    for (index, step) in all.iter().enumerate() {
        let (speed, ratio) = figures(step);
        let (from, to) = (LEFT + width * index as f64, LEFT + width * (index + 1) as f64);
        let (at, lowest, highest) = (place(speed.median), place(speed.min), place(speed.max));
        let opacity = if index + 1 == all.len() { 0.34 } else { 0.14 };
        let mut area = |y: f64, below: f64, opacity: f64| {
            let _ = writeln!(
                areas,
                "<rect x=\"{from:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill-opacity=\"{opacity}\"/>",
                below - y
            );
        };
        area(at, bottom, opacity);
        area(highest, lowest, 0.3);
        let _ =
            write!(treads, "{}{from:.1} {at:.1}H{to:.1}", if index == 0 { "M" } else { "L" });

        let middle = (from + to) / 2.0;
        let weight = if index + 1 == all.len() { " font-weight=\"bold\"" } else { "" };
        let mut label = |y: f64, weight: &str, text: &str| {
            let _ =
                writeln!(labels, "<text x=\"{middle:.1}\" y=\"{y:.1}\"{weight}>{text}</text>");
        };
        label(at.min(highest) - 5.0, &format!("{weight}{BORDER}"), &figure(speed.median));
        label(bottom + 16.0, weight, &index.to_string());
        let _ = write!(words, " {} {}", step.title, figure(speed.median));
        if let Some(ratio) = ratio {
            let times = format!("\u{d7}{}", figure(ratio.median));
            label(at.max(lowest) + 14.5, "", &times);
            let _ = write!(words, " ({times})");
        }
        words.push(',');
    }
    *out += &colour(style);
    let _ = write!(
        out,
        "<g fill=\"currentColor\" stroke=\"none\">\n{areas}</g>\n<path stroke-width=\"2.5\" stroke-linejoin=\"round\" d=\"{treads}\"/></g>\n\
         <path d=\"M{LEFT:.1} {bottom:.1}H{RIGHT:.1}\" fill=\"none\" stroke=\"currentColor\"/>\n\
         <g font-size=\"13\" text-anchor=\"middle\">\n{labels}</g>\n"
    );
    bottom + 46.0
}

/// 1, 2 and 5 times every power of ten.
fn ticks() -> impl Iterator<Item = f64> {
    (-3..9).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * libm::exp10(f64::from(power))))
}

/// A place after the point is enough for a number as large as 10, and so narrow is a tread. A factor of 0.05 needs two.
fn figure(value: f64) -> String {
    let decimals = match value {
        v if v < 0.095 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    thousands(&format!("{value:.decimals$}"))
}
