use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ground::tokenizer::Tokenizer;
use openai::{Refusal, Tools};
use serde_json::Value;

use crate::grammar::{Grammar, MANY, Node, Rule, Rules, SchemaError};
use crate::matcher::Matcher;
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
        schema: Option<&Value>,
        tools: Option<&Tools>,
        thinks: bool,
    ) -> Result<Option<Matcher>, Refusal> {
        let name = format!("{thinks} {schema:?} {tools:?}");
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, matcher)) = kept().iter().find(|(other, _)| *other == name) {
            return Ok(Some(matcher.clone()));
        }
        let Some(grammar) = held(schema, tools, thinks)? else { return Ok(None) };
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
    schema: Option<&Value>,
    tools: Option<&Tools>,
    thinks: bool,
) -> Result<Option<Grammar>, Refusal> {
    let mut rules = Rules::begin();
    let (name, mut root) = match (tools, schema) {
        (Some(tools), _) => ("tools", calls(&mut rules, tools)?),
        (None, None) => return Ok(None),
        (None, Some(schema)) => {
            let name = "response_format.json_schema.schema";
            (name, rules.schema(schema).map_err(|error| refused(name, &error))?)
        }
    };
    if thinks {
        let (open, lines) = (rules.literal("<think>"), rules.literal("\n\n"));
        let thought = rules.add(Node::Until("</think>", false));
        let thought = rules.seq([open, thought, lines, root]);
        root = rules.alt([thought, root]);
    }
    rules.grammar(root).map(Some).map_err(|error| refused(name, &error))
}

fn refused(name: &str, error: &SchemaError) -> Refusal {
    Refusal::of(&format!("{name}{}", error.path), "invalid_value", format!("{name}: {error}"))
}

/// As many calls as may be made. If none has to be, a text comes first.
fn calls(rules: &mut Rules, tools: &Tools) -> Result<Rule, Refusal> {
    let mut all = Vec::new();
    for (place, tool) in &tools.callable {
        let name = format!("tools[{place}].function.parameters");
        let arguments =
            rules.schema(&tool.parameters).map_err(|error| refused(&name, &error))?;
        let head = rules.literal(format!("{}\", \"arguments\": ", tool.name));
        all.push(rules.seq([head, arguments]));
    }
    let (head, any) = (rules.literal("\n{\"name\": \""), rules.alt(all));
    let end = rules.literal("}\n</tool_call>");
    let rest = rules.seq([head, any, end]);
    let next = rules.literal("\n<tool_call>");
    let next = rules.seq([next, rest]);
    let more = rules.repeat(next, 0, if tools.parallel { MANY } else { 0 });
    let open = match tools.must {
        true => rules.literal("<tool_call>"),
        false => rules.add(Node::Until("<tool_call>", true)),
    };
    Ok(rules.seq([open, rest, more]))
}
