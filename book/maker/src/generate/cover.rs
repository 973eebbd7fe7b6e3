//! The book's cover: its chapters as a staircase, each step as high as the decode speed that was measured for it, behind it
//! a second one, of what sixteen clients get together, and what each chapter gives below. All numbers are of one recording,
//! `ch14-road.json`. `cover/ch02.md` is the same staircase, low and alone, for the first page of a chapter: its own step has
//! the colour. And the README has it as two pictures, light and dark.

use catalog::thousands::thousands;
use serde_json::Value;

use super::Files;
use crate::fault::{BookError, Fault};
use crate::highlight::escape;
use crate::measured;
use crate::recorded::Recorded;
use crate::repository::Repository;
use crate::sources::Sources;
use crate::title;

#[cfg_attr(test, derive(Clone))]
pub struct Stair {
    /// Of its chapter: `ch02`.
    pub short: String,
    pub title: String,
    /// What it adds to the program.
    builds: String,
    /// What the flight is called that begins with it.
    pub flight: Option<String>,
}

impl Stair {
    fn page(&self) -> String {
        escape(&format!("{}/index.html", self.short))
    }
}

/// What was measured for a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    pub speed: f64,
    /// Not that of the chapter before.
    pub own: bool,
    /// Milliseconds.
    first_token: Option<f64>,
    /// Tokens a second far into a text.
    far: Option<f64>,
    /// Tokens a second of sixteen clients.
    pub sixteen: Option<f64>,
}

const RECORDING: &str = "ch14-road.json";

const WIDTH: f64 = 480.0;

const CAPTION: &str = "Each chapter’s engine with the same file: the shape of Qwen3-0.6B in Q8_0, with random weights, because <a \
     href=\"ch00/run.html#at-real-size\">we couldn’t get the real ones</a>. It reads a prompt of 128 tokens and writes after it, on \
     one core up to chapter 3 and then on two. Chapter 0 has no clock: its loops are chapter 1’s. The steps behind are what \
     sixteen clients get together. The scale is logarithmic.";

fn machine(recording: &Value) -> String {
    let mut recorded = Recorded::default();
    recorded.add(recording, &[]);
    let date = recorded.date().map_or(String::new(), |date| format!(", {date}"));
    format!(" All in a quarter of an hour on one machine: {}{date}.", recorded.machines())
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

type Drawn = (Vec<Stair>, Vec<Measured>);

/// Nothing to draw before anything was measured.
pub fn stairs(repository: &Repository) -> Option<Result<Drawn, String>> {
    let recording = measured::recording(&repository.root, RECORDING).ok()?;
    let told = repository.chapters.iter().filter(|chapter| chapter.about.builds.is_some());
    let stairs: Vec<Stair> = told
        .map(|chapter| Stair {
            short: chapter.short.clone(),
            title: chapter.about.title.clone(),
            builds: chapter.about.builds.clone().unwrap_or_default(),
            flight: chapter.about.flight.clone(),
        })
        .collect();
    Some(measured(&stairs, &recording).map(|measured| (stairs, measured)))
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let repository = sources.repository;
    let Ok(recording) = measured::recording(&repository.root, RECORDING) else {
        return Ok(Vec::new());
    };
    match stairs(repository) {
        None => {}
        Some(Err(reason)) => {
            return Ok(vec![Fault::in_file(format!("book/measurements/{RECORDING}"), reason)]);
        }
        Some(Ok((stairs, measured))) => {
            files.insert("cover.md".into(), front(&stairs, &measured, &machine(&recording)));
            for (here, stair) in stairs.iter().enumerate() {
                let path = format!("cover/{}.md", stair.short);
                files.insert(path, opener(&stairs, &measured, here));
            }
        }
    }
    Ok(Vec::new())
}

/// The numbers of each step. Chapter 0 has no clock and the loops of the chapter after it; another without a speed is as
/// high as the one before.
fn measured(stairs: &[Stair], recording: &Value) -> Result<Vec<Measured>, String> {
    let mut all: Vec<Measured> = Vec::new();
    let figure = |stair: Option<&Stair>, what: &str| {
        stair.and_then(|stair| recording["figures"][&stair.short][what].as_f64())
    };
    for (at, stair) in stairs.iter().enumerate() {
        let before = all.last().copied();
        let figure = |what: &str| match figure(Some(stair), what) {
            None if at == 0 => figure(stairs.get(1), what),
            found => found,
        };
        let own = figure("decode").filter(|speed| before.is_none_or(|b| b.speed != *speed));
        let speed = own.or(before.map(|before| before.speed));
        let speed = speed.ok_or_else(|| format!("{}: no speed to begin with", stair.short))?;
        if speed <= 0.0 {
            return Err(format!("{}: {speed} is no speed", stair.short));
        }
        all.push(Measured {
            speed,
            own: own.is_some(),
            first_token: figure("first_ms"),
            far: figure("far"),
            sixteen: figure("sixteen"),
        });
    }
    Ok(all)
}

fn front(stairs: &[Stair], measured: &[Measured], machine: &str) -> String {
    let look = Look { lowest: 44.0, decade: 58.0, speed: 21.0, here: usize::MAX, way: "" };
    let steps: String = (0..stairs.len())
        .map(|at| {
            let stair = &stairs[at];
            format!(
                "<li value=\"{}\"><a href=\"{}\">{}</a> {}</li>\n",
                title::number(&stair.short),
                stair.page(),
                escape(&stair.title),
                escape(&gives(stairs, measured, at))
            )
        })
        .collect();
    format!(
        "<p class=\"promise\">{}</p>\n<figure class=\"cover\">\n{}<p class=\"terms\">{TERMS}</p>\n<ol>\n{steps}</ol>\n\
         <details><summary>How this was measured</summary><p>{CAPTION}{machine}</p></details>\n</figure>\n",
        promise(measured),
        drawing(stairs, measured, &look),
    )
}

/// From the first speed to the last, in the unit that one can imagine.
fn promise(measured: &[Measured]) -> String {
    let tell = |speed: f64| match speed {
        s if s < 0.5 => format!("one token in {:.0} seconds", 1.0 / s),
        s => format!("{s:.0} tokens a second"),
    };
    let own: Vec<f64> = measured.iter().filter(|m| m.own).map(|m| m.speed).collect();
    let (first, last) = (own.first().copied(), own.last().copied());
    format!(
        "Write the program that makes a language model speak, in Rust, on the CPU you have. 128 tokens into a text its \
         first version writes <strong>{}</strong>, its last <strong>{}</strong>, and you’ll have read every line that made the difference.",
        tell(first.unwrap_or(1.0)),
        tell(last.unwrap_or(1.0))
    )
}

const TERMS: &str = "Tokens per second, on a scale where every factor of ten has the same height; behind, what sixteen clients get together.";

/// What a step brings: the speed of writing, of many or far into a text, the wait for the first token, or else what it builds.
fn gives(stairs: &[Stair], measured: &[Measured], at: usize) -> String {
    let builds = || stairs[at].builds.clone();
    let Some(before) = at.checked_sub(1).map(|before| &measured[before]) else {
        return builds();
    };
    let now = &measured[at];
    let faster = now.speed / before.speed;
    if now.own && faster >= 1.2 {
        let digits = usize::from(faster < 10.0);
        return format!("writes {faster:.digits$} times as fast");
    }
    let better = |before: Option<f64>, now: Option<f64>| {
        before.zip(now).filter(|(before, now)| now / before >= 1.5)
    };
    if let Some((before, now)) = better(before.sixteen, now.sixteen) {
        return format!("sixteen clients get {now:.0} tokens a second instead of {before:.0}");
    }
    if let Some((before, now)) = better(before.far, now.far) {
        return format!("after 4,096 tokens, {now:.0} a second instead of {before:.0}");
    }
    if let Some((now, before)) = better(now.first_token, before.first_token) {
        let before = thousands(&format!("{before:.0}"));
        return format!("its first token after {now:.0} ms instead of {before}");
    }
    builds()
}

fn opener(stairs: &[Stair], measured: &[Measured], here: usize) -> String {
    let look = Look { lowest: 34.0, decade: 18.0, speed: 13.0, here, way: "../" };
    format!("<figure class=\"cover opener\">\n{}</figure>\n", drawing(stairs, measured, &look))
}

fn drawing(stairs: &[Stair], measured: &[Measured], look: &Look) -> String {
    let lowest = measured.iter().map(|step| step.speed).fold(f64::INFINITY, f64::min);
    let height = |speed: f64| look.lowest + look.decade * (speed / lowest).log10();
    let heights: Vec<f64> = measured.iter().map(|step| height(step.speed)).collect();
    let many: Vec<f64> = measured.iter().map(|step| step.sixteen.map_or(0.0, height)).collect();
    let above = look.speed * 2.0;
    let ground = above + heights.iter().chain(&many).copied().fold(0.0, f64::max);
    let wide = WIDTH / stairs.len() as f64;
    // A digit is half as wide as it is high, and five may touch both edges of their step.
    let letters = |text: &str| look.speed.min(wide / (0.49 * text.len().max(5) as f64));

    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {ground:.0}\" role=\"group\" aria-label=\"{}\">\n",
        escape(&said(stairs, measured))
    );
    let (mut line, mut words) = (String::new(), String::new());
    for (at, (stair, height)) in stairs.iter().zip(&heights).enumerate() {
        let (left, top) = (wide * at as f64, ground - height);
        line.push_str(&format!(
            "{}{left:.1} {top:.1} H{:.1}",
            if at == 0 { "M" } else { " L" },
            left + wide
        ));
        let behind = many[at];
        if behind > *height {
            out.push_str(&format!(
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"{behind:.1}\" class=\"many\"/>\n",
                ground - behind
            ));
        }
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
            let text = label(measured[at].speed);
            write(top - 8.0, &format!(" font-size=\"{:.1}\"", letters(&text)), &text);
        }
        if let Some(text) = measured[at].sixteen.filter(|_| behind > *height).map(label) {
            let size = format!(" font-size=\"{:.1}\"", letters(&text));
            // Above the other speed, however little it's higher.
            write((ground - behind).min(top - look.speed) - 8.0, &size, &text);
        }
        let number = title::number(&stair.short).to_string();
        write(top + 15.0, " class=\"number\"", &number);
    }
    words.push_str("<text x=\"0\" y=\"14\" class=\"unit\">tokens per second</text>\n");
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
    let many = measured
        .sixteen
        .map_or(String::new(), |many| format!(", of sixteen clients {}", short(many)));
    format!("Chapter {}, {}: {speed}{many}", title::number(&stair.short), stair.title)
}

/// Three digits that count.
pub fn short(speed: f64) -> String {
    let decimals = if speed >= 100.0 { 0 } else { 2 - speed.log10().floor() as i32 };
    format!("{speed:.*}", decimals.max(0) as usize)
}

/// The same with at most five characters: a step has no room for more.
fn label(speed: f64) -> String {
    if speed < 0.1 { format!("{speed:.3}") } else { short(speed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stairs<const N: usize>(shorts: [&str; N]) -> [Stair; N] {
        shorts.map(|short| Stair {
            short: short.into(),
            title: format!("the title of {short}"),
            builds: format!("what {short} builds"),
            flight: None,
        })
    }

    /// One that is slow, one as slow, and one that is fast.
    fn three() -> ([Stair; 3], Value) {
        let figures = json!({"ch01": {"decode": 0.02206, "first_ms": 4500.0}, "ch02": {"decode": 2.206, "first_ms": 440.0}});
        let machine = json!({"cpu": "AMD EPYC", "design": "Zen 4", "cores": 2});
        (
            stairs(["ch00", "ch01", "ch02"]),
            json!({"machine": machine, "about": {"date": "2026-11-24"}, "figures": figures}),
        )
    }

    fn drawn(stairs: &[Stair], recording: &Value) -> String {
        front(stairs, &measured(stairs, recording).expect("numbers"), &machine(recording))
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
            svg.contains("<li value=\"2\"><a href=\"ch02/index.html\">the title of ch02</a> writes 100 times as fast</li>")
        );
        assert!(svg.contains("the title of ch01</a> what ch01 builds</li>"));
        assert!(
            svg.contains("<strong>one token in 45 seconds</strong>")
                && svg.contains("<strong>2 tokens a second</strong>")
        );
        let one = "on one machine: AMD EPYC (Zen 4), two cores, 2026-11-24.</p>";
        assert!(svg.contains(one), "{svg}");
        assert!(svg.lines().all(|line| !line.trim().is_empty()));
    }

    #[test]
    fn what_is_as_fast_for_one_says_what_else_it_gives() {
        let (stairs, mut recording) = three();
        for (what, before, now, said) in [
            ("sixteen", 38.0, 122.0, "sixteen clients get 122 tokens a second instead of 38"),
            ("far", 9.1, 25.2, "after 4,096 tokens, 25 a second instead of 9"),
            ("first_ms", 1243.0, 254.6, "its first token after 255 ms instead of 1,243"),
        ] {
            recording["figures"] = json!({"ch01": {"decode": 2.0, what: before}, "ch02": {"decode": 2.1, what: now}});
            let svg = drawn(&stairs, &recording);
            assert!(svg.contains(&format!("the title of ch02</a> {said}</li>")), "{svg}");
            assert_eq!(svg.contains("class=\"many\""), what == "sixteen");
        }
    }

    #[test]
    fn letters_shrink_when_steps_are_many() {
        let size = |count: usize| {
            let stairs = vec![stairs(["ch01"])[0].clone(); count];
            let svg = drawn(&stairs, &three().1);
            let size = svg.split("font-size=\"").nth(1).and_then(|rest| rest.split('"').next());
            size.and_then(|size| size.parse::<f64>().ok()).expect("a size")
        };
        assert_eq!([size(3), size(15)], [21.0, 13.1]);
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
        let (stairs, mut recording) = three();
        recording["figures"]["ch01"] = json!({});
        assert_eq!(measured(&stairs, &recording), Err("ch00: no speed to begin with".into()));
    }

    #[test]
    fn numbers_keep_the_digits_that_count() {
        let shown: Vec<String> =
            [0.022058, 0.5, 2.0483, 11.832, 148.5].map(short).into_iter().collect();
        assert_eq!(shown, ["0.0221", "0.500", "2.05", "11.8", "148"]);
    }
}
