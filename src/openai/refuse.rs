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
}

impl Refusal {
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { status, code, param: None, message: message.into(), header: None }
    }

    /// A field of the request isn't as it should be.
    pub fn of(param: &str, code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { param: Some(param.into()), ..Refusal::new(400, code, message) }
    }

    /// Too late for a status, this is an event of a stream in place of its end.
    pub fn failed(why: impl Into<String>) -> Refusal {
        Refusal::new(500, "failed", why)
    }

    /// In the form that OpenAI's clients know: all four fields are always there.
    pub fn body(&self) -> String {
        let kind = match self.status {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        let Refusal { code, param, message, .. } = self;
        json!({ "error": { "message": message, "type": kind, "param": param, "code": code } })
            .to_string()
    }
}
