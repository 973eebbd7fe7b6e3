use std::convert::Infallible;
use std::time::{Duration, Instant};

use ground::text::{one_line, visible};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName,
    HeaderValue,
};
use hyper::{Method, Request, Response, StatusCode};
use openai::{Form, Refusal, Stopwatch, Text, Told, ValidatedRequest, decoded, model, models};
use serde_json::json;
use tokio::select;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::End;
use super::Server;
use super::access::{check_coding, check_host, check_key, check_type};
use super::stream::Stream;
use super::validate::{check_model, encode, refused, validate};
use crate::log;
use crate::queue::Queued;

type Answer = Response<BoxBody<Bytes, Infallible>>;

const SERVED: &str = "/v1/models, /v1/completions and /v1/chat/completions";
const ID: &str = "x-request-id";
const BODY: usize = 4 << 20; // bytes
const BODY_TIME: Duration = Duration::from_secs(30);
/// The bytes of all bodies together.
static BODIES: Semaphore = Semaphore::const_new(128 << 20);

/// One request: an answer or a refusal, and a line for the log.
pub async fn answer(
    server: &'static Server,
    request: Request<Incoming>,
) -> Result<Answer, Infallible> {
    let given = request.headers().get(ID).and_then(|id| id.to_str().ok());
    let (clock, id) = (Instant::now(), openai::request_id(given.unwrap_or_default()));
    let method = request.method().to_string();
    let path = visible(&one_line(request.uri().path(), 100)).to_string();
    let mut answer = route(server, request).await.unwrap_or_else(|refusal| {
        let mut answer = json(refusal.body());
        *answer.status_mut() = StatusCode::from_u16(refusal.status).expect("there are these");
        if let Some((name, value)) = refusal.header {
            header(&mut answer, HeaderName::from_static(name), value);
        }
        answer
    });
    let (status, ms) = (answer.status().as_u16(), clock.elapsed().as_millis() as u64);
    if status == 401 {
        header(&mut answer, CONNECTION, "close"); // without a key, no place is kept
    }
    log::request(&method, &path, status, ms, &id);
    answer.headers_mut().insert(ID, HeaderValue::from_str(&id).expect("it is printable"));
    Ok(answer)
}

async fn route(server: &'static Server, request: Request<Incoming>) -> Result<Answer, Refusal> {
    check_host(server, &request)?;
    let path = request.uri().path().to_string();
    let path = path.strip_prefix("/v1").filter(|rest| rest.starts_with('/')).unwrap_or(&path);
    let method = match path {
        "/" | "/health" | "/models" | "/metrics" | "/openapi.json" => "GET",
        path if path.starts_with("/models/") => "GET",
        "/completions" | "/chat/completions" | "/tokenize" => "POST",
        _ => {
            let asked = visible(&one_line(request.uri().path(), 60));
            let message = format!("there is nothing at {asked}, but at {SERVED}");
            return Err(Refusal::new(404, "not_found", message));
        }
    };
    let allowed = if method == "GET" { "GET, HEAD, OPTIONS" } else { "POST, OPTIONS" };
    if request.method() == Method::OPTIONS {
        let mut answer = whole("text/plain", String::new());
        header(&mut answer, ALLOW, allowed);
        return Ok(answer);
    }
    // HEAD is GET whose body hyper leaves out.
    let asked =
        if request.method() == Method::HEAD { "GET" } else { request.method().as_str() };
    if asked != method {
        let message = format!("expected {method} here");
        return Err(Refusal::new(405, "wrong_method", message).with_header("allow", allowed));
    }
    if !["/", "/health", "/openapi.json"].contains(&path) {
        check_key(server, request.headers())?;
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
            let (body, _held) = body(request).await?;
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

/// A body, and its share of the memory for all of them.
async fn body(
    request: Request<Incoming>,
) -> Result<(Vec<u8>, SemaphorePermit<'static>), Refusal> {
    check_type(request.headers())?;
    check_coding(request.headers())?;
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
    server.goes_on()?;
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
        server.goes_on()?;
        return Err(Refusal::queue_full());
    }
    drop(sender); // what keeps the channel open is the engine
    let mut no_time = server.until(End::NoTime);
    if validated.stream {
        let stream = Stream::new(form, events, told, validated.usage, no_time);
        let mut answer = Response::new(stream.boxed());
        header(&mut answer, CONTENT_TYPE, "text/event-stream");
        header(&mut answer, CACHE_CONTROL, "no-cache");
        return Ok(answer);
    }
    loop {
        let event = select! {
            event = events.recv() => event,
            () = &mut no_time => return Err(Refusal::ending()),
        };
        let Some(event) = event else { break };
        let step = event.what?;
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
        ("generated_tokens_total", counts.generated_tokens),
        ("blocks", server.pool.blocks as u64),
        ("blocks_in_use", server.pool.in_use() as u64),
    ];
    whole("text/plain; version=0.0.4", openai::metrics(&server.names[0], &lines))
}

/// One file, which loads nothing from elsewhere: the policy forbids it.
fn page() -> Answer {
    let mut answer = whole("text/html; charset=utf-8", openai::PAGE.into());
    header(&mut answer, CONTENT_SECURITY_POLICY, openai::PAGE_POLICY);
    answer
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
