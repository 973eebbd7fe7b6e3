//! The form of recorded JSON: a list or an object of plain values is one line, and so is any other that is short. Every
//! number stays as it was written.

use serde::de::IgnoredAny;

/// Longer lines only where nothing is left to break.
const WIDTH: usize = 120;

enum Value<'a> {
    /// As it was written: a text, a number, `true`.
    Plain(&'a str),
    /// With the bracket that opens it; of an object each has a key.
    Many(char, Vec<(Option<&'a str>, Value<'a>)>),
}

/// The same values in this form, with a line end.
pub fn tidy(json: &str) -> Result<String, serde_json::Error> {
    serde_json::from_str::<IgnoredAny>(json)?;
    let mut out = String::new();
    write(&value(&mut json.trim()), 0, &mut out);
    out.push('\n');
    Ok(out)
}

/// Takes a value off the beginning of JSON that is known to be good.
fn value<'a>(rest: &mut &'a str) -> Value<'a> {
    let open = rest.chars().next().filter(|c| matches!(c, '[' | '{'));
    let Some(open) = open else { return Value::Plain(plain(rest)) };
    let mut all = Vec::new();
    skip(rest, 1);
    while !rest.starts_with([']', '}']) {
        let key = (open == '{').then(|| plain(rest));
        if key.is_some() {
            skip(rest, 1);
        }
        all.push((key, value(rest)));
        if rest.starts_with(',') {
            skip(rest, 1);
        }
    }
    skip(rest, 1);
    Value::Many(open, all)
}

fn plain<'a>(rest: &mut &'a str) -> &'a str {
    let mut escaped = false;
    let closes = |c: char| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    };
    let end = match rest.strip_prefix('"') {
        Some(text) => text.find(closes).map_or(rest.len(), |end| end + 2),
        None => {
            rest.find(|c: char| c.is_whitespace() || ",:]}".contains(c)).unwrap_or(rest.len())
        }
    };
    let (plain, _) = rest.split_at(end);
    skip(rest, end);
    plain
}

fn skip(rest: &mut &str, bytes: usize) {
    *rest = rest[bytes..].trim_start();
}

fn write(value: &Value, depth: usize, out: &mut String) {
    let Value::Many(open, all) = value else { return out.push_str(&line(value)) };
    let plain = all.iter().all(|(_, value)| matches!(value, Value::Plain(_)));
    let line = line(value);
    if plain || depth + line.len() <= WIDTH {
        return out.push_str(&line);
    }
    out.push(*open);
    for (at, (key, value)) in all.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        out.push_str(&format!("{comma}\n{}", " ".repeat(depth + 1)));
        if let Some(key) = key {
            out.push_str(&format!("{key}: "));
        }
        write(value, depth + 1, out);
    }
    out.push_str(&format!("\n{}{}", " ".repeat(depth), close(*open)));
}

fn line(value: &Value) -> String {
    match value {
        Value::Plain(text) => text.to_string(),
        Value::Many(open, all) => {
            let one = |(key, value): &(Option<&str>, Value)| match key {
                Some(key) => format!("{key}: {}", line(value)),
                None => line(value),
            };
            let all: Vec<String> = all.iter().map(one).collect();
            format!("{open}{}{}", all.join(", "), close(*open))
        }
    }
}

fn close(open: char) -> char {
    if open == '[' { ']' } else { '}' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_plain_values_is_a_line_and_what_is_long_is_not() {
        let numbers = "1.50, -2e-05, 12345678901234567890, ".repeat(6) + "3";
        let json = format!(
            "{{\"a\" : [\n{numbers}], \"b\":{{\"c\": [ ], \"d, ]\\\\\\\"\": {{}}}},\n\"e\":[[{numbers}],[true,null]]}}"
        );
        let expected = format!(
            "{{\n \"a\": [{numbers}],\n \"b\": {{\"c\": [], \"d, ]\\\\\\\"\": {{}}}},\n \"e\": [\n  [{numbers}],\n  [true, null]\n ]\n}}\n"
        );
        assert_eq!(tidy(&json).ok().as_ref(), Some(&expected));
        assert_eq!(tidy(&expected).ok(), Some(expected));
        assert_eq!(tidy(" \"a\" ").ok().as_deref(), Some("\"a\"\n"));
        assert!(tidy("[1,]").is_err() && tidy("").is_err());
    }
}
