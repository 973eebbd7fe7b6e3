use std::convert::Infallible;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use ground::text::{one_line, visible};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use openai::{Form, Refusal, Told, ValidatedRequest, decoded, model, models};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::Server;
use super::stream::Stream;
use super::validate::{check_model, validate};
use crate::queue::Queued;

type Answer = Response<BoxBody<Bytes, Infallible>>;

const BODY: usize = 4 << 20; // bytes
const BODY_TIME: Duration = Duration::from_secs(30);
/// So many texts are made into tokens at once.
static CHECKS: Semaphore = Semaphore::const_new(4);

/// One request: an answer or a refusal, and a line for the log.
pub async fn answer(
    server: &'static Server,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let clock = Instant::now();
    let line =
        format!("{} {}", request.method(), visible(&one_line(request.uri().path(), 100)));
    let answer = route(server, request).await.unwrap_or_else(|refusal| {
        let mut answer = json(refusal.body());
        *answer.status_mut() = StatusCode::from_u16(refusal.status).expect("there are these");
        if let Some((name, value)) = refusal.header {
            header(&mut answer, HeaderName::from_static(name), value);
        }
        answer
    });
    let (status, ms) = (answer.status().as_u16(), clock.elapsed().as_millis());
    // Not `eprintln!`, which panics when standard error is closed.
    let _ = writeln!(io::stderr(), "{line} {status} {ms} ms");
    Ok(answer)
}

async fn route(server: &'static Server, request: Request<Incoming>) -> Result<Answer, Refusal> {
    let path = request.uri().path().to_string();
    let path = path.strip_prefix("/v1").filter(|rest| rest.starts_with('/')).unwrap_or(&path);
    let method = match path {
        "/health" | "/models" => "GET",
        path if path.starts_with("/models/") => "GET",
        "/completions" | "/chat/completions" => "POST",
        _ => {
            let message = format!("there is nothing at {}", visible(&one_line(path, 60)));
            return Err(Refusal::new(404, "not_found", message));
        }
    };
    // HEAD is GET whose body hyper leaves out.
    let asked =
        if request.method() == Method::HEAD { "GET" } else { request.method().as_str() };
    if asked != method {
        let message = format!("expected {method} here");
        return Err(Refusal::new(405, "wrong_method", message).with_header("allow", method));
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

async fn body(request: Request<Incoming>) -> Result<Bytes, Refusal> {
    let too_large = || Refusal::new(413, "too_large", format!("expected at most {BODY} bytes"));
    if request.body().size_hint().lower() > BODY as u64 {
        return Err(too_large()); // it says so itself
    }
    match timeout(BODY_TIME, Limited::new(request.into_body(), BODY).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Refusal::new(400, "broken_body", "the body broke off")),
        Err(_) => Err(Refusal::new(408, "slow_body", "the body took longer than 30 s")),
    }
}

async fn complete(
    server: &'static Server,
    request: Request<Incoming>,
    chat: bool,
) -> Result<Answer, Refusal> {
    let body = body(request).await?;
    // Making tokens of a long text takes a while, and others are served meanwhile. Each needs memory for its text.
    let place = CHECKS.acquire().await;
    let checked = spawn_blocking(move || {
        let _place = place;
        let validated = ValidatedRequest::parse(&body, chat, server.options())?;
        let asked = validate(server, &validated)?;
        Ok((validated, asked))
    });
    let checked = checked.await.unwrap_or_else(|_| Err(Refusal::failed("that is a bug")));
    let (mut validated, asked) = checked?;
    let prompt_tokens = asked.iter().map(|asked| asked.request.prompt_ids().len()).sum();
    let model = validated.model.take().unwrap_or_else(|| server.names[0].clone());
    let tokenizer = &server.session.tokenizer;
    let form = Form::new(&validated, model, &server.fingerprint, prompt_tokens, tokenizer);
    let mut told: Vec<Told> = asked.iter().map(|_| Told::default()).collect();
    let (sender, mut events) = unbounded_channel();
    let queued = asked.into_iter().enumerate();
    let queued = queued.map(|(index, asked)| Queued { asked, index, events: sender.clone() });
    if !server.queue.push(queued.collect()) {
        let message = "too many requests are waiting: try again in a moment";
        return Err(Refusal::new(429, "queue_full", message).with_header("retry-after", "1"));
    }
    drop(sender); // what keeps the channel open is the engine
    if validated.stream {
        let stream = Stream::new(form, events, told, validated.usage);
        let mut answer = Response::new(stream.boxed());
        header(&mut answer, CONTENT_TYPE, "text/event-stream");
        header(&mut answer, CACHE_CONTROL, "no-cache");
        return Ok(answer);
    }
    while let Some(event) = events.recv().await {
        let step = event.what.map_err(Refusal::failed)?;
        told[event.index].push(chat, &step);
    }
    if told.iter().any(|told| told.finish.is_none()) {
        return Err(Refusal::failed("the engine has ended"));
    }
    Ok(json(form.whole(&told)))
}

fn json(value: impl ToString) -> Answer {
    whole("application/json", value.to_string())
}

fn whole(kind: &'static str, text: String) -> Answer {
    let mut answer = Response::new(Full::from(text).boxed());
    header(&mut answer, CONTENT_TYPE, kind);
    answer
}

fn header(answer: &mut Answer, name: HeaderName, value: &'static str) {
    answer.headers_mut().insert(name, HeaderValue::from_static(value));
}
