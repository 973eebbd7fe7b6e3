//! A number that was measured computes itself: [`crate::numbers`]. Typed digits with a unit are at fault, and so are words
//! that are no longer true.

use std::ops::Range;

use crate::fault::Fault;
use crate::numbers::shown;
use crate::page::{Block, BlockKind, Page, without_code};
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
    "nanoseconds",
    "microseconds",
    "milliseconds",
    "minute",
    "hours",
    "GHz",
    "Gop/s",
    "%",
    "percent",
    "times as",
];

/// So many numbers of the book may come from outside: each is one that nobody can measure again here.
const SOURCES: usize = 40;

pub fn measured(sources: &Sources) -> Vec<Fault> {
    let (mut faults, mut outside) = (Vec::new(), 0);
    for page in sources.book.written() {
        let shown = shown(&sources.repository.root, &page.written);
        outside += shown.sources;
        let wrong = shown.missing.into_iter().chain(shown.untrue);
        faults.extend(wrong.map(|(line, why)| Fault::at(page.place(), line, why)));
        let read = |kind: &BlockKind| {
            matches!(
                kind,
                BlockKind::Prose
                    | BlockKind::Table
                    | BlockKind::Heading { .. }
                    | BlockKind::Html
            )
        };
        let typed = Page::parse(&page.path, &shown.typed);
        for block in typed.blocks.iter().filter(|block| read(&block.kind)) {
            for (at, message) in block_faults(block) {
                let line = block.line + block.source[..at].matches('\n').count();
                faults.push(Fault::at(page.place(), line, message));
            }
        }
    }
    if outside > SOURCES {
        let message = format!("{outside} numbers come from outside, and {SOURCES} may");
        faults.push(Fault::in_file("book/src", message));
    }
    faults
}

fn block_faults(block: &Block) -> Vec<(usize, String)> {
    let text = without_code(&block.source);
    let is_typed = |number: &Number| {
        number.unit && !is_estimate(&text[..number.start], &text[number.digits_end..number.end])
    };
    let typed = numbers(&text).into_iter().filter(is_typed);
    let why = |number: Number| {
        let quoted = &text[number.start..number.end];
        (number.start, format!("'{quoted}' was typed: {{{{= ...}}}} computes it"))
    };
    typed.map(why).collect()
}

/// How long an exercise takes is nobody's measurement, and its line says so by its form.
fn is_estimate(before: &str, unit: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.starts_with("> **Exercise**") && unit.trim() == "minutes"
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
        let unit = unit_end(text, at..digits_end);
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

fn unit_end(text: &str, digits: Range<usize>) -> Option<usize> {
    let from = digits.end;
    let rest = text[from..].trim_start_matches([' ', '\u{a0}', '\n', '*', '_']);
    let start = text.len() - rest.len();
    let fits = |unit: &&&str| {
        let after = rest.strip_prefix(**unit);
        after.is_some_and(|after| {
            !after.starts_with(|c: char| c.is_alphanumeric() || c == '/' || c == '\'')
        })
    };
    // `1.5 times` is a ratio, `2 times` may be a count.
    let ratio = text[digits].contains('.');
    let times: &[&str] = if ratio { &["times"] } else { &[] };
    // `3×` is a ratio, `3 × 4` a product.
    if text[from..].starts_with('×') {
        let product = text[from + '×'.len_utf8()..]
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit());
        return (!product).then_some(from + '×'.len_utf8());
    }
    UNITS.iter().chain(times).filter(fits).map(|unit| start + unit.len()).max()
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
            with_units(
                "takes 12.5 ms, or **3.1x faster**; 1,024 tok/s, 4 %, 3× or 2 times as; 1.5 times"
            ),
            ["12.5 ms", "3.1x faster", "1,024 tok/s", "4 %", "3×", "2 times as", "1.5 times"]
        );
    }

    #[test]
    fn what_is_no_measurement() {
        assert!(
            with_units("`12 ms` of 24 layers, ch02 s, 3 steps, 64-byte, 2 s/token, v1.5 ms9, 2 times, 4× 6, 4 × 6")
                .is_empty()
        );
    }
}
