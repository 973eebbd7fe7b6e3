use serde::Serialize;

/// What comes before a call's name, between that and its arguments, and after these. In JSON a line's end is an escape, so the last
/// one can't be in the arguments.
const MARKS: [&str; 3] =
    ["<tool_call>\n{\"name\": \"", "\", \"arguments\": ", "}\n</tool_call>"];

/// Tells the calls in an answer from its text, while it still comes in pieces. The engine has held them to their form.
#[derive(Default)]
pub struct Calls {
    pub all: Vec<Called>,
    held: String, // can't be told yet
    next: usize,  // the mark that comes next
}

/// Which function, and with what: an object, as text. Told in parts, the first has the name, and the others more of its arguments.
#[derive(Serialize)]
pub struct Called {
    pub name: String,
    pub arguments: String,
}

impl Calls {
    /// What is certain with this piece: more of the text, and of calls, each by its place.
    pub fn push(&mut self, piece: &str, parts: &mut Vec<(usize, Called)>) -> String {
        let mut text = String::new();
        self.held.push_str(piece);
        loop {
            let found = self.held.find(MARKS[self.next]);
            let certain = match (found, self.next) {
                (Some(at), _) => at,
                (None, 1) => break, // a name is told as a whole
                (None, next) => certain(&self.held, MARKS[next]),
            };
            let part: String = self.held.drain(..certain).collect();
            match self.next {
                // Between calls there's only the end of a line.
                0 if self.all.is_empty() => text.push_str(part.trim_end_matches('\n')),
                0 => {}
                1 => {
                    let call = |name| Called { name, arguments: String::new() };
                    parts.push((self.all.len(), call(part.clone())));
                    self.all.push(call(part));
                }
                _ => {
                    let index = self.all.len() - 1;
                    self.all[index].arguments.push_str(&part);
                    parts.push((index, Called { name: String::new(), arguments: part }));
                }
            }
            if found.is_none() {
                break;
            }
            self.held.drain(..MARKS[self.next].len());
            self.next = (self.next + 1) % MARKS.len();
        }
        text
    }

    /// Whether there's a call.
    pub fn began(&self) -> bool {
        self.next > 0 || !self.all.is_empty()
    }

    /// The answer is over: what was held back of its text was no call.
    pub fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        let text = rest.split("<tool_call>").next().filter(|_| !self.began());
        text.unwrap_or_default().into()
    }
}

/// How many bytes can't be the beginning of a mark, nor lines before it.
fn certain(text: &str, mark: &str) -> usize {
    let begun = (1..mark.len()).rev().find(|&n| text.ends_with(&mark[..n])).unwrap_or(0);
    text[..text.len() - begun].trim_end_matches('\n').len()
}
