use crate::grammar::{Rule, Rules};

/// So many digits a double tells apart, wherever the point is.
pub const DIGITS: usize = 15;

/// A number from `least` to `most`, both in units of the last of its `decimals`: 150 of two decimals is 1.5. It's written
/// without an exponent, and with zeros at its end or without.
pub fn between(rules: &mut Rules, least: i64, most: i64, decimals: usize) -> Rule {
    let mut digits = Digits { rules, decimals, free: Vec::new() };
    let mut all = Vec::new();
    if least < 0 {
        let size = digits.positive((-most).max(1), -least);
        let minus = digits.rules.literal("-");
        all.push(digits.rules.seq([minus, size]));
    }
    if most >= 0 {
        all.push(digits.positive(least.max(0), most));
    }
    rules.alt(all)
}

struct Digits<'a> {
    rules: &'a mut Rules,
    decimals: usize,
    free: Vec<Rule>, // so many digits of any kind
}

impl Digits<'_> {
    /// Numbers of as many digits can be compared digit by digit, so there is a rule for each length.
    fn positive(&mut self, least: i64, most: i64) -> Rule {
        let mut all = Vec::new();
        for length in self.decimals + 1..=DIGITS {
            let shortest = length == self.decimals + 1; // 0 has a digit, too
            let smallest = if shortest { 0 } else { 10i64.pow(length as u32 - 1) };
            let (least, most) = (least.max(smallest), most.min(10i64.pow(length as u32) - 1));
            if least <= most {
                let written = |number: i64| format!("{number:0length$}").into_bytes();
                all.push(self.from_to(&written(least), &written(most)));
            }
        }
        self.rules.alt(all)
    }

    /// The last digits of a number, from these to these. Where the first of them is neither the least nor the most there can be,
    /// the others are free.
    fn from_to(&mut self, least: &[u8], most: &[u8]) -> Rule {
        let ([first, low @ ..], [last, high @ ..]) = (least, most) else {
            return self.rules.nothing();
        };
        let (zeros, nines) = (vec![b'0'; low.len()], vec![b'9'; low.len()]);
        let is_free = least[0] == b'0' && most[0] == b'9' && *low == zeros && *high == nines;
        if is_free && let Some(&known) = self.free.get(low.len()) {
            return known;
        }
        let (mut all, mut from, mut to) = (Vec::new(), *first, *last);
        if first == last {
            all.push(self.digit_and(from, to, low, high));
            from += 1;
        } else {
            if *low != zeros {
                all.push(self.digit_and(from, from, low, &nines));
                from += 1;
            }
            if *high != nines {
                all.push(self.digit_and(to, to, &zeros, high));
                to -= 1;
            }
        }
        if from <= to {
            all.push(self.digit_and(from, to, &zeros, &nines));
        }
        let mut rule = self.rules.alt(all);
        if least.len() == self.decimals {
            let point = self.rules.literal(".");
            rule = self.rules.seq([point, rule]);
        }
        // Decimals that aren't written are zeros.
        if least.len() <= self.decimals && least.iter().all(|digit| *digit == b'0') {
            rule = self.rules.optional(rule);
        }
        if is_free {
            self.free.push(rule);
        }
        rule
    }

    fn digit_and(&mut self, from: u8, to: u8, low: &[u8], high: &[u8]) -> Rule {
        let digit = self.rules.byte(from..=to);
        let rest = self.from_to(low, high);
        self.rules.seq([digit, rest])
    }
}
