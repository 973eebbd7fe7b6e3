use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use ground::error::Error;
use ground::request::Request;
use ground::text::path_line;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::batch::{self, Part};
use crate::engine::Engine;
use crate::how::PREFILL_CHUNK;
use crate::paged::Paged;
use crate::queue::{Job, Queue};
use crate::recorder::{milliseconds, system_clock};
use crate::reply::Asked;
use crate::session::Session;
use crate::tree::Tree;
use crate::{Args, stop};

const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

/// One answer, by the server's engine: which tokens had been guessed, and what that was good for. Where a text is replayed,
/// the model computes everything and has no say.
pub fn show(
    args: &Args,
    paged: &Paged,
    guesses: usize,
    replay: Option<&Path>,
) -> Result<(), Error> {
    args.how()?; // refuses what the engine has no choice about
    let file = args.common.open_model()?;
    let session = Session::open(&file, system_clock(), args.team()?, args.kv_type)?;
    let (config, tokenizer) = (&session.model.config, &session.tokenizer);
    let mut request = args.common.request(&file, config, tokenizer)?;
    let mut replayed = None;
    if let Some(path) = replay {
        let why = |error| Error::chapter(format!("{}: {error}", path_line(path)));
        let text = fs::read_to_string(path).map_err(why)?;
        let number = |id: &str| {
            let found = || format!("{}: expected token ids, found {id:?}", path_line(path));
            id.trim().parse().map_err(|_| Error::chapter(found()))
        };
        let ids: Vec<u32> = match args.common.token_ids {
            Some(_) => text.split(',').map(number).collect::<Result<_, _>>()?,
            None => tokenizer.encode(&text)?,
        };
        Request::new(ids.clone(), args.common.options(0), config)?; // the model has them
        let mut options = args.common.options(ids.len());
        options.max_new_tokens = options.max_new_tokens.min(ids.len());
        request = Request::new(request.prompt_ids().to_vec(), options, config)?;
        replayed = Some(ids.into());
    }
    let (prompt, new) = (request.prompt_ids().len(), request.max_new_tokens());
    if new == 0 {
        return Err(Error::chapter("there is no answer in which anything could be guessed"));
    }
    let room = paged.room(config, args.kv_type, prompt + new)?;
    let (tree, queue) = (Mutex::new(Tree::new(&room, 1)), Queue::new(1));
    let mut engine = Engine::new(tokenizer, &tree, &queue, PREFILL_CHUNK.get(), guesses);
    let asked = Asked { request, bias: Vec::new(), likely: None, replay: replayed };
    let (sender, mut events) = unbounded_channel();
    queue.push(vec![Job { asked, index: 0, owner: 0, events: sender }]);

    stop::listen();
    let output = args.common.begin()?;
    let is_green = io::stdout().is_terminal();
    let (mut kept, mut text, clock, mut first_ms) = (0, String::new(), Instant::now(), None);
    let mut passes: Vec<(usize, f64)> = Vec::new(); // rows and ms, after the first token
    while queue.counts().waiting + queue.counts().running > 0 && !stop::asked() {
        let (clock_of_pass, mut rows) = (Instant::now(), 0);
        engine.round(&mut |parts: &mut [Part]| {
            rows = parts.iter().map(|part| part.ids.len()).sum();
            batch::forward(&session.model, parts)
        });
        if first_ms.is_some() {
            passes.push((rows, milliseconds(clock_of_pass.elapsed())));
        }
        while let Ok(event) = events.try_recv() {
            first_ms.get_or_insert_with(|| milliseconds(clock.elapsed()));
            let step = event.what.map_err(|refusal| Error::chapter(refusal.message))?;
            match is_green && event.guesses.kept > kept {
                true => output.print(&format!("{GREEN}{}{PLAIN}", step.text))?,
                false => output.print(&step.text)?,
            }
            kept = event.guesses.kept;
            text += &step.text;
        }
    }
    drop(output);
    let counts = queue.counts();
    let seconds = passes.iter().map(|(_, ms)| ms).sum::<f64>() / 1e3;
    let speed = (counts.generated_tokens as f64 - 1.0) / seconds;
    if args.common.json {
        let found: Value = json!({
            "text": text, "replayed": replay.is_some(), "prompt_tokens": prompt,
            "generated_tokens": counts.generated_tokens, "guessed_tokens": counts.guessed_tokens,
            "kept_tokens": counts.kept_tokens, "time_to_first_token_ms": first_ms,
            "decode_tokens_per_second": speed.is_finite().then_some(speed), "passes": passes,
        });
        writeln!(io::stdout(), "{found}")?;
        return Ok(());
    }
    let _ = writeln!(
        io::stderr(),
        "{}{} tokens in {} passes, {speed:.1} tok/s; {} guessed, {} came true",
        if replay.is_some() { "replayed: " } else { "" },
        counts.generated_tokens,
        passes.len() + 1,
        counts.guessed_tokens,
        counts.kept_tokens
    );
    Ok(())
}
