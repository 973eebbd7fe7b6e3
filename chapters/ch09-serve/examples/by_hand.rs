//! A page over a socket, without any library: what HTTP is.

use std::io::{BufRead, BufReader, Result, Write};
use std::net::TcpListener;

fn main() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:8080")?;
    println!("http://{}/", listener.local_addr()?);
    for stream in listener.incoming() {
        let mut stream = stream?;
        // What is wanted, a line for each header, and an empty line.
        for line in BufReader::new(&stream).lines() {
            let line = line?;
            println!("> {line}");
            if line.is_empty() {
                break;
            }
        }
        let page = "Once upon a time there was a server.\n";
        let length = page.len();
        write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{page}")?;
    }
    Ok(())
}
