use openai::{Format, Refusal, Tools, ValidatedRequest};
use serde_json::json;

use crate::grammar::{Grammar, MANY, Node, Rule, Rules, SchemaError};
use crate::schema::rules_of;

/// What the whole answer to a request may be: a thought, if one may come first, and what is asked for. None, if that's any text.
pub fn held(validated: &ValidatedRequest, thinks: bool) -> Result<Option<Grammar>, Refusal> {
    let mut rules = Rules::new();
    let tools = validated.tools.as_ref().filter(|tools| !tools.callable.is_empty());
    let answer = match (tools, &validated.format) {
        (Some(tools), _) => calls(&mut rules, tools)?,
        (None, Format::Text) => return Ok(None),
        (None, Format::Json) => rules.embed(rules_of(&json!({ "type": "object" }))),
        (None, Format::Schema(schema)) => rules.embed(rules_of(schema)),
    };
    let name = "response_format.json_schema.schema";
    let mut root = answer.map_err(|error| refused(name, &error))?;
    if validated.chat && thinks {
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

/// As many calls as may be made. If none has to be, a text comes first.
fn calls(rules: &mut Rules, tools: &Tools) -> Result<Result<Rule, SchemaError>, Refusal> {
    let mut all = Vec::new();
    for tool in &tools.callable {
        let name = format!("tools[{}].function.parameters", tool.place);
        let arguments = rules.embed(rules_of(&tool.parameters));
        let arguments = arguments.map_err(|error| refused(&name, &error))?;
        let head = rules.literal(format!("{}\", \"arguments\": ", tool.name));
        all.push(rules.seq([head, arguments]));
    }
    let (head, any, end) = (
        rules.literal("\n{\"name\": \""),
        rules.alt(all),
        rules.literal("}\n</tool_call>"),
    );
    let rest = rules.seq([head, any, end]);
    let next = rules.literal("\n<tool_call>");
    let next = rules.seq([next, rest]);
    let more = rules.repeat(next, 0, if tools.parallel { MANY } else { 0 });
    let rest = rules.seq([rest, more]);
    Ok(Ok(match tools.must {
        false => rules.until("<tool_call>", rest, true),
        true => {
            let open = rules.literal("<tool_call>");
            rules.seq([open, rest])
        }
    }))
}

impl Rules {
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

    /// The rules of a grammar that was made by itself. Those that all have are the same ones.
    fn embed(&mut self, made: Result<(Rules, Rule), SchemaError>) -> Result<Rule, SchemaError> {
        let (other, root) = made?;
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
