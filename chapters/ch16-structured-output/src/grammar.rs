use std::fmt;

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
    Byte(Vec<(u8, u8)>),       // of one of these ranges
    Words(Vec<Vec<u8>>),       // one of these texts, which are in order
    Seq(Vec<Rule>),            // one after another
    Alt(Vec<Rule>),            // any of them
    Repeat(Rule, u32, u32),    // from so many times to so many
    Until(&'static str, bool), // any text up to a tag and the tag, or, if so, any text; only its first character is `<`
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

/// Rules that are being made.
pub struct Rules {
    pub nodes: Vec<Node>,
    pub character: Rule,
    pub number: Rule,
}

/// As long as a double can tell its digits apart, and never too large for one.
const NUMBER: &str = r"^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?([eE][+-]?[0-9]{1,2})?$";
/// A character of a JSON string that means itself, and the escape of another. Halves of a pair, \ud800 to \udfff, are no characters.
const PLAIN: &str = r#"^[^\x00-\x1f"\\]$"#;
const ESCAPE: &str = "^([/bfnrt]|u([0-9a-ce-fA-CE-F][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2})$";

impl Rules {
    pub fn begin() -> Rules {
        let mut rules = Rules { nodes: Vec::new(), character: 0, number: 0 };
        let [number, plain, escape] = [NUMBER, PLAIN, ESCAPE]
            .map(|text| rules.pattern(text).expect("it's a pattern of ours"));
        let special = rules.add(Node::Words(vec![b"\"".into(), b"\\".into()]));
        let (backslash, escape) = (rules.literal("\\"), rules.alt([special, escape]));
        let escape = rules.seq([backslash, escape]);
        (rules.number, rules.character) = (number, rules.alt([plain, escape]));
        rules
    }

    pub fn add(&mut self, node: Node) -> Rule {
        // Whoever makes too many is told so at the end.
        if self.nodes.len() <= RULES {
            self.nodes.push(node);
        }
        self.nodes.len() as Rule - 1
    }

    pub fn literal(&mut self, text: impl Into<Vec<u8>>) -> Rule {
        self.add(Node::Words(vec![text.into()]))
    }

    pub fn seq(&mut self, rules: impl Into<Vec<Rule>>) -> Rule {
        self.add(Node::Seq(rules.into()))
    }

    /// Without alternatives it's what no text is.
    pub fn alt(&mut self, rules: impl Into<Vec<Rule>>) -> Rule {
        self.add(Node::Alt(rules.into()))
    }

    pub fn repeat(&mut self, rule: Rule, least: u32, most: u32) -> Rule {
        self.add(Node::Repeat(rule, least, most))
    }

    /// A JSON string with such a text.
    pub fn quoted(&mut self, text: Rule) -> Rule {
        let quote = self.literal("\"");
        self.seq([quote, text, quote])
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
/// So often the rules are gone through.
const ROUNDS: usize = 200;

/// The frames that each rule takes, its own too, if at each choice the shallowest way is taken.
fn needs(nodes: &[Node]) -> Vec<u32> {
    let mut needs = vec![NEVER; nodes.len()];
    // Most rules come after their parts, so one round would do. What remains is recursion.
    for round in 0..ROUNDS {
        let mut is_new = false;
        for at in 0..nodes.len() {
            let rule = if round % 2 == 0 { at } else { nodes.len() - 1 - at };
            let of = |part: &Rule| needs[*part as usize];
            let need = match &nodes[rule] {
                Node::Words(words) if words.is_empty() => NEVER,
                Node::Byte(ranges) if ranges.is_empty() => NEVER,
                Node::Byte(_) | Node::Words(_) | Node::Until(..) | Node::Repeat(_, 0, _) => 1,
                Node::Alt(parts) => parts.iter().map(of).min().unwrap_or(NEVER),
                Node::Seq(parts) => {
                    let after = |at: usize| u32::from(at + 1 < parts.len());
                    let all = parts.iter().enumerate();
                    all.map(|(at, part)| of(part).saturating_add(after(at))).max().unwrap_or(1)
                }
                Node::Repeat(part, _, most) => of(part).saturating_add(u32::from(*most > 1)),
            };
            let need = if need > FRAMES { NEVER } else { need };
            is_new |= need < needs[rule];
            needs[rule] = need;
        }
        if !is_new {
            break;
        }
    }
    needs
}
