use std::iter::Peekable;
use std::str::Chars;

use crate::grammar::{MANY, Rule, Rules};

/// A regular expression as JSON schemas have them, of which this is read: characters, `.`, classes, `\d \w \s`, groups, `|`,
/// `? * + {m,n}`, and `^` and `$` at the ends of the whole or of its alternatives. The rule is the text between the quotes.
pub fn pattern(rules: &mut Rules, text: &str) -> Result<Rule, String> {
    let mut parser = Parser { left: text.chars().peekable(), rules, depth: 0 };
    // What isn't held at its ends can stand anywhere in the text.
    let character = parser.rules.any_character();
    let any = parser.rules.repeat(character, 0, MANY);
    let mut all = Vec::new();
    loop {
        let begins = parser.takes('^');
        let (part, _) = parser.sequence()?;
        let ends = parser.takes('$');
        let nothing = parser.rules.nothing();
        let side = |is_held| if is_held { nothing } else { any };
        all.push(parser.rules.seq([side(begins), part, side(ends)]));
        match parser.left.next() {
            Some('|') => {}
            Some(other) => return Err(format!("{other} where no more was expected")),
            None => return Ok(parser.rules.alt(all)),
        }
    }
}

struct Parser<'a> {
    left: Peekable<Chars<'a>>,
    rules: &'a mut Rules,
    depth: usize,
}

/// A rule, and whether it's true of nothing at all.
type Part = (Rule, bool);

/// Characters: those of ASCII as bits, and whether all others are among them.
struct Class {
    ascii: u128,
    others: bool,
}

/// Groups may be in each other so many times.
const GROUPS: usize = 32;
/// The most repetitions.
const TIMES: u32 = 10_000;

impl Parser<'_> {
    fn takes(&mut self, wanted: char) -> bool {
        self.left.next_if_eq(&wanted).is_some()
    }

    fn alternatives(&mut self) -> Result<Part, String> {
        let mut all = vec![self.sequence()?];
        while self.takes('|') {
            all.push(self.sequence()?);
        }
        let is_empty = all.iter().any(|(_, is_empty)| *is_empty);
        let all: Vec<Rule> = all.into_iter().map(|(rule, _)| rule).collect();
        Ok((self.rules.alt(all), is_empty))
    }

    fn sequence(&mut self) -> Result<Part, String> {
        let (mut all, mut is_empty) = (Vec::new(), true);
        while let Some(next) = self.left.next_if(|next| !"|)$".contains(*next)) {
            let part = self.atom(next)?;
            let (rule, may_be_empty) = self.repeated(part)?;
            is_empty &= may_be_empty;
            all.push(rule);
        }
        Ok((self.rules.seq(all), is_empty))
    }

    fn repeated(&mut self, (part, is_empty): Part) -> Result<Part, String> {
        let (least, most) = match self.left.next_if(|next| "?*+{".contains(*next)) {
            Some('?') => (0, 1),
            Some('*') => (0, MANY),
            Some('+') => (1, MANY),
            Some(_) => self.times()?,
            None => return Ok((part, is_empty)),
        };
        self.takes('?'); // how much of a text it takes first is no matter here
        if self.left.peek().is_some_and(|next| "?*+{".contains(*next)) {
            return Err("a repetition of a repetition".into());
        }
        if is_empty {
            return Err("a repetition of what may be empty".into());
        }
        Ok((self.rules.repeat(part, least, most), least == 0))
    }

    fn times(&mut self) -> Result<(u32, u32), String> {
        let text: String = self.left.by_ref().take_while(|next| *next != '}').collect();
        let (least, most) = text.split_once(',').unwrap_or((&text, &text));
        let number = |text: &str| text.parse::<u32>().ok().filter(|times| *times <= TIMES);
        let most = if most.is_empty() { Some(MANY) } else { number(most) };
        number(least).zip(most).filter(|(least, most)| least <= most).ok_or_else(|| {
            format!("{{{text}}}, where numbers in order were expected, at most {TIMES}")
        })
    }

    fn atom(&mut self, next: char) -> Result<Part, String> {
        let class = match next {
            '(' => return self.group(),
            '[' => self.class()?,
            '.' => Class { ascii: !0 << 32, others: true },
            '\\' => self.escape()?,
            '^' | '*' | '+' | '?' | '{' | '}' | ']' => {
                return Err(format!("{next} in this place"));
            }
            other if other.is_ascii() => Class { ascii: 1 << other as u32, others: false },
            other => return Ok((self.rules.literal(other.to_string()), false)),
        };
        Ok((self.characters(class), false))
    }

    fn group(&mut self) -> Result<Part, String> {
        if self.takes('?') && !self.takes(':') {
            return Err("(?, which isn't (?:".into());
        }
        self.depth += 1;
        if self.depth > GROUPS {
            return Err(format!("more than {GROUPS} groups in each other"));
        }
        let part = self.alternatives()?;
        self.depth -= 1;
        if !self.takes(')') {
            return Err("a group without its end".into());
        }
        Ok(part)
    }

    fn escape(&mut self) -> Result<Class, String> {
        let range =
            |from: char, to: char| (from as u32..=to as u32).map(|c| 1u128 << c).sum::<u128>();
        let next = self.left.next().unwrap_or(' ');
        let ascii = match next.to_ascii_lowercase() {
            'd' => range('0', '9'),
            'w' => range('0', '9') | range('a', 'z') | range('A', 'Z') | 1 << '_' as u32,
            's' => 1 << ' ' as u32 | range('\t', '\r'),
            _ => {
                let one = match next {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other if other.is_ascii_punctuation() => other,
                    other => return Err(format!("\\{other}")),
                };
                return Ok(Class { ascii: 1 << one as u32, others: false });
            }
        };
        // Which letters beyond ASCII are letters, readers don't agree on.
        let ascii = if next.is_ascii_uppercase() { !ascii } else { ascii };
        Ok(Class { ascii, others: false })
    }

    fn class(&mut self) -> Result<Class, String> {
        let is_not = self.takes('^');
        let (mut all, mut is_plain) = (0u128, true);
        while let Some(next) = self.left.next() {
            if next == ']' {
                let others = is_not && is_plain;
                return Ok(Class { ascii: if is_not { !all } else { all }, others });
            }
            let from = self.member(next, &mut is_plain)?;
            let mut ahead = self.left.clone();
            if ahead.next() != Some('-') || ahead.next() == Some(']') {
                all |= from;
                continue;
            }
            self.left.next();
            let end = self.left.next().unwrap_or(']');
            let to = self.member(end, &mut is_plain)?;
            if from.count_ones() != 1 || to.count_ones() != 1 || from > to {
                return Err("a range that isn't one".into());
            }
            all |= (to - from) | to;
        }
        Err("a class without its end".into())
    }

    /// One bit, or those of a class within the class.
    fn member(&mut self, next: char, is_plain: &mut bool) -> Result<u128, String> {
        match next {
            '\\' => {
                let class = self.escape()?;
                *is_plain &= class.ascii.count_ones() == 1;
                Ok(class.ascii)
            }
            '[' => Err("[ in a class: write \\[".into()),
            next if next.is_ascii() => Ok(1 << next as u32),
            next => Err(format!("{next} in a class: beyond ASCII")),
        }
    }

    /// In a JSON string a quote, a backslash and controls are written as escapes.
    fn characters(&mut self, class: Class) -> Rule {
        let has = |byte: u8| class.ascii >> byte & 1 == 1;
        let plain = (b' '..=0x7f).filter(|byte| !b"\"\\".contains(byte) && has(*byte));
        let mut all = vec![self.rules.byte(plain)];
        for (byte, escape) in
            [(b'"', "\\\""), (b'\\', "\\\\"), (b'\n', "\\n"), (b'\t', "\\t"), (b'\r', "\\r")]
        {
            if has(byte) {
                all.push(self.rules.literal(escape));
            }
        }
        if class.others {
            all.push(self.rules.beyond_ascii);
        }
        self.rules.alt(all)
    }
}
