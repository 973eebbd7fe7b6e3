//! `cargo prove`: all that `cargo test` leaves out, and all that it runs, one command after the other.
//!
//! `cargo test` says whether this clone works, in a few minutes. This says whether everything is true that the book says
//! of itself: each step and checkpoint of it compiles, each wrong answer is refused, each way to run each chapter gives the
//! same bits, the page's module is the engine. With a chapter's name it proves what concerns that one. What installs
//! programs from elsewhere runs only when it is named.

use std::env;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Instant;

/// One command, and what it shows.
struct Proof {
    name: &'static str,
    shows: &'static str,
    command: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
}

const PROOFS: &[Proof] = &[
    Proof {
        name: "tests",
        shows: "what `cargo test` runs, and what it shows as ignored",
        command: &[
            "test",
            "--locked",
            "--no-fail-fast",
            "--",
            IGNORED,
            "--skip",
            "with_qwen3_gguf",
            // The proof "chapters" runs what these lines of the suite name.
            "--skip",
            "taken-apart",
            // The proof "floats" this one, and "widths" that.
            "--skip",
            "exp_of_all",
            "--skip",
            ON_A_BASE,
        ],
        env: &[],
    },
    Proof {
        name: WAITS,
        shows: "a server waits for nobody longer than it says",
        command: &[
            "test",
            "--locked",
            "--no-fail-fast",
            "-p",
            "ch09-serve",
            "--test",
            "wire",
            "--test",
            "leave",
            "--",
            "--ignored",
            WAITING[0],
            WAITING[1],
        ],
        env: &[],
    },
    Proof {
        name: "chapters",
        shows: "each chapter's own tests: its kernels, its threads, its caches, taken apart",
        // Each chapter is named: a pattern would name the exercises as well. What these tests don't run is not linked.
        command: &[
            "test",
            "--locked",
            "--no-fail-fast",
            "--tests",
            CHAPTERS,
            "--",
            "--include-ignored",
            "--skip",
            WAITING[0],
            "--skip",
            WAITING[1],
        ],
        env: &[],
    },
    Proof {
        name: "comments",
        shows: "the code in the chapters' comments, some of which must not compile",
        command: &["test", "--locked", "--doc", CHAPTERS],
        env: &[],
    },
    Proof {
        name: "download",
        shows: "a model comes whole or not at all, whatever the server does",
        command: &["test", "--locked", "-p", "course-download"],
        env: &[],
    },
    Proof {
        name: "answers",
        shows: "exercises: starters are red, solutions green, each wrong answer is refused for its own reason",
        command: &["test", "--locked", "-p", "course-exercises"],
        env: &[],
    },
    Proof {
        name: "starters",
        shows: "the exercises' files are what their sources give",
        command: &["run", "--locked", "-q", "-p", "course-exercises", "--", "--check"],
        env: &[],
    },
    Proof {
        name: "book",
        shows: "mdBook builds a whole book, which loads nothing from another host",
        command: &["test", "--locked", "-p", "book-built"],
        env: &[],
    },
    Proof {
        name: PAGE,
        shows: "the module that pages run gives the chapters' bits, in an interpreter",
        command: &["test", "--locked", "--manifest-path", "book/engine/Cargo.toml"],
        env: &[("CARGO_TARGET_DIR", "target")],
    },
    Proof {
        name: "page-lints",
        shows: "the page's engine has no warning",
        command: &[
            "clippy",
            "--locked",
            "--manifest-path",
            "book/engine/Cargo.toml",
            "--all-targets",
            "--",
            "-Dwarnings",
        ],
        env: &[("CARGO_TARGET_DIR", "target")],
    },
    Proof {
        name: "fuzz-lints",
        shows: "the fuzzer compiles without a warning",
        command: &[
            "clippy",
            "--locked",
            "--manifest-path",
            "lab/fuzz/Cargo.toml",
            "--",
            "-Dwarnings",
        ],
        // Nothing is linked, so the fuzzer's C++ is not compiled: this is no path of anything.
        env: &[("CARGO_TARGET_DIR", "target"), ("CUSTOM_LIBFUZZER_PATH", "none/libfuzzer.a")],
    },
    Proof {
        name: "docs",
        shows: "the documentation of the ground floor has no warning",
        command: &["doc", "--locked", "-q", "-p", "ground", "--no-deps"],
        env: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    Proof {
        name: FLOATS,
        shows: "the exponential is `libm`'s, to the bit, of every number that it's used for",
        command: &["test", "--locked", "--test", "ground", "--", "exp_of_all", "--ignored"],
        env: &[],
    },
    Proof {
        name: WIDTHS,
        shows: "chapters on a base are alike in all ways in widths of Qwen3-1.7B, as their base is",
        command: &["test", "--locked", "--test", "family", "--", ON_A_BASE, "--ignored"],
        env: &[],
    },
    Proof {
        name: CROWD,
        shows: "a thousand connections that do nothing, and ten thousand requests of every fate",
        command: &["test", "--locked", "-p", "ch09-serve", "--test", CROWD, "--", "--ignored"],
        env: &[("CROWD", "long")],
    },
    Proof {
        name: DAY,
        shows: "a request each second of a day in a room that is too small: memory is constant",
        command: &[
            "test",
            "--locked",
            "-p",
            "ch11-prefix-cache",
            "--test",
            "found",
            "--",
            "--ignored",
        ],
        env: &[("CROWD", "long")],
    },
    Proof {
        name: CLIENTS,
        shows: "clients that others have written take the server for one of OpenAI's kind",
        // Cargo builds the program, and gives it to the script.
        command: &[
            "run",
            "--locked",
            "-q",
            "-p",
            "ch16-structured-output",
            "--config",
            "target.'cfg(all())'.runner=['python3','lab/clients/run.py']",
        ],
        env: &[],
    },
    Proof {
        name: MACHINES,
        shows: "three servers behind HAProxy: one is killed under load, one is drained and replaced",
        command: &[
            "run",
            "--locked",
            "-q",
            "-p",
            "ch13-scheduling",
            "--config",
            "target.'cfg(all())'.runner=['python3','lab/machines/run.py']",
        ],
        env: &[],
    },
    Proof {
        name: MODELS,
        shows: "real models of other families write what the reference and llama.cpp write",
        command: &[
            "run",
            "--locked",
            "-q",
            "-p",
            "ch15-families",
            "--config",
            "target.'cfg(all())'.runner=['python3','lab/models/run.py']",
        ],
        env: &[],
    },
    Proof {
        name: SCHEMAS,
        shows: "answers by ten thousand schemas are valid, and masks right, say implementations of others",
        command: &[
            "run",
            "--locked",
            "--release",
            "-q",
            "-p",
            "ch16-structured-output",
            "--config",
            "target.'cfg(all())'.runner=['python3','lab/schemas/run.py']",
        ],
        env: &[],
    },
];

/// The same for one chapter, where it has something of that kind: `cargo prove ch13`.
const OF_A_CHAPTER: &[Proof] = &[
    Proof {
        name: "engine",
        shows: "what the suite asks each engine, in all ways",
        command: &[
            "test",
            "--locked",
            "-p",
            "course",
            "--test",
            "engines",
            "--",
            "CHAPTER:",
            "--include-ignored",
            "--skip",
            "taken-apart",
        ],
        env: &[],
    },
    Proof {
        name: "tests",
        shows: "its own tests: what it is made of, taken apart",
        command: &["test", "--locked", "-p", "PACKAGE", "--", "--include-ignored"],
        env: &[],
    },
    Proof {
        name: "steps",
        shows: "its pages are true, and each of its checkpoints compiles",
        command: &[
            "run",
            "-q",
            "-p",
            "bookmaker",
            "--",
            "proofread",
            "--checkpoints",
            "--page",
            "CHAPTER/",
        ],
        env: &[],
    },
    Proof {
        name: "answers",
        shows: "its exercises: starters red, solutions green, each wrong answer refused for its own reason",
        command: &["test", "--locked", "-p", "course-exercises", "--test", "answers"],
        env: &[("EXERCISES", "CHAPTER")],
    },
];

/// Run only when they are named: five are long, three install programs from PyPI or npm, one needs HAProxy.
const WHEN_NAMED: [&str; 9] =
    [PAGE, FLOATS, WIDTHS, CROWD, DAY, CLIENTS, MACHINES, MODELS, SCHEMAS];
const PAGE: &str = "page";
const FLOATS: &str = "floats";
const WIDTHS: &str = "widths";
const CROWD: &str = "crowd";
const DAY: &str = "day";
const CLIENTS: &str = "clients";
const MACHINES: &str = "machines";
const MODELS: &str = "models";
const SCHEMAS: &str = "schemas";

/// These wait more than they compute: each runs beside those after it, and what it prints is told once they are through.
const BESIDE: [&str; 2] = [WAITS, "download"];
const WAITS: &str = "waits";
/// The tests that wait for half a minute.
const WAITING: [&str; 2] = ["whoever_is_slow_is_cut_off", "what_takes_too_long_ends"];
/// Of `tests/family.rs`.
const ON_A_BASE: &str = "on_a_base_it_is_the_same";

/// In a command: `-p NAME` for every folder of a chapter.
const CHAPTERS: &str = "CHAPTERS";
/// In a command: what is ignored as well, or, right after `cargo test`, that alone.
const IGNORED: &str = "IGNORED";
/// In a command for one chapter, or in what is set for it: `ch02` and `ch02-kv-cache`.
const CHAPTER: &str = "CHAPTER";
const PACKAGE: &str = "PACKAGE";
const AFTER_TEST: &str = "--after-test";

/// What needs something that is not here, and how to run it.
const NOT_RUN: [(&str, &str); 10] = [
    (
        "a real checkpoint in every chapter",
        "QWEN3_GGUF=FILE cargo test --release --test real_checkpoint -- --ignored --nocapture --test-threads=1",
    ),
    (PAGE, "cargo prove page"),
    (FLOATS, "cargo prove floats"),
    (WIDTHS, "cargo prove widths"),
    (CROWD, "cargo prove crowd"),
    (DAY, "cargo prove day"),
    (CLIENTS, "cargo prove clients"),
    (MACHINES, "cargo prove machines"),
    (MODELS, "cargo prove models"),
    (SCHEMAS, "cargo prove schemas"),
];

fn main() -> ExitCode {
    let mut asked: Vec<String> = env::args().skip(1).collect();
    let count = asked.len();
    asked.retain(|word| word != AFTER_TEST);
    let is_tested = asked.len() < count;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let chapters = chapters(&root);
    let is_of = |word: &str, package: &str| word == package || word == short(package);
    let is_known = |word: &String| {
        PROOFS.iter().any(|proof| proof.name == word)
            || chapters.iter().any(|package| is_of(word, package))
    };
    if let Some(unknown) = asked.iter().find(|word| !is_known(word)) {
        let help = unknown == "--help" || unknown == "-h";
        if !help {
            eprintln!("error: there is no proof and no chapter {unknown:?}\n");
        }
        eprintln!(
            "cargo prove [{AFTER_TEST}] [NAME ...]: all of these but {}, or some by name; with {AFTER_TEST} nothing that \
             `cargo test` has just run. A chapter's name, such as ch02, is what concerns that chapter\n",
            WHEN_NAMED.join(", ")
        );
        for Proof { name, shows, .. } in PROOFS {
            eprintln!("  {name:12} {shows}");
        }
        return if help { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    // Its name, and the command, told as one would type it.
    let told = |proof: &Proof, package: &str| {
        let spelled =
            |word: &str| word.replace(CHAPTER, short(package)).replace(PACKAGE, package);
        let words = proof.command.iter().flat_map(|word| match *word {
            CHAPTERS => chapters.iter().flat_map(|name| ["-p".into(), name.clone()]).collect(),
            IGNORED if is_tested => vec!["--ignored".to_string()],
            IGNORED => vec!["--include-ignored".to_string()],
            word => vec![spelled(word)],
        });
        let words: Vec<String> = words.collect();
        let name = format!("{} {}", short(package), proof.name).trim().to_string();
        println!("\n== {name}: {}\n$ cargo {}", proof.shows, words.join(" "));
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        // A snapshot that is missing or differs fails and writes nothing.
        command.args(words).env("INSTA_UPDATE", "no").current_dir(&root);
        command.envs(proof.env.iter().map(|(name, value)| (name, spelled(value))));
        (name, command)
    };
    let prove = |proof: &Proof, package: &str| {
        let (name, mut command) = told(proof, package);
        let start = Instant::now();
        let holds = command.status().is_ok_and(|status| status.success());
        (name, holds, start.elapsed().as_secs_f64())
    };
    let mut summary = Vec::new();
    thread::scope(|scope| {
        let mut beside = Vec::new();
        for proof in PROOFS {
            let is_asked = asked.iter().any(|name| name == proof.name);
            if asked.is_empty() && BESIDE.contains(&proof.name) {
                let (name, command) = told(proof, "");
                beside.push(scope.spawn(move || {
                    let start = Instant::now();
                    let ran = silently(command);
                    let (holds, printed) = ran.unwrap_or_else(|why| (false, why.to_string()));
                    ((name, holds, start.elapsed().as_secs_f64()), printed)
                }));
            } else if is_asked || asked.is_empty() && !WHEN_NAMED.contains(&proof.name) {
                summary.push(prove(proof, ""));
            }
        }
        for one in beside {
            let (proved, printed) = one.join().expect("it does not panic");
            println!("\n== {}, which ran beside these:\n{printed}", proved.0);
            summary.push(proved);
        }
    });
    for package in chapters.iter().filter(|name| asked.iter().any(|word| is_of(word, name))) {
        summary.extend(OF_A_CHAPTER.iter().map(|proof| prove(proof, package)));
    }
    println!();
    for (name, holds, seconds) in &summary {
        println!("{:9} {name:12} {seconds:7.1} s", if *holds { "proved" } else { "NOT TRUE" });
    }
    if asked.is_empty() {
        for (what, command) in NOT_RUN {
            println!("not run: {what} ({command})");
        }
    }
    let all = summary.iter().all(|(_, holds, _)| *holds);
    if all { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether a command succeeds, and what it printed.
fn silently(mut command: Command) -> io::Result<(bool, String)> {
    let (mut lines, end) = io::pipe()?;
    let mut child = command.stdout(end.try_clone()?).stderr(end).spawn()?;
    drop(command); // it holds the ends that write: without them reading comes to an end
    let mut printed = Vec::new();
    lines.read_to_end(&mut printed)?;
    Ok((child.wait()?.success(), String::from_utf8_lossy(&printed).into_owned()))
}

/// `ch02-kv-cache` and the like, in order.
fn chapters(root: &Path) -> Vec<String> {
    let folders = fs::read_dir(root.join("chapters")).expect("the chapters can be read");
    let names = folders
        .map(|folder| folder.expect("a folder").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("ch")).collect();
    names.sort();
    names
}

/// `ch02` of `ch02-kv-cache`.
fn short(package: &str) -> &str {
    package.split('-').next().unwrap_or(package)
}
