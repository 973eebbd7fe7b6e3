use std::convert::Infallible;
use std::future::pending;
use std::time::{Duration, Instant};

use ground::text::{one_line, visible};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use openai::{Form, Refusal, Stopwatch, Told, ValidatedRequest, decoded, model, models};
use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::Server;
use super::stream::Stream;
use super::validate::{check_model, validate};
use crate::log;
use crate::queue::Queued;

type Answer = Response<BoxBody<Bytes, Infallible>>;

const SERVED: &str = "/v1/models, /v1/completions and /v1/chat/completions";
const BODY: usize = 4 << 20; // bytes
const BODY_TIME: Duration = Duration::from_secs(30);
/// The bytes of all bodies together.
static BODIES: Semaphore = Semaphore::const_new(128 << 20);

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
        _ => {
            let asked = visible(&one_line(request.uri().path(), 60));
            let message = format!("there is nothing at {asked}, but at {SERVED}");
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

/// A body, and its share of the memory for all of them.
async fn body(
    request: Request<Incoming>,
) -> Result<(Vec<u8>, SemaphorePermit<'static>), Refusal> {
    let too_large = || Refusal::new(413, "too_large", format!("expected at most {BODY} bytes"));
    if request.body().size_hint().lower() > BODY as u64 {
        return Err(too_large()); // it says so itself
    }
    let share =
        |bytes| BODIES.try_acquire_many(bytes as u32).map_err(|_| Refusal::queue_full());
    let (mut body, mut held) = (Vec::new(), share(0)?);
    let mut frames = Limited::new(request.into_body(), BODY);
    let read = async {
        while let Some(frame) = frames.frame().await {
            let data = frame.map(|frame| frame.into_data().unwrap_or_default());
            let data = data.map_err(|error| match error.is::<LengthLimitError>() {
                true => too_large(),
                false => Refusal::new(400, "broken_body", "the body broke off"),
            })?;
            held.merge(share(data.len())?);
            body.extend_from_slice(&data);
        }
        Ok(())
    };
    match timeout(BODY_TIME, read).await {
        Ok(all) => all.map(|()| (body, held)),
        Err(_) => Err(Refusal::new(408, "slow_body", "the body took longer than 30 s")),
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
    let (body, held) = body(request).await?;
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
        let stream = Stream::new(form, events, told, validated.usage, Box::pin(pending()));
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
        return Err(Refusal::ended());
    }
    beside(server, move || Ok(json(form.whole(&told)))).await
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
