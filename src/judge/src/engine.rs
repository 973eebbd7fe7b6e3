//! Asking a program: its own command line in, its own `--json` out, and nothing between.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ground::text::one_line;
use serde::Deserialize;
use serde_json::Value;

use crate::time_limit::{RUN, run_within};
use catalog::chapters::Chapter;
use catalog::manifest::Way;

/// A built engine and the ways in which it can be run.
#[derive(Clone, Debug)]
pub struct Engine {
    /// What messages call it: "ch02-kv-cache", or "my/ch02".
    pub name: String,
    pub program: PathBuf,
    /// All of them must agree to the bit; the first is the one that the others are compared with.
    pub ways: Vec<Way>,
    /// Whether its JSON has metrics.
    pub metrics: bool,
    /// Which judgement it is held to, if not the first one: what is rounded there is rounded here.
    pub judge: Option<String>,
    /// Which snapshot of the model's words it is held to, if not the first one.
    pub says: Option<String>,
    /// Whether it is a server where it is given no prompt.
    pub serves: bool,
}

/// One run, but for the way: what is asked, and of which model.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// None: the model inside the program.
    pub model: Option<PathBuf>,
    pub flags: Vec<String>,
}

impl Question {
    /// Greedy tokens after these ids, not ended by an end token, with the best logits of each step.
    pub fn greedy(model: &Path, ids: &[u32], tokens: usize, logits: usize) -> Question {
        let mut question = Question::of(model, ids, tokens);
        question.flags.push("--ignore-eos".into());
        question.flags.push(format!("--top-logits={logits}"));
        question
    }

    /// As many tokens after these ids, as any user would get them.
    pub fn of(model: &Path, ids: &[u32], tokens: usize) -> Question {
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        let flags = vec![
            format!("--token-ids={}", ids.join(",")),
            format!("--max-new-tokens={tokens}"),
        ];
        Question { model: Some(model.into()), flags }
    }

    pub fn with(mut self, flags: &[&str]) -> Question {
        self.flags.extend(flags.iter().map(|flag| flag.to_string()));
        self
    }
}

/// What a program answers with `--json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Answer {
    pub prompt_ids: Vec<u32>,
    pub generated_ids: Vec<u32>,
    pub text: String,
    pub finish_reason: String,
    #[serde(default)]
    pub top_logits: Vec<Vec<(u32, f32)>>,
    /// [1 + layers][positions][hidden]
    #[serde(default)]
    pub layer_states: Vec<Vec<Vec<f32>>>,
    pub metrics: Option<Value>,
}

/// What a topic comes to: nothing to say, or one mistake. In a box, because it tells much and is rare.
pub type Tried<T = ()> = Result<T, Box<Mistake>>;

/// The first thing that is wrong with an engine.
#[derive(Clone, Debug)]
pub struct Mistake {
    pub engine: String,
    pub way: Way,
    pub question: Question,
    pub place: String,
    pub expected: String,
    pub found: String,
    /// The first number of a layer that is another one, in words, if that is known.
    pub layer: String,
    /// What to look at.
    pub look: String,
}

impl Mistake {
    /// The command that shows it, to be typed again.
    fn command(&self) -> String {
        let mut words: Vec<String> = vec![self.engine.clone()];
        words
            .extend(self.way.flags.iter().chain(&self.question.flags).map(|word| quoted(word)));
        if let Some(model) = &self.question.model {
            words.push(format!("--model {}", quoted(&shown(model))));
        }
        words.join(" ")
    }

    /// The number that is wrong: of the first layer, or else what was asked for.
    pub fn in_a_line(&self) -> String {
        let Mistake { place, expected, found, layer, .. } = self;
        let all = format!("{place}: found {found}, expected {expected}");
        if layer.is_empty() { one_line(&all, 400) } else { layer.clone() }
    }

    /// What to look at, after what has been said already.
    pub fn also(&mut self, at: &str) {
        let and = if self.look.is_empty() || at.is_empty() { "" } else { "; then " };
        self.look += &format!("{and}{at}");
    }

    pub fn look(mut self: Box<Self>, at: &str) -> Box<Mistake> {
        self.also(at);
        self
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "  command:  {}", self.command())?;
        writeln!(out, "  where:    {}", self.place)?;
        writeln!(out, "  expected: {}", self.expected)?;
        write!(out, "  found:    {}", self.found)?;
        for (name, said) in [("layer:   ", &self.layer), ("look at: ", &self.look)] {
            if !said.is_empty() {
                write!(out, "\n  {name} {said}")?;
            }
        }
        Ok(())
    }
}

/// How a run ended, whatever it printed.
pub struct Ended {
    pub status: Option<i32>,
    pub output: String,
    pub errors: String,
}

impl Engine {
    /// A program that is to be what this chapter says of itself.
    pub fn of(chapter: &Chapter, name: String, program: PathBuf) -> Engine {
        let about = &chapter.about;
        let (ways, metrics) = (about.ways.clone(), about.metrics);
        let (judge, says) = (about.judge.clone(), about.says.clone());
        Engine { name, program, ways, metrics, judge, says, serves: about.serves }
    }

    /// The same program in two of its ways: the first, and the last that this machine has the instructions for.
    pub fn in_two_ways(&self) -> Engine {
        let (mut ways, mut engine) = (self.ways_here().cloned(), self.clone());
        engine.ways = ways.next().into_iter().chain(ways.last()).collect();
        engine
    }

    /// Of its ways the first alone.
    pub fn in_its_first_way(&self) -> Engine {
        Engine { ways: self.ways_here().take(1).cloned().collect(), ..self.clone() }
    }

    /// Of its ways the last alone.
    pub fn in_its_last_way(mut self) -> Engine {
        self.ways = self.ways.pop().into_iter().collect();
        self
    }

    /// Those of the ways that this machine has the instructions for.
    pub fn ways_here(&self) -> impl Iterator<Item = &Way> {
        self.ways.iter().filter(|way| way.is_possible())
    }

    /// Runs the program once and takes what it answers.
    pub fn ask(&self, way: &Way, question: &Question) -> Tried<Answer> {
        let json = question.clone().with(&["--json"]);
        let ended = self.run(way, &json)?;
        let mistake = |expected: &str, found: String| {
            self.mistake(way, &json, "the run as a whole", expected, found)
        };
        if ended.status != Some(0) {
            // A panic ends with a note on how to see more of the program's inside.
            let errors = ended.errors.lines().filter(|line| !line.starts_with("note: "));
            let errors = errors.collect::<Vec<_>>().join(" ");
            let found = format!("exit status {}: {}", status(&ended), errors.trim());
            return Err(mistake("exit status 0", found));
        }
        serde_json::from_str(&ended.output)
            .map_err(|error| mistake("one JSON object with all its numbers", error.to_string()))
    }

    /// Runs the program, whatever comes of it.
    pub fn run(&self, way: &Way, question: &Question) -> Tried<Ended> {
        let mut command = Command::new(&self.program);
        command.args(&question.flags).args(&way.flags).env("RUST_BACKTRACE", "0");
        if let Some(model) = &question.model {
            command.arg("--model").arg(model);
        }
        // A real model may have a thousand times the weights of the tiny one.
        let size = question.model.as_ref().and_then(|model| fs::metadata(model).ok());
        let limit = RUN + Duration::from_secs(size.map_or(0, |size| size.len() / 5_000_000));
        let ran = run_within(&mut command, limit).map_err(|error| {
            self.mistake(way, question, "its start", "a program that runs", error.to_string())
        })?;
        let ended = ran
            .status
            .map_err(|why| self.mistake(way, question, "the run as a whole", "an end", why))?;
        Ok(Ended {
            status: ended.code(),
            output: String::from_utf8_lossy(&ran.stdout).into_owned(),
            errors: String::from_utf8_lossy(&ran.stderr).into_owned(),
        })
    }

    pub fn mistake(
        &self,
        way: &Way,
        question: &Question,
        place: &str,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Box<Mistake> {
        Box::new(Mistake {
            engine: self.name.clone(),
            way: way.clone(),
            question: question.clone(),
            place: place.to_string(),
            expected: expected.to_string(),
            found: found.to_string(),
            layer: String::new(),
            look: String::new(),
        })
    }
}

fn status(ended: &Ended) -> String {
    ended.status.map_or("of a signal".into(), |code| code.to_string())
}

/// As it would be typed in the course's folder.
fn shown(model: &Path) -> String {
    let root = catalog::chapters::root();
    model.strip_prefix(&root).unwrap_or(model).to_string_lossy().into_owned()
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/:+".contains(c);
    // A prompt of thousands of tokens is no line that anybody types.
    if let Some((end, _)) = word.char_indices().nth(300) {
        return format!("{}... ({} letters)", &word[..end], word.len());
    }
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("{word:?}") }
}
