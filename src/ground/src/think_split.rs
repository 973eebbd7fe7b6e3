//! What of an answer is thought: told apart while the text still comes in pieces.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Tells the thought of one answer from the rest.
#[derive(Default)]
pub struct Thought {
    inside: bool,
    held: String, // could be the beginning of a tag
}

/// A text, and whether it is thought. The tags are.
pub type Part = (String, bool);

impl Thought {
    /// What is certain with this piece.
    pub fn push(&mut self, piece: &str) -> Vec<Part> {
        self.held.push_str(piece);
        let mut parts: Vec<Part> = Vec::new();
        loop {
            let tag = if self.inside { CLOSE } else { OPEN };
            let Some(at) = self.held.find(tag) else {
                let certain = self.held.len() - doubtful(&self.held, tag);
                parts.push((self.held.drain(..certain).collect(), self.inside));
                break;
            };
            // An opening tag belongs to what follows, a closing one to what was before.
            let end = if self.inside { at + CLOSE.len() } else { at };
            parts.push((self.held.drain(..end).collect(), self.inside));
            if !self.inside {
                parts.push((self.held.drain(..OPEN.len()).collect(), true));
            }
            self.inside = !self.inside;
        }
        parts.retain(|(text, _)| !text.is_empty());
        parts
    }

    /// The answer is over: what was held back was no tag.
    pub fn finish(&mut self) -> Part {
        let Thought { inside, held } = std::mem::take(self);
        (held, inside)
    }
}

/// A thought that was cut short ends here: templates find a thought by its end.
pub fn closed(text: &str) -> String {
    let open = text.contains(OPEN) && !text.contains(CLOSE);
    format!("{text}{}", if open { "\n</think>\n\n" } else { "" })
}

/// How many bytes at the end could be the beginning of a tag.
fn doubtful(text: &str, tag: &str) -> usize {
    (1..tag.len()).rev().find(|&n| text.ends_with(&tag[..n])).unwrap_or(0)
}
