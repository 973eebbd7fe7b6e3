use std::convert::Infallible;
use std::time::Instant;

use ground::text::{one_line, visible};
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use openai::http::{
    Answer, check_host, check_key, check_method, json, page, read_body, streamed, whole,
};
use openai::{Refusal, Text, ValidatedRequest, decoded, model, models};
use serde_json::json;
use tokio::select;
use tokio::task::spawn_blocking;

use super::End;
use super::Server;
use super::stream::Stream;
use super::submit::submit;
use super::validate::{check_model, encode, refused, validate};
use crate::log;

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
        "/cache" | "/running" if server.debug_pages => "GET",
        path if path.starts_with("/models/") => "GET",
        "/completions" | "/chat/completions" | "/tokenize" => "POST",
        path if path.starts_with("/responses") || path.starts_with("/messages") => {
            return Err(Refusal::not_found(request.uri().path(), "/v1/chat/completions"));
        }
        _ => return Err(Refusal::not_found(request.uri().path(), SERVED)),
    };
    if let Some(answer) = check_method(request.method(), method)? {
        return Ok(answer);
    }
    let mut owner = 0;
    if !["/", "/health", "/openapi.json"].contains(&path) {
        owner = check_key(&server.keys, request.headers())?;
    }
    match path {
        "/" => Ok(page()),
        "/health" => server.goes_on().map(|()| json(json!({ "status": "ok" }))),
        "/openapi.json" => Ok(json(openai::structured_description())),
        "/metrics" => Ok(metrics(server)),
        "/cache" => {
            let prefix_cache =
                server.prefix_cache.lock().expect("nothing panics with the tree");
            Ok(whole(
                "text/plain; charset=utf-8",
                prefix_cache.draw(owner, &server.session.tokenizer),
            ))
        }
        "/running" => {
            let again = "<!doctype html><meta http-equiv=refresh content=1>";
            let page = format!("{again}<pre>{}</pre>", server.queue.shown(owner));
            Ok(whole("text/html; charset=utf-8", page))
        }
        "/models" => Ok(json(models(&server.names, server.started))),
        "/completions" => complete(server, request, owner, false).await,
        "/chat/completions" => complete(server, request, owner, true).await,
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
    owner: usize,
    chat: bool,
) -> Result<Answer, Refusal> {
    server.goes_on()?;
    if server.queue.is_full(owner) {
        return Err(Refusal::queue_full());
    }
    let (body, held) = read_body(request).await?;
    let checked = beside(server, move || {
        let validated = ValidatedRequest::parse_structured(&body, chat, server.options())?;
        drop((body, held));
        let asked = validate(server, &validated)?;
        Ok((validated, asked))
    });
    let (mut validated, asked) = checked.await?;
    let mut handle = submit(server, &mut validated, asked, owner)?;
    let mut no_time = server.until(End::NoTime);
    if validated.stream {
        let stream = Stream::new(handle, validated.usage, no_time);
        return Ok(streamed(stream));
    }
    loop {
        let event = select! {
            event = handle.events.recv() => event,
            () = &mut no_time => return Err(Refusal::ending()),
        };
        let Some(event) = event else { break };
        handle.take(chat, event)?;
    }
    beside(server, move || Ok(json(handle.whole()?))).await
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
        ("guessed_tokens_total", counts.guessed_tokens),
        ("kept_tokens_total", counts.kept_tokens),
        ("preempted_total", counts.preempted),
        ("passes_total", counts.passes),
        ("rows_total", counts.rows),
        ("pass_microseconds_total", counts.pass_us),
        ("longest_pass_microseconds", counts.longest_pass_us),
        ("blocks", server.pool.blocks as u64),
        ("blocks_in_use", server.pool.in_use() as u64),
    ];
    whole("text/plain; version=0.0.4", openai::metrics(&server.names[0], &lines))
}
