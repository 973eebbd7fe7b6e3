use ground::request::RequestError;
use ground::text::{one_line, visible};
use serde_json::json;

/// Why a request isn't answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub status: u16,
    pub code: &'static str,
    pub param: Option<String>,
    pub message: String,
    /// A header that its status asks for.
    pub header: Option<(&'static str, &'static str)>,
    /// Of a prompt that is too long: how many tokens it has at least, and how many it may have.
    pub tokens: Option<(u32, u32)>,
}

impl Refusal {
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Refusal {
        // It may repeat what was sent, however long that was.
        let message = one_line(&message.into(), 300);
        Refusal { status, code, param: None, message, header: None, tokens: None }
    }

    /// The path is whatever bytes a client chose to send.
    pub fn not_found(path: &str, served: &str) -> Refusal {
        let asked = visible(&one_line(path, 60)).to_string();
        Refusal::new(404, "not_found", format!("there is nothing at {asked}, but at {served}"))
    }

    /// A field of the request isn't as it should be.
    pub fn of(param: &str, code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { param: Some(one_line(param, 100)), ..Refusal::new(400, code, message) }
    }

    pub fn with_header(self, name: &'static str, value: &'static str) -> Refusal {
        Refusal { header: Some((name, value)), ..self }
    }

    /// Some clients look for these words of OpenAI's or for llama.cpp's numbers, to try again with a shorter prompt.
    pub fn too_long(param: &str, error: &RequestError) -> Option<Refusal> {
        let (found, of, at_least, holds) = match *error {
            RequestError::TooLong { found, holds } => (found, "", found, holds),
            // It was never counted.
            RequestError::FarTooLong { bytes, holds } => {
                (bytes, " bytes, which are more", holds + 1, holds)
            }
            _ => return None,
        };
        let tokens = Some((at_least as u32, holds as u32));
        let message = format!(
            "Input tokens exceed the configured limit of {holds} tokens: found {found}{of}"
        );
        Some(Refusal { tokens, ..Refusal::of(param, "context_length_exceeded", message) })
    }

    pub fn queue_full() -> Refusal {
        let message = "too many requests are waiting: try again in a moment";
        Refusal::new(429, "queue_full", message).with_header("retry-after", "1")
    }

    /// What comes too late, or takes too long, while the server ends.
    pub fn ending() -> Refusal {
        Refusal::new(503, "ending", "this server is about to end")
    }

    /// Too late for a status, this is an event of a stream in place of its end.
    pub fn failed(why: impl Into<String>) -> Refusal {
        Refusal::new(500, "failed", why)
    }

    /// Nothing more will be computed, whether the server is about to end or the engine broke.
    pub fn ended() -> Refusal {
        Refusal::new(503, "ending", "the engine has ended")
    }

    /// In the form that OpenAI's clients know: all four fields are always there.
    pub fn body(&self) -> String {
        let kind = match self.status {
            400 if self.code == "context_length_exceeded" => "exceed_context_size_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        let Refusal { code, param, message, .. } = self;
        let mut body = json!({ "error": { "message": message, "type": kind, "param": param, "code": code } });
        if let Some((found, holds)) = self.tokens {
            body["error"]["n_prompt_tokens"] = json!(found);
            body["error"]["n_ctx"] = json!(holds);
        }
        body.to_string()
    }
}
