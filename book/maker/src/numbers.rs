//! Numbers that a page computes, so that none of them is typed:
//!
//! - `{{= after / before | 1}}` prints what the expression comes to, with one decimal;
//! - `{{a third = after / before in 0.30..0.37}}` prints the words, which hold between these bounds.
//!
//! A page's comment `<!-- numbers ... -->`, which is never printed, has a name a line: `after = ch03-f32.json#/decode/median`.
//! A number that nobody measured, or somebody else, says in its line why it is so: `clock = 3.66 // GHz, of this machine`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use catalog::thousands::thousands;

use crate::expression::evaluate;
use crate::fault::read;
use crate::measured::pointed;
use crate::page::code;

/// A page with its numbers in it, line by line where it was.
#[derive(Default)]
pub struct Shown {
    pub text: String,
    /// The same, with no digit of a number that computes itself.
    pub typed: String,
    /// By line: what cannot be printed.
    pub missing: Vec<(usize, String)>,
    /// By line: what is printed, or named, and should not be as it is.
    pub untrue: Vec<(usize, String)>,
    /// How many of its numbers come from outside.
    pub sources: usize,
}

const NAMES: &str = "<!-- numbers\n";

struct Named {
    value: f64,
    line: usize,
    used: bool,
}

struct Numbers<'a> {
    root: &'a Path,
    named: BTreeMap<String, Named>,
}

pub fn shown(root: &Path, source: &str) -> Shown {
    let mut shown = Shown::default();
    let mut numbers = Numbers { root, named: BTreeMap::new() };
    for block in blocks(source) {
        let first = line_of(source, block.start) + 1;
        let names = &source[block.start + NAMES.len()..block.end];
        for (at, line) in names.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
        {
            match numbers.name(first + at, line) {
                Ok(outside) => shown.sources += usize::from(outside),
                Err(why) => shown.missing.push((first + at, why)),
            }
        }
    }
    let (mut at, mut held) = (0, Vec::new());
    for tag in tags(source) {
        let line = line_of(source, tag.start);
        let before = &source[at..tag.start];
        shown.text.push_str(before);
        shown.typed.push_str(before);
        let inside = source[tag.start + 2..tag.end].strip_suffix("}}");
        let inside = inside.ok_or_else(|| "'{{' stays open in this line".to_string());
        match inside.and_then(|inside| numbers.printed(inside)) {
            Ok((text, outside)) => {
                held.extend(outside.map(|now| (line, shown.text.len(), now)));
                shown.text.push_str(&text);
            }
            Err(why) => shown.missing.push((line, why)),
        }
        shown.typed.push('…');
        at = tag.end;
    }
    shown.text.push_str(&source[at..]);
    shown.typed.push_str(&source[at..]);
    for (line, at, now) in held {
        let message = format!("no longer true: \"{}\": {now}", sentence(&shown.text, at));
        shown.untrue.push((line, message));
    }
    for (name, named) in numbers.named.iter().filter(|(_, named)| !named.used) {
        shown.untrue.push((named.line, format!("no number of this page uses '{name}'")));
    }
    shown
}

/// The page without the names of its numbers, as it is printed.
pub fn without_names(page: &str) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for block in blocks(page) {
        text.push_str(page[at..block.start].trim_end_matches('\n'));
        text.push('\n');
        at = block.end + "-->".len();
    }
    text + page[at..].strip_prefix('\n').filter(|_| at > 0).unwrap_or(&page[at..])
}

impl Numbers<'_> {
    /// `name = expression // reason`. True if the reason is dated: the number is somebody else's.
    fn name(&mut self, line: usize, text: &str) -> Result<bool, String> {
        let (text, reason) = text.split_once("//").unwrap_or((text, ""));
        let (name, expression) =
            text.split_once('=').ok_or_else(|| format!("'{text}' is not name = number"))?;
        let (name, expression, reason) = (name.trim(), expression.trim(), reason.trim());
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) {
            return Err(format!("'{name}' is no name for a number"));
        }
        if self.named.contains_key(name) {
            return Err(format!("'{name}' has a number already"));
        }
        let (value, alone) = self.value(expression)?;
        if alone && reason.is_empty() {
            return Err(format!(
                "'{name}' does not say where it is from: {name} = {expression} // why"
            ));
        }
        self.named.insert(name.into(), Named { value, line, used: false });
        Ok(alone && dated(reason))
    }

    /// What it comes to, and whether it has no word in it, but only digits.
    fn value(&mut self, expression: &str) -> Result<(f64, bool), String> {
        let mut alone = true;
        let value = evaluate(expression, |word| {
            alone = false;
            if let Some((file, constant)) = word.split_once('#') {
                return match file.ends_with(".rs") {
                    true => in_code(self.root, file, constant),
                    false => pointed(self.root, word),
                };
            }
            let named = self.named.get_mut(word);
            let named =
                named.ok_or_else(|| format!("no number of this page is named '{word}'"))?;
            named.used = true;
            Ok(named.value)
        })?;
        Ok((value, alone))
    }

    /// The words of a tag, and what they are in truth if it is outside their bounds.
    fn printed(&mut self, tag: &str) -> Result<(String, Option<String>), String> {
        let (words, rest) = tag.split_once('=').ok_or_else(|| {
            format!("'{tag}' is neither {{{{= number}}}} nor {{{{words = number in 1..2}}}}")
        })?;
        if words.trim().is_empty() {
            let (expression, form) = rest.split_once('|').unwrap_or((rest, "0"));
            let value = self.of_this_page(expression)?;
            return Ok((written(value, form.trim())?, None));
        }
        let (expression, bounds) = rest.rsplit_once(" in ").ok_or_else(|| {
            format!("'{}' has no bounds: {} in 1..2", words.trim(), tag.trim())
        })?;
        let (low, high) =
            bounds.split_once("..").ok_or_else(|| format!("'{bounds}' is not 1..2"))?;
        let mut bound = |text: &str, open: f64| match text.trim() {
            "" => Ok((open, true)),
            text => self.value(text),
        };
        let (low, low_alone) = bound(low, f64::NEG_INFINITY)?;
        let (high, high_alone) = bound(high, f64::INFINITY)?;
        let alone = low_alone && high_alone;
        if alone && low >= high || low.is_infinite() && high.is_infinite() {
            return Err(format!("nothing is outside of '{}'", bounds.trim()));
        }
        let value =
            if alone { self.of_this_page(expression)? } else { self.value(expression)?.0 };
        let outside = (!(low..=high).contains(&value)).then(|| {
            // An open end has no digits.
            let now = |value: f64| match value.is_finite() {
                true => written(value, "3 digits").unwrap_or_default(),
                false => String::new(),
            };
            let (what, is) = (expression.trim(), now(value));
            match alone {
                true => format!("{what} is {is}, not in {}", bounds.trim()),
                false => format!(
                    "{what} is {is}, not in {} = {}..{}",
                    bounds.trim(),
                    now(low),
                    now(high)
                ),
            }
        });
        Ok((words.trim().into(), outside))
    }

    fn of_this_page(&mut self, expression: &str) -> Result<f64, String> {
        match self.value(expression)? {
            (value, false) => Ok(value),
            (_, true) => Err(format!("'{}' has no name that says why", expression.trim())),
        }
    }
}

/// `2`: so many decimals. `2 digits`: so many that count. `to 50`: the nearest multiple.
fn written(value: f64, form: &str) -> Result<String, String> {
    let unknown = || format!("'{form}' is neither decimals, nor '2 digits', nor 'to 50'");
    let decimals_of = |text: &str| text.split_once('.').map_or(0, |(_, after)| after.len());
    let (value, decimals) = if let Some(step) = form.strip_prefix("to ") {
        let size: f64 = step.trim().parse().map_err(|_| unknown())?;
        ((value / size).round() * size, decimals_of(step.trim()))
    } else if let Some(digits) = form.strip_suffix(" digits") {
        let digits: i32 = digits.trim().parse().map_err(|_| unknown())?;
        let whole = if value == 0.0 { 1 } else { value.abs().log10().floor() as i32 + 1 };
        let size = 10f64.powi(whole - digits);
        // Divided by a whole number, so that 0.3 does not become 0.30000000000000004.
        let rounded = match whole - digits {
            0.. => (value / size).round() * size,
            less => (value * 10f64.powi(-less)).round() / 10f64.powi(-less),
        };
        (rounded, (digits - whole).max(0) as usize)
    } else {
        (value, form.parse().map_err(|_| unknown())?)
    };
    let digits = format!("{:.decimals$}", value.abs());
    let below = value < 0.0 && digits.contains(|c| ('1'..='9').contains(&c));
    Ok(format!("{}{}", if below { "−" } else { "" }, thousands(&digits)))
}

/// `chapters/ch04-threads/src/sync.rs#LOOKS`: the first number after the `=` of this constant.
fn in_code(root: &Path, file: &str, constant: &str) -> Result<f64, String> {
    let code = read(&root.join(file)).map_err(|_| format!("there is no {file}"))?;
    let begin = format!("const {constant}: ");
    let (_, rest) = code.split_once(&begin).ok_or_else(|| format!("{file} has no {begin}"))?;
    let value =
        rest.split(';').next().and_then(|line| line.split_once('=')).map_or("", |(_, v)| v);
    let digits: String = value
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .chars()
        .take_while(|c| c.is_ascii_digit() || "._".contains(*c))
        .collect();
    digits.replace('_', "").parse().map_err(|_| format!("{constant} of {file} is no number"))
}

/// Ends in `2026-11`.
fn dated(reason: &str) -> bool {
    let date = reason.rsplit(' ').next().unwrap_or_default();
    date.split_once('-').is_some_and(|(year, month)| {
        let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
        (year.len(), month.len()) == (4, 2) && digits(year) && digits(month)
    })
}

/// The sentence that has this place in it.
fn sentence(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let stops = |range: Range<usize>| {
        let base = range.start;
        let found = text[range].match_indices(['.', '?', '!']).map(move |(at, _)| base + at);
        found.filter(|at| text[at + 1..].starts_with(' '))
    };
    let first = stops(start..at).next_back().map_or(start, |stop| stop + 2);
    let last = stops(at..end).next().map_or(end, |stop| stop + 1);
    text[first..last].trim()
}

fn line_of(source: &str, at: usize) -> usize {
    source[..at].matches('\n').count() + 1
}

/// The comments with names, without their ends.
fn blocks(source: &str) -> impl Iterator<Item = Range<usize>> {
    source.match_indices(NAMES).filter_map(|(start, _)| {
        let end = start + source[start..].find("-->")?;
        Some(start..end)
    })
}

/// `{{...}}` in prose, or what begins like one: not in code, and no include.
fn tags(source: &str) -> Vec<Range<usize>> {
    if !source.contains("{{") {
        return Vec::new();
    }
    let code = code(source);
    let opened = source.match_indices("{{").filter(|(at, _)| {
        let coded = code.iter().any(|range| range.contains(at));
        !coded && !source[*at..].starts_with("{{#") && !source[..*at].ends_with('\\')
    });
    let whole = |(start, _)| {
        let line = source[start..].lines().next().unwrap_or_default();
        start..start + line.find("}}").map_or(line.len(), |end| end + 2)
    };
    opened.map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_each_form() {
        for (value, form, text) in [
            (1234567.0, "0", "1,234,567"),
            (0.846, "2", "0.85"),
            (1.0 / 3.0, "1 digits", "0.3"),
            (31.46, "2 digits", "31"),
            (1234.0, "2 digits", "1,200"),
            (997.0, "2 digits", "1,000"),
            (0.0, "2 digits", "0.0"),
            (1249.0, "to 50", "1,250"),
            (1.13, "to 0.25", "1.25"),
            (-3.2, "1", "−3.2"),
            (-0.01, "1", "0.0"),
        ] {
            assert_eq!(written(value, form).as_deref(), Ok(text), "{value} {form}");
        }
        assert!(written(1.0, "about").is_err());
    }

    #[test]
    fn the_sentence_around_a_place() {
        let text = "First.\nIt was 1.5 ms. Then it was a third, or so! Last.";
        assert_eq!(sentence(text, text.find("third").unwrap()), "Then it was a third, or so!");
        assert_eq!(sentence(text, 0), "First.");
    }
}
