//! What clients get of a chapter's server: the table `scoreboard` of `book/tables.json`, down to that chapter, and each of its
//! columns a drawing. `scores/ch12.md` is for the first page of chapter 12.

use std::path::Path;

use catalog::thousands::thousands;

use super::Files;
use super::tables::{Table, listed, number_of};
use crate::highlight::escape;
use crate::measured::Ranged;
use crate::sources::Sources;

const WIDTH: f64 = 170.0;
const HEAD: f64 = 22.0;
const ROW: f64 = 18.0;
/// Where bars begin, and how long the longest is: its number comes after it.
const LEFT: f64 = 22.0;
const LONGEST: f64 = 96.0;

const CAPTION: &str = "The chapters so far, this one last, for 1, 4 and 16 clients at once: one file in the shape of Qwen3-0.6B, Q8_0, \
     two threads, prompts of 128 tokens. Of a hundred gaps between two tokens, 99 are shorter than the p99. From chapter 11 on \
     the memory holds the texts of sixteen clients. ↓ less is better, ↑ more is; – was not recorded.";

/// A cell that was recorded.
struct Cell {
    /// As a table has it.
    source: String,
    number: f64,
    shown: String,
}

pub fn step(sources: &Sources, table: &Table, files: &mut Files) -> Result<(), String> {
    let root = &sources.repository.root;
    let of_row = |row: &Vec<String>| -> Result<Vec<Option<Cell>>, String> {
        row[1..].iter().map(|cell| found(root, cell)).collect()
    };
    let rows: Vec<_> = table.rows.iter().map(of_row).collect::<Result<_, _>>()?;
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

/// What a cell names, if it names something.
fn found(root: &Path, cell: &str) -> Result<Option<Cell>, String> {
    Ok(number_of(root, cell)?.map(|(Ranged { value: number, .. }, decimals, _)| {
        let shown = thousands(&format!("{number:.decimals$}"));
        Cell { source: cell.into(), number, shown }
    }))
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

    const RECORDED: &str = r#"{"figures": {"x": {"median": 1234.4}, "y": 40}}"#;

    #[test]
    fn a_bar_is_as_long_as_its_number_and_none_is_said_to_be_none() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        crate::fault::write(&root.join("book/measurements/a.json"), RECORDED).expect("written");
        let cells = ["=0 a.json#/figures/x/median", "=0 a.json#/figures/y", ""]
            .map(|cell| found(root, cell).expect("it is recorded"));
        let cells = cells.each_ref().map(Option::as_ref);
        let shown = cells.map(|cell| cell.map(|cell| cell.shown.as_str()));
        assert_eq!(shown, [Some("1,234"), Some("40"), None]);
        assert!(
            found(root, "=0 a.json#/figures/z").is_err()
                && found(root, "=x a.json#/figures/y").is_err()
        );
        let svg = drawn("gap, ms ↓", &["9, a", "10, b", "11, c"], &cells);
        let said =
            "gap, ms ↓. chapter 9, a: 1,234; chapter 10, b: 40; chapter 11, c: not recorded.";
        assert!(svg.contains(said), "{svg}");
        assert!(
            svg.contains("width=\"96.0\" height=\"14\" class=\"bar\"/>\n<text x=\"123.0\"")
        );
        assert!(svg.contains("viewBox=\"0 0 170 76\"") && svg.matches("bar here").count() == 1);
    }
}
