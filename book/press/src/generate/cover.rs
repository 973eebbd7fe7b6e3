//! The book's cover: its chapters as a staircase, each step as high as the decode speed that was measured for it, and
//! their titles below. All numbers are of one recording, `cover.json`. `cover/ch02.md` is the same staircase, low and alone,
//! for the first page of a chapter: its own step has the colour.

use serde_json::Value;

use super::Files;
use crate::fault::{Fault, PressError};
use crate::highlight::escape;
use crate::measured;
use crate::recorded::Recorded;
use crate::sources::Sources;
use crate::title;

#[cfg_attr(test, derive(Clone))]
struct Stair {
    /// Of its chapter: `ch02`.
    short: String,
    title: String,
}

impl Stair {
    fn page(&self) -> String {
        escape(&format!("{}/index.html", self.short))
    }
}

/// What was measured for a step.
#[derive(Debug, PartialEq)]
struct Measured {
    speed: f64,
    /// Not that of the chapter before.
    own: bool,
    /// Milliseconds.
    first_token: Option<f64>,
}

const WIDTH: f64 = 480.0;

const CAPTION: &str = "The speed at which each chapter’s engine writes: one core up to chapter 3, two from chapter 4 on, a model of the \
     size of Qwen3-0.6B, after a prompt of 128 tokens. Its weights are F32 in memory up to chapter 4, and from chapter 5 \
     on Q8_0, as in the official file. The scale is logarithmic.";
const FIRST_TOKEN: &str = " At the foot, where a chapter moves it: how long the first token of a reply takes, for the question that \
     the README asks as in a chat, 27 tokens on two threads.";

/// The machine; of numbers that were put together from several, which are whose.
fn machines(recording: &Value) -> String {
    let recorded = |recording: &Value| {
        let mut recorded = Recorded::default();
        recorded.add(recording, &[]);
        let date = recorded.date().map_or(String::new(), |date| format!(", {date}"));
        format!("{}{date}", recorded.machines())
    };
    match recording["mixed"].as_array() {
        Some(mixed) => {
            let part = |part: &Value| {
                format!("{} on {}", part["of"].as_str().unwrap_or("some"), recorded(part))
            };
            let parts: Vec<String> = mixed.iter().map(part).collect();
            format!(" Not all on one machine: {}.", parts.join("; "))
        }
        None => format!(" All on one machine: {}.", recorded(recording)),
    }
}

/// How a staircase is drawn.
struct Look {
    /// Height of the lowest step, and what a factor of ten adds to it.
    lowest: f64,
    decade: f64,
    /// The letters of a speed are no larger than this.
    speed: f64,
    /// The step with the colour.
    here: usize,
    /// From the page to `book/src`.
    way: &'static str,
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    // Before anything was measured there is nothing to draw.
    let Ok(recording) = measured::recording(sources.house, "cover.json") else {
        return Ok(Vec::new());
    };
    let told = sources.house.chapters.iter().filter(|chapter| chapter.about.builds.is_some());
    let stairs: Vec<Stair> = told
        .map(|chapter| Stair {
            short: chapter.short.clone(),
            title: chapter.about.title.clone(),
        })
        .collect();
    let measured = match measured(&stairs, &recording) {
        Ok(measured) => measured,
        Err(reason) => return Ok(vec![Fault::in_file("book/measurements/cover.json", reason)]),
    };
    files.insert("cover.md".into(), front(&stairs, &measured, &machines(&recording)));
    for (here, stair) in stairs.iter().enumerate() {
        files.insert(format!("cover/{}.md", stair.short), opener(&stairs, &measured, here));
    }
    Ok(Vec::new())
}

/// The numbers of each step; one without a speed is as high as the one before.
fn measured(stairs: &[Stair], recording: &Value) -> Result<Vec<Measured>, String> {
    let mut all: Vec<Measured> = Vec::new();
    for Stair { short, .. } in stairs {
        let figure = |what: &str| recording["chapters"][short][what]["median"].as_f64();
        let own = figure("decode");
        let speed = own.or(all.last().map(|before| before.speed));
        let speed = speed.ok_or_else(|| format!("{short}: no speed to begin with"))?;
        if speed <= 0.0 {
            return Err(format!("{short}: {speed} is no speed"));
        }
        all.push(Measured { speed, own: own.is_some(), first_token: figure("first_token_ms") });
    }
    Ok(all)
}

fn front(stairs: &[Stair], measured: &[Measured], machines: &str) -> String {
    let here = stairs.len().saturating_sub(1);
    let look = Look { lowest: 44.0, decade: 58.0, speed: 21.0, here, way: "" };
    let titles: String = stairs
        .iter()
        .map(|stair| {
            format!(
                "<li value=\"{}\"><a href=\"{}\">{}</a></li>\n",
                title::number(&stair.short),
                stair.page(),
                escape(&stair.title)
            )
        })
        .collect();
    let first_token = measured.iter().any(|measured| measured.first_token.is_some());
    format!(
        "<figure class=\"cover\">\n{}<ol>\n{titles}</ol>\n<figcaption>{CAPTION}{}{machines}</figcaption>\n</figure>\n",
        drawing(stairs, measured, &look),
        if first_token { FIRST_TOKEN } else { "" },
    )
}

fn opener(stairs: &[Stair], measured: &[Measured], here: usize) -> String {
    let look = Look { lowest: 34.0, decade: 18.0, speed: 13.0, here, way: "../" };
    format!("<figure class=\"cover opener\">\n{}</figure>\n", drawing(stairs, measured, &look))
}

fn drawing(stairs: &[Stair], measured: &[Measured], look: &Look) -> String {
    let lowest = measured.iter().map(|step| step.speed).fold(f64::INFINITY, f64::min);
    let height = |step: &Measured| look.lowest + look.decade * (step.speed / lowest).log10();
    let heights: Vec<f64> = measured.iter().map(height).collect();
    let above = look.speed * 2.0;
    let ground = above + heights.iter().copied().fold(0.0, f64::max);
    let wide = WIDTH / stairs.len() as f64;
    // `0.022` takes the width of two and a half letters.
    let letters = look.speed.min(wide / 2.9);

    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {ground:.0}\" role=\"group\" aria-label=\"{}\">\n",
        escape(&said(stairs, measured))
    );
    let (mut line, mut words) = (String::new(), String::new());
    let mut foot = None;
    for (at, (stair, height)) in stairs.iter().zip(&heights).enumerate() {
        let (left, top) = (wide * at as f64, ground - height);
        line.push_str(&format!(
            "{}{left:.1} {top:.1} H{:.1}",
            if at == 0 { "M" } else { " L" },
            left + wide
        ));
        out.push_str(&format!(
            "<a href=\"{}{}\" aria-label=\"{}\"><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" \
             height=\"{height:.1}\" class=\"{}\"/></a>\n",
            look.way,
            stair.page(),
            escape(&told(stair, &measured[at])),
            if at == look.here { "stair here" } else { "stair" },
        ));
        let mut write = |y: f64, more: &str, what: &str| {
            let middle = left + wide / 2.0;
            words.push_str(&format!(
                "<text x=\"{middle:.1}\" y=\"{y:.1}\"{more}>{what}</text>\n"
            ));
        };
        if measured[at].own {
            let size = format!(" font-size=\"{letters:.1}\"");
            write(top - 8.0, &size, &short(measured[at].speed));
        }
        let number = title::number(&stair.short).to_string();
        write(top + 15.0, " class=\"number\"", &number);
        if let Some(first_token) = measured[at].first_token {
            foot.get_or_insert(left);
            write(ground - 5.0, "", &short(first_token));
        }
    }
    words.push_str("<text x=\"0\" y=\"14\" class=\"unit\">tokens per second</text>\n");
    match foot {
        // No room to the left of it; above the first steps there is.
        Some(0.0) => words.push_str(
            "<text x=\"0\" y=\"30\" class=\"unit\">at the foot: first token, ms</text>\n",
        ),
        Some(right) => words.push_str(&format!(
            "<text x=\"{right:.1}\" y=\"{:.1}\" class=\"foot\">first token, ms</text>\n",
            ground - 5.0
        )),
        None => {}
    }
    // The steps say aloud what is written on them.
    out.push_str(&format!(
        "<g aria-hidden=\"true\">\n<path d=\"{line}\" class=\"edge\"/>\n{words}</g>\n</svg>\n"
    ));
    out
}

/// The drawing in words.
fn said(stairs: &[Stair], measured: &[Measured]) -> String {
    let steps: Vec<String> =
        stairs.iter().zip(measured).map(|(stair, measured)| told(stair, measured)).collect();
    format!("A staircase, in tokens per second. {}.", steps.join("; "))
}

/// A step in words.
fn told(stair: &Stair, measured: &Measured) -> String {
    let speed = if measured.own { short(measured.speed) } else { "as before".into() };
    let first_token = match measured.first_token {
        Some(ms) => format!(", first token after {} ms", short(ms)),
        None => String::new(),
    };
    format!("Chapter {}, {}: {speed}{first_token}", title::number(&stair.short), stair.title)
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
    use serde_json::json;

    fn stairs<const N: usize>(shorts: [&str; N]) -> [Stair; N] {
        shorts
            .map(|short| Stair { short: short.into(), title: format!("the title of {short}") })
    }

    /// One that is slow, one as slow, and one that is fast.
    fn three() -> ([Stair; 3], Value) {
        let chapters = json!({"ch00": {"decode": {"median": 0.02206}}, "ch02": {"decode": {"median": 2.206}}});
        let machine = json!({"cpu": "AMD EPYC", "design": "Zen 4", "cores": 2});
        (
            stairs(["ch00", "ch01", "ch02"]),
            json!({"machine": machine, "about": {"date": "2026-11-24"}, "chapters": chapters}),
        )
    }

    fn drawn(stairs: &[Stair], recording: &Value) -> String {
        front(stairs, &measured(stairs, recording).expect("numbers"), &machines(recording))
    }

    #[test]
    fn a_factor_of_a_hundred_is_two_decades_high() {
        let (stairs, recording) = three();
        let svg = drawn(&stairs, &recording);
        assert!(svg.contains("viewBox=\"0 0 480 202\""), "{svg}");
        assert!(svg.contains("M0.0 158.0 H160.0 L160.0 158.0 H320.0 L320.0 42.0 H480.0"));
        assert!(svg.contains(">0.022</text>") && svg.contains(">2.21</text>"));
        assert!(svg.contains("Chapter 1, the title of ch01: as before"));
        assert!(
            svg.contains("<li value=\"2\"><a href=\"ch02/index.html\">the title of ch02</a>")
        );
        assert!(!svg.contains("first token"));
        assert!(svg.lines().all(|line| !line.trim().is_empty()));
    }

    #[test]
    fn the_caption_names_one_machine_or_says_that_they_are_mixed() {
        let (stairs, mut recording) = three();
        let one = "All on one machine: AMD EPYC (Zen 4), two cores, 2026-11-24.</figcaption>";
        assert!(drawn(&stairs, &recording).contains(one), "{}", drawn(&stairs, &recording));
        recording["mixed"] = json!([
            {"of": "the speeds", "machine": recording["machine"]},
            {"of": "the rest", "machine": {"cpu": "Other"}, "about": {"date": "2026-11-20"}},
        ]);
        let mixed = "Not all on one machine: the speeds on AMD EPYC (Zen 4), two cores; the rest on Other, 2026-11-20.";
        assert!(drawn(&stairs, &recording).contains(mixed));
    }

    #[test]
    fn a_first_token_is_written_at_the_foot_read_aloud_and_explained() {
        let (stairs, mut recording) = three();
        recording["chapters"]["ch02"]["first_token_ms"] = json!({"median": 254.6});
        let svg = drawn(&stairs, &recording);
        assert!(svg.contains("<text x=\"400.0\" y=\"197.0\">255</text>"), "{svg}");
        assert!(svg.contains("<text x=\"320.0\" y=\"197.0\" class=\"foot\">first token, ms<"));
        assert!(svg.contains(
            "aria-label=\"Chapter 2, the title of ch02: 2.21, first token after 255 ms\""
        ));
        assert!(svg.contains("the first token of a reply takes"));
    }

    #[test]
    fn letters_shrink_when_steps_are_many() {
        let size = |count: usize| {
            let stairs = vec![stairs(["ch00"])[0].clone(); count];
            let svg = drawn(&stairs, &three().1);
            let size = svg.split("font-size=\"").nth(1).and_then(|rest| rest.split('"').next());
            size.and_then(|size| size.parse::<f64>().ok()).expect("a size")
        };
        assert_eq!([size(3), size(12)], [21.0, 13.8]);
    }

    #[test]
    fn a_chapter_begins_with_its_own_step() {
        let (stairs, recording) = three();
        let svg = opener(&stairs, &measured(&stairs, &recording).expect("numbers"), 1);
        let steps: Vec<&str> = svg.lines().filter(|line| line.starts_with("<a ")).collect();
        assert!(
            steps[1].contains("stair here") && steps[1].contains("href=\"../ch01/index.html\"")
        );
        assert_eq!(svg.matches("stair here").count(), 1);
    }

    #[test]
    fn a_first_speed_that_is_missing_is_a_fault() {
        let (stairs, recording) = three();
        assert_eq!(
            measured(&stairs[1..], &recording),
            Err("ch01: no speed to begin with".into())
        );
    }

    #[test]
    fn numbers_keep_the_digits_that_count() {
        let shown: Vec<String> =
            [0.022058, 0.5, 2.0483, 11.832, 148.5].map(short).into_iter().collect();
        assert_eq!(shown, ["0.022", "0.50", "2.05", "11.8", "148"]);
    }
}
