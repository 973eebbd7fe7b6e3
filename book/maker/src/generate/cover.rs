//! The book's cover: its chapters as a staircase, each step as high as the decode speed that was measured for it, and
//! what each of them gives below. All numbers are of one recording, `cover.json`. `cover/ch02.md` is the same staircase, low and
//! alone, for the first page of a chapter: its own step has the colour.

use serde_json::Value;

use super::Files;
use crate::fault::{BookError, Fault};
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
    /// What it adds to the program.
    builds: String,
}

impl Stair {
    fn page(&self) -> String {
        escape(&format!("{}/index.html", self.short))
    }
}

/// What was measured for a step.
#[derive(Clone, Debug, PartialEq)]
struct Measured {
    speed: f64,
    /// Not that of the chapter before.
    own: bool,
    /// Milliseconds.
    first_token: Option<f64>,
    threads: u64,
    weights: String,
}

const WIDTH: f64 = 480.0;

const CAPTION: &str = "The speed at which each chapter’s engine writes, with a model of the size of Qwen3-0.6B after a prompt of 128 \
     tokens. Its weights are random, because <a href=\"ch00/run.html#at-real-size\">we couldn’t get the real ones</a>. The scale is \
     logarithmic. A first token is that of a reply to the question that the README asks as in a chat, 27 tokens on two threads.";

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

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    // Before anything was measured there is nothing to draw.
    let Ok(recording) = measured::recording(&sources.repository.root, "cover.json") else {
        return Ok(Vec::new());
    };
    let told =
        sources.repository.chapters.iter().filter(|chapter| chapter.about.builds.is_some());
    let stairs: Vec<Stair> = told
        .map(|chapter| Stair {
            short: chapter.short.clone(),
            title: chapter.about.title.clone(),
            builds: chapter.about.builds.clone().unwrap_or_default(),
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
        let said = |what: &str| &recording["chapters"][short][what];
        let before = all.last();
        all.push(Measured {
            speed,
            own: own.is_some(),
            first_token: figure("first_token_ms"),
            threads: said("threads").as_u64().or(before.map(|b| b.threads)).unwrap_or(1),
            weights: match (said("weights").as_str(), before) {
                (Some(weights), _) => weights.into(),
                (None, before) => before.map_or(String::new(), |b| b.weights.clone()),
            },
        });
    }
    Ok(all)
}

fn front(stairs: &[Stair], measured: &[Measured], machines: &str) -> String {
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
        "<p class=\"promise\">{}</p>\n<figure class=\"cover\">\n{}<p class=\"terms\">{}</p>\n<ol>\n{steps}</ol>\n\
         <details><summary>How this was measured</summary><p>{CAPTION}{machines}</p></details>\n</figure>\n",
        promise(measured),
        drawing(stairs, measured, &look),
        terms(stairs, measured),
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
        "Write the program that makes a language model speak, in Rust, on the CPU you have. It starts at <strong>{}</strong>, it \
         gets to <strong>{}</strong>, and you’ll have read every line that made the difference.",
        tell(first.unwrap_or(1.0)),
        tell(last.unwrap_or(1.0))
    )
}

/// What changes along the stairs beside the program.
fn terms(stairs: &[Stair], measured: &[Measured]) -> String {
    let mut said = "Tokens per second".to_string();
    for (at, pair) in measured.windows(2).enumerate() {
        let number = title::number(&stairs[at + 1].short);
        if pair[0].threads != pair[1].threads {
            said.push_str(&format!(
                "; from step {number} on, {} cores",
                count(pair[1].threads)
            ));
        }
        if pair[0].weights != pair[1].weights {
            said.push_str(&format!(
                "; from step {number} on, weights of the type {} instead of {}",
                pair[1].weights, pair[0].weights
            ));
        }
    }
    said + "."
}

fn count(threads: u64) -> String {
    match threads {
        2 => "two".into(),
        4 => "four".into(),
        more => more.to_string(),
    }
}

/// What a step brings: the speed of writing, the wait for the first token, or else what it builds.
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
    match (before.first_token, now.first_token) {
        (Some(before), Some(now)) if before / now >= 1.5 => {
            format!("its first token after {now:.0} ms instead of {before:.0}")
        }
        _ => builds(),
    }
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
    // `0.022` is as wide as two and a half letters are high, and may touch both edges of its step.
    let letters = look.speed.min(wide / 2.45);

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
    format!("Chapter {}, {}: {speed}", title::number(&stair.short), stair.title)
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
        shorts.map(|short| Stair {
            short: short.into(),
            title: format!("the title of {short}"),
            builds: format!("what {short} builds"),
        })
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
            svg.contains("<li value=\"2\"><a href=\"ch02/index.html\">the title of ch02</a> writes 100 times as fast</li>")
        );
        assert!(svg.contains("the title of ch01</a> what ch01 builds</li>"));
        assert!(
            svg.contains("<strong>one token in 45 seconds</strong>")
                && svg.contains("<strong>2 tokens a second</strong>")
        );
        assert!(svg.contains("<p class=\"terms\">Tokens per second.</p>"));
        assert!(svg.lines().all(|line| !line.trim().is_empty()));
    }

    #[test]
    fn the_caption_names_one_machine_or_says_that_they_are_mixed() {
        let (stairs, mut recording) = three();
        let one = "All on one machine: AMD EPYC (Zen 4), two cores, 2026-11-24.</p>";
        assert!(drawn(&stairs, &recording).contains(one), "{}", drawn(&stairs, &recording));
        recording["mixed"] = json!([
            {"of": "the speeds", "machine": recording["machine"]},
            {"of": "the rest", "machine": {"cpu": "Other"}, "about": {"date": "2026-11-20"}},
        ]);
        let mixed = "Not all on one machine: the speeds on AMD EPYC (Zen 4), two cores; the rest on Other, 2026-11-20.";
        assert!(drawn(&stairs, &recording).contains(mixed));
    }

    #[test]
    fn what_else_changes_stays_in_view_and_a_wait_that_falls_is_told() {
        let (stairs, mut recording) = three();
        for (short, first_token, threads, weights) in
            [("ch00", 900.0, 1, "F32"), ("ch01", 450.0, 2, "F32"), ("ch02", 440.0, 2, "Q8_0")]
        {
            recording["chapters"][short]["first_token_ms"] = json!({"median": first_token});
            recording["chapters"][short]["threads"] = json!(threads);
            recording["chapters"][short]["weights"] = json!(weights);
        }
        let svg = drawn(&stairs, &recording);
        assert!(svg.contains("</a> its first token after 450 ms instead of 900</li>"), "{svg}");
        let terms = "Tokens per second; from step 1 on, two cores; from step 2 on, weights of the type Q8_0 instead of F32.";
        assert!(svg.contains(terms), "{svg}");
    }

    #[test]
    fn letters_shrink_when_steps_are_many() {
        let size = |count: usize| {
            let stairs = vec![stairs(["ch00"])[0].clone(); count];
            let svg = drawn(&stairs, &three().1);
            let size = svg.split("font-size=\"").nth(1).and_then(|rest| rest.split('"').next());
            size.and_then(|size| size.parse::<f64>().ok()).expect("a size")
        };
        assert_eq!([size(3), size(12)], [21.0, 16.3]);
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
