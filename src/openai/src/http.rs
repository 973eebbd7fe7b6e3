//! HTTP as every route of a server needs it: whom it lets in, how it reads a body, in which form it answers. Requests come
//! in and answers go out; the connections are the caller's.

use std::convert::Infallible;
use std::net::IpAddr;
use std::time::Duration;

use ground::text::one_line;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::{PAGE, PAGE_POLICY, Refusal};

pub type Answer = Response<BoxBody<Bytes, Infallible>>;

const BODY: usize = 4 << 20; // bytes
const BODY_TIME: Duration = Duration::from_secs(30);
/// So many bytes of a body are always taken: whoever sends much would otherwise keep out those who send little.
const FREE: usize = 64 << 10;
/// The bytes of all bodies together, beyond these.
static BODIES: Semaphore = Semaphore::const_new(128 << 20);

/// Any page in a browser can make it send a request to this machine, under a name of the page's own. It can't
/// choose the `Host`.
pub fn check_host<T>(request: &Request<T>) -> Result<(), Refusal> {
    let hosts = request.headers().get_all("host").iter();
    let mut hosts: Vec<&str> = hosts.map(|host| host.to_str().unwrap_or_default()).collect();
    hosts.extend(request.uri().authority().map(|host| host.as_str()));
    let is_here = |host: &&str| {
        let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
        let name = name.map_or(*host, |(name, _)| name);
        let ip = name.trim_matches(['[', ']']).parse::<IpAddr>();
        name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
    };
    if hosts.iter().all(is_here) && !hosts.is_empty() {
        return Ok(());
    }
    let message =
        format!("expected a Host of localhost, found {:?}", one_line(&hosts.join(", "), 60));
    Err(Refusal::new(403, "wrong_host", message))
}

/// Which of these keys a request knows; without any key everybody is the same owner.
pub fn check_key(keys: &[String], headers: &HeaderMap) -> Result<usize, Refusal> {
    if keys.is_empty() {
        return Ok(0);
    }
    let given = text(headers, "authorization").split_once(' ').unwrap_or_default();
    let given = if given.0.eq_ignore_ascii_case("bearer") { given.1 } else { "" };
    // A wrong first letter takes as long as a wrong last one, and the first key as long as the last.
    let differs = |key: &String| {
        let letters = given.bytes().zip(key.bytes());
        letters.fold(given.len() ^ key.len(), |all, (a, b)| all | usize::from(a ^ b))
    };
    let differs: Vec<usize> = keys.iter().map(differs).collect();
    if let Some(owner) = differs.iter().position(|differs| *differs == 0) {
        return Ok(owner);
    }
    let message = "expected the header `Authorization: Bearer KEY` with this server's key";
    Err(Refusal::new(401, "invalid_api_key", message).with_header("www-authenticate", "Bearer"))
}

/// What a path is asked with: an answer to `OPTIONS`, nothing if it's `method`, a refusal of anything else.
pub fn check_method(found: &Method, method: &str) -> Result<Option<Answer>, Refusal> {
    let allowed = if method == "GET" { "GET, HEAD, OPTIONS" } else { "POST, OPTIONS" };
    match found.as_str() {
        "OPTIONS" => {
            let mut answer = whole("text/plain", String::new());
            header(&mut answer, "allow", allowed);
            Ok(Some(answer))
        }
        "HEAD" if method == "GET" => Ok(None), // hyper leaves the body out
        found if found == method => Ok(None),
        _ => {
            let message = format!("expected {method} here");
            Err(Refusal::new(405, "wrong_method", message).with_header("allow", allowed))
        }
    }
}

/// The other types are those that a page from elsewhere may send without asking.
fn check_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let kind = text(headers, "content-type").split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "expected the header `Content-Type: application/json`";
    Err(Refusal::new(415, "wrong_content_type", message))
}

/// hyper takes chunks apart and lets other codings pass, so a compressed body would be read as if it weren't.
fn check_coding(headers: &HeaderMap) -> Result<(), Refusal> {
    let all = [("transfer-encoding", "chunked", 400), ("content-encoding", "identity", 415)];
    for (name, known, status) in all {
        let found: Vec<_> = headers.get_all(name).iter().map(|it| it.as_bytes()).collect();
        let found = found.join(&b", "[..]);
        if !found.is_empty() && !found.eq_ignore_ascii_case(known.as_bytes()) {
            let message = format!("expected no header `{name}`, or {known}");
            return Err(Refusal::new(status, "wrong_coding", message));
        }
    }
    Ok(())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// A body of JSON, and its share of the memory for all bodies.
pub async fn read_body(
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
            let lacks = (body.len() + data.len()).saturating_sub(FREE + held.num_permits());
            held.merge(share(lacks)?);
            body.extend_from_slice(&data);
        }
        Ok(())
    };
    match timeout(BODY_TIME, read).await {
        Ok(all) => all.map(|()| (body, held)),
        Err(_) => Err(Refusal::new(408, "slow_body", "the body took longer than 30 s")),
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        let mut answer = json(refusal.body());
        *answer.status_mut() = StatusCode::from_u16(refusal.status).expect("there are these");
        if let Some((name, value)) = refusal.header {
            header(&mut answer, name, value);
        }
        if refusal.status == 401 {
            header(&mut answer, "connection", "close"); // without a key, no place is kept
        }
        answer
    }
}

/// One file, which loads nothing from elsewhere: the policy forbids it.
pub fn page() -> Answer {
    let mut answer = whole("text/html; charset=utf-8", PAGE.into());
    header(&mut answer, "content-security-policy", PAGE_POLICY);
    answer
}

/// An answer that comes in pieces, as server-sent events.
pub fn streamed(
    body: impl Body<Data = Bytes, Error = Infallible> + Send + Sync + 'static,
) -> Answer {
    let mut answer = Response::new(body.boxed());
    header(&mut answer, "content-type", "text/event-stream");
    header(&mut answer, "cache-control", "no-cache");
    answer
}

pub fn json(value: impl ToString) -> Answer {
    whole("application/json", value.to_string())
}

pub fn whole(kind: &'static str, text: String) -> Answer {
    let mut answer = Response::new(Full::from(text).boxed());
    header(&mut answer, "content-type", kind);
    answer
}

fn header(answer: &mut Answer, name: &'static str, value: &'static str) {
    let (name, value) = (HeaderName::from_static(name), HeaderValue::from_static(value));
    answer.headers_mut().insert(name, value);
}
