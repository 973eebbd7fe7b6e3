mod listen;
mod routes;
mod stream;
mod validate;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;

use ground::chat::ChatTemplate;
use ground::error::Error;
use ground::request::Options;
use openai::{greeting, not_bound};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

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
    pub names: Vec<String>, // of the model, its own first
    pub fingerprint: String,
    pub started: u64, // seconds since 1970
    pub queue: Queue,
    pub renderers: Semaphore,
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
}

/// Serves until the program is ended.
pub fn serve(server: &'static Server, address: IpAddr, port: u16) -> Result<(), Error> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::new(address, port)).await;
        let listener = listener.map_err(|error| not_bound(address, port, &error))?;
        let address = listener.local_addr()?;
        writeln!(io::stdout(), "{}", greeting(&server.names[0], address, false))?;
        listen::listen(server, listener).await;
        Ok(())
    })
}
