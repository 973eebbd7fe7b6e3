mod listen;
mod routes;

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};

use ground::error::Error;
use openai::not_bound;
use tokio::net::TcpListener;

/// What all connections share. It lives as long as the program.
pub struct Server {
    pub names: Vec<String>, // of the model, its own first
    pub started: u64,       // seconds since 1970
}

/// Serves until the program is ended.
pub fn serve(server: &'static Server, address: IpAddr, port: u16) -> Result<(), Error> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::new(address, port)).await;
        let listener = listener.map_err(|error| not_bound(address, port, &error))?;
        writeln!(io::stdout(), "{}", greeting(server, listener.local_addr()?))?;
        listen::listen(server, listener).await;
        Ok(())
    })
}

fn greeting(server: &Server, address: SocketAddr) -> String {
    format!("{} is at http://{address}/.\n\ncurl http://{address}/v1/models\n", server.names[0])
}
