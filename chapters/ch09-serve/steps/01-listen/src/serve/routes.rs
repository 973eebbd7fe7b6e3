use std::convert::Infallible;
use std::time::Instant;

use ground::text::{one_line, visible};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use openai::{Refusal, decoded, model, models};
use serde_json::json;

use super::Server;
use crate::log;

type Answer = Response<BoxBody<Bytes, Infallible>>;

const SERVED: &str = "/health and /v1/models";

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
        path => {
            let name = decoded(path.trim_start_matches("/models/"));
            if !server.names.contains(&name) {
                return Err(Refusal::new(
                    404,
                    "model_not_found",
                    "there is no model of this name",
                ));
            }
            Ok(json(model(&name, server.started)))
        }
    }
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
