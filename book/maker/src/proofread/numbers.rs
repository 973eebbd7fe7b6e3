//! A number that was measured says where: `12.3 tok/s <!-- measured: sweep.json#/ch02/decode -->`.

use crate::fault::Fault;
use crate::measured;
use crate::page::{Block, BlockKind, without_code};
use crate::sources::Sources;

/// What makes a number a measurement.
const UNITS: &[&str] = &[
    "ns",
    "us",
    "µs",
    "ms",
    "s",
    "second",
    "seconds",
    "minutes",
    "tok/s",
    "tokens/s",
    "tokens per second",
    "GB/s",
    "GiB/s",
    "MB/s",
    "MiB/s",
    "GFLOP/s",
    "GFLOPS",
    "x faster",
    "x slower",
    "× faster",
    "× slower",
    "times faster",
    "times slower",
    "times as fast",
    "% faster",
    "% slower",
    "percent faster",
    "percent slower",
];

/// "about": how far a rounded number may be from what was measured.
const ABOUT: f64 = 0.05;

pub fn measured(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in sources.book.written() {
        let read = |kind: &BlockKind| {
            matches!(
                kind,
                BlockKind::Prose
                    | BlockKind::Table
                    | BlockKind::Heading { .. }
                    | BlockKind::Html
            )
        };
        for block in page.blocks.iter().filter(|block| read(&block.kind)) {
            for (at, message) in block_faults(sources, block) {
                let line = block.line + block.source[..at].matches('\n').count();
                faults.push(Fault::at(page.place(), line, message));
            }
        }
    }
    faults
}

fn block_faults(sources: &Sources, block: &Block) -> Vec<(usize, String)> {
    let text = without_code(&block.source);
    let found = numbers(&text);
    let mut faults = Vec::new();
    for number in found.iter().filter(|number| number.unit) {
        let after = text[number.end..].trim_start_matches(['*', '_', ' ', '\n', ')']);
        if !(after.starts_with("<!-- measured:") || after.starts_with("<!-- not measured:")) {
            let quoted = &text[number.start..number.end];
            faults
                .push((number.start, format!("'{quoted}' does not say where it was measured")));
        }
    }
    for (at, opening) in text.match_indices("<!-- measured:") {
        let comment = &text[at + opening.len()..];
        let comment = comment.split("-->").next().unwrap_or(comment).trim();
        let Some(number) = found.iter().rfind(|number| number.end <= at) else {
            faults.push((at, "there is no number before this comment".into()));
            continue;
        };
        if let Err(message) = agrees(sources, &text[number.start..number.digits_end], comment) {
            faults.push((number.start, message));
        }
    }
    faults
}

fn agrees(sources: &Sources, written: &str, comment: &str) -> Result<(), String> {
    let (expression, about) = match comment.strip_suffix(" about") {
        Some(expression) => (expression, true),
        None => (comment, false),
    };
    let value = measured::number(sources.repository, expression)?;
    let plain = written.replace(',', "");
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let stated: f64 = plain.parse().map_err(|_| format!("'{written}' is no number"))?;
    let agree = if about {
        (stated - value).abs() <= ABOUT * value.abs()
    } else {
        format!("{value:.decimals$}") == plain
    };
    if agree {
        Ok(())
    } else {
        Err(format!("'{written}' is written, {value:.decimals$} was measured ({expression})"))
    }
}

struct Number {
    start: usize,
    digits_end: usize,
    /// After the unit, when there is one.
    end: usize,
    unit: bool,
}

fn numbers(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() {
        if text[at..].starts_with("<!--") {
            at += text[at..].find("-->").map_or(text.len() - at, |end| end + 3);
            continue;
        }
        let begins = bytes[at].is_ascii_digit()
            && !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '#');
        if !begins {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let mut digits_end = at;
        while digits_end < bytes.len() {
            let more = bytes.get(digits_end + 1).is_some_and(u8::is_ascii_digit);
            if !(bytes[digits_end].is_ascii_digit()
                || (matches!(bytes[digits_end], b'.' | b',') && more))
            {
                break;
            }
            digits_end += 1;
        }
        let unit = unit_end(text, digits_end);
        found.push(Number {
            start: at,
            digits_end,
            end: unit.unwrap_or(digits_end),
            unit: unit.is_some(),
        });
        at = digits_end;
    }
    found
}

fn unit_end(text: &str, from: usize) -> Option<usize> {
    let rest = text[from..].trim_start_matches([' ', '\u{a0}', '\n', '*', '_']);
    let start = text.len() - rest.len();
    let fits = |unit: &&&str| {
        let after = rest.strip_prefix(**unit);
        after.is_some_and(|after| {
            !after.starts_with(|c: char| c.is_alphanumeric() || c == '/' || c == '\'')
        })
    };
    UNITS.iter().filter(fits).map(|unit| start + unit.len()).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_units(text: &str) -> Vec<String> {
        let text = without_code(text);
        numbers(&text)
            .iter()
            .filter(|n| n.unit)
            .map(|n| text[n.start..n.end].to_string())
            .collect()
    }

    #[test]
    fn numbers_with_units() {
        assert_eq!(
            with_units("takes 12.5 ms, or **3.1x faster**; 1,024 tok/s"),
            ["12.5 ms", "3.1x faster", "1,024 tok/s"]
        );
    }

    #[test]
    fn what_is_no_measurement() {
        assert!(
            with_units("`12 ms` of 24 layers, ch02 s, 3 steps, 64-byte, 2 s/token, v1.5 ms9")
                .is_empty()
        );
    }
}
