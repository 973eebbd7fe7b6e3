//! `cargo run -- download`: a real model, whole, proved to be the right one, in `models/`.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use ground::error::Error;
use ground::text::path_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{Args, Known, Other, Wanted, endpoint};
use crate::hub::{CHANGED, Failure, Hub};
use crate::partial_file::{Origin, Part, sum_of};

mod args;
mod hub;
mod partial_file;

/// Download a model from the hub.
#[derive(Parser)]
#[command(name = "cargo run -- download")]
struct Program {
    #[command(flatten)]
    args: Args,
}

fn main() -> ExitCode {
    ground::cli::main(run)
}

fn run(given: Vec<OsString>) -> Result<(), Error> {
    let args = Program::try_parse_from(given)?.args;
    let wanted = args.wanted()?;
    let hub = Hub::new(&endpoint(), &wanted, args.timeout).map_err(Error::chapter)?;
    // From the root itself, so that messages need no `../..`.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let models = root.unwrap_or(Path::new("")).join("models");
    let folder = args.to.clone().unwrap_or(models);
    fs::create_dir_all(&folder).map_err(|error| at(&folder, error))?;
    let path = folder.join(wanted.name());
    match path.exists() {
        true => already(&wanted, &path)?,
        false => fetch(&args, &wanted, &hub, &path)?,
    }
    // A file elsewhere is not found by its name alone.
    let name = path_line(if args.to.is_none() { Path::new(wanted.name()) } else { &path });
    let model = if args.to.is_none() { name.trim_end_matches(".gguf") } else { &name };
    say(match wanted.other {
        None => format!("next: cargo run --release -p ch07-chat -- --model {model}"),
        Some(Other { prompt, .. }) => {
            format!("next: cargo run --release -p ch15-families -- --model {model} {prompt}")
        }
    });
    Ok(())
}

/// A file that has the name stays, whatever it is. Of the one that we know, it's said if it is another.
fn already(wanted: &Wanted, path: &Path) -> Result<(), Error> {
    let shown = path_line(path);
    if let Some(Known { sum, of, .. }) = wanted.known {
        let found = sum_of(path).map_err(|error| at(path, error))?;
        if found != sum {
            return Err(Error::chapter(format!(
                "{shown} has the SHA-256 {found}, expected {sum} of {of}: remove it to download it anew"
            )));
        }
    }
    say(format!("{shown} is there already: remove it to download it anew"));
    Ok(())
}

/// The whole file under its name, or what there is of it beside that.
fn fetch(args: &Args, wanted: &Wanted, hub: &Hub, path: &Path) -> Result<(), Error> {
    let started = Instant::now();
    let mut part = Part::open(path, hub.url()).map_err(|error| at(path, error))?;
    if let Err(error) = download(args, wanted, hub, &mut part, folder(path)) {
        if part.len == 0 {
            let _ = part.remove(); // it would only be litter
            return Err(Error::chapter(error));
        }
        let kept = format!("{} are kept: the same command goes on there", megabytes(part.len));
        return Err(Error::chapter(format!("{error}; {kept}")));
    }
    let (took, sum) = (
        format!("{} in {} seconds", megabytes(part.len), started.elapsed().as_secs()),
        part.sum(),
    );
    part.finish(path).map_err(|error| at(path, error))?;
    say(format!("{}: {took}, SHA-256 {sum}", path_line(path)));
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// Asks until every byte is here, or there is no more sense in it; then compares the sum.
fn download(
    args: &Args,
    wanted: &Wanted,
    hub: &Hub,
    part: &mut Part,
    folder: &Path,
) -> Result<(), String> {
    let (mut idle, mut told) = (0, false);
    for try_ in 1.. {
        let before = part.len;
        let (why, wait) = match piece(wanted, hub, part, folder, &mut told) {
            Ok(()) => break,
            Err(Failure::Final(why)) => return Err(why),
            Err(Failure::Again(why, wait)) => (why, wait),
        };
        idle = if part.len > before { 0 } else { idle + 1 };
        // Half a minute without a byte: whoever typed this should look at it.
        if try_ == args.tries || idle == 5 {
            return Err(why);
        }
        let wait = wait.unwrap_or(Duration::from_secs(1 << idle.min(5)));
        if why == CHANGED {
            part.begin(Origin { url: hub.url().into(), ..Origin::default() })
                .map_err(unwritten)?;
        }
        say(format!("{why}: again in {} seconds", wait.as_secs()));
        thread::sleep(wait);
    }
    match verdict(wanted.known, part.origin.sum.as_deref(), &part.sum()) {
        Ok(line) => say(line),
        Err(line) => {
            part.begin(Origin::default()).map_err(unwritten)?;
            return Err(line);
        }
    }
    Ok(())
}

/// Whether it is the right file, and on whose word.
fn verdict(
    known: Option<Known>,
    declared: Option<&str>,
    found: &str,
) -> Result<String, String> {
    let (expected, whose) = match (known, declared) {
        (Some(known), _) => (known.sum, known.of),
        (None, Some(sum)) => (sum, "the server"),
        (None, None) => {
            return Ok(
                "the server declares no SHA-256: nothing was compared but the length".into()
            );
        }
    };
    if found != expected {
        return Err(format!(
            "its SHA-256 is {found}, expected {expected} of {whose}: it is dropped, download it again"
        ));
    }
    Ok(match known {
        Some(_) => format!("the SHA-256 is that of {whose}"),
        None => {
            "the SHA-256 is what the server declares: this course has no word of its own on it"
                .into()
        }
    })
}

/// One request, and all that comes of it.
fn piece(
    wanted: &Wanted,
    hub: &Hub,
    part: &mut Part,
    folder: &Path,
    told: &mut bool,
) -> Result<(), Failure> {
    // All of it came, and the program ended before it could say so.
    if part.len > 0 && part.origin.size == Some(part.len) {
        return Ok(());
    }
    let answer = hub.ask(wanted, part.len, &part.origin)?;
    let size = answer.origin.size;
    // Known before the first byte: better than after some gigabytes.
    if let Some(known) = wanted.known {
        let own = format!("`cargo run -- download {} {}`", wanted.repo, wanted.file);
        let (host, as_it_is) = (hub.host(), format!("{own} takes it as it is"));
        if let Some(size) = size.filter(|size| *size != known.bytes) {
            return Err(Failure::Final(format!(
                "{host} has a file of {size} bytes, expected {}: {as_it_is}",
                known.bytes
            )));
        }
        if let Some(sum) = answer.origin.sum.as_ref().filter(|sum| *sum != known.sum) {
            return Err(Failure::Final(format!(
                "{host} declares the SHA-256 {sum}, expected {} of {}: {as_it_is}",
                known.sum, known.of
            )));
        }
    }
    let have = if answer.continues { part.len } else { 0 };
    if !*told {
        let missing = size.map(|size| size - have.min(size));
        announce(wanted, hub, folder, size, have);
        enough_room(folder, missing).map_err(Failure::Final)?;
        *told = true;
    }
    let mut body = answer.body.into_reader();
    if !answer.continues {
        // What is here is dropped for a model only, and for no page that says "please sign in".
        let mut head = Vec::new();
        let read = body.by_ref().take(16).read_to_end(&mut head);
        if head.is_empty() {
            return Err(broken(
                part,
                size,
                read.map_or_else(|e| e.to_string(), |_| "empty".into()),
            ));
        }
        if head.iter().zip(b"GGUF").any(|(found, expected)| found != expected) {
            let (host, found) = (hub.host(), head.escape_ascii());
            let line = format!("what {host} sends begins with \"{found}\", expected \"GGUF\"");
            return Err(Failure::Final(format!("{line}: it is no model")));
        }
        if part.len > 0 {
            say("the server sends it from its beginning: begun anew".into());
        }
        let begun = part.begin(answer.origin).and_then(|()| part.write(&head));
        begun.map_err(|error| Failure::Final(unwritten(error)))?;
    }
    let bar = bar(size, part.len);
    let result = fill(part, size, body, hub, &bar);
    bar.finish_and_clear();
    result
}

/// Reads to the end of what is sent.
fn fill(
    part: &mut Part,
    size: Option<u64>,
    mut body: impl Read,
    hub: &Hub,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let mut buffer = vec![0; 1 << 17];
    loop {
        let read = match body.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(broken(part, size, error.to_string())),
        };
        if size.is_some_and(|size| part.len + read as u64 > size) {
            part.begin(Origin::default()).map_err(|error| Failure::Final(unwritten(error)))?;
            let line = format!("{} sends more than the bytes it declared", hub.host());
            return Err(Failure::Final(format!("{line}: try again later")));
        }
        part.write(&buffer[..read]).map_err(|error| Failure::Final(unwritten(error)))?;
        bar.set_position(part.len);
    }
    match size {
        Some(size) if part.len < size => Err(broken(part, Some(size), "cut off".into())),
        _ => Ok(()),
    }
}

fn broken(part: &Part, size: Option<u64>, why: String) -> Failure {
    let of = size.map_or(String::new(), |size| format!(" of {size}"));
    let line = format!("the connection ended after {}{of} bytes ({why})", part.len);
    Failure::Again(line, None)
}

/// What it will take, before it takes it.
fn announce(wanted: &Wanted, hub: &Hub, folder: &Path, size: Option<u64>, have: u64) {
    let Some(size) = size else {
        return say(format!(
            "{} from {}: of what size, the server does not say",
            wanted.name(),
            hub.host()
        ));
    };
    let here = if have > 0 {
        format!(", {} of them already here", megabytes(have))
    } else {
        String::new()
    };
    let (name, host) = (wanted.name(), hub.host());
    let disk = format!("{} of disk in {}{here}", megabytes(size), path_line(folder));
    say(match wanted.other {
        // Beside the weights, which stay as the file has them: what one pass needs.
        None => format!(
            "{name} from {host}: {disk}; to talk with it takes about {} of memory, more as the talk grows",
            megabytes(size / 10 * 11)
        ),
        // Some of its types are rewritten when it's opened.
        Some(Other { terms, .. }) => {
            format!("{name} from {host}: {disk}; `inspect` tells its memory; under {terms}")
        }
    });
}

/// Better to know now than after an hour.
fn enough_room(folder: &Path, missing: Option<u64>) -> Result<(), String> {
    #[cfg(unix)]
    if let (Some(missing), Ok(found)) = (missing, rustix::fs::statvfs(folder)) {
        let free = found.f_bavail.saturating_mul(found.f_frsize);
        // Some file systems count nothing at all: their zero is no answer.
        if found.f_blocks > 0 && free < missing {
            return Err(format!(
                "the disk has {} free, expected {}: make room, or name another folder with --to",
                megabytes(free),
                megabytes(missing)
            ));
        }
    }
    let _ = (folder, missing);
    Ok(())
}

/// The rate and the time left, for people.
fn bar(size: Option<u64>, have: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr());
    let template = "{decimal_bytes} of {decimal_total_bytes} [{bar:30}] {decimal_bytes_per_sec}, {eta} left";
    bar.set_style(
        ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()),
    );
    bar.set_position(have);
    bar.reset_eta(); // what an earlier run got says nothing about this one's speed
    bar
}

fn say(line: String) {
    // Not `println!`: a reader who has gone is no reason to end a download.
    let _ = writeln!(io::stdout(), "{line}");
}

fn megabytes(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        mega if mega < 1000.0 => format!("{mega:.1} MB"),
        mega => format!("{:.1} GB", mega / 1e3),
    }
}

fn unwritten(error: io::Error) -> String {
    format!(
        "the disk takes no more of it ({error}): make room, or name another folder with --to"
    )
}

fn at(path: &Path, error: io::Error) -> Error {
    Error::chapter(format!("{}: {error}", path_line(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_on_whose_word_a_file_is_the_right_one() {
        let known = Known { bytes: 1, sum: "a", of: "README.md" };
        let said = |known, declared| verdict(known, declared, "a");
        let line = |text: &str| Ok(text.to_string());
        assert_eq!(said(Some(known), Some("b")), line("the SHA-256 is that of README.md"));
        let server = said(None, Some("a")).expect("it is the right one");
        assert!(server.starts_with("the SHA-256 is what the server declares"), "{server}");
        let nobody = said(None, None).expect("nothing says that it is not");
        assert!(nobody.contains("nothing was compared but the length"), "{nobody}");
        let wrong = verdict(Some(known), Some("b"), "b").expect_err("it is another");
        let dropped = "its SHA-256 is b, expected a of README.md: it is dropped";
        assert!(wrong.starts_with(dropped), "{wrong}");
    }
}
