//! Ids to text as they come: whole characters only, and nothing of a stop string.

use crate::tokenizer::{Tokenizer, TokenizerError};

/// Turns one id after another into text that is safe to print.
pub struct TextStream<'a> {
    tokenizer: &'a Tokenizer,
    stops: Vec<String>,
    partial: Vec<u8>, // the beginning of a character
    held: String,     // whole characters that could be the beginning of a stop string
    stopped: bool,
}

/// What one id adds to the text.
#[derive(Debug, PartialEq, Eq)]
pub struct TextDelta {
    /// Text that may be printed now; often empty.
    pub text: String,
    /// Whether a stop string is complete: nothing follows.
    pub stopped: bool,
}

impl<'a> TextStream<'a> {
    /// A stream that ends before the first of `stops`; an empty stop string is ignored.
    pub fn new(tokenizer: &'a Tokenizer, stops: &[String]) -> Self {
        let stops = stops.iter().filter(|stop| !stop.is_empty()).cloned().collect();
        TextStream {
            tokenizer,
            stops,
            partial: Vec::new(),
            held: String::new(),
            stopped: false,
        }
    }

    /// Takes the next id and gives the text that is certain by now.
    pub fn push(&mut self, id: u32) -> Result<TextDelta, TokenizerError> {
        let bytes = self.tokenizer.printed_bytes(id)?;
        if self.stopped {
            return Ok(TextDelta { text: String::new(), stopped: true });
        }
        self.partial.extend_from_slice(bytes);
        self.take_whole_characters();
        if let Some(at) = self.first_stop() {
            self.held.truncate(at);
            self.partial.clear();
            self.stopped = true;
            return Ok(TextDelta { text: std::mem::take(&mut self.held), stopped: true });
        }
        let certain = self.held.len() - self.doubtful();
        Ok(TextDelta { text: self.held.drain(..certain).collect(), stopped: false })
    }

    /// Ends the stream and gives what was held back, half a character as U+FFFD.
    pub fn finish(&mut self) -> String {
        let mut rest = std::mem::take(&mut self.held);
        rest.push_str(&String::from_utf8_lossy(&std::mem::take(&mut self.partial)));
        rest
    }

    fn take_whole_characters(&mut self) {
        loop {
            match std::str::from_utf8(&self.partial) {
                Ok(text) => {
                    self.held.push_str(text);
                    return self.partial.clear();
                }
                Err(error) => {
                    let whole = error.valid_up_to();
                    self.held.push_str(&String::from_utf8_lossy(&self.partial[..whole]));
                    self.partial.drain(..whole);
                    // Without a length, the bytes may yet become a character.
                    let Some(wrong) = error.error_len() else { return };
                    self.held.push(char::REPLACEMENT_CHARACTER);
                    self.partial.drain(..wrong);
                }
            }
        }
    }

    /// Where the stop string begins that is complete first, wherever tokens end.
    fn first_stop(&self) -> Option<usize> {
        let found =
            self.stops.iter().filter_map(|stop| Some((self.held.find(stop)?, stop.len())));
        found.min_by_key(|&(at, length)| (at + length, at)).map(|(at, _)| at)
    }

    /// How many bytes at the end could be the beginning of a stop string.
    fn doubtful(&self) -> usize {
        let beginnings =
            self.stops.iter().flat_map(|stop| stop.char_indices().map(|(n, _)| &stop[..n]));
        beginnings.filter(|begin| self.held.ends_with(begin)).map(str::len).max().unwrap_or(0)
    }
}
