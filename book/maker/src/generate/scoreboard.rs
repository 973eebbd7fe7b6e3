//! What clients get of a chapter's server: the table `scoreboard` of `book/tables.json`, down to that chapter, and each of its
//! columns a drawing. `scores/ch12.md` is for the first page of chapter 12.
//!
//! A cell is one of any table, or several with `or` between them. All that is shown was recorded on one machine, the one that
//! has most of the cells: of each, the first that this machine has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use catalog::thousands::thousands;

use super::Files;
use super::tables::{Table, listed};
use crate::highlight::escape;
use crate::measured::{self, ranged};
use crate::recorded::Recorded;
use crate::sources::Sources;

const WIDTH: f64 = 170.0;
const HEAD: f64 = 22.0;
const ROW: f64 = 18.0;
/// Where bars begin, and how long the longest is: its number comes after it.
const LEFT: f64 = 22.0;
const LONGEST: f64 = 96.0;

const CAPTION: &str = "The chapters so far, this one last, for 1, 4 and 16 clients at once: one file in the shape of Qwen3-0.6B, Q8_0, \
     two threads, prompts of 128 tokens. Of a hundred gaps between two tokens, 99 are shorter than the p99. From chapter 11 on \
     the memory holds the texts of sixteen clients. ↓ less is better, ↑ more is; – was not recorded on this machine.";

/// One way of a cell, which was recorded.
struct Cell {
    /// As a table has it.
    source: String,
    number: f64,
    shown: String,
    machine: String,
}

pub fn step(sources: &Sources, table: &Table, files: &mut Files) -> Result<(), String> {
    let root = &sources.repository.root;
    let of_row = |row: &Vec<String>| -> Result<Vec<Vec<Cell>>, String> {
        row[1..].iter().map(|cell| found(root, cell)).collect()
    };
    let rows: Vec<_> = table.rows.iter().map(of_row).collect::<Result<_, _>>()?;
    let rows = on_one_machine(rows);
    for (at, row) in table.rows.iter().enumerate() {
        let text = board(sources, table, &rows[..=at])?;
        files.insert(format!("scores/ch{:0>2}.md", number(&row[0])), text);
    }
    Ok(())
}

/// The chapter of a row: `9` of `9, a server`.
fn number(name: &str) -> &str {
    name.split(',').next().unwrap_or_default()
}

/// Those of a cell's ways that were recorded. With `?` after the decimals there may be none.
fn found(root: &Path, cell: &str) -> Result<Vec<Cell>, String> {
    let Some((form, ways)) = cell.strip_prefix('=').and_then(|cell| cell.split_once(' '))
    else {
        return Ok(Vec::new());
    };
    let decimals: Result<usize, _> = form.trim_end_matches('?').parse();
    let decimals = decimals.map_err(|_| format!("'{form}' is no number of decimals"))?;
    let recorded = |way: &str| -> Result<Cell, String> {
        let number = ranged(root, way)?.value;
        let file = way.split('#').next().unwrap_or_default();
        let (recording, mut recorded) = (measured::recording(root, file)?, Recorded::default());
        recorded.add(&recording, &[]);
        let shown = thousands(&format!("{number:.decimals$}"));
        let (source, machine) = (format!("={form} {way}"), recorded.machines());
        Ok(Cell { source, number, shown, machine })
    };
    let all: Vec<Result<Cell, String>> = ways.split(" or ").map(recorded).collect();
    if form.ends_with('?') || all.iter().any(Result::is_ok) {
        return Ok(all.into_iter().flatten().collect());
    }
    all.into_iter().collect()
}

/// Of each cell the first that the machine recorded which recorded most.
fn on_one_machine(rows: Vec<Vec<Vec<Cell>>>) -> Vec<Vec<Option<Cell>>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for ways in rows.iter().flatten() {
        let machines: BTreeSet<&str> = ways.iter().map(|cell| cell.machine.as_str()).collect();
        machines.into_iter().for_each(|machine| *counts.entry(machine).or_default() += 1);
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    let most = most.map_or(String::new(), |(machine, _)| machine.to_string());
    let kept = |ways: Vec<Cell>| ways.into_iter().find(|cell| cell.machine == most);
    rows.into_iter().map(|row| row.into_iter().map(kept).collect()).collect()
}

/// The drawings, and below them the same as a table.
fn board(
    sources: &Sources,
    table: &Table,
    rows: &[Vec<Option<Cell>>],
) -> Result<String, String> {
    let names: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
    let column = |at: usize| rows.iter().map(|row| row[at].as_ref()).collect::<Vec<_>>();
    let known: Vec<usize> = (0..table.head.len() - 1)
        .filter(|&at| column(at).iter().any(Option::is_some))
        .collect();
    let drawings: String =
        known.iter().map(|&at| drawn(&table.head[at + 1], &names, &column(at))).collect();
    let source =
        |cell: &Option<Cell>| cell.as_ref().map_or("–".into(), |it| it.source.clone());
    let head = |at: &usize| table.head[at + 1].clone();
    let named = |(name, row): (&&str, &Vec<Option<Cell>>)| {
        let cells = known.iter().map(|&at| source(&row[at]));
        [name.to_string()].into_iter().chain(cells).collect()
    };
    let numbers = Table {
        head: [String::from("chapter")].into_iter().chain(known.iter().map(head)).collect(),
        rows: names.iter().zip(rows).map(named).collect(),
        ..Table::default()
    };
    let numbers = listed(sources, &numbers)?;
    Ok(format!(
        "<figure class=\"scores\">\n<div>\n{drawings}</div>\n<figcaption>{CAPTION}</figcaption>\n</figure>\n\n\
         <details><summary>The same as a table</summary>\n\n{numbers}\n</details>\n"
    ))
}

/// A bar for each chapter; the last one is the page's own.
fn drawn(title: &str, names: &[&str], cells: &[Option<&Cell>]) -> String {
    let numbers = cells.iter().flatten().map(|cell| cell.number);
    let largest = numbers.fold(f64::MIN_POSITIVE, f64::max);
    let (mut bars, mut said) = (String::new(), Vec::new());
    for (at, (name, cell)) in names.iter().zip(cells).enumerate() {
        let top = HEAD + ROW * at as f64;
        let base = top + ROW - 5.0;
        bars.push_str(&format!(
            "<text x=\"0\" y=\"{base}\" class=\"number\">{}</text>\n",
            number(name)
        ));
        let (long, shown) = match cell {
            Some(cell) => (LONGEST * cell.number / largest, cell.shown.as_str()),
            None => (0.0, "–"),
        };
        let here = if at + 1 == cells.len() { " here" } else { "" };
        bars.push_str(&format!(
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"{long:.1}\" height=\"{}\" class=\"bar{here}\"/>\n\
             <text x=\"{:.1}\" y=\"{base}\">{shown}</text>\n",
            top + 2.0,
            ROW - 4.0,
            LEFT + long + 5.0
        ));
        let shown = if cell.is_some() { shown } else { "not recorded" };
        said.push(format!("chapter {name}: {shown}"));
    }
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" aria-label=\"{}\">\n<text x=\"0\" y=\"13\" class=\"what\">{}</text>\n{bars}</svg>\n",
        HEAD + ROW * cells.len() as f64,
        escape(&format!("{title}. {}.", said.join("; "))),
        escape(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str =
        r#"{"machine": {"cpu": "A"}, "figures": {"x": {"median": 1234.4}, "y": 40}}"#;
    const OTHER: &str = r#"{"machine": {"cpu": "B"}, "figures": {"x": 7}}"#;

    #[test]
    fn all_that_is_drawn_was_recorded_on_one_machine() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        for (name, text) in [("a", ONE), ("b", OTHER)] {
            let file = root.join(format!("book/measurements/{name}.json"));
            crate::fault::write(&file, text).expect("written");
        }
        let of = |cell: &str| vec![found(root, cell).expect("it may be so")];
        let (x, y, other) =
            ("a.json#/figures/x/median", "a.json#/figures/y", "b.json#/figures/x");
        let rows = vec![
            of(&format!("=0? a.json#/figures/z or {other} or {x}")),
            of(&format!("=0 {y}")),
            of(&format!("=0 {other}")),
            of(&format!("=0? a.json#/figures/z or {y}")),
            of(""),
        ];
        let kept = on_one_machine(rows);
        let cells: Vec<_> = kept.iter().map(|row| row[0].as_ref()).collect();
        let shown: Vec<_> =
            cells.iter().map(|cell| cell.map(|cell| cell.shown.as_str())).collect();
        assert_eq!(shown, [Some("1,234"), Some("40"), None, Some("40"), None]);
        assert_eq!(cells[0].map(|cell| cell.source.clone()), Some(format!("=0? {x}")));
        assert!(found(root, "=0 a.json#/figures/z").is_err() && found(root, "=? x").is_err());
        let svg = drawn("gap, ms ↓", &["9, a", "10, b", "11, c"], &cells[..3]);
        let said =
            "gap, ms ↓. chapter 9, a: 1,234; chapter 10, b: 40; chapter 11, c: not recorded.";
        assert!(svg.contains(said), "{svg}");
        assert!(
            svg.contains("width=\"96.0\" height=\"14\" class=\"bar\"/>\n<text x=\"123.0\"")
        );
        assert!(svg.contains("viewBox=\"0 0 170 76\"") && svg.matches("bar here").count() == 1);
    }
}
