use std::net::IpAddr;

use ground::text::one_line;
use hyper::{HeaderMap, Request};
use openai::Refusal;

use super::Server;

/// Any page in a browser can make it send a request to this machine, under a name of the page's own. It can't
/// choose the `Host`.
pub fn check_host<T>(server: &Server, request: &Request<T>) -> Result<(), Refusal> {
    let hosts = request.headers().get_all("host").iter();
    let mut hosts: Vec<&str> = hosts.map(|host| host.to_str().unwrap_or_default()).collect();
    hosts.extend(request.uri().authority().map(|host| host.as_str()));
    let is_here = |host: &&str| {
        let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
        let name = name.map_or(*host, |(name, _)| name);
        let ip = name.trim_matches(['[', ']']).parse::<IpAddr>();
        name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
    };
    if !server.only_loopback || (hosts.iter().all(is_here) && !hosts.is_empty()) {
        return Ok(());
    }
    let message =
        format!("expected a Host of localhost, found {:?}", one_line(&hosts.join(", "), 60));
    Err(Refusal::new(403, "wrong_host", message))
}

pub fn check_key(server: &Server, headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(key) = &server.key else { return Ok(()) };
    let given = text(headers, "authorization").split_once(' ').unwrap_or_default();
    let given = if given.0.eq_ignore_ascii_case("bearer") { given.1 } else { "" };
    // A wrong first letter takes as long as a wrong last one.
    let letters = given.bytes().zip(key.bytes());
    let differs = letters.fold(given.len() ^ key.len(), |all, (a, b)| all | usize::from(a ^ b));
    if differs == 0 {
        return Ok(());
    }
    let message = "expected the header `Authorization: Bearer KEY` with this server's key";
    Err(Refusal::new(401, "invalid_api_key", message).with_header("www-authenticate", "Bearer"))
}

/// The other types are those that a page from elsewhere may send without asking.
pub fn check_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let kind = text(headers, "content-type").split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "expected the header `Content-Type: application/json`";
    Err(Refusal::new(415, "wrong_content_type", message))
}

/// hyper takes chunks apart and lets other codings pass, so a compressed body would be read as if it weren't.
pub fn check_coding(headers: &HeaderMap) -> Result<(), Refusal> {
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
