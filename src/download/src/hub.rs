//! Asking the hub for a file. It declares the file's size and sum, then sends us on to where the bytes are.

use std::time::Duration;

use ground::text::one_line;
use ureq::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_RANGE, ETAG, IF_RANGE, LOCATION, RANGE, RETRY_AFTER,
};
use ureq::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::args::Wanted;
use crate::partial_file::Origin;

/// Why there is no file, or not all of it.
pub enum Failure {
    /// It may be otherwise soon, at the earliest after this time if the server named one.
    Again(String, Option<Duration>),
    Final(String),
}

/// What the server said before the first byte of the file.
pub struct Answer {
    /// Not all of the file, but what follows on the bytes that are here.
    pub continues: bool,
    pub origin: Origin,
    pub body: Body,
}

pub struct Hub {
    agent: Agent,
    endpoint: Uri,
    url: String,
    token: Option<HeaderValue>,
    seconds: u64,
}

impl Hub {
    /// Looks at `HF_TOKEN` and, in ureq, at the usual variables of a proxy.
    pub fn new(endpoint: &str, wanted: &Wanted, seconds: u64) -> Result<Hub, String> {
        let url = wanted.url(endpoint);
        let parsed = url.parse().ok().filter(|uri| origin(uri).is_some());
        let endpoint = parsed.ok_or("HF_ENDPOINT is no address, expected https://HOST")?;
        let token = std::env::var("HF_TOKEN").unwrap_or_default();
        let token = match HeaderValue::try_from(format!("Bearer {}", token.trim())) {
            _ if token.trim().is_empty() => None,
            Ok(mut value) => {
                value.set_sensitive(true);
                Some(value)
            }
            // Without its text: that belongs on no screen.
            Err(_) => return Err("HF_TOKEN is no token: a line of plain letters is one".into()),
        };
        let patience = Some(Duration::from_secs(seconds));
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            // We follow ourselves: the size and the sum are beside the first redirect.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_resolve(patience)
            .timeout_connect(patience)
            .timeout_per_read(patience)
            .timeout_per_write(patience)
            // A company's own certificates are among the system's.
            .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
            .user_agent("course-download")
            .build()
            .new_agent();
        Ok(Hub { agent, endpoint, url, token, seconds })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn host(&self) -> &str {
        self.endpoint.host().unwrap_or_default()
    }

    /// Asks for the file, or for what follows on its first `have` bytes, if they are still of the same file.
    pub fn ask(&self, wanted: &Wanted, have: u64, of: &Origin) -> Result<Answer, Failure> {
        let mut uri = self.endpoint.clone();
        let mut now = Origin { url: self.url.clone(), ..Origin::default() };
        for _ in 0..10 {
            let ours = origin(&uri) == origin(&self.endpoint);
            // Another sum is another file: it's begun anew. Without a sum or a tag, nothing says that it's the same.
            let same = match (&now.sum, &of.sum) {
                (Some(now), Some(then)) => now == then,
                _ => of.tag.is_some(),
            };
            let resumes = have > 0 && same;
            let mut request = self.agent.get(&uri);
            if let Some(token) = self.token.as_ref().filter(|_| ours) {
                request = request.header(AUTHORIZATION, token);
            }
            if resumes {
                request = request.header(RANGE, format!("bytes={have}-"));
                if let Some(tag) = &of.tag {
                    request = request.header(IF_RANGE, tag);
                }
            }
            let response = request.call().map_err(|error| self.unreached(&uri, error))?;
            let (status, headers) = (response.status(), response.headers());
            if ours {
                let declared = text(headers, HeaderName::from_static("x-linked-size"));
                now.size = declared.and_then(|size| size.parse().ok()).or(now.size);
                let linked = text(headers, HeaderName::from_static("x-linked-etag"));
                now.sum = linked.and_then(sum).or(now.sum);
            }
            if status.is_redirection()
                && let Some(to) = text(headers, LOCATION)
            {
                uri = follow(&uri, to).map_err(Failure::Final)?;
                continue;
            }
            return match status {
                StatusCode::OK | StatusCode::PARTIAL_CONTENT => {
                    self.accept(response, have, of, now, resumes)
                }
                StatusCode::RANGE_NOT_SATISFIABLE if resumes => Err(changed()),
                _ => Err(self.refused(wanted, &uri, status, headers)),
            };
        }
        let why = format!("{} sends from address to address, expected a file", self.host());
        Err(Failure::Final(why))
    }

    /// The file begins. What its length is, two or three headers say: they must agree.
    fn accept(
        &self,
        response: Response<Body>,
        have: u64,
        of: &Origin,
        mut now: Origin,
        asked: bool,
    ) -> Result<Answer, Failure> {
        let headers = response.headers();
        let continues = response.status() == StatusCode::PARTIAL_CONTENT;
        // A weak tag is no promise about bytes.
        let tag = text(headers, ETAG).filter(|tag| !tag.starts_with("W/"));
        now.tag = tag.map(str::to_owned);
        let mut sent = text(headers, CONTENT_LENGTH).and_then(|length| length.parse().ok());
        if continues {
            // A server that knows no If-Range sends a piece of whatever it has now.
            let other = |now: &Option<String>, then: &Option<String>| {
                now.is_some() && then.is_some() && now != then
            };
            sent = text(headers, CONTENT_RANGE).and_then(|range| total(range, have));
            if !asked || sent.is_none() || other(&now.tag, &of.tag) || other(&now.sum, &of.sum)
            {
                return Err(changed());
            }
        }
        match (now.size, sent) {
            (Some(size), Some(sent)) if size != sent => {
                let why =
                    format!("sends a file of {sent} bytes, expected {size} as it declared");
                Err(Failure::Final(format!("{} {why}: try again later", self.host())))
            }
            // It was of another length when it was begun.
            (_, sent) if continues && of.size.is_some() && of.size != sent => Err(changed()),
            (size, sent) => {
                now.size = size.or(sent);
                Ok(Answer { continues, origin: now, body: response.into_body() })
            }
        }
    }

    /// A status that means no file.
    fn refused(
        &self,
        wanted: &Wanted,
        uri: &Uri,
        status: StatusCode,
        headers: &HeaderMap,
    ) -> Failure {
        let (host, status) = (uri.host().unwrap_or_default(), status.as_u16());
        let Wanted { repo, file, .. } = wanted;
        let ours = origin(uri) == origin(&self.endpoint);
        let advice = match status {
            // The link to the bytes holds for some minutes only: the hub gives a new one.
            401 | 403 if !ours => {
                return Failure::Again(format!("{host} answers {status}"), None);
            }
            401 | 403 if self.token.is_some() => {
                format!(
                    "the token in HF_TOKEN does not open {repo}, or there is no such repository"
                )
            }
            401 | 403 => {
                format!("there is no {repo}, or it needs a token of yours in HF_TOKEN")
            }
            404 => format!("there is no {file} in {repo}: its page on the hub lists its files"),
            429 | 500..=599 => {
                let wait = text(headers, RETRY_AFTER).and_then(|wait| wait.parse().ok());
                let what =
                    if status == 429 { "too many requests" } else { "a fault of its own" };
                let why = format!("{host} answers {status}, {what}");
                return match wait {
                    Some(seconds) if seconds > 300 => Failure::Final(format!(
                        "{why}, and asks to wait {seconds} seconds: run this again then"
                    )),
                    wait => Failure::Again(why, wait.map(Duration::from_secs)),
                };
            }
            _ => "expected 200 or 206: try again later".into(),
        };
        Failure::Final(format!("{host} answers {status}: {advice}"))
    }

    /// No answer at all. An address may hold a signature: it names the host alone.
    fn unreached(&self, uri: &Uri, error: ureq::Error) -> Failure {
        let host = uri.host().unwrap_or_default();
        let why = match error {
            ureq::Error::Timeout(_) => {
                format!("{host} said nothing for {} seconds", self.seconds)
            }
            ureq::Error::HostNotFound => format!("{host} has no address: is there a network?"),
            error => format!("{host} is not reached: {}", one_line(&error.to_string(), 200)),
        };
        // Time mends no certificate.
        if why.contains("certificate") {
            let advice = "if your network has one of its own, this system must trust it";
            return Failure::Final(format!("{why}: {advice}"));
        }
        Failure::Again(why, None)
    }
}

/// The bytes that are here belong to another file than the server has now.
fn changed() -> Failure {
    Failure::Again(CHANGED.into(), Some(Duration::ZERO))
}

/// Said once, and recognised by `main`, which drops what is here.
pub const CHANGED: &str = "the server has another file now: begun anew";

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The SHA-256 in a tag of the hub, if it is one.
fn sum(tag: &str) -> Option<String> {
    let hex = tag.trim_start_matches("W/").trim_matches('"');
    let is_sum = hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sum.then(|| hex.to_ascii_lowercase())
}

/// `TOTAL` of `bytes FROM-TO/TOTAL`, if it begins where it should.
fn total(range: &str, from: u64) -> Option<u64> {
    let (span, total) = range.strip_prefix("bytes ")?.split_once('/')?;
    let begins = span.split_once('-')?.0.parse() == Ok(from);
    total.parse().ok().filter(|_| begins)
}

/// Scheme, host and port: a token is for one of these, and for no other.
fn origin(uri: &Uri) -> Option<(bool, String, u16)> {
    let secure = match uri.scheme_str()? {
        "https" => true,
        "http" => false,
        _ => return None,
    };
    let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
    Some((secure, uri.host()?.to_ascii_lowercase(), port))
}

/// Where a redirect leads: never from TLS to none.
fn follow(from: &Uri, to: &str) -> Result<Uri, String> {
    let host = from.host().unwrap_or_default();
    let (scheme, authority) = (from.scheme_str().unwrap_or_default(), from.authority());
    let to = match to {
        _ if to.starts_with("//") => format!("{scheme}:{to}"),
        _ if to.starts_with('/') => {
            format!("{scheme}://{}{to}", authority.map_or("", |authority| authority.as_str()))
        }
        _ => to.to_owned(),
    };
    let to: Option<Uri> = to.parse().ok().filter(|to| origin(to).is_some());
    let to = to.ok_or(format!("{host} sends on to no address, expected https://HOST"))?;
    if scheme == "https" && to.scheme_str() != Some("https") {
        return Err(format!("{host} sends on to a host without TLS: not followed"));
    }
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_leads_to_an_address_and_never_out_of_tls() {
        let from = |at: &str| at.parse::<Uri>().expect("it is an address");
        for (at, to, leads) in [
            ("https://a:8/b/c", "/d?e", "https://a:8/d?e"),
            ("https://a/b", "//x/y", "https://x/y"),
            ("http://a/b", "https://x/y", "https://x/y"),
        ] {
            assert_eq!(follow(&from(at), to), Ok(from(leads)), "{to}");
        }
        for to in ["http://a/b", "ftp://a/b", "b", "https://", ""] {
            assert!(follow(&from("https://a/b"), to).is_err(), "{to}");
        }
    }

    #[test]
    fn a_token_is_for_one_scheme_host_and_port() {
        let of = |uri: &str| origin(&uri.parse().expect("it is an address"));
        for same in ["https://HUB.co/a", "https://hub.co:443/b"] {
            assert_eq!(of(same), of("https://hub.co/"), "{same}");
        }
        for other in
            ["http://hub.co/", "https://hub.co:444/", "https://a.hub.co/", "https://hub.co.x/"]
        {
            assert_ne!(of(other), of("https://hub.co/"), "{other}");
        }
    }
}
