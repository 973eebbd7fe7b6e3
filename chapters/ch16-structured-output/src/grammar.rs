use std::fmt;
use std::ops::RangeInclusive;
use std::slice;

/// What an answer may be: rules that are made once and then only read.
pub struct Grammar {
    pub nodes: Vec<Node>,
    pub needs: Vec<u32>, // the frames that each takes at least on the way to its end
    pub root: Rule,
    pub character: Rule, // of a string
}

/// The number of a rule.
pub type Rule = u32;

/// What a stretch of an answer may be.
pub enum Node {
    Byte(ByteSet),
    Literal(Box<[u8]>),     // at least one byte
    Seq(Box<[Rule]>),       // one after another
    Alt(Box<[Rule]>),       // any of them
    Repeat(Rule, u32, u32), // from so many times to so many
}

/// Any number of times.
pub const MANY: u32 = u32::MAX;
/// A rule may take so many frames of the stack, so lists and objects can be in each other some fifty times.
pub const FRAMES: u32 = 128;
/// There may be so many rules.
pub const RULES: usize = 100_000;

/// Why a schema is no grammar, and where in it that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    pub path: String, // as in /properties/name
    pub why: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "#{}: {}", self.path, self.why)
    }
}

impl std::error::Error for SchemaError {}

/// Some of all bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub fn of(bytes: impl IntoIterator<Item = u8>) -> ByteSet {
        let mut bits = [0; 4];
        bytes.into_iter().for_each(|byte| bits[usize::from(byte / 64)] |= 1 << (byte % 64));
        ByteSet(bits)
    }

    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }
}

/// Rules that are being made.
pub struct Rules {
    pub nodes: Vec<Node>,
    pub character: Rule,
    pub number: Rule,
    pub beyond_ascii: Rule, // a character
}

impl Rules {
    pub fn begin() -> Rules {
        let mut rules = Rules { nodes: Vec::new(), character: 0, number: 0, beyond_ascii: 0 };
        rules.beyond_ascii = rules.utf8();
        rules.character = rules.any_character();
        rules.number = rules.any_number();
        rules
    }

    pub fn add(&mut self, node: Node) -> Rule {
        // Whoever makes too many is told so at the end.
        if self.nodes.len() <= RULES {
            self.nodes.push(node);
        }
        self.nodes.len() as Rule - 1
    }

    /// Says what a rule is that was needed before it could be said.
    pub fn set_alt(&mut self, rule: Rule, of: Rule) {
        self.nodes[rule as usize] = Node::Alt([of].into());
    }

    pub fn literal(&mut self, text: impl AsRef<[u8]>) -> Rule {
        match text.as_ref() {
            [] => self.nothing(),
            text => self.add(Node::Literal(text.into())),
        }
    }

    /// One of these bytes, if there are any.
    pub fn byte(&mut self, bytes: impl IntoIterator<Item = u8>) -> Rule {
        match ByteSet::of(bytes) {
            ByteSet([0, 0, 0, 0]) => self.never(),
            set => self.add(Node::Byte(set)),
        }
    }

    pub fn nothing(&mut self) -> Rule {
        self.add(Node::Seq(Box::default()))
    }

    /// What no text is.
    pub fn never(&mut self) -> Rule {
        self.add(Node::Alt(Box::default()))
    }

    pub fn seq(&mut self, rules: impl Into<Box<[Rule]>>) -> Rule {
        self.add(Node::Seq(rules.into()))
    }

    pub fn alt(&mut self, rules: impl Into<Box<[Rule]>>) -> Rule {
        self.add(Node::Alt(rules.into()))
    }

    pub fn optional(&mut self, rule: Rule) -> Rule {
        self.repeat(rule, 0, 1)
    }

    pub fn repeat(&mut self, rule: Rule, least: u32, most: u32) -> Rule {
        self.add(Node::Repeat(rule, least, most))
    }

    /// A JSON string of so many characters.
    pub fn string(&mut self, least: u32, most: u32) -> Rule {
        let (quote, text) = (self.literal("\""), self.repeat(self.character, least, most));
        self.seq([quote, text, quote])
    }

    /// Any of these texts, which are in order, each once. As long as they agree they are one.
    pub fn one_of(&mut self, texts: &[&[u8]]) -> Rule {
        self.branches(texts, 64)
    }

    fn branches(&mut self, texts: &[&[u8]], depth: usize) -> Rule {
        if depth == 0 {
            let all: Vec<Rule> = texts.iter().map(|text| self.literal(text)).collect();
            return self.alt(all);
        }
        let alike = |a: &[u8], b: &[u8]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let mut heads = Vec::new();
        for group in texts.chunk_by(|a, b| a.first() == b.first()) {
            let (first, last) = (group[0], group[group.len() - 1]);
            let shared = if group.len() > 1 { alike(first, last) } else { first.len() };
            let mut rule = self.literal(&first[..shared]);
            if group.len() > 1 {
                let rest: Vec<&[u8]> = group.iter().map(|text| &text[shared..]).collect();
                let rest = self.branches(&rest, depth - 1);
                rule = self.seq([rule, rest]);
            }
            heads.push(rule);
        }
        self.alt(heads)
    }

    /// A character of two to four bytes. Some beginnings would be too long for what they say, or say half of a pair.
    fn utf8(&mut self) -> Rule {
        let tail = self.byte(0x80..=0xbf);
        let mut of = |first: RangeInclusive<u8>, second: RangeInclusive<u8>, tails: usize| {
            let mut rules = vec![self.byte(first), self.byte(second)];
            rules.extend(vec![tail; tails]);
            self.seq(rules)
        };
        let all = [
            of(0xc2..=0xdf, 0x80..=0xbf, 0),
            of(0xe0..=0xe0, 0xa0..=0xbf, 1),
            of(0xe1..=0xec, 0x80..=0xbf, 1),
            of(0xed..=0xed, 0x80..=0x9f, 1),
            of(0xee..=0xef, 0x80..=0xbf, 1),
            of(0xf0..=0xf0, 0x90..=0xbf, 2),
            of(0xf1..=0xf3, 0x80..=0xbf, 2),
            of(0xf4..=0xf4, 0x80..=0x8f, 2),
        ];
        self.alt(all)
    }

    /// A character of a JSON string, which may be written as an escape.
    pub fn any_character(&mut self) -> Rule {
        let plain = self.byte((b' '..=0x7f).filter(|byte| !b"\"\\".contains(byte)));
        let hex = self.byte(*b"0123456789abcdefABCDEF");
        // Halves of a pair, \ud800 to \udfff, are no characters.
        let (first, d) = (self.byte(*b"0123456789abcefABCEF"), self.byte(*b"dD"));
        let second = self.byte(b'0'..=b'7');
        let (of_any, of_d) = (self.seq([first, hex]), self.seq([d, second]));
        let begins = self.alt([of_any, of_d]);
        let (u, short) = (self.literal("u"), self.byte(*b"\"\\/bfnrt"));
        let long = self.seq([u, begins, hex, hex]);
        let (backslash, escape) = (self.literal("\\"), self.alt([short, long]));
        let escape = self.seq([backslash, escape]);
        self.alt([plain, self.beyond_ascii, escape])
    }

    /// As long as a double can tell its digits apart, and never too large for one.
    fn any_number(&mut self) -> Rule {
        let (digit, first) = (self.byte(b'0'..=b'9'), self.byte(b'1'..=b'9'));
        let (zero, minus) = (self.literal("0"), self.literal("-"));
        let more = self.repeat(digit, 0, 14);
        let (more, minus) = (self.seq([first, more]), self.optional(minus));
        let whole = self.alt([zero, more]);
        let (point, digits) = (self.literal("."), self.repeat(digit, 1, 15));
        let part = self.seq([point, digits]);
        let (e, sign) = (self.byte(*b"eE"), self.byte(*b"+-"));
        let (sign, digits) = (self.optional(sign), self.repeat(digit, 1, 2));
        let power = self.seq([e, sign, digits]);
        let (part, power) = (self.optional(part), self.optional(power));
        self.seq([minus, whole, part, power])
    }

    pub fn grammar(self, root: Rule) -> Result<Grammar, SchemaError> {
        let error = |why: String| SchemaError { path: String::new(), why };
        if self.nodes.len() > RULES {
            return Err(error(format!("it makes more than {RULES} rules")));
        }
        let needs = needs(&self.nodes);
        if needs[root as usize] > FRAMES {
            let why = "no answer can be valid, or only one that is nested too deeply";
            return Err(error(why.into()));
        }
        Ok(Grammar { nodes: self.nodes, needs, root, character: self.character })
    }
}

/// More frames than there may be, or no end at all.
const NEVER: u32 = u32::MAX;

/// The frames that each rule takes, its own too, if at each choice the shallowest way is taken.
fn needs(nodes: &[Node]) -> Vec<u32> {
    let mut users = vec![Vec::new(); nodes.len()];
    for (user, node) in (0..).zip(nodes) {
        let parts = match node {
            Node::Seq(parts) | Node::Alt(parts) => &parts[..],
            Node::Repeat(part, ..) => slice::from_ref(part),
            _ => &[],
        };
        parts.iter().for_each(|&part| users[part as usize].push(user));
    }
    let mut needs = vec![NEVER; nodes.len()];
    let of_rule = |needs: &[u32], rule: Rule| {
        let of = |part: &Rule| needs[*part as usize];
        let need = match &nodes[rule as usize] {
            Node::Byte(_) | Node::Literal(_) | Node::Repeat(_, 0, _) => 1,
            Node::Alt(parts) => parts.iter().map(of).min().unwrap_or(NEVER),
            Node::Seq(parts) => {
                let after = |at: usize| u32::from(at + 1 < parts.len());
                let all = parts.iter().enumerate();
                all.map(|(at, part)| of(part).saturating_add(after(at))).max().unwrap_or(1)
            }
            Node::Repeat(part, _, most) => of(part).saturating_add(u32::from(*most > 1)),
        };
        if need > FRAMES { NEVER } else { need }
    };
    let all = 0..nodes.len() as Rule;
    all.clone().for_each(|rule| needs[rule as usize] = of_rule(&needs, rule));
    // Most rules come after their parts. What remains is recursion.
    let comes_later = |part: &Rule| users[*part as usize].iter().any(|user| user < part);
    let mut open: Vec<Rule> = all.filter(comes_later).collect();
    while let Some(part) = open.pop() {
        for &user in &users[part as usize] {
            let need = match nodes[user as usize] {
                Node::Alt(_) => needs[part as usize], // of many, it's this one that changed
                _ => of_rule(&needs, user),
            };
            if need < needs[user as usize] {
                needs[user as usize] = need;
                open.push(user);
            }
        }
    }
    needs
}
