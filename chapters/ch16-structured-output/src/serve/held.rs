use openai::{Format, Refusal, Tools};
use serde_json::{Value, json};

use crate::grammar::{Grammar, MANY, Node, Rule, Rules, SchemaError};
use crate::schema::rules_of;

/// What the whole answer to a request may be: a thought, if one may come first, and what is asked for. None, if that's any text.
pub fn held(
    format: &Format,
    tools: Option<&Tools>,
    thinks: bool,
) -> Result<Option<Grammar>, Refusal> {
    let (name, mut rules) = ("response_format.json_schema.schema", Rules::new());
    let mut of_schema = |schema| rules.embed(name, schema);
    let mut root = match (tools.filter(|tools| !tools.callable.is_empty()), format) {
        (Some(tools), _) => rules.calls(tools)?,
        (None, Format::Text) => return Ok(None),
        (None, Format::Json) => of_schema(&json!({ "type": "object" }))?,
        (None, Format::Schema(schema)) => of_schema(schema)?,
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
        let after: Vec<Rule> = tag.bytes().map(|_| self.seq([])).collect();
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
                ways.push(self.seq([]));
            }
            self.nodes[after[place] as usize] = Node::Alt(ways.into());
        }
        after[0]
    }

    /// The rules of a schema, which were made by themselves. Those that all have are the same ones.
    fn embed(&mut self, name: &str, schema: &Value) -> Result<Rule, Refusal> {
        let (other, root) = rules_of(schema).map_err(|error| refused(name, &error))?;
        let shared = Rules::new().nodes.len();
        let shift = self.nodes.len() - shared;
        let place = |rule: Rule| rule + if (rule as usize) < shared { 0 } else { shift as Rule };
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
