//! Numbers that were measured: committed JSON in `book/measurements`, and the arithmetic that prose does with them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use serde_json::Value;

use crate::expression::evaluate;
use crate::fault::read;

/// By path, size and time.
type Parsed = HashMap<(PathBuf, u64, Option<SystemTime>), Rc<Value>>;

thread_local! {
    /// Every number of a page asks for its file.
    static PARSED: RefCell<Parsed> = RefCell::default();
}

/// A whole file of `book/measurements`, below the repository's root.
pub fn recording(root: &Path, file: &str) -> Result<Rc<Value>, String> {
    let path = root.join("book/measurements").join(file);
    let missing = || format!("there is no book/measurements/{file}");
    let meta = path.metadata().map_err(|_| missing())?;
    let key = (path.clone(), meta.len(), meta.modified().ok());
    if let Some(known) = PARSED.with_borrow(|parsed| parsed.get(&key).cloned()) {
        return Ok(known);
    }
    let parsed = serde_json::from_str(&read(&path).map_err(|_| missing())?);
    let parsed = Rc::new(parsed.map_err(|e| format!("book/measurements/{file}: {e}"))?);
    PARSED.with_borrow_mut(|known| known.insert(key, Rc::clone(&parsed)));
    Ok(parsed)
}

/// `file.json#/pointer`
fn value(root: &Path, reference: &str) -> Result<Value, String> {
    let (file, pointer) = reference
        .split_once('#')
        .ok_or_else(|| format!("'{reference}' is not file.json#/pointer"))?;
    let json = recording(root, file)?;
    let found = pointer.split('/').skip(1).try_fold(&*json, element);
    found.cloned().ok_or_else(|| format!("book/measurements/{file} has nothing at {pointer}"))
}

/// An element of a list may be named by its program, `#/cells/ch03-tiles/...`: its place changes when a step comes or goes.
fn element<'a>(json: &'a Value, key: &str) -> Option<&'a Value> {
    match json {
        Value::Array(list) if key.parse::<usize>().is_err() => {
            list.iter().find(|element| program(element) == Some(key))
        }
        _ => json.pointer(&format!("/{key}")),
    }
}

/// The program that was measured, without its flags.
pub fn program(cell: &Value) -> Option<&str> {
    cell["setting"].as_str()?.split(' ').next()
}

/// A recorded output: a string, or an array of lines.
pub fn text(root: &Path, reference: &str) -> Result<String, String> {
    match value(root, reference)? {
        Value::String(text) => Ok(text),
        Value::Array(lines) => {
            Ok(lines.iter().filter_map(Value::as_str).map(|line| format!("{line}\n")).collect())
        }
        other => Err(format!("{reference} is no text: {other}")),
    }
}

/// What an expression comes to whose words are pointers into recordings: `a.json#/on / a.json#/off`.
pub fn number(root: &Path, expression: &str) -> Result<f64, String> {
    evaluate(expression, |word| pointed(root, word))
}

/// The number that a recording has there; of a line that a program printed, `.../lines/2/0`, its first.
pub fn pointed(root: &Path, word: &str) -> Result<f64, String> {
    if let Some((line, at)) = word.rsplit_once('/')
        && let (Ok(Value::String(line)), Ok(at)) = (value(root, line), at.parse())
    {
        let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
        return numbers.nth(at).ok_or_else(|| format!("'{line}' has no {at}"));
    }
    let found = value(root, word)?;
    found.as_f64().ok_or_else(|| format!("{word} is no number: {found}"))
}

/// A number, and between which it was each time: nothing of what was measured once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranged {
    pub value: f64,
    pub range: Option<(f64, f64)>,
}

impl Ranged {
    /// `{"median": ..., "min": ..., "max": ...}`
    pub fn of(spread: &Value) -> Option<Ranged> {
        let value = spread["median"].as_f64()?;
        let range = spread["min"].as_f64().zip(spread["max"].as_f64());
        Some(Ranged { value, range: range.filter(|(min, max)| min < max) })
    }

    fn of_all(mut all: Vec<f64>) -> Option<Ranged> {
        all.sort_by(f64::total_cmp);
        let (min, max) = (*all.first()?, *all.last()?);
        let value = (all[(all.len() - 1) / 2] + all[all.len() / 2]) / 2.0;
        Some(Ranged { value, range: (min < max).then_some((min, max)) })
    }
}

/// Every time that it was measured, in order.
fn rounds(spread: &Value) -> Option<Vec<f64>> {
    let all = spread.get("raw").or(spread.get("all"))?.as_array()?;
    all.iter().map(Value::as_f64).collect()
}

/// How many times as fast `now` is, round by round: both took turns.
pub fn times(now: &Value, before: &Value) -> Option<Ranged> {
    let (now, before) = (rounds(now)?, rounds(before)?);
    let same = now.len() == before.len();
    same.then(|| {
        Ranged::of_all(now.iter().zip(before).map(|(now, before)| now / before).collect())
    })?
}

/// As [`number`], with a range where its terms end in `/median`. Several of them were measured in turn: round by round.
pub fn ranged(root: &Path, expression: &str) -> Result<Ranged, String> {
    let median = number(root, expression)?;
    let alone = Ranged { value: median, range: None };
    let words = expression.split([' ', '(', ')']);
    let spreads = words.filter_map(|word| word.strip_suffix("/median"));
    let spreads =
        spreads.map(|at| Ok((at, value(root, at)?))).collect::<Result<Vec<_>, String>>()?;
    // What the expression is when each of these spreads is that one of its numbers.
    let with = |pick: &dyn Fn(&Value) -> Option<f64>| {
        evaluate(expression, |word| {
            let at = word.strip_suffix("/median").unwrap_or(word);
            match spreads.iter().find(|(name, _)| *name == at) {
                Some((_, spread)) => pick(spread).ok_or_else(|| format!("{word} has no range")),
                None => number(root, word),
            }
        })
    };
    let lengths: Option<Vec<usize>> =
        spreads.iter().map(|(_, spread)| Some(rounds(spread)?.len())).collect();
    let every = match (lengths.as_deref(), spreads.as_slice()) {
        (Some([first, rest @ ..]), [_, _, ..]) if rest.iter().all(|other| other == first) => {
            let each = |at| with(&|spread| rounds(spread)?.get(at).copied());
            (0..*first).map(each).collect::<Result<Vec<f64>, _>>()?
        }
        (_, [(_, spread)]) if Ranged::of(spread).is_some_and(|one| one.range.is_some()) => {
            let ends = ["min", "max"].map(|end| with(&|spread| spread[end].as_f64()));
            let ends = ends.into_iter().collect::<Result<Vec<_>, _>>()?;
            let range = Ranged::of_all(ends).and_then(|both| both.range);
            return Ok(Ranged { value: median, range });
        }
        _ => return Ok(alone),
    };
    Ok(Ranged::of_all(every).unwrap_or(alone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_taken_round_by_round_and_a_list_is_searched_by_program() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cells = r#"{"cells": [
            {"setting": "ch02-a --kv", "tok": {"median": 2, "min": 1, "max": 4, "raw": [1, 2, 4]}},
            {"setting": "ch03-b", "tok": {"median": 4, "min": 3, "max": 4, "raw": [3, 4, 4]}}], "once": 10}"#;
        let file = folder.path().join("book/measurements/a.json");
        crate::fault::write(&file, cells).expect("written");
        let root = folder.path();
        let (a, b) = ("a.json#/cells/ch02-a/tok/median", "a.json#/cells/1/tok/median");
        let all = |value, min, max| Ok(Ranged { value, range: Some((min, max)) });
        assert_eq!(ranged(root, &format!("{b} / {a}")), all(2.0, 1.0, 3.0));
        assert_eq!(ranged(root, &format!("8 / {a}")), all(4.0, 2.0, 8.0));
        assert_eq!(ranged(root, "a.json#/once * 2"), Ok(Ranged { value: 20.0, range: None }));
        assert!(ranged(root, "a.json#/cells/ch03-c/tok/median").is_err());
    }
}
