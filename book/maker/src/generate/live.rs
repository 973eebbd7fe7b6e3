//! What stands in the place of a live figure where no script runs: pictures of recordings.

use serde_json::Value;

use super::Files;
use crate::fault::{BookError, Fault};
use crate::highlight::escape;
use crate::measured;
use crate::recorded::Recorded;
use crate::sources::Sources;

/// Name, recording, how it is drawn, and where it was made.
type Picture = (&'static str, &'static str, fn(&Value) -> Option<String>, &'static str);

const PICTURES: [Picture; 3] = [
    ("race", "ch02-report.json", race, "Recorded in a terminal"),
    ("heads", "engine-live.json", heads, "Recorded in a browser"),
    ("road", "engine-live.json", road, "Recorded in a browser"),
];

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let mut faults = Vec::new();
    for (name, file, draw, how) in PICTURES {
        // Before anything was recorded there is nothing to draw.
        let Ok(recording) = measured::recording(&sources.repository.root, file) else {
            continue;
        };
        let Some(figure) = draw(&recording) else {
            let place = format!("book/measurements/{file}");
            faults.push(Fault::in_file(place, format!("nothing to draw for '{name}'")));
            continue;
        };
        let mut recorded = Recorded::default();
        recorded.add(&recording, &[]);
        let date = recorded.date().map_or(String::new(), |date| format!(", {date}"));
        let machines = recorded.machines();
        let by =
            if machines.is_empty() { how.into() } else { format!("{how}: {machines}{date}") };
        files.insert(
            format!("live/{name}.md"),
            format!("<figure class=\"live\">\n{figure} {by}.</figcaption>\n</figure>\n"),
        );
    }
    Ok(faults)
}

fn numbers(list: &Value) -> Option<Vec<f64>> {
    list.as_array()?.iter().map(Value::as_f64).collect()
}

/// A space at its edge is part of a token.
fn token(text: &str) -> String {
    escape(&text.replace(' ', "\u{b7}").replace('\n', "\u{21b5}"))
}

/// Each token a block as wide as its time.
fn race(race: &Value) -> Option<String> {
    let times = |kind: &str| -> Option<Vec<f64>> {
        race[kind]["forwards"].as_array()?.iter().map(|pass| pass["ms"].as_f64()).collect()
    };
    let (off, on) = (times("off")?, times("on")?);
    let sum = |times: &[f64]| times.iter().sum::<f64>();
    let scale = 480.0 / sum(&off).max(sum(&on));
    let lane = |times: &[f64], top: f64, colour: &str| {
        let mut left = 0.0;
        let blocks = times.iter().enumerate().map(|(at, ms)| {
            let wide = ms * scale;
            let block = format!(
                "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{wide:.2}\" height=\"20\" fill-opacity=\"{}\"/>",
                if at % 2 == 0 { "1" } else { ".55" }
            );
            left += wide;
            block
        });
        format!("<g fill=\"var({colour})\">{}</g>\n", blocks.collect::<String>())
    };
    let text = |y: u32, words: &str| {
        format!(
            "<text x=\"0\" y=\"{y}\" font-size=\"14\" fill=\"var(--figure-ink)\">{words}</text>\n"
        )
    };
    let times = sum(&off) / sum(&on);
    let said = format!(
        "Without a cache {} tokens took {:.2} s, with it {:.2} s: {times:.0} times as fast.",
        off.len(),
        sum(&off) / 1000.0,
        sum(&on) / 1000.0
    );
    Some(format!(
        "<svg viewBox=\"0 0 480 104\" width=\"640\" role=\"img\" aria-label=\"{said}\">\n{}{}{}{}</svg>\n\
         <figcaption>{said} Each block is a token, as wide as its time.",
        text(14, "without a cache"),
        lane(&off, 22.0, "--figure-two"),
        text(72, "with the cache"),
        lane(&on, 80.0, "--figure-one"),
    ))
}

/// One head over a sentence.
fn heads(recording: &Value) -> Option<String> {
    let heads = &recording["heads"];
    let tokens: Vec<&str> =
        heads["tokens"].as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
    // The last names reach a little over their cells.
    let (label, cell) = (86.0, (474.0 - 86.0) / tokens.len() as f64);
    let mut out = String::new();
    for (row, weights) in heads["weights"].as_array()?.iter().enumerate() {
        for (key, weight) in numbers(weights)?.iter().enumerate() {
            let shade = weight.sqrt();
            if shade >= 0.05 {
                out.push_str(&format!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{2:.1}\" height=\"{2:.1}\" fill-opacity=\"{shade:.2}\"/>",
                    label + cell * key as f64,
                    label + cell * row as f64,
                    cell - 1.0
                ));
            }
        }
    }
    let mut names = String::new();
    for (at, text) in tokens.iter().enumerate() {
        let middle = label + cell * (at as f64 + 0.5);
        let text = token(text);
        names.push_str(&format!(
            "<text x=\"{0}\" y=\"{1:.1}\" text-anchor=\"end\">{text}</text><text transform=\"translate({1:.1} {0}) rotate(-90)\" y=\"4\">{text}</text>",
            label - 5.0,
            middle + 4.0
        ));
    }
    let (layer, head) = (&heads["layer"], &heads["head"]);
    let said = format!(
        "Layer {layer}, head {head}: each row is a token, shaded by how much it looks at each token before it."
    );
    Some(format!(
        "<svg viewBox=\"0 0 480 480\" width=\"640\" role=\"img\" aria-label=\"{said}\">\n\
         <g fill=\"var(--figure-one)\">{out}</g>\n<g font-size=\"13\" fill=\"var(--figure-ink)\">{names}</g>\n</svg>\n\
         <figcaption>{said} Where the text comes back to a name, the head looks at what followed it before."
    ))
}

/// A token and what could have come in its place.
fn road(recording: &Value) -> Option<String> {
    let road = &recording["road"];
    let rivals = road["rivals"].as_array()?;
    let high = 34.0;
    let middle = rivals.len() as f64 * high / 2.0;
    let (mut out, mut said) = (String::new(), Vec::new());
    for (row, rival) in rivals.iter().enumerate() {
        let (text, share) = (rival["text"].as_str()?, rival["share"].as_f64()?);
        let y = (row as f64 + 0.5) * high;
        let colour = if row == 0 { "--figure-two" } else { "--figure-one" };
        out.push_str(&format!(
            "<path d=\"M4 {middle}C70 {middle} 60 {y} 130 {y}\" fill=\"none\" stroke=\"var({colour})\" stroke-width=\"{:.1}\"/>\
             <text x=\"142\" y=\"{:.0}\" font-size=\"14\" fill=\"var(--figure-ink)\">{} {:.1} %</text>\n",
            (120.0 * share).clamp(1.0, 28.0),
            y + 5.0,
            token(text),
            100.0 * share
        ));
        said.push(format!("{} {:.1} %", escape(text.trim()), 100.0 * share));
    }
    let before = escape(road["before"].as_str()?);
    Some(format!(
        "<svg viewBox=\"0 0 480 {:.0}\" width=\"640\" role=\"img\" aria-label=\"{}\">\n{out}</svg>\n\
         <figcaption>What could have come after “{before}”: the model chose the first, though it was far from sure.",
        rivals.len() as f64 * high,
        said.join(", ")
    ))
}
