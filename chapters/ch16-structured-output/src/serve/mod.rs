mod batch_file;
mod held;
mod listen;
mod routes;
mod stream;
mod submit;
mod validate;

pub use batch_file::answer_lines;
pub use held::{Matchers, held};

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::Mutex;
use std::thread::JoinHandle;
use std::time::Duration;

use ground::chat::ChatTemplate;
use ground::cli::interrupted;
use ground::error::Error;
use ground::request::Options;
use openai::{Refusal, greeting, not_bound, signal};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
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
    pub template: ChatTemplate<'static>,
    pub positions: usize,
    pub options: Options, // where a request says nothing
    pub has_seed: bool,   // in these options
    pub think: bool,
    pub schema: Option<Value>, // of answers whose request says nothing
    pub matchers: Matchers,
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
    pub busy: Arc<()>, // each connection holds a clone
    pub end: watch::Sender<End>,
}

/// How near the server's end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Far,
    Begun,  // what runs may go on
    NoTime, // what runs is given up
}

pub type Until = Pin<Box<dyn Future<Output = ()> + Send + Sync>>;

impl Server {
    /// What holds for one request, where it says nothing: without a seed, each draws other numbers.
    fn options(&self) -> Options {
        let mut options = self.options.clone();
        if !self.has_seed {
            options.sampling.seed = RandomState::new().hash_one(());
        }
        options
    }

    /// Whether answers are still computed.
    fn goes_on(&self) -> Result<(), Refusal> {
        match *self.end.borrow() {
            _ if self.queue.is_closed() => Err(Refusal::ended()),
            End::Far => Ok(()),
            _ => Err(Refusal::ending()),
        }
    }

    /// Ready when the end is as near as that.
    pub fn until(&'static self, near: End) -> Until {
        let mut end = self.end.subscribe();
        Box::pin(async move { drop(end.wait_for(|end| *end >= near).await) })
    }
}

/// What runs gets so long to end, then what is written gets so long to be read, and the engine so long for the step that it's in.
const LAST: Duration = Duration::from_secs(25);
const READ: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_secs(1);

/// Serves until Ctrl-C or SIGTERM, or until the engine ends. A second signal ends the program at once.
pub fn serve(
    server: &'static Server,
    engine: JoinHandle<()>,
    address: IpAddr,
    port: u16,
) -> Result<(), Error> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::new(address, port)).await;
        let listener = listener.map_err(|error| not_bound(address, port, &error))?;
        let (address, signals) = (listener.local_addr()?, tokio::spawn(signal()));
        tokio::spawn(listen::listen(server, listener));
        yield_now().await; // from here on a signal finds somebody who waits for it
        let asks_key = !server.keys.is_empty();
        writeln!(io::stdout(), "{}", greeting(&server.names[0], address, asks_key))?;
        tokio::select! {
            asked = signals => asked.map_err(io::Error::from)??,
            () = server.queue.closed() => {} // the engine has ended by itself
        }
        server.end.send_replace(End::Begun);
        log::line("ending: what runs may take 30 s; Ctrl-C ends it at once".into());
        let is_quiet = || Arc::strong_count(&server.busy) == 1; // no connection is open
        let end = async {
            if timeout(LAST, wait_until(is_quiet)).await.is_err() {
                server.end.send_replace(End::NoTime);
                if timeout(READ, wait_until(is_quiet)).await.is_err() {
                    let count = Arc::strong_count(&server.busy) - 1;
                    log::line(format!("{count} answers are cut: nobody reads them"));
                    sleep(Duration::from_millis(100)).await; // for the line
                }
            }
            server.queue.close();
            let _ = timeout(STEP, wait_until(|| engine.is_finished())).await;
        };
        tokio::select! {
            () = end => {}
            _ = signal() => interrupted(),
        }
        match engine.is_finished().then(|| engine.join()) {
            Some(Err(_)) => Err(Error::chapter("the engine broke: that is a bug")),
            _ => Ok(()),
        }
    })
}

async fn wait_until(is_so: impl Fn() -> bool) {
    while !is_so() {
        sleep(Duration::from_millis(20)).await;
    }
}
