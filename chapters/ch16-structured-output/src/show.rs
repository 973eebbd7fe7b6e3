use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use ground::cli::Switch;
use ground::error::Error;
use ground::request::{Guesses, Options, Request};
use ground::text::path_line;
use openai::Stopwatch;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::batch;
use crate::decoder::EngineRequest;
use crate::engine::Engine;
use crate::paged::Paged;
use crate::prefix_cache::PrefixCache;
use crate::queue::{EngineError, Queue, Queued};
use crate::serve::Matchers;
use crate::session::Session;
use ch08_f16_cache::Args;
use ch08_f16_cache::how::PREFILL_CHUNK;
use ch08_f16_cache::recorder::system_clock;
use ch08_f16_cache::stop;

/// One answer, by the server's engine: which tokens had been guessed, and what that was good for. Where a text is replayed,
/// the model computes everything and has no say.
pub fn show(
    args: &Args,
    paged: &Paged,
    guesses: usize,
    replay: Option<&Path>,
    schema: Option<&Value>,
) -> Result<(), Error> {
    let file = args.common.open_model()?;
    let session = Session::open(&file, system_clock(), args.compute()?, args.kv_type)?;
    let (config, tokenizer) = (&session.model.config, &session.tokenizer);
    let mut request = args.common.request(&file, config, tokenizer)?;
    let by_ids = args.common.token_ids.is_some();
    let replay = replay.map(|path| ids(path, by_ids, &session)).transpose()?;
    if let Some(ids) = &replay {
        let mut options = args.common.options(ids.len());
        options.max_new_tokens = options.max_new_tokens.min(ids.len());
        request = Request::new(request.prompt_ids().to_vec(), options, config)?;
    }
    if request.max_new_tokens() == 0 {
        return Err(Error::chapter("there is nothing to guess in an answer of no tokens"));
    }
    let positions = request.prompt_ids().len() + request.max_new_tokens();
    let pool = paged.pool(config, args.kv_type, positions)?;
    let (prefix_cache, queue) = (Mutex::new(PrefixCache::new(&pool, 1)), Queue::new(1, 1));
    let (compute, budget) = (&session.model.compute, PREFILL_CHUNK.get());
    let mut engine = Engine::new(tokenizer, &prefix_cache, &queue, compute, budget, guesses);
    let thinks = args.common.chat && args.common.think == Switch::On;
    let matcher = Matchers::default().of(tokenizer, schema, None, thinks);
    let matcher = matcher.map_err(|why| Error::chapter(why.message))?;
    let asked = EngineRequest { request, bias: Vec::new(), likely: None, replay, matcher };
    let (sender, mut events) = unbounded_channel();
    let clock = Stopwatch::start();
    queue.push(vec![Queued { asked, index: 0, owner: 0, clock, events: sender }]);

    stop::listen();
    let output = args.common.begin()?;
    let is_green = io::stdout().is_terminal();
    let (mut text, mut new, mut guesses) = (String::new(), 0, Guesses::default());
    let (mut passes, mut first) = (0, None::<Instant>);
    while queue.counts().waiting + queue.counts().running > 0 && !stop::asked() {
        engine.round(&mut |items| batch::forward(&session.model, session.layers, items));
        passes += usize::from(first.is_some());
        while let Ok(event) = events.try_recv() {
            let why =
                |(EngineError::NoRoom(why) | EngineError::Failed(why))| Error::chapter(why);
            let step = event.what.map_err(why)?;
            first.get_or_insert_with(Instant::now);
            match is_green && event.guesses.accepted > guesses.accepted {
                true => output.print(&format!("\x1b[32m{}\x1b[0m", step.text))?,
                false => output.print(&step.text)?,
            }
            (new, guesses) = (new + 1, event.guesses);
            text += &step.text;
        }
    }
    drop(output);
    let Guesses { guessed, accepted: kept } = guesses;
    let speed = first.map(|first| (f64::from(new) - 1.0) / first.elapsed().as_secs_f64());
    if args.common.json {
        let told = json!({
            "text": text, "generated_tokens": new, "passes_after_first": passes,
            "guessed_tokens": guessed, "kept_tokens": kept, "decode_tokens_per_second": speed,
        });
        return Ok(writeln!(io::stdout(), "{told}")?);
    }
    let speed = speed.unwrap_or_default();
    let told = format!("after the first, {passes} passes and {speed:.1} tok/s");
    let _ = writeln!(io::stderr(), "{new} tokens; {told}; {guessed} guessed, {kept} came true");
    Ok(())
}

/// The tokens of a file: of its text, or those that it lists.
fn ids(path: &Path, by_ids: bool, session: &Session) -> Result<Arc<[u32]>, Error> {
    let why = |why: String| Error::chapter(format!("{}: {why}", path_line(path)));
    let text = fs::read_to_string(path).map_err(|error| why(error.to_string()))?;
    let ids = match by_ids {
        true => text.split(',').map(|id| id.trim().parse().map_err(|_| "expected ids".into())),
        false => return Ok(session.tokenizer.encode(&text)?.into()),
    };
    let ids: Vec<u32> = ids.collect::<Result<_, _>>().map_err(why)?;
    Request::new(ids.clone(), Options::default(), &session.model.config)?; // the model knows them
    Ok(ids.into())
}
