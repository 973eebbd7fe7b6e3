//! `check ch02`: builds the reader's chapter, tries the suite on it, and says where it first differs. In the middle of a
//! chapter that is what should work at the end of the page that the reader is on.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use course::chapters::{self, Found, problem};
use course::pages::{self, Page};
use course::suite::{Engine, Mistake, Suite, beside};
use ground::error::Error;

use crate::part::{self, Said};
use crate::{start, typed};

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

    /// The page that you have typed, if it is another one than what you typed tells: `contiguous` of ch02/contiguous.md
    #[arg(long, value_name = "NAME", conflicts_with = "part")]
    page: Option<String>,
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
    let pages = pages::of(&root, chapter)?;
    let own = chapters::own(&root, short);
    let count = match &args.page {
        Some(name) => pages::upto(&pages, chapter, name)?,
        None => pages::typed(&pages, &found, &own),
    };
    let (typed, rest) = pages.split_at(count);
    let is_whole = rest.iter().all(|page| page.listings.is_empty());
    let title = |name: &str| {
        let page = pages.iter().find(|page| page.name == name);
        page.map_or(name.to_string(), |page| format!("\"{}\"", page.title))
    };
    // Not `println!`, which panics when standard output is full or closed.
    let mut out = io::stdout();
    let (page, upto) = match typed.last() {
        Some(page) => (page.name.as_str(), title(&page.name)),
        None => ("none", "its beginning".into()),
    };
    if !is_whole {
        let other = "another one is named by --page";
        writeln!(out, "my/{short} is typed up to {upto} (page {page}; {other})")?;
    }
    if typed.last().is_some_and(|page| !page.compiles) {
        let next = rest.iter().find(|page| page.compiles).map_or("", |page| &page.name);
        let until = "until then `cargo check` there lists what is left to do";
        return Ok(writeln!(
            out,
            "not there yet: it compiles again with {}; {until}",
            title(next)
        )?);
    }
    let before = found.before.as_ref().map(|before| &before.about);
    let names: Vec<&str> = typed.iter().map(|page| page.name.as_str()).collect();
    let (about, later) = chapter.about.while_typed(&names, before);
    for (page, what) in &later {
        let what = what.join(", ");
        writeln!(out, "not there yet: {what}: with {}", title(page))?;
    }
    let mut now = found.clone();
    now.chapter.about = about;
    let theirs = if is_whole { chapter.folder.clone() } else { at_page(&root, &found, typed)? };
    let named = if is_whole { String::new() } else { format!(" at the end of {upto}") };
    let named = format!("chapters/{}{named}", chapter.name);
    let checked = check(&root, &now, &named, &theirs);
    let word = match &checked {
        Ok(()) if is_whole => "green",
        Ok(()) => page,
        Err(_) => "red",
    };
    fs::create_dir_all(chapters::aside(&root))?;
    fs::write(chapters::verdict(&root, short), word)?;
    checked?;
    let done = match now.chapter.about.ways.is_empty() {
        true => format!("my/{short} is right as far as it goes: it has no program yet."),
        false => format!("my/{short} agrees with the judge and, bit for bit, with {named}."),
    };
    Ok(writeln!(out, "{done}")?)
}

/// The course's own chapter as it is at the end of the last of these pages, in a folder of its own.
fn at_page(root: &Path, found: &Found, typed: &[Page]) -> Result<PathBuf, Error> {
    let all = chapters::aside(root).join("pages");
    let short = &found.chapter.short;
    let folder = all.join(short);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let base = found.base.as_ref().map(|base| base.folder.as_path());
    start::begin(found, &folder, base.unwrap_or(Path::new("")))?;
    for page in typed {
        page.type_into(&folder)?;
    }
    // Its code may have no use yet.
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    let quiet = "[lints.rust]\nwarnings = \"allow\"\n";
    fs::write(&manifest, text.replace("[lints]\nworkspace = true\n", quiet))?;
    part::alone(root, &all, short)?;
    Ok(folder)
}

/// Tries what the chapter in `found` says of itself, beside the course's own in the folder `theirs`, which is called `named`.
fn check(root: &Path, found: &Found, named: &str, theirs: &Path) -> Result<(), Error> {
    let chapter = &found.chapter;
    let own = chapters::own(root, &chapter.short);
    let engine = |name: String, file: &str, folder: &Path| -> Result<Engine, Error> {
        let program = chapters::build(folder, &format!("{file}-{}", chapter.short))?;
        Ok(Engine::of(chapter, name, program))
    };
    if chapter.about.ways.is_empty() {
        let mut lines = Lines { at: 0, all: chapter.about.parts.len() };
        let part = parts_of(root, found, &chapter.about.parts, &mut lines)?;
        return part.map_or(Ok(()), |part| Err(problem(told(found, theirs, None, Some(part)))));
    }
    let mine = engine(format!("my/{}", chapter.short), "my", &own)?;
    let course = engine(named.to_string(), "chapters", theirs)?;
    judge(root, found, &mine, (&course, theirs), &chapter.about.parts)
}

/// The topics until the first that is red: all after it would be red as well. Then the parts, likewise. And of what is red,
/// one place to look at. Which ways are tried, the engine says.
fn judge(
    root: &Path,
    found: &Found,
    mine: &Engine,
    (theirs, folder): (&Engine, &Path),
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
    Err(problem(told(found, folder, red, part)))
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
    theirs: &Path,
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
    let mut lines = typed::apart(&own, theirs, &look).into_iter();
    let mine = format!("my/{}", found.chapter.short);
    let mut told =
        format!("{mine} is not right yet: its topics are {topics}, its parts {parts}\n");
    if let Some((_, mistake)) = &red {
        told += &format!("{mistake}\n");
    }
    if let Some((_, why)) = &part {
        told += &format!("{why}\n");
    }
    if let Some(line) = lines.next() {
        told += &format!("\n  {mine}/{line}\n");
        for line in lines.take(2) {
            told += &format!("  or {mine}/{line}\n");
        }
        told += "  there yours is not the course's for the first time";
    }
    told.trim_end().to_string()
}
