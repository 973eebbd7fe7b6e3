//! Ids for many texts, to compare our tokenizer with another: `encode_lines FILE.gguf` reads one JSON
//! string per line and writes one JSON object per line. `tests/oracle/tokenizer_compare.py` runs it.

use ground::gguf::Gguf;
use ground::tokenizer::Tokenizer;
use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let path =
        PathBuf::from(std::env::args_os().nth(1).ok_or("usage: encode_lines FILE.gguf")?);
    let start = Instant::now();
    let tokenizer = Tokenizer::from_gguf(&Gguf::open(&path)?)?;
    eprintln!("opened and built in {:.3} s", start.elapsed().as_secs_f64());

    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let ids = tokenizer.encode(&text)?;
        let plain = tokenizer.encode_plain(&text)?;
        let decoded = tokenizer.decode(&ids)?;
        let object = serde_json::json!({ "ids": ids, "ids_plain": plain, "decoded": decoded });
        writeln!(out, "{object}")?;
    }
    Ok(())
}
