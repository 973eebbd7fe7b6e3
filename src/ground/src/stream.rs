//! Ids to text as they come: whole characters only, and nothing of a stop string.

use std::sync::Arc;

use crate::tokenizer::{Tokenizer, TokenizerError};

/// The stop strings of a request, prepared once for all its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Stops(Arc<[Stop]>);

#[derive(Debug, PartialEq)]
struct Stop {
    bytes: Vec<u8>,
    shorter: Vec<usize>, // of its first n + 1 bytes: how many at their end are its beginning again
}

impl Stops {
    /// An empty stop string is ignored.
    pub fn new(stops: &[String]) -> Stops {
        Stops(
            stops.iter().filter(|stop| !stop.is_empty()).map(|stop| Stop::new(stop)).collect(),
        )
    }
}

impl Stop {
    fn new(text: &str) -> Stop {
        let mut stop = Stop { bytes: text.into(), shorter: vec![0] };
        for at in 1..stop.bytes.len() {
            stop.shorter.push(stop.next(stop.shorter[at - 1], stop.bytes[at]));
        }
        stop
    }

    /// A text ends with the first `matched` bytes, though not with all: with how many does it end after the next byte?
    fn next(&self, mut matched: usize, byte: u8) -> usize {
        while matched > 0 && self.bytes[matched] != byte {
            matched = self.shorter[matched - 1];
        }
        matched + usize::from(self.bytes[matched] == byte)
    }
}

/// Turns one id after another into text that is safe to print.
pub struct TextStream<'a> {
    tokenizer: &'a Tokenizer,
    stops: Stops,
    matched: Vec<usize>, // of each stop string: with how many of its bytes the text ends
    partial: Vec<u8>,    // the beginning of a character
    held: String,        // whole characters that could be the beginning of a stop string
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
    /// A stream that ends before the first of `stops`.
    pub fn new(tokenizer: &'a Tokenizer, stops: &Stops) -> Self {
        TextStream {
            tokenizer,
            stops: stops.clone(),
            matched: vec![0; stops.0.len()],
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
        let known = self.held.len();
        self.take_whole_characters();
        if let Some(at) = self.first_stop(known) {
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

    /// Where the stop string begins that is complete first, wherever tokens end: what is new begins at `known`.
    fn first_stop(&mut self, known: usize) -> Option<usize> {
        for (at, byte) in self.held.bytes().enumerate().skip(known) {
            let mut longest = 0;
            for (stop, matched) in self.stops.0.iter().zip(&mut self.matched) {
                *matched = stop.next(*matched, byte);
                if *matched == stop.bytes.len() {
                    longest = longest.max(*matched);
                }
            }
            if longest > 0 {
                return Some(at + 1 - longest);
            }
        }
        None
    }

    /// How many bytes at the end could be the beginning of a stop string.
    fn doubtful(&self) -> usize {
        self.matched.iter().copied().max().unwrap_or(0)
    }
}
