//! What cannot be done is refused: with one line, an exit status, and nothing on standard output.

use std::path::Path;

use crate::ends;
use crate::engine::{Engine, Mistake, Question, Tried};

pub fn are_one_line(engine: &Engine, root: &Path) -> Tried {
    let script = ends::model(root);
    let model = |flags: &[&str]| {
        Question { model: Some(script.clone()), ..Question::default() }.with(flags)
    };
    let file = |path: &Path, flags: &[&str]| {
        Question { model: Some(path.into()), ..Question::default() }.with(flags)
    };
    // A chapter may take no prompt for something else than a text to continue.
    let prompted = |flag: &str| model(&[flag, "Once upon a time"]);
    let too_long = format!("--token-ids={}", vec!["101"; ends::CONTEXT + 1].join(","));
    let cut_short = cut_short(&script).map_err(|error| broken(engine, error))?;
    let cases = [
        (model(&["--token-ids=9999"]), 1, "token id 9999 is not in the vocabulary"),
        (model(&[""]), 1, "the prompt is empty"),
        (model(&[too_long.as_str()]), 1, "this model's context holds 64"),
        (prompted("--temperature=-1"), 1, "the temperature is -1"),
        (prompted("--temperature=nan"), 1, "the temperature is NaN"),
        (prompted("--top-p=2"), 1, "top-p is 2"),
        (prompted("--repetition-penalty=0"), 1, "the repetition penalty is 0"),
        (prompted("--stop="), 1, "a stop string is empty"),
        (file(Path::new("no-such-file.gguf"), &["Once upon a time"]), 1, "no-such-file.gguf"),
        (file(cut_short.path(), &["Once upon a time"]), 1, "ends"),
        (model(&["--no-such-flag"]), 2, "--no-such-flag"),
        (model(&["--token-ids=97", "a prompt beside it"]), 2, "--token-ids"),
        (prompted("--think=on"), 2, "--chat"),
        (model(&["--top-logits=3"]), 2, "--json"),
        (model(&["--layer-states"]), 2, "--json"),
        (model(&["-n", "-1"]), 2, "-1"),
    ];
    let way = &engine.ways[0];
    for (question, status, words) in &cases {
        let ended = engine.run(way, question)?;
        let wrong = |place: &str, wanted: String, found: &str| {
            Err(engine.mistake(way, question, place, wanted, found))
        };
        if ended.status != Some(*status) {
            let found = format!("{:?}: {}", ended.status, ended.errors.trim());
            return wrong("the exit status", status.to_string(), &found);
        }
        if !ended.output.is_empty() {
            return wrong("standard output", "nothing".into(), ended.output.trim());
        }
        let line = ended.errors.trim_end();
        let one_line = *status == 2 || line.lines().count() == 1;
        if !line.starts_with("error: ") || !line.contains(words) || !one_line {
            return wrong("standard error", format!("one line, error: ... {words}"), line);
        }
    }
    // A way that this machine has no instructions for.
    for way in engine.ways.iter().filter(|way| !way.is_possible()) {
        let question = model(&["--token-ids=97"]);
        let ended = engine.run(way, &question)?;
        if ended.status != Some(1) || ended.errors.trim_end().lines().count() != 1 {
            let wanted = "one line, because this CPU has no such instructions";
            let found = ended.errors.trim();
            return Err(engine.mistake(way, &question, "its refusal", wanted, found));
        }
    }
    Ok(())
}

/// The first half of a model.
fn cut_short(model: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let bytes = std::fs::read(model)?;
    let file = tempfile::NamedTempFile::new()?;
    std::fs::write(file.path(), &bytes[..bytes.len() / 2])?;
    Ok(file)
}

fn broken(engine: &Engine, error: std::io::Error) -> Box<Mistake> {
    let way = &engine.ways[0];
    engine.mistake(way, &Question::default(), "a file to try", "it is written", error)
}
