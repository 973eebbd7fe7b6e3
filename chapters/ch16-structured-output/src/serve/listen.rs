use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, Interest, ReadBuf, join};
use tokio::net::TcpListener;
use tokio::net::tcp::OwnedReadHalf;
use tokio::select;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;

use super::End;
use super::Server;
use super::routes::answer;

/// So many connections at once; the others wait in the system's queue.
const CONNECTIONS: usize = 1024;
/// A request's head has to be here after so long, also on a connection that is kept for the next one.
const HEAD: Duration = Duration::from_secs(10);
/// The same while fewer than a quarter of the places are free.
const HURRY: Duration = Duration::from_secs(1);
/// A client that reads nothing for so long is cut off.
const UNREAD: Duration = Duration::from_secs(30);
/// After so much silence the system asks whether the other side is still there.
const SILENCE: Duration = Duration::from_secs(60);
/// How soon we look again whether a client has left, if it has sent more than we read.
const LOOK: Duration = Duration::from_secs(1);

/// Accepts connections until it's dropped.
pub async fn listen(server: &'static Server, listener: TcpListener) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or a client that has gone: neither is a reason to end.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        // Otherwise the system holds back small packets, and each token is one.
        let _ = stream.set_nodelay(true);
        let _ = SockRef::from(&stream)
            .set_tcp_keepalive(&TcpKeepalive::new().with_time(SILENCE).with_interval(SILENCE));
        let is_short = places.available_permits() < CONNECTIONS / 4;
        let (read, write) = stream.into_split();
        let read = Arc::new(read);
        let mut stream = TimeoutStream::new(join(Reader(Arc::clone(&read)), write));
        stream.set_write_timeout(Some(UNREAD));
        tokio::spawn(async move {
            // Whoever comes after the end has begun is told so, and nobody waits for it.
            let is_late = server.goes_on().is_err();
            let busy = (!is_late).then(|| Arc::clone(&server.busy));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(if is_short { HURRY } else { HEAD })
                .keep_alive(!is_late)
                .max_headers(64)
                .max_header_size(16 << 10)
                .max_buf_size(64 << 10)
                .serve_connection(
                    TokioIo::new(Box::pin(stream)),
                    service_fn(move |request| answer(server, request)),
                );
            let (mut connection, mut gone) = (pin!(connection), pin!(gone(&read)));
            // What a connection dies of is its client's affair.
            select! {
                _ = &mut connection => return,
                () = &mut gone => return,
                () = server.until(End::Begun), if !is_late => connection.as_mut().graceful_shutdown(),
            }
            select! { _ = connection => {}, () = gone => {} }
            drop((busy, place));
        });
    }
}

/// What hyper reads from. `gone` looks at the same socket meanwhile.
struct Reader(Arc<OwnedReadHalf>);

impl AsyncRead for Reader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.as_ref().as_ref().poll_read_ready(context))?;
            match self.0.try_read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

/// Ready once the client has closed its side. hyper sees that by itself, unless bytes of a next request lie unread before the
/// end.
async fn gone(read: &OwnedReadHalf) {
    while read.ready(Interest::READABLE).await.is_ok_and(|ready| !ready.is_read_closed()) {
        sleep(LOOK).await;
    }
    sleep(LOOK).await; // what it has asked before may be answered by now
}
