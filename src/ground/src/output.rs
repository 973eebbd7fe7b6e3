//! What a chapter's command line prints: the text as it comes, or all of it as one JSON object.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::error::Error;
use crate::request::Generation;
use crate::states::{self, States};

/// The way of one reply to standard output, from its prompt to its end.
pub struct Output {
    json: bool,
    ended: bool,
}

impl Output {
    /// Prints the text that is about to be continued. With `json` nothing appears before the end.
    /// With `layer_states` the states of all layers are kept for it.
    pub fn begin(prompt: &str, json: bool, layer_states: bool) -> io::Result<Output> {
        if layer_states {
            states::start();
        }
        let output = Output { json, ended: false };
        output.print(prompt)?;
        Ok(output)
    }

    /// Prints one piece of text as soon as it exists.
    pub fn print(&self, piece: &str) -> io::Result<()> {
        if self.json || piece.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(piece.as_bytes())?;
        out.flush()
    }

    /// Ends the output: a newline after the text, or the whole result as one JSON object.
    pub fn end(mut self, generation: &Generation, metrics: Option<Value>) -> Result<(), Error> {
        #[derive(Serialize)]
        struct Whole<'a> {
            #[serde(flatten)]
            generation: &'a Generation,
            #[serde(skip_serializing_if = "Option::is_none")]
            metrics: Option<Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            layer_states: Option<States>,
        }
        self.ended = true;
        let mut out = io::stdout().lock();
        if self.json {
            let layer_states = states::take();
            let whole = Whole { generation, metrics, layer_states };
            serde_json::to_writer(&mut out, &whole).map_err(io::Error::from)?;
        }
        writeln!(out)?;
        Ok(())
    }
}

/// A run that failed leaves its line unfinished: the error shall begin a new one.
impl Drop for Output {
    fn drop(&mut self) {
        if !self.ended && !self.json {
            let _ = writeln!(io::stdout());
        }
    }
}
