//! Tables of measured numbers: `book/tables.json` says which recorded number stands where. Those of a chapter's steps are not
//! listed there: a page includes `tables/ch03-step-tiles.md`, or `tables/ch03-steps.md` for all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use catalog::thousands::thousands;
use serde::Deserialize;
use serde_json::Value;

use super::{Files, scoreboard};
use crate::address::resolve;
use crate::fault::{BookError, Fault, read};
use crate::measured::{self, Ranged, program, ranged};
use crate::page::BlockKind;
use crate::recorded::Recorded;
use crate::repository::Chapter;
use crate::sources::Sources;
use crate::title;

/// The first cell of a row is a name. Any other may be a number: `=1 file.json#/pointer/median` takes one decimal of it and
/// prints its range beside it, and arithmetic is as in the prose. `=2x` is how many times as fast something is.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Table {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Of a step's table: the recording, where it is not `ch05-steps.json`.
    pub steps: Option<String>,
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let path = sources.repository.root.join("book/tables.json");
    let mut faults = Vec::new();
    let tables = read(&path).map_or(Ok(BTreeMap::new()), |text| serde_json::from_str(&text));
    let mut tables: BTreeMap<String, Table> = match tables {
        Ok(tables) => tables,
        Err(error) => {
            return Ok(vec![Fault::in_file("book/tables.json", error.to_string())]);
        }
    };
    let scores =
        tables.remove("scoreboard").map(|table| scoreboard::step(sources, &table, files));
    if let Some(Err(reason)) = scores {
        faults.push(Fault::in_file("book/tables.json (scoreboard)", reason));
    }
    for name in included(sources).filter(|name| name.contains("-step")) {
        tables.entry(name).or_default();
    }
    for (name, table) in tables {
        let made = if table.head.is_empty() {
            of_steps(sources, &name, table.steps)
        } else {
            listed(sources, &table)
        };
        match made {
            Ok(text) => {
                files.insert(format!("tables/{name}.md"), text);
            }
            Err(reason) => {
                faults.push(Fault::in_file(format!("book/tables.json ({name})"), reason));
            }
        }
    }
    Ok(faults)
}

/// The tables that pages show.
fn included(sources: &Sources) -> impl Iterator<Item = String> {
    let all = sources.book.written().flat_map(|page| {
        page.includes().into_iter().filter_map(|(target, _)| resolve(&page.path, &target))
    });
    all.filter_map(|path| {
        Some(path.strip_prefix("generated/tables/")?.strip_suffix(".md")?.to_string())
    })
}

pub fn listed(sources: &Sources, table: &Table) -> Result<String, String> {
    let mut rows = Vec::new();
    for cells in &table.rows {
        if cells.len() != table.head.len() {
            return Err(format!("{} cells below {} heads", cells.len(), table.head.len()));
        }
        rows.push(
            cells.iter().map(|cell| shown(sources, cell)).collect::<Result<Vec<_>, _>>()?,
        );
    }
    let words = table.rows.iter().flatten().flat_map(|cell| cell.split_whitespace());
    let mut used: Vec<&str> = words
        .filter_map(|word| Some(word.split_once(".json#")?.0.trim_start_matches('(')))
        .collect();
    let mut seen = BTreeSet::new();
    used.retain(|file| seen.insert(*file));
    let mut recorded = Recorded::default();
    for file in used {
        let recording = measured::recording(&sources.repository.root, &format!("{file}.json"))?;
        recorded.add(&recording, &[]);
    }
    Ok(drawn(&table.head, &rows, &recorded))
}

fn shown(sources: &Sources, cell: &str) -> Result<String, String> {
    Ok(match number_of(&sources.repository.root, cell)? {
        Some((number, _, true)) => ratio_cell(number),
        Some((number, decimals, false)) => cell_of(number, decimals),
        None => cell.into(),
    })
}

/// The number that a cell names, how many of its decimals are shown, and whether it's a ratio. None is named by any other text.
pub fn number_of(root: &Path, cell: &str) -> Result<Option<(Ranged, usize, bool)>, String> {
    let Some(number) = cell.strip_prefix('=') else { return Ok(None) };
    let (decimals, expression) = number
        .split_once(' ')
        .ok_or_else(|| format!("'{cell}' is not =DECIMALS file.json#/pointer"))?;
    let ratio = decimals.strip_suffix('x');
    let decimals: usize = ratio
        .unwrap_or(decimals)
        .parse()
        .map_err(|_| format!("'{decimals}' is no number of decimals"))?;
    Ok(Some((ranged(root, expression)?, decimals, ratio.is_some())))
}

/// A number, and its range in figures and as a bar: the whole width is a fifth below and above the number.
fn cell_of(Ranged { value, range }: Ranged, decimals: usize) -> String {
    let number = |value: f64| thousands(&format!("{value:.decimals$}"));
    let Some((min, max)) = range else { return number(value) };
    let place = |end: f64| (50.0 + 250.0 * (end / value - 1.0)).clamp(0.0, 100.0);
    let (from, to) = if value > 0.0 { (place(min), place(max)) } else { (50.0, 50.0) };
    format!(
        "{} <small style=\"--from:{from:.0}%;--to:{to:.0}%\">{}–{}</small>",
        number(value),
        number(min),
        number(max)
    )
}

/// What begins the cell of a ratio whose range holds 1.
const NONE: &str = "<span class=\"none\">≈ ";

fn ratio_cell(ratio: Ranged) -> String {
    let cell = cell_of(ratio, 2);
    match ratio.range {
        // As they are printed.
        Some((min, max)) if min < 1.005 && max >= 0.995 => format!("{NONE}{cell}</span>"),
        _ => cell,
    }
}

/// A speed, with the digits that count.
fn speed(spread: &Value) -> Option<String> {
    let speed = Ranged::of(spread)?;
    let decimals = if speed.value < 10.0 { 2 } else { usize::from(speed.value < 100.0) };
    Some(cell_of(speed, decimals))
}

const PHASES: [(&str, &str); 2] =
    [("prefill", "prefill_tokens_per_second"), ("decode", "decode_tokens_per_second")];

/// `ch03-step-tiles`: this step beside the one before it. `ch03-steps`: all of them.
fn of_steps(sources: &Sources, name: &str, file: Option<String>) -> Result<String, String> {
    let (short, asked) = name.split_once("-step").ok_or("no rows, and no table of steps")?;
    let chapter =
        sources.repository.chapter(short).ok_or_else(|| format!("no chapter {short}"))?;
    let file = file.unwrap_or_else(|| format!("{short}-steps.json"));
    let recording = measured::recording(&sources.repository.root, &file)?;
    let cells = kept(&recording, &sources.repository.chapters, chapter);
    let Some(step) = asked.strip_prefix('-') else {
        return Ok(all_steps(sources, chapter, &recording, &cells));
    };
    let wanted = of_page(chapter, step);
    let at = cells.iter().position(|cell| program(cell) == Some(wanted)).unwrap_or(0);
    // A step that came after the recording: its page says so until that is made again.
    let Some(before) = at.checked_sub(1).and_then(|before| cells.get(before)) else {
        return Ok("*Not recorded yet.*\n".into());
    };
    let now = cells[at];
    let rows: Vec<Vec<String>> = PHASES
        .iter()
        .map(|(phase, speeds)| {
            let figure = |cell: &Value| speed(&cell[*speeds]).unwrap_or_default();
            let times = measured::times(&now[*speeds], &before[*speeds]);
            let times = times.map(ratio_cell).unwrap_or_default();
            vec![(*phase).into(), figure(before), figure(now), times]
        })
        .collect();
    let mut recorded = Recorded::default();
    recorded.add(&recording, &[before, now]);
    let head = ["tok/s", "before", "now", "times as fast"].map(String::from);
    Ok(drawn(&head, &rows, &recorded))
}

/// The cells of the chapter before, of the steps that are still there, and of the chapter.
fn kept<'a>(recording: &'a Value, chapters: &[Chapter], chapter: &Chapter) -> Vec<&'a Value> {
    let there = |name: &str| {
        chapters.iter().any(|other| other.package == name)
            || chapter.steps.iter().any(|step| step.short == name)
    };
    let cells = recording["cells"].as_array().into_iter().flatten();
    cells.filter(|cell| program(cell).is_some_and(there)).collect()
}

/// The program at the end of a page: a step of its name, or the chapter's own.
fn of_page<'a>(chapter: &'a Chapter, name: &str) -> &'a str {
    let short = format!("{}-{name}", chapter.short);
    let step = chapter.steps.iter().find(|step| step.short == short);
    step.map_or(&chapter.package, |step| &step.short)
}

fn all_steps(
    sources: &Sources,
    chapter: &Chapter,
    recording: &Value,
    cells: &[&Value],
) -> String {
    let mut pages = BTreeMap::new();
    for page in sources.book.written() {
        let includes = page.includes().into_iter().filter_map(|(target, _)| {
            let path = resolve(&page.path, &target)?;
            let name = path.strip_prefix("generated/tables/")?.strip_suffix(".md")?;
            let step = name.strip_prefix(&chapter.short)?.strip_prefix("-step-")?;
            Some(of_page(chapter, step).to_string())
        });
        let title =
            page.blocks.iter().find(|block| matches!(block.kind, BlockKind::Heading { .. }));
        let title = title.map_or("", |block| block.source.trim_start_matches('#').trim());
        let title = title.split(" {#").next().unwrap_or(title);
        let link = page.path.strip_prefix(&format!("{}/", chapter.short)).unwrap_or(&page.path);
        includes.for_each(|program| {
            pages.entry(program).or_insert_with(|| format!("[{title}]({link})"));
        });
    }
    let rows: Vec<Vec<String>> = cells
        .iter()
        .enumerate()
        .map(|(at, cell)| {
            let name = program(cell).unwrap_or_default();
            let plain = || match name.strip_prefix(&format!("{}-", chapter.short)) {
                Some(step) => step.replace('-', " "),
                None => {
                    format!("chapter {}", title::number(name.split('-').next().unwrap_or(name)))
                }
            };
            let mut row = vec![pages.get(name).cloned().unwrap_or_else(plain)];
            for (_, speeds) in PHASES {
                row.push(speed(&cell[speeds]).unwrap_or_default());
                let before = at.checked_sub(1).map(|before| &cells[before][speeds]);
                let times = before.and_then(|before| measured::times(&cell[speeds], before));
                row.push(times.map(ratio_cell).unwrap_or_default());
            }
            row
        })
        .collect();
    let mut recorded = Recorded::default();
    recorded.add(recording, cells);
    let head =
        ["after the page", "prefill, tok/s", "times as fast", "decode, tok/s", "times as fast"];
    drawn(&head.map(String::from), &rows, &recorded)
}

/// The table, and below it where its numbers are from.
fn drawn(head: &[String], rows: &[Vec<String>], recorded: &Recorded) -> String {
    let right = |column: usize| if column == 0 { "---" } else { "---:" }.to_string();
    let mut text = row(head) + &row(&(0..head.len()).map(right).collect::<Vec<_>>());
    rows.iter().for_each(|cells| text.push_str(&row(cells)));
    let none = rows.iter().flatten().any(|cell| cell.starts_with(NONE));
    let none = if none {
        " ≈: the range holds 1, so no difference that we could measure."
    } else {
        ""
    };
    if let Some(line) = recorded.line() {
        text.push_str(&format!("\n<p class=\"recorded\">{line}{none}</p>\n"));
    }
    text
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_range_stands_beside_its_median_and_one_that_holds_1_is_quiet() {
        let spread = |all: &[f64]| json!({"median": all[0], "min": all[1], "max": all[2], "raw": [all[1], all[0], all[2]]});
        let (before, now) = (spread(&[10.0, 8.0, 12.0]), spread(&[20.0, 16.0, 48.0]));
        assert_eq!(
            speed(&now).as_deref(),
            Some("20.0 <small style=\"--from:0%;--to:100%\">16.0–48.0</small>")
        );
        let times = measured::times(&now, &before).expect("three rounds each");
        assert_eq!(
            ratio_cell(times),
            "2.00 <small style=\"--from:50%;--to:100%\">2.00–4.00</small>"
        );
        let times =
            measured::times(&before, &spread(&[10.0, 10.0, 10.0])).expect("three rounds each");
        assert_eq!(
            ratio_cell(times),
            "<span class=\"none\">≈ 1.00 <small style=\"--from:0%;--to:100%\">0.80–1.20</small></span>"
        );
        assert_eq!(measured::times(&now, &json!({"median": 1.0, "raw": [1.0]})), None);
        let once = json!({"median": 151.4, "min": 151.4, "max": 151.4});
        assert_eq!(speed(&once).as_deref(), Some("151"));
    }

    #[test]
    fn a_step_that_is_gone_is_left_out() {
        let named = |short: &str, package: &str| Chapter {
            short: short.into(),
            package: package.into(),
            ..Chapter::default()
        };
        let mut chapter = named("ch03", "ch03-simd");
        chapter.steps = vec![named("ch03-lanes", "ch03-simd")];
        let chapters = [named("ch02", "ch02-cache"), chapter.clone()];
        let cell = |setting: &str| json!({"setting": setting});
        let settings = ["ch02-cache --kv=basic", "ch03-lanes", "ch03-gone", "ch03-simd"];
        let recording = json!({"cells": settings.map(cell)});
        let left: Vec<_> =
            kept(&recording, &chapters, &chapter).into_iter().filter_map(program).collect();
        assert_eq!(left, ["ch02-cache", "ch03-lanes", "ch03-simd"]);
        assert_eq!(of_page(&chapter, "lanes"), "ch03-lanes");
        assert_eq!(of_page(&chapter, "the-last-page"), "ch03-simd");
    }
}
