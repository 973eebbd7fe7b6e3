//! What is asked beside answers, tokens and the names of models; and what the server says of itself and of a request.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use ground::error::Error;
use ground::tokenizer::Tokenizer;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// A text whose tokens are asked for. This is llama.cpp's way to ask: OpenAI has none.
#[derive(Debug, Deserialize)]
pub struct Text {
    pub content: String,
    #[serde(default)]
    with_pieces: bool,
}

impl Text {
    pub fn parse(body: &[u8]) -> Result<Text, Refusal> {
        let refused = |error: serde_json::Error| {
            Refusal::of("content", "invalid_value", format!("content: {error}"))
        };
        serde_json::from_slice(body).map_err(refused)
    }

    /// A piece that is no text by itself is told as its bytes.
    pub fn tokens(&self, ids: &[u32], tokenizer: &Tokenizer) -> Value {
        let piece = |id: u32| {
            let bytes = tokenizer.printed_bytes(id).unwrap_or_default();
            std::str::from_utf8(bytes).map_or_else(|_| json!(bytes), |piece| json!(piece))
        };
        let tokens = ids.iter().map(|&id| match self.with_pieces {
            true => json!({ "id": id, "piece": piece(id) }),
            false => json!(id),
        });
        json!({ "tokens": tokens.collect::<Value>() })
    }
}

/// The list of models. `*` is no name, but stands for all of them.
pub fn models(names: &[String], since: u64) -> Value {
    let names = names.iter().filter(|name| *name != "*");
    let all: Vec<Value> = names.map(|name| model(name, since)).collect();
    json!({ "object": "list", "data": all })
}

pub fn model(name: &str, since: u64) -> Value {
    json!({ "id": name, "object": "model", "created": since, "owned_by": "one-diff-at-a-time" })
}

/// A part of a path without its `%20` and the like. What isn't written that way stays.
pub fn decoded(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after
            .get(..2)
            .filter(|hex| *first == b'%' && hex.iter().all(u8::is_ascii_hexdigit));
        let hex =
            hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(hex.unwrap_or(*first));
        rest = if hex.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a client calls its request, so that it finds it in our log, if that's short and printable; or a new name.
pub fn request_id(given: &str) -> String {
    if (1..=128).contains(&given.len()) && given.bytes().all(|byte| byte.is_ascii_graphic()) {
        return given.into();
    }
    format!("{:016x}", RandomState::new().hash_one(Instant::now()))
}

/// The first lines, with one that can be pasted.
pub fn greeting(name: &str, address: SocketAddr, asks_key: bool) -> String {
    let key = if asks_key { " -H \"Authorization: Bearer $KEY\"" } else { "" };
    format!(
        "{name} answers at http://{address}/, where there is a page to talk with it.\n\n\
         curl http://{address}/v1/chat/completions{key} -H \"Content-Type: application/json\" \\\n  \
         -d '{{\"messages\": [{{\"role\": \"user\", \"content\": \"What is the capital of France?\"}}]}}'\n"
    )
}

pub fn not_bound(address: IpAddr, port: u16, error: &io::Error) -> Error {
    let address = SocketAddr::new(address, port);
    Error::chapter(format!("cannot listen on {address}: {error}: try another --port or --host"))
}
