use std::convert::Infallible;
use std::time::Instant;

use ground::text::{one_line, visible};
use hyper::Request;
use hyper::body::Incoming;
use openai::http::{Answer, check_method, json};
use openai::{Refusal, decoded, model, models};
use serde_json::json;

use super::Server;
use crate::log;

const SERVED: &str = "/health and /v1/models";

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
        _ => return Err(Refusal::not_found(request.uri().path(), SERVED)),
    };
    if let Some(answer) = check_method(request.method(), method)? {
        return Ok(answer);
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
