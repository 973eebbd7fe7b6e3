use crate::tools::Called;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";

/// Tells the calls in an answer from its text, while it still comes in pieces. The engine has held them to their form:
/// `{"name": "...", "arguments": {...}}` between two tags.
#[derive(Default)]
pub struct Calls {
    pub all: Vec<Called>,
    held: String, // can't be told yet
    place: Place,
}

#[derive(Clone, Copy, Default)]
enum Place {
    #[default]
    Text,
    Name,
    Arguments {
        depth: usize, // brackets that are open
        in_text: bool,
        escaped: bool,
    },
    End,
}

/// What a piece adds to a call: its first part brings the name, and the others more of its arguments.
#[derive(Debug, PartialEq, Eq)]
pub struct CallDelta {
    pub index: usize,
    pub name: Option<String>,
    pub arguments: String,
}

impl Calls {
    /// What is certain with this piece: more of the text, and of calls.
    pub fn push(&mut self, piece: &str) -> (String, Vec<CallDelta>) {
        self.held.push_str(piece);
        let (mut text, mut deltas) = (String::new(), Vec::new());
        loop {
            match self.place {
                Place::Text => {
                    let Some(at) = self.held.find(OPEN) else {
                        let certain = self.held.len() - doubtful(&self.held);
                        text.extend(self.held.drain(..certain));
                        break;
                    };
                    text.push_str(self.held[..at].trim_end_matches('\n'));
                    self.held.drain(..at + OPEN.len());
                    self.place = Place::Name;
                }
                Place::Name => {
                    // No name has a bracket or a quotation mark in it.
                    let Some((at, _)) = self.held.match_indices('{').nth(1) else { break };
                    let name = self.held.split('"').nth(3).unwrap_or_default().to_string();
                    self.held.drain(..at);
                    self.place = Place::Arguments { depth: 0, in_text: false, escaped: false };
                    self.all.push(Called { name: name.clone(), arguments: String::new() });
                    let (index, arguments) = (self.all.len() - 1, String::new());
                    deltas.push(CallDelta { index, name: Some(name), arguments });
                }
                Place::Arguments { .. } => {
                    let end = self.place.ends(&self.held);
                    let arguments: String = self.held.drain(..end).collect();
                    if arguments.is_empty() {
                        break;
                    }
                    let index = self.all.len() - 1;
                    self.all[index].arguments.push_str(&arguments);
                    deltas.push(CallDelta { index, name: None, arguments });
                }
                Place::End => {
                    let Some(at) = self.held.find(CLOSE) else { break };
                    self.held.drain(..at + CLOSE.len());
                    self.place = Place::Text;
                }
            }
        }
        (text, deltas)
    }

    pub fn began(&self) -> bool {
        !matches!(self.place, Place::Text) || !self.all.is_empty()
    }

    /// The answer is over: what was held back of its text was no call.
    pub fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        let is_text = matches!(self.place, Place::Text) && self.all.is_empty();
        if is_text { rest } else { String::new() }
    }
}

impl Place {
    /// How many bytes of a text still belong to the arguments, and what comes after them.
    fn ends(&mut self, text: &str) -> usize {
        let Place::Arguments { depth, in_text, escaped } = self else { return 0 };
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                _ if *escaped => *escaped = false,
                b'\\' if *in_text => *escaped = true,
                b'"' => *in_text = !*in_text,
                _ if *in_text => {}
                b'{' | b'[' => *depth += 1,
                b'}' | b']' => *depth -= 1,
                _ => {}
            }
            if *depth == 0 {
                *self = Place::End;
                return at + 1;
            }
        }
        text.len()
    }
}

/// How many bytes at the end could be the beginning of a call, or lines before it.
fn doubtful(text: &str) -> usize {
    let tag = (1..OPEN.len()).rev().find(|&n| text.ends_with(&OPEN[..n])).unwrap_or(0);
    text.len() - text[..text.len() - tag].trim_end_matches('\n').len()
}
