//! Draws series of points as an SVG: lines, markers, axes, and at the end of each line its name, which works without colour.

use std::fmt::Write;

use super::scale::{Scale, label};

/// A whole figure.
pub struct Chart {
    pub title: String,
    pub x: String,
    pub y: String,
    /// Logarithmic axes: y, and x.
    pub log: bool,
    pub log_x: bool,
    pub series: Vec<Series>,
    /// A remark below the figure.
    pub note: Option<String>,
}

/// Points that belong together.
pub struct Series {
    pub name: String,
    pub style: usize,
    pub drawn: Drawn,
    pub points: Vec<Dot>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Drawn {
    /// A bound, a fit.
    Line,
    Marked,
    /// With nothing in between that could be measured.
    Dots,
}

#[derive(Clone, Copy)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
}

/// In the middle between light and dark: each has a contrast of 3 to both. A page that inlines the
/// figure can set better ones, theme by theme.
pub const COLOURS: [(&str, &str); 6] = [
    ("--figure-one", "#3a86d4"),
    ("--figure-two", "#c9711c"),
    ("--figure-three", "#2e9455"),
    ("--figure-four", "#b265c9"),
    ("--figure-five", "#d9544d"),
    ("--figure-six", "#1f969c"),
];
pub const INK: &str = "#7c7c7c";
const DASHES: [&str; 6] = ["none", "8 4", "2 3", "10 3 2 3", "14 5", "5 2"];
const MARKERS: [&str; 6] = [
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.5 -3.5h7v7h-7z",
    "m0 -5l5 8.5h-10z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m-4 -4l8 8m0 -8l-8 8",
    "m-5 0h10m-5 -5v10",
];

pub const WIDTH: f64 = 480.0;
const LEFT: f64 = 56.0;
const LINE: f64 = 20.0; // between two lines of text
const HEIGHT: f64 = 250.0; // of the field between the axes
const LETTERS: usize = 18; // to a line of a name
const NAME_LINE: f64 = 16.0;
const NAME_GAP: f64 = 5.0; // between two names
const SAMPLE: f64 = 40.0; // from the field to a name: what leads there, and a piece of the line or its marker

/// The SVG around a figure of this height. What it says is also there for those who cannot see it.
pub fn document(title: &str, description: &str, height: f64, body: &str) -> String {
    let (title, description) = (escape(title), escape(description));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" \
         viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" \
         style=\"max-width:100%;height:auto;color:var(--figure-ink,{INK})\" \
         font-family=\"system-ui,sans-serif\" font-size=\"13\" fill=\"currentColor\">\n\
         <title>{title}</title>\n<desc>{description}</desc>\n\
         <text x=\"8\" y=\"20\" font-size=\"14\" font-weight=\"bold\"{}>{title}</text>\n{body}</svg>\n",
        squeeze(&title, 8.0)
    )
}

/// The opening tag of a group in a series' colour.
pub fn colour(style: usize) -> String {
    let (name, middle) = COLOURS[style % COLOURS.len()];
    format!(
        "<g style=\"color:var({name},{middle})\" stroke=\"currentColor\" fill=\"none\" stroke-width=\"2\">"
    )
}

pub fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    let text = escape(text);
    let squeeze = if anchor == "start" { squeeze(&text, x) } else { String::new() };
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{squeeze}>{text}</text>\n")
}

/// A line of text that would run out of the figure is drawn narrower.
fn squeeze(text: &str, x: f64) -> String {
    let room = WIDTH - 8.0 - x;
    let too_long = text.chars().count() as f64 * 7.0 > room;
    if too_long {
        format!(" textLength=\"{room:.0}\" lengthAdjust=\"spacingAndGlyphs\"")
    } else {
        String::new()
    }
}

pub fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A marker's shape is its own until there are more than 36 series.
fn marker(style: usize, x: f64, y: f64) -> String {
    let shape = MARKERS[(style + style / MARKERS.len()) % MARKERS.len()];
    format!("<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"currentColor\"/>\n")
}

pub fn draw(chart: &Chart) -> String {
    let mut out = String::new();
    let names: Vec<Vec<String>> =
        chart.series.iter().map(|series| broken(&series.name)).collect();
    let letters = names.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
    let letters = letters.min(LETTERS + 2); // a word that is longer is drawn narrower
    let right = WIDTH - 8.0 - 7.0 * letters as f64 - SAMPLE;
    let room: f64 = names.iter().map(|name| high(name)).sum();
    let top = 62.0;
    let bottom = top + HEIGHT.max(room);

    let dots = || chart.series.iter().flat_map(|series| &series.points);
    let x = Scale::new(chart.log_x, dots().map(|dot| dot.x), LEFT, right);
    let y = Scale::new(chart.log, dots().map(|dot| dot.y), bottom, top);

    out += &text(8.0, top - 14.0, "start", &chart.y);
    out += "<g stroke=\"currentColor\" stroke-width=\"1\" stroke-opacity=\"0.3\">\n";
    for tick in &y.ticks {
        let at = y.place(*tick);
        let _ = writeln!(out, "<path d=\"M{LEFT:.1} {at:.1}H{right:.1}\"/>");
    }
    for tick in &x.ticks {
        let at = x.place(*tick);
        let _ = writeln!(out, "<path d=\"M{at:.1} {bottom:.1}v5\"/>");
    }
    out += "</g>\n";
    for tick in &y.ticks {
        out += &text(LEFT - 6.0, y.place(*tick) + 5.0, "end", &label(*tick));
    }
    for tick in &x.ticks {
        out += &text(x.place(*tick), bottom + LINE, "middle", &label(*tick));
    }
    out += &text(right, bottom + 2.0 * LINE, "end", &chart.x);

    let place = |dot: &Dot| (x.place(dot.x), y.place(dot.y));
    let ends: Vec<(f64, f64)> = chart
        .series
        .iter()
        .map(|series| series.points.last().map_or((right, bottom), place))
        .collect();
    let tops = beside(&ends, &names, bottom);
    for (index, series) in chart.series.iter().enumerate() {
        let middle = tops[index] + high(&names[index]) / 2.0;
        out += &line(series, place, ends[index], (right, middle));
        for (row, words) in names[index].iter().enumerate() {
            let y = tops[index] + NAME_GAP / 2.0 + 12.0 + NAME_LINE * row as f64;
            out += &text(right + SAMPLE, y, "start", words);
        }
    }
    let mut height = bottom + 2.0 * LINE + 10.0;
    if let Some(note) = &chart.note {
        height += LINE;
        out += &text(8.0, height - 8.0, "start", note);
    }
    document(&chart.title, &describe(chart), height, &out)
}

/// A name in lines that fit beside the field.
fn broken(name: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= LETTERS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

fn high(name: &[String]) -> f64 {
    NAME_LINE * name.len() as f64 + NAME_GAP
}

/// Where each name begins: beside the end of its line, as far as those above and below leave room.
fn beside(ends: &[(f64, f64)], names: &[Vec<String>], bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    order.sort_by(|a, b| ends[*a].1.total_cmp(&ends[*b].1));
    let mut tops = vec![0.0; ends.len()];
    let mut free = f64::MIN;
    for &at in &order {
        tops[at] = (ends[at].1 - high(&names[at]) / 2.0).max(free);
        free = tops[at] + high(&names[at]);
    }
    let mut free = bottom + NAME_LINE / 2.0;
    for &at in order.iter().rev() {
        tops[at] = tops[at].min(free - high(&names[at]));
        free = tops[at];
    }
    tops
}

/// A series, and what leads from its end to its name, `beside` the field.
fn line(
    series: &Series,
    place: impl Fn(&Dot) -> (f64, f64),
    end: (f64, f64),
    beside: (f64, f64),
) -> String {
    let mut out = colour(series.style);
    let dash = DASHES[series.style % DASHES.len()];
    let (from, middle) = (beside.0 + 12.0, beside.1);
    let _ = writeln!(
        out,
        "<path stroke-width=\"1.2\" stroke-dasharray=\"1 3\" d=\"M{:.1} {:.1}L{from:.1} {middle:.1}\"/>",
        end.0, end.1
    );
    if series.drawn != Drawn::Dots {
        let _ =
            write!(out, "<path d=\"M{from:.1} {middle:.1}h22\" stroke-dasharray=\"{dash}\"/>");
        let _ = write!(out, "<path stroke-linejoin=\"round\" stroke-dasharray=\"{dash}\" d=\"");
        for (index, dot) in series.points.iter().enumerate() {
            let (x, y) = place(dot);
            let _ = write!(out, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
        }
        out += "\"/>\n";
    }
    if series.drawn != Drawn::Line {
        out += &marker(series.style, from + 11.0, middle);
        // A thousand markers would be a smear: some eight of them say which line it is. They start
        // at different places, so that lines that lie on each other can both be seen.
        let step = (series.points.len() / 8).max(1);
        let first = if step == 1 { 0 } else { series.style * step / 6 % step };
        for dot in series.points.iter().skip(first).step_by(step) {
            let (x, y) = place(dot);
            out += &marker(series.style, x, y);
        }
    }
    out + "</g>\n"
}

/// The figure in words: what stands on the axes, and where every line begins and ends.
fn describe(chart: &Chart) -> String {
    let mut out = format!("{} over {}.", chart.y, chart.x);
    for Series { name, points, .. } in &chart.series {
        if let (Some(first), Some(last)) = (points.first(), points.last()) {
            let at = |dot: &Dot| format!("{:.4} at {}", dot.y, label(dot.x));
            let _ = write!(out, " {name}: from {} to {}.", at(first), at(last));
        }
    }
    out
}
