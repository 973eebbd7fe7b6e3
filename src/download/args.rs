//! What to download: the program's own command line, which `cargo run -- download` reads too.

use std::path::PathBuf;

use clap::error::ErrorKind;
use ground::error::Error;
use ground::text::{NAME, one_line};

/// The models that have a name here, with what this repository knows of them: bytes and SHA-256.
/// Of the others only the server can say it.
const NAMED: [(&str, Option<(u64, &str)>); 6] = [
    (
        "Qwen3-0.6B-Q8_0",
        Some((639_446_688, "9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031")),
    ),
    ("Qwen3-1.7B-Q8_0", None),
    ("Qwen3-4B-Q4_K_M", None),
    ("Qwen3-4B-Q8_0", None),
    ("Qwen3-8B-Q4_K_M", None),
    ("Qwen3-8B-Q8_0", None),
];

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Qwen3-0.6B-Q8_0, Qwen3-1.7B-Q8_0, Qwen3-4B or 8B in -Q4_K_M or -Q8_0, or any OWNER/REPO with a FILE
    #[arg(default_value = NAMED[0].0)]
    model: String,

    /// A file of OWNER/REPO whose name ends in .gguf
    file: Option<String>,

    /// The folder to keep it in [default: models, where --model finds it by its name]
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,

    /// A server that says nothing for so many seconds is asked anew
    #[arg(long, value_name = "SECONDS", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: u64,

    /// Ask this often, each time for what is still missing
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub tries: u32,
}

/// A file of a repository on the hub.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub repo: String,
    pub file: String,
    /// Bytes and SHA-256, where this repository knows them.
    pub known: Option<(u64, &'static str)>,
}

impl Args {
    /// The file that is meant, or why none can be.
    pub fn wanted(&self) -> Result<Wanted, Error> {
        let usage = |text: String| {
            Err(clap::Error::raw(ErrorKind::InvalidValue, format!("{text}\n")).into())
        };
        let Some(file) = &self.file else {
            let name = self.model.strip_suffix(".gguf").unwrap_or(&self.model);
            let Some((_, known)) = NAMED.iter().find(|(known, _)| *known == name) else {
                let named = NAMED.map(|(name, _)| name).join(", ");
                let found = one_line(&self.model, NAME);
                return usage(format!("found {found}, expected {named}, or OWNER/REPO FILE"));
            };
            let size = name.rsplit_once('-').map_or(name, |(size, _)| size);
            let repo = format!("Qwen/{size}-GGUF");
            return Ok(Wanted { repo, file: format!("{name}.gguf"), known: *known });
        };
        // These become part of an address and of a path: nothing may lead out of either.
        let harmless = |text: &str| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
            text.split('/')
                .all(|part| part.chars().all(plain) && !part.replace('.', "").is_empty())
        };
        if !harmless(&self.model) || self.model.split('/').count() != 2 {
            let found = one_line(&self.model, NAME);
            return usage(format!("found {found}, expected OWNER/REPO, as Qwen/Qwen3-4B-GGUF"));
        }
        if !harmless(file) || !file.ends_with(".gguf") {
            let found = one_line(file, NAME);
            return usage(format!(
                "found {found}, expected a file of plain letters ending in .gguf"
            ));
        }
        Ok(Wanted { repo: self.model.clone(), file: file.clone(), known: None })
    }
}

impl Wanted {
    /// What it is called on this disk.
    pub fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    /// Where it is on a hub.
    pub fn url(&self, endpoint: &str) -> String {
        format!("{endpoint}/{}/resolve/main/{}", self.repo, self.file)
    }
}

/// The hub, without a slash at the end: another one if the environment names it.
pub fn endpoint() -> String {
    let named = std::env::var("HF_ENDPOINT").ok().filter(|named| !named.is_empty());
    let endpoint = named.unwrap_or_else(|| "https://huggingface.co".into());
    endpoint.trim_end_matches('/').to_owned()
}
