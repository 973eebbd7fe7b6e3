use std::convert::Infallible;
use std::time::Instant;

use ground::text::{one_line, visible};
use hyper::Request;
use hyper::body::Incoming;
use openai::http::{Answer, check_method, json, read_body};
use openai::{Form, Refusal, Stopwatch, Told, ValidatedRequest, decoded, model, models};
use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::spawn_blocking;

use super::Server;
use super::validate::{check_model, validate};
use crate::log;
use crate::queue::Queued;

const SERVED: &str = "/v1/models, /v1/completions and /v1/chat/completions";

/// One request: an answer or a refusal, and a line for the log.
pub async fn answer(
    server: &'static Server,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let clock = Instant::now();
    let line =
        format!("{} {}", request.method(), visible(&one_line(request.uri().path(), 100)));
    let answer = route(server, request).await.unwrap_or_else(Answer::from);
    let (status, ms) = (answer.status().as_u16(), clock.elapsed().as_millis());
    log::line(format!("{line} {status} {ms} ms"));
    Ok(answer)
}

async fn route(server: &'static Server, request: Request<Incoming>) -> Result<Answer, Refusal> {
    let path = request.uri().path().to_string();
    let path = path.strip_prefix("/v1").filter(|rest| rest.starts_with('/')).unwrap_or(&path);
    let method = match path {
        "/health" | "/models" => "GET",
        path if path.starts_with("/models/") => "GET",
        "/completions" | "/chat/completions" => "POST",
        _ => return Err(Refusal::not_found(request.uri().path(), SERVED)),
    };
    if let Some(answer) = check_method(request.method(), method)? {
        return Ok(answer);
    }
    match path {
        "/health" => Ok(json(json!({ "status": "ok" }))),
        "/models" => Ok(json(models(&server.names, server.started))),
        "/completions" => complete(server, request, false).await,
        "/chat/completions" => complete(server, request, true).await,
        path => {
            let name = decoded(path.trim_start_matches("/models/"));
            check_model(server, Some(&name))?;
            Ok(json(model(&name, server.started)))
        }
    }
}

/// Work that takes a while, beside the thread that serves everybody. It needs memory, so only so much is done at once.
async fn beside<T: Send + 'static>(
    server: &'static Server,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let place = server.renderers.acquire().await;
    let done = spawn_blocking(move || (work(), place).0);
    done.await.unwrap_or_else(|_| Err(Refusal::failed("that is a bug")))
}

async fn complete(
    server: &'static Server,
    request: Request<Incoming>,
    chat: bool,
) -> Result<Answer, Refusal> {
    if server.queue.is_full() {
        return Err(Refusal::queue_full());
    }
    let (body, held) = read_body(request).await?;
    let checked = beside(server, move || {
        let validated = ValidatedRequest::parse(&body, chat, server.options())?;
        drop((body, held));
        let asked = validate(server, &validated)?;
        Ok((validated, asked))
    });
    let (mut validated, asked) = checked.await?;
    let prompt_tokens = asked.iter().map(|asked| asked.request.prompt_ids().len()).sum();
    let model = validated.model.take().unwrap_or_else(|| server.names[0].clone());
    let tokenizer = &server.session.tokenizer;
    let form = Form::new(&validated, model, &server.fingerprint, prompt_tokens, tokenizer);
    let mut told: Vec<Told> = asked.iter().map(|_| Told::default()).collect();
    let (sender, mut events) = unbounded_channel();
    let queued = asked.into_iter().enumerate().map(|(index, asked)| {
        let (clock, events) = (Stopwatch::start(), sender.clone());
        Queued { asked, index, clock, events }
    });
    if !server.queue.push(queued.collect()) {
        return Err(Refusal::queue_full());
    }
    drop(sender); // what keeps the channel open is the engine
    if validated.stream {
        let message = "stream is not supported here: leave it out";
        return Err(Refusal::of("stream", "unsupported_parameter", message));
    }
    while let Some(event) = events.recv().await {
        let step = event.what.map_err(Refusal::failed)?;
        told[event.index].push(chat, &step);
    }
    if told.iter().any(|told| told.finish.is_none()) {
        return Err(Refusal::ended());
    }
    beside(server, move || Ok(json(form.whole(&told)))).await
}
