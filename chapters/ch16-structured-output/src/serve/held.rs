use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ground::tokenizer::Tokenizer;
use openai::{Format, Refusal, Tools};
use serde_json::{Value, json};

use crate::grammar::{Grammar, MANY, Node, Rule, Rules, SchemaError};
use crate::matcher::Matcher;
use crate::schema::rules_of;
use crate::token_trie::TokenTrie;

/// The matchers of the last requests: who asks for the same again finds the masks of those before.
#[derive(Default)]
pub struct Matchers {
    trie: OnceLock<Arc<TokenTrie>>,
    kept: Mutex<Vec<(String, Matcher)>>,
}

/// So many are kept. Each may have as many masks as take 48 MiB.
const KEPT: usize = 8;

impl Matchers {
    /// The one that stands at the beginning of an answer, if that is held to anything.
    pub fn of(
        &self,
        tokenizer: &Tokenizer,
        format: &Format,
        tools: Option<&Tools>,
        thinks: bool,
    ) -> Result<Option<Matcher>, Refusal> {
        let told =
            |tools: &Tools| format!("{:?} {} {}", tools.callable, tools.must, tools.parallel);
        let name = format!("{thinks} {format:?} {:?}", tools.map(told));
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, matcher)) = kept().iter().find(|(other, _)| *other == name) {
            return Ok(Some(matcher.clone()));
        }
        let Some(grammar) = held(format, tools, thinks)? else { return Ok(None) };
        let trie = self.trie.get_or_init(|| Arc::new(TokenTrie::new(tokenizer)));
        let matcher = Matcher::new(Arc::new(grammar), trie.clone());
        let mut kept = kept();
        kept.insert(0, (name, matcher.clone()));
        kept.truncate(KEPT);
        Ok(Some(matcher))
    }
}

/// What the whole answer to a request may be: a thought, if one may come first, and what is asked for. None, if that's any text.
pub fn held(
    format: &Format,
    tools: Option<&Tools>,
    thinks: bool,
) -> Result<Option<Grammar>, Refusal> {
    let (name, mut rules) = ("response_format.json_schema.schema", Rules::begin());
    let mut root = match (tools.filter(|tools| !tools.callable.is_empty()), format) {
        (Some(tools), _) => rules.calls(tools)?,
        (None, Format::Text) => return Ok(None),
        (None, Format::Json) => rules.embed(name, &json!({ "type": "object" }))?,
        (None, Format::Schema(schema)) => rules.embed(name, schema)?,
    };
    if thinks {
        let (open, lines) = (rules.literal("<think>"), rules.literal("\n\n"));
        let after = rules.seq([lines, root]);
        let thought = rules.until("</think>", after, false);
        let thought = rules.seq([open, thought]);
        root = rules.alt([thought, root]);
    }
    let name = if tools.is_some() { "tools" } else { name };
    rules.grammar(root).map(Some).map_err(|error| refused(name, &error))
}

fn refused(name: &str, error: &SchemaError) -> Refusal {
    Refusal::of(&format!("{name}{}", error.path), "invalid_value", format!("{name}: {error}"))
}

impl Rules {
    /// As many calls as may be made. If none has to be, a text comes first.
    fn calls(&mut self, tools: &Tools) -> Result<Rule, Refusal> {
        let mut all = Vec::new();
        for tool in &tools.callable {
            let name = format!("tools[{}].function.parameters", tool.place);
            let arguments = self.embed(&name, &tool.parameters)?;
            let head = self.literal(format!("{}\", \"arguments\": ", tool.name));
            all.push(self.seq([head, arguments]));
        }
        let head = self.literal("\n{\"name\": \"");
        let any = self.alt(all);
        let end = self.literal("}\n</tool_call>");
        let rest = self.seq([head, any, end]);
        let next = self.literal("\n<tool_call>");
        let next = self.seq([next, rest]);
        let more = self.repeat(next, 0, if tools.parallel { MANY } else { 0 });
        let rest = self.seq([rest, more]);
        if !tools.must {
            return Ok(self.until("<tool_call>", rest, true));
        }
        let open = self.literal("<tool_call>");
        Ok(self.seq([open, rest]))
    }

    /// Any text up to a tag, and what comes after that. The text may be all of the answer, or not. Only the first character of a
    /// tag is `<`.
    fn until(&mut self, tag: &str, then: Rule, may_end: bool) -> Rule {
        // So much of the tag has come: the rule of what may still come.
        let after: Vec<Rule> = tag.bytes().map(|_| self.never()).collect();
        for (place, byte) in tag.bytes().enumerate() {
            let mut ways = Vec::new();
            let mut way = |rules: &mut Rules, byte: Rule, next: Rule| {
                ways.push(rules.seq([byte, next]));
            };
            let right = self.byte([byte]);
            way(self, right, after.get(place + 1).copied().unwrap_or(then));
            if place > 0 {
                let begins = self.byte([b'<']);
                way(self, begins, after[1]);
            }
            let others = self.byte((0..=255).filter(|other| ![byte, b'<'].contains(other)));
            way(self, others, after[0]);
            if may_end {
                ways.push(self.nothing());
            }
            self.nodes[after[place] as usize] = Node::Alt(ways.into());
        }
        after[0]
    }

    /// The rules of a schema, which were made by themselves. Those that all have are the same ones.
    fn embed(&mut self, name: &str, schema: &Value) -> Result<Rule, Refusal> {
        let (other, root) = rules_of(schema).map_err(|error| refused(name, &error))?;
        let shared = Rules::begin().nodes.len();
        let shift = self.nodes.len() - shared;
        let place =
            |rule: Rule| rule + if (rule as usize) < shared { 0 } else { shift as Rule };
        let all = |parts: Box<[Rule]>| parts.into_iter().map(place).collect();
        for node in other.nodes.into_iter().skip(shared) {
            self.add(match node {
                Node::Seq(parts) => Node::Seq(all(parts)),
                Node::Alt(parts) => Node::Alt(all(parts)),
                Node::Repeat(part, least, most) => Node::Repeat(place(part), least, most),
                node => node,
            });
        }
        Ok(place(root))
    }
}
