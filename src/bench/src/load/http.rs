//! HTTP/1.1 by hand, as far as a client needs it that asks one thing on each connection and reads the answer as it comes.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use ground::text::{NAME, one_line};

/// No line of a head and no event is longer than this, and no answer that isn't a stream.
const LONGEST: u64 = 1 << 20;
/// Enough for a connection that the server's full queue turns away twice.
const CONNECT: Duration = Duration::from_secs(10);

/// A server, and how to speak with it.
pub struct Server {
    /// With its port.
    pub host: String,
    addresses: Vec<SocketAddr>,
    key: Option<String>,
}

impl Server {
    /// From an address as servers print it, or as OpenAI's clients want it, with `/v1`.
    pub fn new(url: &str, key: Option<String>) -> Result<Server, String> {
        let shown = one_line(url, NAME);
        let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
        if scheme != "http" {
            return Err(format!("{shown}: load speaks http:// only"));
        }
        let host = rest.trim_end_matches('/').trim_end_matches("/v1");
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
        if host.is_empty() || !host.chars().all(plain) {
            return Err(format!("{shown}: expected an address such as http://127.0.0.1:8080"));
        }
        if key.as_ref().is_some_and(|key| !key.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(
                "--key goes into a header: it takes visible ASCII characters only".into()
            );
        }
        let has_port = host.rsplit(']').next().is_some_and(|end| end.contains(':'));
        let host = format!("{host}{}", if has_port { "" } else { ":80" });
        let addresses = host.to_socket_addrs().map_err(|why| format!("{shown}: {why}"))?;
        Ok(Server { addresses: addresses.collect(), host, key })
    }

    /// Sends `what`, a method and a path, and reads the head of the answer. Its end has to come within `limit`.
    pub fn ask(&self, what: &str, json: &str, limit: Duration) -> Result<Response, String> {
        let (host, end) = (&self.host, Instant::now() + limit);
        let mut stream = self.connect(end).map_err(|why| match why.kind() {
            ErrorKind::ConnectionRefused => {
                format!("nothing listens at {host}: start a server there, or give the address that it prints")
            }
            ErrorKind::TimedOut => format!("nobody answers at {host}: is the address right?"),
            _ => format!("{host}: {why}"),
        })?;
        let key = self.key.as_ref();
        let key = key.map_or(String::new(), |key| format!("Authorization: Bearer {key}\r\n"));
        let request = format!(
            "{what} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: course-load\r\nConnection: close\r\n{key}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{json}",
            json.len()
        );
        stream.set_nodelay(true).map_err(told)?;
        stream.set_write_timeout(Some(limit)).map_err(told)?;
        // A server may refuse and close before it has read everything. What it said is there all the same.
        let _ = stream.write_all(request.as_bytes());
        Response::read(BufReader::new(Until { stream, end }), host)
    }

    fn connect(&self, end: Instant) -> io::Result<TcpStream> {
        let mut why = ErrorKind::AddrNotAvailable.into();
        for address in &self.addresses {
            match TcpStream::connect_timeout(address, left(end)?.min(CONNECT)) {
                Ok(stream) => return Ok(stream),
                Err(error) => why = error,
            }
        }
        Err(why)
    }
}

/// An answer whose head has been read.
pub struct Response {
    pub status: u16,
    /// Its `Content-Type`.
    pub kind: String,
    pub body: BufReader<Body>,
}

impl Response {
    fn read(mut from: BufReader<Until>, host: &str) -> Result<Response, String> {
        let first = line(&mut from).map_err(told)?;
        let status =
            first.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok());
        let status: u16 = status.ok_or_else(|| {
            format!(
                "what listens at {host} does not speak HTTP/1: it said \"{}\"",
                one_line(&first, NAME)
            )
        })?;
        let (mut left, mut kind) = (Left::UntilClosed, String::new());
        loop {
            let header = line(&mut from).map_err(told)?;
            if header.is_empty() {
                break;
            }
            let (name, value) = header.split_once(':').unwrap_or((&header, ""));
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-type" => kind = value.to_string(),
                "transfer-encoding" => left = Left::FirstChunk,
                "content-length" if !matches!(left, Left::FirstChunk) => {
                    let length = value.parse().map_err(|_| wrong("Content-Length", value));
                    left = Left::Length(length.map_err(told)?);
                }
                _ => {}
            }
        }
        Ok(Response { status, kind, body: BufReader::new(Body { from, left }) })
    }

    /// The whole body, of an answer that is no stream.
    pub fn text(self) -> Result<String, String> {
        let mut text = Vec::new();
        self.body.take(LONGEST).read_to_end(&mut text).map_err(told)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// The body of an answer, without what HTTP puts around it.
pub struct Body {
    from: BufReader<Until>,
    left: Left,
}

/// What is still to come.
enum Left {
    FirstChunk,
    Chunk(u64),
    Length(u64),
    UntilClosed,
    Nothing,
}

impl Read for Body {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if matches!(self.left, Left::FirstChunk | Left::Chunk(0)) {
            self.next_chunk()?;
        }
        let left = match &mut self.left {
            Left::Chunk(left) | Left::Length(left) => left,
            Left::UntilClosed => return self.from.read(into),
            _ => return Ok(0),
        };
        let most = into.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        let count = self.from.read(&mut into[..most])?;
        if count == 0 && most > 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        *left -= count as u64;
        Ok(count)
    }
}

impl Body {
    /// Goes on to the first byte of the next chunk. Not before it is wanted: the end of a chunk may come with the next one.
    fn next_chunk(&mut self) -> io::Result<()> {
        if !matches!(self.left, Left::FirstChunk) {
            line(&mut self.from)?;
        }
        let size = line(&mut self.from)?;
        let digits = size.split(';').next().unwrap_or_default().trim();
        self.left = match u64::from_str_radix(digits, 16) {
            Err(_) => return Err(wrong("a chunk's size", &size)),
            Ok(0) => Left::Nothing,
            Ok(size) => Left::Chunk(size),
        };
        Ok(())
    }
}

/// A connection that is read until `end`, and no longer.
struct Until {
    stream: TcpStream,
    end: Instant,
}

impl Read for Until {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(left(self.end)?))?;
        self.stream.read(into)
    }
}

fn left(end: Instant) -> io::Result<Duration> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// The next line without its end, which must come.
fn line(from: &mut impl BufRead) -> io::Result<String> {
    line_or_end(from)?.ok_or(io::Error::from(ErrorKind::UnexpectedEof))
}

/// The next line without its end. None: the text has ended with the line before.
pub fn line_or_end(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    from.take(LONGEST).read_until(b'\n', &mut bytes)?;
    let mut line = String::from_utf8_lossy(&bytes).into_owned();
    if line.pop().is_some_and(|end| end != '\n') {
        let cut = bytes.len() as u64 == LONGEST;
        return Err(if cut {
            wrong("a line", "too long")
        } else {
            ErrorKind::UnexpectedEof.into()
        });
    }
    if line.ends_with('\r') {
        line.pop();
    }
    Ok((!bytes.is_empty()).then_some(line))
}

fn wrong(what: &str, found: &str) -> io::Error {
    io::Error::other(format!("{what} is wrong: \"{}\"", one_line(found, NAME)))
}

/// Why an answer could not be read to its end.
pub fn told(why: io::Error) -> String {
    match why.kind() {
        // Unix says that a read would have to wait, Windows that it has waited too long.
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            "no end of the answer in time: --timeout waits longer, fewer --clients or a lower --rate give the server less to do".into()
        }
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => {
            "the connection broke off before the answer's end: the server's log may say why".into()
        }
        _ => why.to_string(),
    }
}
