//! The staircase as the README shows it: a picture by itself, which knows no style sheet, once for each ground.

use super::cover::{Measured, Stair, short};
use crate::highlight::escape;
use crate::title;

/// What it is drawn with.
#[derive(Clone, Copy)]
pub struct Colours {
    ground: &'static str,
    ink: &'static str,
    quiet: &'static str,
    step: &'static str,
    edge: &'static str,
    many: &'static str,
}

const LIGHT: Colours = Colours {
    ground: "#ffffff",
    ink: "#24292e",
    quiet: "#5c626a",
    step: "#eef1f4",
    edge: "#9a4a12",
    many: "#f6c79b",
};
const DARK: Colours = Colours {
    ground: "#0d1117",
    ink: "#dfe3e8",
    quiet: "#9aa3af",
    step: "#262d39",
    edge: "#ffb37a",
    many: "#7a4a22",
};

pub const BOTH: [(&str, Colours); 2] =
    [("book/staircase-light.svg", LIGHT), ("book/staircase-dark.svg", DARK)];

const WIDTH: f64 = 1280.0;
const HEIGHT: f64 = 640.0;
const EDGE: f64 = 40.0;
/// Where the steps stand, and how high the first of them is, so that its name fits in.
const FLOOR: f64 = 580.0;
const LOWEST: f64 = 276.0;
const DECADE: f64 = 54.0;

pub fn drawn(stairs: &[Stair], measured: &[Measured], colours: Colours) -> String {
    let lowest = measured.iter().map(|step| step.speed).fold(f64::INFINITY, f64::min);
    let top = |speed: f64| FLOOR - LOWEST - DECADE * (speed / lowest).log10();
    let wide = (WIDTH - 2.0 * EDGE) / stairs.len() as f64;
    let Colours { ground, ink, quiet, step, edge, many } = colours;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui, sans-serif\" fill=\"{ink}\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"18\" fill=\"{ground}\"/>\n\
         <text x=\"{EDGE}\" y=\"58\" font-size=\"27\">Tokens per second</text>\n\
         <g font-size=\"18\" fill=\"{quiet}\"><text x=\"{EDGE}\" y=\"88\">in the shape of Qwen3-0.6B, on two cores</text>\n\
         <text x=\"{EDGE}\" y=\"113\">(every factor of ten has the same height)</text></g>\n"
    );
    let (mut line, mut over) = (String::new(), String::new());
    for (at, (stair, now)) in stairs.iter().zip(measured).enumerate() {
        let left = EDGE + wide * at as f64;
        let (y, middle) = (top(now.speed), left + wide / 2.0);
        let number = |y: f64, speed: f64| {
            let text = short(speed);
            format!(
                "<text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"23\" text-anchor=\"middle\">{text}</text>\n",
                y - 9.0
            )
        };
        if let Some(sixteen) = now.sixteen.filter(|sixteen| *sixteen > now.speed) {
            let behind = top(sixteen);
            out.push_str(&block(left, behind, wide, FLOOR - behind, many));
            over.push_str(&number(behind, sixteen));
        }
        out.push_str(&block(left, y, wide, FLOOR - y, step));
        line.push_str(&format!(
            "{}{left:.1} {y:.1} H{:.1}",
            ["L", "M"][usize::from(at == 0)],
            left + wide
        ));
        if now.own {
            over.push_str(&number(y, now.speed));
        }
        let name = format!("{}  {}", title::number(&stair.short), stair.title);
        over.push_str(&format!(
            "<text transform=\"translate({:.1} {:.1}) rotate(-90)\" font-size=\"16\">{}</text>\n",
            middle + 6.0,
            FLOOR - 12.0,
            escape(&name)
        ));
        if let Some(flight) = &stair.flight {
            over.push_str(&format!(
                "<path d=\"M{left:.1} {FLOOR} v34\" stroke=\"{edge}\" stroke-width=\"2\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"18\" font-weight=\"600\">{}</text>\n",
                left + 10.0,
                FLOOR + 29.0,
                escape(flight)
            ));
        }
    }
    let first = measured.first().map_or(1.0, |first| first.speed);
    let many = measured.iter().any(|step| step.sixteen.is_some());
    if first < 0.5 {
        over.push_str(&format!(
            "<text x=\"{EDGE}\" y=\"{:.1}\" font-size=\"21\" fill=\"{edge}\">1 token in {:.0} s</text>\n",
            top(first) - 44.0,
            1.0 / first
        ));
    }
    if many {
        over.push_str(&format!(
            "<text x=\"{:.1}\" y=\"54\" font-size=\"21\" fill=\"{edge}\" text-anchor=\"end\">sixteen clients together</text>\n",
            WIDTH - EDGE
        ));
    }
    format!(
        "{out}<path d=\"{line}\" fill=\"none\" stroke=\"{edge}\" stroke-width=\"3\"/>\n{over}</svg>\n"
    )
}

fn block(x: f64, y: f64, width: f64, height: f64, colour: &str) -> String {
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>\n"
    )
}
