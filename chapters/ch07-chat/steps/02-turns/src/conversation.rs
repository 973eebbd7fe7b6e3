use std::io;

use ground::chat::{ChatTemplate, Message};
use ground::cli::check_length;
use ground::error::Error;
use ground::request::{FinishReason, Options, Request};
use ground::think_split::closed;
use serde::Serialize;

use crate::context::Context;
use crate::how::How;
use crate::metrics::metrics;
use crate::recorder::{Recorder, system_clock};
use crate::run_progress::RunProgress;
use crate::session::Session;

/// What may be changed from turn to turn.
#[derive(Clone, Debug)]
pub struct Settings {
    pub options: Options,
    pub think: bool,
}

/// Questions and answers, and a cache that holds the rows of as much of them as it can.
pub struct Conversation<'a> {
    /// Perhaps a system message, then questions and answers in turn.
    pub messages: Vec<Message>,
    pub settings: Settings,
    /// The rows of the last text that was computed, without an unfinished chunk.
    pub context: Context,
    /// How many answers have drawn tokens. It only grows: no two of them draw with the same seed.
    pub drawn: u64,
    pub session: &'a Session<'a>,
    template: ChatTemplate<'a>,
}

/// One question and its answer, and what it cost.
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    pub question: String,
    /// As the model wrote it, its thoughts included.
    pub text: String,
    pub ended: Ended,
    pub taken_back: bool, // it is no part of the conversation
    pub tokens: usize,    // of the whole conversation, before the answer
    pub kept: usize,      // of these
    pub computed: usize,  // of these
    pub generated: usize,
    pub seed: u64, // of this answer
    pub first_token_ms: Option<f64>,
    pub prefill_tokens_per_second: Option<f64>,
    pub decode_tokens_per_second: Option<f64>,
}

/// Why an answer is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    Eos,
    Stop,
    /// As many tokens as were asked for.
    Length,
    /// The context is full.
    Full,
    /// The watch has ended it.
    Interrupted,
}

/// Real models promise more than most machines have memory for.
const POSITIONS: usize = 4096;

impl<'a> Conversation<'a> {
    /// An empty conversation, perhaps with a system message.
    pub fn new(
        session: &'a Session<'a>,
        how: &How,
        system: Option<String>,
        settings: Settings,
    ) -> Result<Conversation<'a>, Error> {
        let config = &session.model.config;
        let positions = config.context_length.min(POSITIONS);
        // Settings that make no sense are refused before the first question.
        Request::new(vec![0], settings.options.clone(), config)?;
        if let Some(system) = &system {
            check_length(system, positions, &session.tokenizer)?;
        }
        let template = ChatTemplate::of(session.file, &session.tokenizer)?;
        let cache = how.kv.cache(config, positions)?;
        let context = Context::new(cache, how, positions);
        let messages = system.map(|content| message("system", &content)).into_iter().collect();
        Ok(Conversation { messages, settings, context, drawn: 0, session, template })
    }

    /// Asks, prints the answer as it comes, and keeps both. After an error the conversation is as it was
    /// before, and so it is when the watch ended it before the first word of the answer.
    pub fn ask(
        &mut self,
        question: &str,
        watch: &mut dyn FnMut(RunProgress) -> bool,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<Turn, Error> {
        let before = self.messages.clone();
        self.messages.push(message("user", question));
        let turn = self.answer(question, watch, print);
        match &turn {
            Ok(turn) if !turn.taken_back => {
                self.messages.push(message("assistant", &closed(&turn.text)));
            }
            _ => self.messages = before,
        }
        turn
    }

    /// Takes back the last question and its answer.
    pub fn undo(&mut self) -> Option<String> {
        let last = self.messages.iter().rposition(|message| message.role == "user")?;
        self.messages.drain(last..).next().map(|question| question.content)
    }

    /// Takes back all but the system message.
    pub fn reset(&mut self) {
        self.messages.truncate(self.first());
    }

    /// The answer to the last message.
    fn answer(
        &mut self,
        question: &str,
        watch: &mut dyn FnMut(RunProgress) -> bool,
        print: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<Turn, Error> {
        check_length(question, self.context.positions(), &self.session.tokenizer)?;
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        let ids = self.encode()?;
        let (tokens, kept) = (ids.len(), self.context.keep(&ids));
        // The last token of the answer is never fed back.
        let longest = (self.context.positions() + 1).saturating_sub(tokens);
        let mut options = self.settings.options.clone();
        let cut = options.max_new_tokens > longest;
        options.max_new_tokens = options.max_new_tokens.min(longest);
        // With the same seed in every turn, all of them would draw the same numbers.
        let seed = options.sampling.seed.wrapping_add(self.drawn);
        options.sampling.seed = seed;
        let request = Request::new(ids, options, &self.session.model.config)?;

        let reply =
            self.session.extend(&mut self.context, &request, &mut recorder, watch, print)?;
        let (text, generated) = (reply.text, reply.generated_ids.len());
        let ended = match reply.finish_reason {
            FinishReason::Eos => Ended::Eos,
            FinishReason::Stop => Ended::Stop,
            FinishReason::Length if cut => Ended::Full,
            FinishReason::Length => Ended::Length,
            FinishReason::Interrupted => Ended::Interrupted,
        };
        self.drawn = self.drawn.wrapping_add((generated > 0).into());
        // When it ends within the prompt, the chunks of it that were complete stay.
        let end = if generated > 0 { tokens } else { self.context.ids().len() };
        let computed = end - kept;
        let metrics = metrics(&recorder, computed, generated);
        Ok(Turn {
            question: question.into(),
            taken_back: ended == Ended::Interrupted && text.is_empty(),
            text,
            ended,
            tokens,
            kept,
            computed,
            generated,
            seed,
            first_token_ms: metrics.time_to_first_token_ms,
            prefill_tokens_per_second: metrics.prefill_tokens_per_second,
            decode_tokens_per_second: metrics.decode_tokens_per_second,
        })
    }

    /// The whole conversation as tokens, up to where the answer begins.
    fn encode(&self) -> Result<Vec<u32>, Error> {
        let rendered = self.template.render(&self.messages, self.settings.think, true)?;
        self.template.encode(&rendered)
    }

    /// Where the oldest turn begins.
    fn first(&self) -> usize {
        self.messages.iter().take_while(|message| message.role == "system").count()
    }
}

fn message(role: &str, content: &str) -> Message {
    Message { role: role.into(), content: content.into() }
}
