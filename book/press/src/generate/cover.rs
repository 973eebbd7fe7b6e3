//! The book's cover: its chapters as a staircase, each step as high as the decode speed that was measured for it.
//! A chapter says itself which recorded number is its own. `cover/ch02.md` is the same staircase, low and
//! without words, for the first page of a chapter: its own step has the colour.

use super::{Files, Sources};
use crate::fault::{Fault, PressError};
use crate::highlight::escape;
use crate::house::Chapter;
use crate::measured;
use crate::title;

#[cfg_attr(test, derive(serde::Deserialize))]
struct Cover {
    /// What is written small beside the numbers: `tokens per second`.
    unit: String,
    caption: String,
    steps: Vec<Stair>,
}

#[cfg_attr(test, derive(serde::Deserialize))]
struct Stair {
    /// Where a click leads, from `book/src`.
    page: String,
    name: String,
    /// What the chapter does, in a line or two of few words.
    words: Vec<String>,
    /// `file.json#/pointer`; a chapter that makes nothing faster has none, and its step is as high as the one before.
    #[cfg_attr(test, serde(default))]
    speed: Option<String>,
}

const WIDTH: f64 = 480.0;

/// How a staircase is drawn.
struct Look {
    /// Height of the lowest step, and what a factor of ten adds to it.
    lowest: f64,
    decade: f64,
    above: f64,
    words: bool,
    /// The step with the colour.
    here: usize,
    /// From the page to `book/src`.
    way: &'static str,
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    let told = sources.house.chapters.iter().filter(|chapter| chapter.about.builds.is_some());
    let cover = Cover {
        unit: "tokens per second".into(),
        caption: "The speed at which each chapter’s engine writes: one core up to chapter 3, two from chapter 4 on, a model \
                  of the size of Qwen3-0.6B, after a prompt of 128 tokens. Its weights are F32 in memory up to chapter 4, \
                  and from chapter 5 on the Q8_0 of the official file. The scale is logarithmic."
            .into(),
        // Before anything was measured there is nothing to draw.
        steps: told.map(stair).skip_while(|stair| stair.speed.is_none()).collect(),
    };
    if cover.steps.is_empty() {
        return Ok(Vec::new());
    }
    let speeds = match speeds(&cover, |wanted| measured::number(sources.house, wanted)) {
        Ok(speeds) => speeds,
        Err(reason) => return Ok(vec![Fault::in_file("the cover", reason)]),
    };
    files.insert("cover.md".into(), front(&cover, &speeds));
    for (here, stair) in cover.steps.iter().enumerate() {
        if let Some((chapter, _)) = stair.page.split_once('/') {
            files.insert(format!("cover/{chapter}.md"), opener(&cover, &speeds, here));
        }
    }
    Ok(Vec::new())
}

fn stair(chapter: &Chapter) -> Stair {
    Stair {
        page: format!("{}/index.html", chapter.short),
        name: format!("Chapter {}", title::number(&chapter.short)),
        words: lines(&chapter.about.title),
        speed: chapter.about.speed.clone(),
    }
}

/// A title in lines that fit onto a step.
fn lines(title: &str) -> Vec<String> {
    const WIDEST: usize = 15;
    let mut lines: Vec<String> = Vec::new();
    for word in title.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDEST => {
                *line = format!("{line} {word}");
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// The speed of each step; one without a number is as high as the one before.
fn speeds(
    cover: &Cover,
    number: impl Fn(&str) -> Result<f64, String>,
) -> Result<Vec<f64>, String> {
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
    Ok(speeds)
}

fn front(cover: &Cover, speeds: &[f64]) -> String {
    let here = cover.steps.len().saturating_sub(1);
    let look = Look { lowest: 76.0, decade: 52.0, above: 48.0, words: true, here, way: "" };
    let caption = format!("<figcaption>{}</figcaption>\n", cover.caption);
    format!("<figure class=\"cover\">\n{}{caption}</figure>\n", drawing(cover, speeds, &look))
}

fn opener(cover: &Cover, speeds: &[f64], here: usize) -> String {
    let look = Look { lowest: 16.0, decade: 18.0, above: 26.0, words: false, here, way: "../" };
    format!("<figure class=\"cover opener\">\n{}</figure>\n", drawing(cover, speeds, &look))
}

fn drawing(cover: &Cover, speeds: &[f64], look: &Look) -> String {
    let lowest = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let height = |speed: &f64| look.lowest + look.decade * (speed / lowest).log10();
    let heights: Vec<f64> = speeds.iter().map(height).collect();
    let ground = look.above + heights.iter().copied().fold(0.0, f64::max);
    let wide = WIDTH / cover.steps.len() as f64;

    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {ground:.0}\" role=\"group\" aria-label=\"{}\">\n",
        escape(&said(cover, speeds))
    );
    let mut line = String::new();
    for (at, (stair, height)) in cover.steps.iter().zip(&heights).enumerate() {
        let (left, top) = (wide * at as f64, ground - height);
        // What is read aloud holds what is written.
        let label = match (look.words, &stair.speed) {
            (true, _) => String::new(),
            (false, None) => format!(" aria-label=\"{}\"", escape(&stair.name)),
            (false, Some(_)) => {
                format!(" aria-label=\"{}: {}\"", escape(&stair.name), short(speeds[at]))
            }
        };
        line.push_str(&format!(
            "{}{left:.1} {top:.1} H{:.1}",
            if at == 0 { "M" } else { " L" },
            left + wide
        ));
        out.push_str(&format!(
            "<a href=\"{}{}\"{}><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{height:.1}\" \
             class=\"{}\"/>",
            look.way,
            escape(&stair.page),
            label,
            if at == look.here { "stair here" } else { "stair" },
        ));
        let text = |y: f64, class: &str, words: &str| {
            format!(
                "<text x=\"{:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>",
                left + 10.0,
                escape(words)
            )
        };
        if stair.speed.is_some() {
            let class = if look.words { "speed" } else { "words" };
            out.push_str(&text(
                top - if look.words { 12.0 } else { 8.0 },
                class,
                &short(speeds[at]),
            ));
        }
        if look.words {
            out.push_str(&text(top + 24.0, "name", &stair.name));
            for (down, words) in stair.words.iter().enumerate() {
                out.push_str(&text(top + 43.0 + 16.0 * down as f64, "words", words));
            }
        }
        out.push_str("</a>\n");
    }
    out.push_str(&format!("<path d=\"{line}\" class=\"edge\"/>\n"));
    let unit = if look.words { 20.0 } else { 14.0 };
    out.push_str(&format!(
        "<text x=\"10\" y=\"{unit:.0}\" class=\"words\">{}</text>\n</svg>\n",
        escape(&cover.unit)
    ));
    out
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
        let cover = cover(&[FIRST, SAME, FAST].join(","));
        let svg = front(&cover, &speeds(&cover, number).expect("speeds"));
        assert!(svg.contains("viewBox=\"0 0 480 228\""), "{svg}");
        assert!(svg.contains("M0.0 152.0 H160.0 L160.0 152.0 H320.0 L320.0 48.0 H480.0"));
        assert!(svg.contains(">0.022</text>") && svg.contains(">2.21</text>"));
        assert!(svg.contains("1, a clock: as before"));
        assert!(svg.lines().all(|line| !line.trim().is_empty()));
    }

    #[test]
    fn a_chapter_begins_with_its_own_step() {
        let cover = cover(&[FIRST, SAME, FAST].join(","));
        let svg = opener(&cover, &speeds(&cover, number).expect("speeds"), 1);
        let steps: Vec<&str> = svg.lines().filter(|line| line.starts_with("<a ")).collect();
        assert!(steps[1].contains("stair here") && steps[1].contains("href=\"../b.html\""));
        assert_eq!(svg.matches("stair here").count(), 1);
    }

    #[test]
    fn a_number_that_is_missing_is_a_fault() {
        let wrong = cover(&[FIRST, &FAST.replace("\"b\"", "\"gone\"")].join(","));
        assert_eq!(speeds(&wrong, number), Err("no gone".into()));
        assert!(speeds(&cover(SAME), number).is_err());
    }

    #[test]
    fn numbers_keep_the_digits_that_count() {
        let shown: Vec<String> =
            [0.022058, 0.5, 2.0483, 11.832, 148.5].map(short).into_iter().collect();
        assert_eq!(shown, ["0.022", "0.50", "2.05", "11.8", "148"]);
    }
}
