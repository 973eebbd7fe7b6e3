//! Tables of measured numbers: `book/tables.json` says which recorded number stands where.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Files;
use crate::fault::{Fault, PressError, read};
use crate::measured;
use crate::sources::Sources;

/// The first cell of a row is a name. Any other may be a number: `=1 file.json#/pointer` takes one
/// decimal of it, and arithmetic is as in the prose.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    let path = sources.house.root.join("book/tables.json");
    let Ok(text) = read(&path) else { return Ok(Vec::new()) };
    let mut faults = Vec::new();
    let tables: BTreeMap<String, Table> = match serde_json::from_str(&text) {
        Ok(tables) => tables,
        Err(error) => {
            return Ok(vec![Fault::in_file("book/tables.json", error.to_string())]);
        }
    };
    for (name, table) in tables {
        let mut fault = |reason: String| {
            faults.push(Fault::in_file(format!("book/tables.json ({name})"), reason));
        };
        let mut lines = vec![row(&table.head)];
        let right = |column: usize| if column == 0 { "---" } else { "---:" }.to_string();
        lines.push(row(&(0..table.head.len()).map(right).collect::<Vec<_>>()));
        for cells in &table.rows {
            if cells.len() != table.head.len() {
                fault(format!("{} cells below {} heads", cells.len(), table.head.len()));
            }
            let shown = cells.iter().map(|cell| match shown(sources, cell) {
                Ok(shown) => shown,
                Err(reason) => {
                    fault(reason);
                    String::new()
                }
            });
            lines.push(row(&shown.collect::<Vec<_>>()));
        }
        files.insert(format!("tables/{name}.md"), lines.concat());
    }
    Ok(faults)
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn shown(sources: &Sources, cell: &str) -> Result<String, String> {
    let Some(number) = cell.strip_prefix('=') else { return Ok(cell.into()) };
    let (decimals, expression) = number
        .split_once(' ')
        .ok_or_else(|| format!("'{cell}' is not =DECIMALS file.json#/pointer"))?;
    let decimals: usize =
        decimals.parse().map_err(|_| format!("'{decimals}' is no number of decimals"))?;
    Ok(format!("{:.decimals$}", measured::number(sources.house, expression)?))
}
