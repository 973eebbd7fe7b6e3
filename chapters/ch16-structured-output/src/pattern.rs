use regex_syntax::Parser;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};
use regex_syntax::utf8::Utf8Sequences;
use serde_json::Value;

use crate::grammar::{MANY, Node, Rule, Rules};

impl Rules {
    /// A text that a regular expression matches somewhere, as it stands between the quotes of a JSON string.
    pub fn pattern(&mut self, text: &str) -> Result<Rule, String> {
        let most = if is_ascii(text)? { '\x7f' } else { char::MAX };
        let hir = Parser::new().parse(text).map_err(|error| {
            let why = error.to_string();
            why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
        })?;
        self.hir(&hir, most, true, true)
    }

    /// With characters up to `most`. Any text may come at its left and its right, unless an anchor stands there.
    fn hir(
        &mut self,
        hir: &Hir,
        most: char,
        mut left: bool,
        mut right: bool,
    ) -> Result<Rule, String> {
        let rule = match hir.kind() {
            HirKind::Empty => self.seq(Vec::new()),
            HirKind::Look(Look::Start) if left => {
                left = false;
                self.seq(Vec::new())
            }
            HirKind::Look(Look::End) if right => {
                right = false;
                self.seq(Vec::new())
            }
            HirKind::Look(_) => return Err("^, $, \\b or \\B in such a place".into()),
            HirKind::Literal(text) => self.literal(escaped(&String::from_utf8_lossy(&text.0))),
            HirKind::Class(Class::Unicode(class)) => self.class(class.clone(), most),
            HirKind::Class(_) => return Err("bytes that are no characters".into()),
            HirKind::Repetition(times) => {
                let part = self.hir(&times.sub, most, false, false)?;
                self.repeat(part, times.min, times.max.unwrap_or(MANY))
            }
            HirKind::Capture(group) => return self.hir(&group.sub, most, left, right),
            HirKind::Alternation(parts) => {
                let parts = parts.iter().map(|part| self.hir(part, most, left, right));
                let parts: Vec<Rule> = parts.collect::<Result<_, _>>()?;
                return Ok(self.alt(parts));
            }
            HirKind::Concat(parts) => {
                let all = parts.iter().enumerate().map(|(at, part)| {
                    self.hir(part, most, left && at == 0, right && at + 1 == parts.len())
                });
                let mut all: Vec<Rule> = all.collect::<Result<_, _>>()?;
                all.retain(|rule| !matches!(&self.nodes[*rule as usize], Node::Seq(parts) if parts.is_empty()));
                return Ok(if let [one] = all[..] { one } else { self.seq(all) });
            }
        };
        if !left && !right {
            return Ok(rule);
        }
        let any = self.repeat(self.character, 0, MANY);
        let all = [left.then_some(any), Some(rule), right.then_some(any)];
        Ok(self.seq(all.into_iter().flatten().collect::<Vec<_>>()))
    }

    /// A character: as an escape where it's written as one, or else as its bytes.
    fn class(&mut self, mut class: ClassUnicode, most: char) -> Rule {
        let range = ClassUnicodeRange::new;
        class.intersect(&ClassUnicode::new([range('\0', most)]));
        let mut special = ClassUnicode::new(
            [('\0', '\x1f'), ('"', '"'), ('\\', '\\')].map(|(from, to)| range(from, to)),
        );
        special.intersect(&class);
        class.difference(&special);
        let special = special.iter().flat_map(|range| range.start()..=range.end());
        let mut words: Vec<Vec<u8>> = special.map(|c| escaped(&c.to_string())).collect();
        words.sort_unstable();
        let (mut bytes, mut all) = (Vec::new(), vec![self.add(Node::Words(words))]);
        for range in class.iter() {
            for several in Utf8Sequences::new(range.start(), range.end()) {
                let ranges = several.as_slice().iter().map(|one| (one.start, one.end));
                if several.len() == 1 {
                    bytes.extend(ranges);
                    continue;
                }
                let parts: Vec<Rule> =
                    ranges.map(|one| self.add(Node::Byte(vec![one]))).collect();
                all.push(self.seq(parts));
            }
        }
        all.push(self.add(Node::Byte(bytes)));
        self.alt(all)
    }
}

/// As it stands in a JSON string.
fn escaped(text: &str) -> Vec<u8> {
    let json = Value::from(text).to_string();
    json[1..json.len() - 1].into()
}

/// Whether only characters of ASCII are meant: readers of `\d`, `\w` and `\s` don't agree on others. What they read in quite
/// another way is refused.
fn is_ascii(text: &str) -> Result<bool, String> {
    let (mut in_class, mut is_ascii, mut left) = (false, false, text.chars());
    while let Some(next) = left.next() {
        let rest = left.as_str();
        match next {
            '\\' => is_ascii |= left.next().is_some_and(|next| "dDsSwWpP".contains(next)),
            '[' if in_class || rest.starts_with(']') || rest.starts_with("^]") => {
                return Err("[ in a class, or ] at its beginning: write \\[ or \\]".into());
            }
            '&' | '~' | '-' if in_class && rest.starts_with(next) => {
                return Err(format!("{next}{next} in a class"));
            }
            '[' | ']' => in_class = next == '[',
            _ => {}
        }
    }
    Ok(is_ascii)
}
