//! The book's cover: its chapters as a staircase, each step as high as the decode speed that was measured for it.
//! `book/cover.json` says which recorded number belongs to which chapter.

use serde::Deserialize;

use super::{Files, Sources};
use crate::fault::{Fault, PressError, read};
use crate::highlight::escape;
use crate::measured;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cover {
    /// What is written small beside the numbers: `tokens per second`.
    unit: String,
    caption: String,
    steps: Vec<Stair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stair {
    /// Where a click leads, from `book/src`.
    page: String,
    name: String,
    /// What the chapter does, in a line or two of few words.
    words: Vec<String>,
    /// `file.json#/pointer`; a chapter that makes nothing faster has none, and its step is as high as the one before.
    #[serde(default)]
    speed: Option<String>,
}

const WIDTH: f64 = 480.0;
/// Room for the words in the lowest step, and what a factor of ten adds to it.
const LOWEST: f64 = 76.0;
const DECADE: f64 = 52.0;
const ABOVE: f64 = 48.0;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    let place = "book/cover.json";
    let Ok(text) = read(&sources.house.root.join(place)) else { return Ok(Vec::new()) };
    let drawn = serde_json::from_str(&text)
        .map_err(|error| error.to_string())
        .and_then(|cover| drawing(&cover, |wanted| measured::number(sources.house, wanted)));
    match drawn {
        Ok(drawing) => {
            files.insert("cover.md".into(), drawing);
            Ok(Vec::new())
        }
        Err(reason) => Ok(vec![Fault::in_file(place, reason)]),
    }
}

fn drawing(
    cover: &Cover,
    number: impl Fn(&str) -> Result<f64, String>,
) -> Result<String, String> {
    let mut speeds = Vec::new();
    for stair in &cover.steps {
        let speed = match (&stair.speed, speeds.last()) {
            (Some(wanted), _) => number(wanted)?,
            (None, Some(before)) => *before,
            (None, None) => return Err(format!("{}: no speed to begin with", stair.name)),
        };
        if speed <= 0.0 {
            return Err(format!("{}: {speed} is no speed", stair.name));
        }
        speeds.push(speed);
    }
    let lowest = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let heights: Vec<f64> =
        speeds.iter().map(|speed| LOWEST + DECADE * (speed / lowest).log10()).collect();
    let ground = ABOVE + heights.iter().copied().fold(0.0, f64::max);
    let wide = WIDTH / cover.steps.len() as f64;

    let mut out = format!(
        "<figure class=\"cover\">\n<svg viewBox=\"0 0 {WIDTH} {ground:.0}\" role=\"group\" aria-label=\"{}\">\n",
        escape(&said(cover, &speeds))
    );
    let mut line = String::new();
    for (at, (stair, height)) in cover.steps.iter().zip(&heights).enumerate() {
        let (left, top) = (wide * at as f64, ground - height);
        let last = at + 1 == cover.steps.len();
        line.push_str(&format!(
            "{}{left:.1} {top:.1} H{:.1}",
            if at == 0 { "M" } else { " L" },
            left + wide
        ));
        out.push_str(&format!(
            "<a href=\"{}\"><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{height:.1}\" \
             class=\"{}\"/>",
            escape(&stair.page),
            if last { "stair last" } else { "stair" },
        ));
        let text = |y: f64, class: &str, words: &str| {
            format!(
                "<text x=\"{:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>",
                left + 10.0,
                escape(words)
            )
        };
        if stair.speed.is_some() {
            out.push_str(&text(top - 12.0, "speed", &short(speeds[at])));
        }
        out.push_str(&text(top + 24.0, "name", &stair.name));
        for (down, words) in stair.words.iter().enumerate() {
            out.push_str(&text(top + 43.0 + 16.0 * down as f64, "words", words));
        }
        out.push_str("</a>\n");
    }
    out.push_str(&format!("<path d=\"{line}\" class=\"edge\"/>\n"));
    out.push_str(&format!(
        "<text x=\"10\" y=\"20\" class=\"words\">{}</text>\n</svg>\n",
        escape(&cover.unit)
    ));
    out.push_str(&format!("<figcaption>{}</figcaption>\n</figure>\n", cover.caption));
    Ok(out)
}

/// The drawing in words.
fn said(cover: &Cover, speeds: &[f64]) -> String {
    let steps = cover.steps.iter().zip(speeds).map(|(stair, speed)| {
        let words = stair.words.join(" ");
        match stair.speed {
            Some(_) => format!("{}, {words}: {}", stair.name, short(*speed)),
            None => format!("{}, {words}: as before", stair.name),
        }
    });
    format!("A staircase, in {}. {}.", cover.unit, steps.collect::<Vec<_>>().join("; "))
}

/// Three digits that count, of small numbers two.
fn short(speed: f64) -> String {
    let decimals = match speed {
        s if s >= 100.0 => 0,
        s if s >= 10.0 => 1,
        s if s >= 1.0 => 2,
        s => 1 - s.log10().floor() as i32,
    };
    format!("{speed:.*}", decimals.max(0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(steps: &str) -> Cover {
        let text = format!("{{\"unit\": \"tok/s\", \"caption\": \"c\", \"steps\": [{steps}]}}");
        serde_json::from_str(&text).expect("a cover")
    }

    const FIRST: &str = r#"{"page": "a.html", "name": "0", "words": ["loops"], "speed": "a"}"#;
    const SAME: &str = r#"{"page": "b.html", "name": "1", "words": ["a", "clock"]}"#;
    const FAST: &str = r#"{"page": "c.html", "name": "2", "words": ["fast"], "speed": "b"}"#;

    fn number(wanted: &str) -> Result<f64, String> {
        match wanted {
            "a" => Ok(0.02206),
            "b" => Ok(2.206),
            other => Err(format!("no {other}")),
        }
    }

    #[test]
    fn a_factor_of_a_hundred_is_two_decades_high() {
        let svg = drawing(&cover(&[FIRST, SAME, FAST].join(",")), number).expect("a drawing");
        assert!(svg.contains("viewBox=\"0 0 480 228\""), "{svg}");
        assert!(svg.contains("M0.0 152.0 H160.0 L160.0 152.0 H320.0 L320.0 48.0 H480.0"));
        assert!(svg.contains(">0.022</text>") && svg.contains(">2.21</text>"));
        assert!(svg.contains("1, a clock: as before"));
        assert!(svg.lines().all(|line| !line.trim().is_empty()));
    }

    #[test]
    fn a_number_that_is_missing_is_a_fault() {
        let wrong = FAST.replace("\"b\"", "\"gone\"");
        assert_eq!(drawing(&cover(&[FIRST, &wrong].join(",")), number), Err("no gone".into()));
        assert!(drawing(&cover(SAME), number).is_err());
    }

    #[test]
    fn numbers_keep_the_digits_that_count() {
        let shown: Vec<String> =
            [0.022058, 0.5, 2.0483, 11.832, 148.5].map(short).into_iter().collect();
        assert_eq!(shown, ["0.022", "0.50", "2.05", "11.8", "148"]);
    }
}
