mod access;
mod batch_file;
mod listen;
mod routes;
mod stream;
mod submit;
mod validate;

pub use batch_file::answer_lines;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ground::cli::interrupted;
use ground::error::Error;
use ground::request::Options;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

use crate::block_pool::BlockPool;
use crate::log;
use crate::prefix_cache::PrefixCache;
use crate::queue::Queue;
use crate::session::Session;

/// What all connections share. It lives as long as the program.
pub struct Server {
    pub session: &'static Session<'static>,
    pub template: &'static str,
    pub positions: usize,
    pub options: Options, // where a request says nothing
    pub has_seed: bool,   // in these options
    pub think: bool,
    pub names: Vec<String>, // of the model, its own first
    pub keys: Vec<String>,
    pub only_loopback: bool,
    pub fingerprint: String,
    pub started: u64, // seconds since 1970
    pub queue: Queue,
    pub renderers: Semaphore,
    pub pool: Arc<BlockPool>,
    pub prefix_cache: Mutex<PrefixCache>,
    pub debug_pages: bool,
    pub busy: Arc<()>, // each request holds a clone until its answer is sent
    pub ending: AtomicBool,
}

impl Server {
    /// What holds for one request, where it says nothing: without a seed, each draws other numbers.
    fn options(&self) -> Options {
        let mut options = self.options.clone();
        if !self.has_seed {
            options.sampling.seed = RandomState::new().hash_one(());
        }
        options
    }
}

/// What runs gets so long to end.
const LAST: Duration = Duration::from_secs(30);

/// Serves until Ctrl-C or SIGTERM. A second one ends the program at once.
pub fn serve(server: &'static Server, address: IpAddr, port: u16) -> Result<(), Error> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::new(address, port)).await;
        let listener = listener.map_err(|error| not_bound(address, port, &error))?;
        let (address, signals) = (listener.local_addr()?, tokio::spawn(signal()));
        tokio::spawn(listen::listen(server, listener));
        yield_now().await; // from here on a signal finds somebody who waits for it
        writeln!(io::stdout(), "{}", greeting(server, address))?;
        signals.await.map_err(io::Error::from)??;
        server.ending.store(true, Ordering::Relaxed);
        log::line("ending: what runs may take 30 s; Ctrl-C ends it at once".into());
        let quiet = async {
            while Arc::strong_count(&server.busy) > 1 {
                sleep(Duration::from_millis(20)).await;
            }
            // The last bytes are on their way.
            sleep(Duration::from_millis(100)).await;
        };
        tokio::select! {
            _ = timeout(LAST, quiet) => Ok(()),
            _ = signal() => interrupted(),
        }
    })
}

async fn signal() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut end = signal(SignalKind::terminate())?;
        tokio::select! { it = tokio::signal::ctrl_c() => it, _ = end.recv() => Ok(()) }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

fn not_bound(address: IpAddr, port: u16, error: &io::Error) -> Error {
    let address = SocketAddr::new(address, port);
    Error::chapter(format!("cannot listen on {address}: {error}: try another --port or --host"))
}

fn greeting(server: &Server, address: SocketAddr) -> String {
    let key = if !server.keys.is_empty() { " -H \"Authorization: Bearer $KEY\"" } else { "" };
    format!(
        "{} answers at http://{address}/, where there is a page to talk with it.\n\n\
         curl http://{address}/v1/chat/completions{key} -H \"Content-Type: application/json\" \\\n  \
         -d '{{\"messages\": [{{\"role\": \"user\", \"content\": \"What is the capital of France?\"}}]}}'\n",
        server.names[0]
    )
}
