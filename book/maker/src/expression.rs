//! The arithmetic of numbers that compute themselves: `(a + b) / 1_000`, `max(a, b)`.

/// What an expression comes to, if `known` says what its words are. A word with a `#` in it goes on to the next blank or
/// bracket: it is a pointer into a file.
pub fn evaluate(
    expression: &str,
    mut known: impl FnMut(&str) -> Result<f64, String>,
) -> Result<f64, String> {
    let mut reader = Reader { rest: expression, known: &mut known };
    let value = reader.sum()?;
    match reader.rest.trim_start() {
        "" if value.is_finite() => Ok(value),
        "" => Err(format!("'{expression}' divides by nothing")),
        rest => Err(format!("'{rest}' is left over of '{expression}'")),
    }
}

struct Reader<'a> {
    rest: &'a str,
    known: &'a mut dyn FnMut(&str) -> Result<f64, String>,
}

impl<'a> Reader<'a> {
    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            match self.next(&['+', '-']) {
                Some('+') => value += self.product()?,
                Some(_) => value -= self.product()?,
                None => return Ok(value),
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.term()?;
        loop {
            match self.next(&['*', '/']) {
                Some('*') => value *= self.term()?,
                Some(_) => value /= self.term()?,
                None => return Ok(value),
            }
        }
    }

    fn term(&mut self) -> Result<f64, String> {
        if self.next(&['-']).is_some() {
            return Ok(-self.term()?);
        }
        if self.next(&['(']).is_some() {
            let value = self.sum()?;
            return self.next(&[')']).map(|_| value).ok_or("a bracket stays open".into());
        }
        let word = self.word();
        if word.is_empty() {
            return Err(format!("there is no number before '{}'", self.rest));
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('#') {
            let plain = word.replace('_', "");
            return plain.parse().map_err(|_| format!("'{word}' is no number"));
        }
        let pick = match word {
            "min" => f64::min,
            "max" => f64::max,
            name => return (self.known)(name),
        };
        let mut value = self.next(&['(']).ok_or("min and max have brackets")?;
        let mut picked = self.sum()?;
        while value != ')' {
            value = self.next(&[',', ')']).ok_or("a bracket stays open")?;
            if value == ',' {
                picked = pick(picked, self.sum()?);
            }
        }
        Ok(picked)
    }

    /// The next character that is no blank, if it is one of these.
    fn next(&mut self, wanted: &[char]) -> Option<char> {
        self.rest = self.rest.trim_start();
        let next = self.rest.chars().next().filter(|c| wanted.contains(c))?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let end = |stops: &dyn Fn(char) -> bool| rest.find(stops).unwrap_or(rest.len());
        let whole = end(&|c| c.is_whitespace() || "(),".contains(c));
        let end = match rest[..whole].contains('#') {
            true => whole,
            false => end(&|c| !(c.is_alphanumeric() || "_.".contains(c))),
        };
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_before_sums_and_brackets_first() {
        let known = |word: &str| match word {
            "a" => Ok(6.0),
            "ch03-x.json#/y/median" => Ok(3.0),
            other => Err(format!("who is {other}?")),
        };
        let value = |expression| evaluate(expression, known);
        assert_eq!(value("1 + a * 2 / ch03-x.json#/y/median"), Ok(5.0));
        assert_eq!(value("(1 + a)*2 - -1_000"), Ok(1014.0));
        assert_eq!(value("max(1, a, 2) - min(a/2, 4)"), Ok(3.0));
        for wrong in ["", "a a", "a /", "(a", "b", "1..2", "a / 0", "max(a", "min 3"] {
            assert!(value(wrong).is_err(), "{wrong}");
        }
    }
}
