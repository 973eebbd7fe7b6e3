use std::convert::Infallible;
use std::time::Instant;

use ground::text::{one_line, visible};
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use openai::http::{
    Answer, check_host, check_key, check_method, json, page, read_body, streamed, whole,
};
use openai::{Form, Refusal, Stopwatch, Text, Told, ValidatedRequest, decoded, model, models};
use serde_json::json;
use tokio::select;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::spawn_blocking;

use super::End;
use super::Server;
use super::stream::Stream;
use super::validate::{check_model, encode, refused, validate};
use crate::log;
use crate::queue::Queued;

const SERVED: &str = "/v1/models, /v1/completions and /v1/chat/completions";
const ID: &str = "x-request-id";

/// One request: an answer or a refusal, and a line for the log.
pub async fn answer(
    server: &'static Server,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let given = request.headers().get(ID).and_then(|id| id.to_str().ok());
    let (clock, id) = (Instant::now(), openai::request_id(given.unwrap_or_default()));
    let method = request.method().to_string();
    let path = visible(&one_line(request.uri().path(), 100)).to_string();
    let mut answer = route(server, request).await.unwrap_or_else(Answer::from);
    let (status, ms) = (answer.status().as_u16(), clock.elapsed().as_millis() as u64);
    log::request(&method, &path, status, ms, &id);
    answer.headers_mut().insert(ID, HeaderValue::from_str(&id).expect("it is printable"));
    Ok(answer)
}

async fn route(server: &'static Server, request: Request<Incoming>) -> Result<Answer, Refusal> {
    if server.only_loopback {
        check_host(&request)?;
    }
    let path = request.uri().path().to_string();
    let path = path.strip_prefix("/v1").filter(|rest| rest.starts_with('/')).unwrap_or(&path);
    let method = match path {
        "/" | "/health" | "/models" | "/metrics" | "/openapi.json" => "GET",
        path if path.starts_with("/models/") => "GET",
        "/completions" | "/chat/completions" | "/tokenize" => "POST",
        _ => return Err(Refusal::not_found(request.uri().path(), SERVED)),
    };
    if let Some(answer) = check_method(request.method(), method)? {
        return Ok(answer);
    }
    if !["/", "/health", "/openapi.json"].contains(&path) {
        check_key(server.key.as_slice(), request.headers())?;
    }
    match path {
        "/" => Ok(page()),
        "/health" => server.goes_on().map(|()| json(json!({ "status": "ok" }))),
        "/openapi.json" => Ok(json(openai::DESCRIPTION)),
        "/metrics" => Ok(metrics(server)),
        "/models" => Ok(json(models(&server.names, server.started))),
        "/completions" => complete(server, request, false).await,
        "/chat/completions" => complete(server, request, true).await,
        "/tokenize" => {
            let (body, _held) = read_body(request).await?;
            let tokens = beside(server, move || {
                let text = Text::parse(&body)?;
                let ids = encode(server, &text.content);
                let ids = ids.map_err(|error| refused("content", &error))?;
                Ok(json(text.tokens(&ids, &server.session.tokenizer)))
            });
            tokens.await
        }
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
    server.goes_on()?;
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
    let prompt_tokens =
        asked.iter().map(|asked| asked.request.prompt_ids().len()).sum::<usize>() / validated.n;
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
        server.goes_on()?;
        return Err(Refusal::queue_full());
    }
    drop(sender); // what keeps the channel open is the engine
    let mut no_time = server.until(End::NoTime);
    if validated.stream {
        let stream = Stream::new(form, events, told, validated.usage, no_time);
        return Ok(streamed(stream));
    }
    loop {
        let event = select! {
            event = events.recv() => event,
            () = &mut no_time => return Err(Refusal::ending()),
        };
        let Some(event) = event else { break };
        let step = event.what?;
        told[event.index].cached = Some(event.cached);
        told[event.index].push(chat, &step);
    }
    if told.iter().any(|told| told.finish.is_none()) {
        return Err(Refusal::ended());
    }
    beside(server, move || Ok(json(form.whole(&told)))).await
}

fn metrics(server: &Server) -> Answer {
    let counts = server.queue.counts();
    let lines = [
        ("requests_accepted_total", counts.accepted),
        ("requests_refused_total", counts.refused),
        ("requests_answered_total", counts.answered),
        ("requests_left_total", counts.left),
        ("requests_failed_total", counts.failed),
        ("requests_waiting", counts.waiting),
        ("requests_running", counts.running),
        ("prompt_tokens_total", counts.prompt_tokens),
        ("cached_tokens_total", counts.cached_tokens),
        ("generated_tokens_total", counts.generated_tokens),
        ("blocks", server.pool.blocks as u64),
        ("blocks_in_use", server.pool.in_use() as u64),
    ];
    whole("text/plain; version=0.0.4", openai::metrics(&server.names[0], &lines))
}
