use ground::error::Error;
use ground::sample::Sampling;
use serde::Serialize;

use crate::model::Model;
use crate::run::{Run, Wish};

/// What a page holds: bytes that came in, a model, a run of it, and the last answer.
#[derive(Default)]
pub struct Page {
    room: Vec<u8>,
    model: Option<&'static Model>,
    run: Option<Run>,
    sampling: Sampling,
    result: String,
}

impl Page {
    /// Room for the bytes of the next input, or none if the memory does not suffice.
    pub fn reserve(&mut self, bytes: usize) -> Option<&mut [u8]> {
        self.room = Vec::new();
        self.room.try_reserve_exact(bytes).ok()?;
        self.room.resize(bytes, 0);
        Some(&mut self.room)
    }

    /// Takes the input as a model in GGUF format.
    pub fn open(&mut self) -> bool {
        let bytes = std::mem::take(&mut self.room);
        self.run = None;
        let opened = Model::open(bytes).map(|model| {
            self.model = Some(model);
            model.about()
        });
        self.answer(opened)
    }

    /// Takes the first bytes of the input as a prompt. No token is computed yet.
    pub fn begin(&mut self, wish: Wish, bytes: usize) -> bool {
        self.run = None;
        let begun = self.begun(wish, bytes).map(|run| {
            let begun = run.begun();
            self.run = Some(run);
            begun
        });
        self.answer(begun.flatten())
    }

    fn begun(&self, wish: Wish, bytes: usize) -> Result<Run, Error> {
        let model =
            self.model.ok_or_else(|| Error::chapter("no model is open: open one first"))?;
        let prompt = self.room.get(..bytes).unwrap_or(&self.room);
        let prompt = std::str::from_utf8(prompt)
            .map_err(|error| Error::chapter(format!("the prompt is not UTF-8: {error}")))?;
        Run::begin(model, prompt, wish, &self.sampling)
    }

    /// Computes the next token.
    pub fn step(&mut self) -> bool {
        let step = self.running().and_then(Run::step);
        self.answer(step)
    }

    /// What the head looked at in the row that was computed for the token at `position`.
    pub fn attention(&mut self, layer: usize, head: usize, position: usize) -> bool {
        let weights = self.running().and_then(|run| run.attention(layer, head, position));
        self.answer(weights)
    }

    /// The same of every head, for a picture of all.
    pub fn heads(&mut self, position: usize) -> bool {
        let weights = self.running().and_then(|run| run.heads(position));
        self.answer(weights)
    }

    /// How the next `begin` or `branch` chooses its tokens, and what `shares` tells.
    pub fn draw(&mut self, temperature: f32, top_k: usize, top_p: f32, seed: u64) {
        let as_ever = Sampling::default();
        self.sampling = Sampling { temperature, top_k, top_p, seed, ..as_ever };
    }

    /// Goes another way: from the first `kept` tokens of the text on, with this one after them.
    pub fn branch(&mut self, kept: usize, id: u32) -> bool {
        let sampling = self.sampling.clone();
        let begun = self.running().and_then(|run| run.branch(kept, id, &sampling));
        self.answer(begun)
    }

    /// How likely tokens were to be drawn at this position of the reply.
    pub fn shares(&mut self, position: usize) -> bool {
        let sampling = self.sampling.clone();
        let shares = self.running().and_then(|run| run.shares(position, &sampling));
        self.answer(shares)
    }

    fn running(&mut self) -> Result<&mut Run, Error> {
        self.run.as_mut().ok_or_else(|| Error::chapter("nothing runs: begin a reply first"))
    }

    /// The last answer, one JSON object.
    pub fn result(&self) -> &str {
        &self.result
    }

    /// Keeps the answer, and says whether it is an error.
    fn answer<T: Serialize>(&mut self, answer: Result<T, Error>) -> bool {
        let failed = answer.is_err();
        let json = match answer {
            Ok(answer) => serde_json::to_string(&answer),
            Err(error) => serde_json::to_string(&Refusal { error: error.to_string() }),
        };
        self.result = json.expect("structs of texts and numbers can be written");
        failed
    }
}

#[derive(Serialize)]
struct Refusal {
    error: String,
}
