//! `check ch02`: builds the reader's chapter, tries the suite on it, and says where it first differs.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use course::chapters::{self, Found, problem};
use course::suite::{Engine, Mistake, Suite, beside};
use ground::error::Error;

use crate::part::{self, Said};
use crate::typed;

/// Which chapter to check.
#[derive(clap::Args)]
pub struct Args {
    /// The chapter, as ch02; yours is in my/ch02
    chapter: String,

    /// Test one part by itself, even where there is no program yet: `check ch00 --part rope`
    ///
    /// Compiles the course's own tests of this part with my/CHAPTER, and shows the first number that differs. Parts
    /// of chapter 0 are matmul, norm, softmax, attention, rope, model, generate; `--part list` lists any chapter's.
    #[arg(long, value_name = "NAME")]
    part: Option<String>,
}

/// Builds, tries everything, and remembers the result for `progress`.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let found = chapters::find(&root, &args.chapter)?;
    let chapter = &found.chapter;
    let short = &chapter.short;
    let lists = args.part.as_deref() == Some("list");
    if !lists && !chapters::own(&root, short).join("Cargo.toml").is_file() {
        return Err(problem(format!(
            "there is no my/{short} yet: `cargo run -- start {short}`"
        )));
    }
    if let Some(part) = &args.part {
        return part::check(&root, &found, part);
    }
    let part = chapter.about.parts.first();
    if let Some(part) =
        part.filter(|_| !chapters::own(&root, short).join("src/main.rs").exists())
    {
        return Err(problem(format!(
            "my/{short} has no src/main.rs yet, so there is no program to check: \
             `cargo run -- check {short} --part {part}` tests what it has"
        )));
    }
    let checked = check(&found);
    let word = if checked.is_ok() { "green" } else { "red" };
    fs::create_dir_all(chapters::aside(&root))?;
    fs::write(chapters::verdict(&root, short), word)?;
    checked?;
    let theirs = &chapter.name;
    // Not `println!`, which panics when standard output is full or closed.
    let done =
        format!("my/{short} agrees with the judge and, bit for bit, with chapters/{theirs}.");
    Ok(writeln!(io::stdout(), "{done}")?)
}

fn check(found: &Found) -> Result<(), Error> {
    let root = chapters::root();
    let chapter = &found.chapter;
    let own = chapters::own(&root, &chapter.short);
    let engine = |name: String, folder| -> Result<Engine, Error> {
        let program = chapters::build(folder, &name.replace('/', "-"))?;
        Ok(Engine::of(chapter, name, program))
    };
    let mine = engine(format!("my/{}", chapter.short), &own)?;
    let theirs = engine(format!("chapters/{}", chapter.name), &chapter.folder)?;
    judge(&root, found, &mine, &theirs, &chapter.about.parts)
}

/// The topics until the first that is red: all after it would be red as well. Then the parts, likewise. And of what is red,
/// one place to look at. Which ways are tried, the engine says.
fn judge(
    root: &Path,
    found: &Found,
    mine: &Engine,
    theirs: &Engine,
    parts: &[String],
) -> Result<(), Error> {
    let suite = Suite::read(root)?;
    let (topics, beside) = (Suite::topics(), beside::topics(&suite, mine, root));
    let all = topics.len() + beside.len();
    let mut lines = Lines { at: 0, all: all + parts.len() };
    let mut red: Option<(String, Box<Mistake>)> = None;
    for topic in topics {
        let tried = lines.tried(&topic.name, || topic.try_on(&suite, mine))?;
        red = tried.err().map(|mistake| match topic.is_about_numbers {
            true => (topic.name, beside::with_layer(mistake, mine, theirs)),
            false => (topic.name, mistake),
        });
        if red.is_some() {
            break;
        }
    }
    for (model, questions) in beside {
        if red.is_some() {
            break;
        }
        let name = format!("bits and figures beside {}, {model}", theirs.name);
        let all = || questions.iter().try_for_each(|one| beside::same_bits(mine, theirs, one));
        red = lines
            .tried(&name, all)?
            .err()
            .map(|mistake| (name, beside::with_layer(mistake, mine, theirs)));
    }
    lines.at = all;
    let part = parts_of(root, found, parts, &mut lines)?;
    if red.is_none() && part.is_none() {
        return Ok(());
    }
    Err(problem(told(found, mine, red, part)))
}

/// The first part whose tests are red, and what they say.
fn parts_of(
    root: &Path,
    found: &Found,
    parts: &[String],
    lines: &mut Lines,
) -> Result<Option<(String, String)>, Error> {
    if !parts.is_empty() {
        writeln!(io::stdout(), "         the tests of its parts are compiled")?;
    }
    let programs = part::build(root, found, parts, Stdio::null())?;
    for (part, program) in parts.iter().zip(programs) {
        if program.is_none() {
            // A chapter of another form is tried by what it answers alone.
            lines.at += 1;
            let why = "left out, because its tests do not compile with yours";
            writeln!(io::stdout(), "{:>2} of {}  part {part}: {why}", lines.at, lines.all)?;
            continue;
        }
        let name = format!("part {part}");
        let tried = || match part::ask(root, found, part, program.as_deref()) {
            Ok(Said::Wrong(why)) => Err(Ok(why)),
            Ok(_) => Ok(()),
            Err(error) => Err(Err(error)),
        };
        match lines.tried(&name, tried)? {
            Ok(()) => {}
            Err(why) => return Ok(Some((part.clone(), why?))),
        }
    }
    Ok(None)
}

/// One line for each thing that is tried: what it is before it begins, and how long it took at its end.
struct Lines {
    at: usize,
    all: usize,
}

impl Lines {
    fn tried<E>(
        &mut self,
        name: &str,
        try_it: impl FnOnce() -> Result<(), E>,
    ) -> io::Result<Result<(), E>> {
        self.at += 1;
        // Not `print!`, which panics when standard output is full or closed.
        write!(io::stdout(), "{:>2} of {}  {name}", self.at, self.all)?;
        io::stdout().flush()?;
        let start = Instant::now();
        let tried = try_it();
        let word = if tried.is_ok() { "" } else { "red, " };
        writeln!(io::stdout(), ": {word}{:.1} s", start.elapsed().as_secs_f64())?;
        Ok(tried)
    }
}

/// What is red, what is not, and one place to look at.
fn told(
    found: &Found,
    mine: &Engine,
    red: Option<(String, Box<Mistake>)>,
    part: Option<(String, String)>,
) -> String {
    let topics =
        red.as_ref().map_or("green".into(), |(topic, _)| format!("red at \"{topic}\""));
    let parts = match &part {
        _ if found.chapter.about.parts.is_empty() => "none".into(),
        Some((part, _)) => format!("red at {part}"),
        None => "green".into(),
    };
    let look = match (&red, &part) {
        (Some((_, mistake)), part) => {
            format!("{} src/{}", mistake.look, part.as_ref().map_or("", |(part, _)| part))
        }
        (None, Some((part, _))) => format!("src/{part}"),
        (None, None) => String::new(),
    };
    let own = chapters::own(&chapters::root(), &found.chapter.short);
    let mut lines = typed::apart(&own, &found.chapter.folder, &look).into_iter();
    let mut told =
        format!("{} is not right yet: its topics are {topics}, its parts {parts}\n", mine.name);
    if let Some((_, mistake)) = &red {
        told += &format!("{mistake}\n");
    }
    if let Some((_, why)) = &part {
        told += &format!("{why}\n");
    }
    if let Some(line) = lines.next() {
        told += &format!("\n  {}/{line}\n", mine.name);
        for line in lines.take(2) {
            told += &format!("  or {}/{line}\n", mine.name);
        }
        told += "  there yours is not the course's for the first time";
    }
    told.trim_end().to_string()
}
