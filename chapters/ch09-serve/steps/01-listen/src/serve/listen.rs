use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;

use super::Server;
use super::routes::answer;

/// So many connections at once; the others wait in the system's queue.
const CONNECTIONS: usize = 1024;
/// A request's head has to be here after so long, also on a connection that is kept for the next one.
const HEAD: Duration = Duration::from_secs(10);
/// A client that reads nothing for so long is cut off.
const UNREAD: Duration = Duration::from_secs(30);

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
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(UNREAD));
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_headers(64)
                .max_header_size(16 << 10)
                .max_buf_size(64 << 10)
                .serve_connection(
                    TokioIo::new(Box::pin(stream)),
                    service_fn(move |request| answer(server, request)),
                );
            // What a connection dies of is its client's affair.
            let _ = connection.await;
            drop(place);
        });
    }
}
