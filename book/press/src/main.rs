//! The maintainer's command: generate, check, hunks, carry, new, stats.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use press::book::Book;
use press::fault::{Fault, PressError};
use press::generate;
use press::house::House;
use press::rename::{self, Rename};
use press::sources::Sources;
use press::story::Story;
use press::{bench, cargo, carry, check, new};

/// Prints a line; a reader who closed the pipe has seen enough.
macro_rules! say {
    ($($part:tt)*) => {
        if writeln!(std::io::stdout(), $($part)*).is_err() {
            std::process::exit(0);
        }
    };
}

/// Makes the generated parts of the book, checks that they are true, and carries fixes from chapter to chapter.
///
/// After you changed code or a page: `generate`, then `check`. After you fixed an early chapter: `carry ch00`, look at
/// the diff, then `generate` and `check`.
#[derive(Parser)]
#[command(name = "press")]
struct Arguments {
    #[command(subcommand)]
    command: What,
}

#[derive(Subcommand)]
enum What {
    /// Write book/src/generated: listings, whole files, formulas, console blocks, tables.
    Generate {
        /// Also run the commands of book/runs.json again and record what they print; only those whose names begin so.
        #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
        runs: Option<String>,
        /// Write nothing; fail if anything would change.
        #[arg(long)]
        check: bool,
    },
    /// Say what is not true in the book.
    Check {
        /// Only faults of pages whose path contains this, such as `ch02/` or `ch02/cache.md`.
        #[arg(long)]
        page: Option<String>,
        /// Also compile the code at every checkpoint (of these pages).
        #[arg(long)]
        checkpoints: bool,
        /// Also run every command of book/runs.json.
        #[arg(long)]
        runs: bool,
    },
    /// List a chapter's hunks by name, as pages include them.
    Hunks {
        /// `ch02`, or `ground`.
        chapter: String,
        /// Only those that no page shows yet.
        #[arg(long)]
        unclaimed: bool,
    },
    /// Carry what changed in a chapter forward to all later ones (three-way merge; conflicts stay marked in the files). Or
    /// rename something from a chapter on: there, in its steps, exercises, tests and faults, and on pages.
    Carry {
        /// The chapter that was edited, such as `ch00`; of a name, the chapter where it begins, or `ground`.
        from: String,
        /// The commit it is compared with.
        #[arg(long, default_value = "HEAD", conflicts_with = "rename")]
        base: String,
        /// OLD is `name`, whatever has it; `fn name`, a function; `Type::name`, what a type owns (`Type::name()`, if that is a
        /// function); `.name` or `it.name`, what is after a dot; or `src/folder/name.rs`, a module, whose NEW is `other.rs`.
        #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
        rename: Option<Vec<String>>,
        /// Only in files whose path contains this; may be given several times.
        #[arg(long = "in", value_name = "PATH", requires = "rename")]
        inside: Vec<String>,
        /// Not in files whose path contains this.
        #[arg(long = "not-in", value_name = "PATH", requires = "rename")]
        outside: Vec<String>,
        /// Also as a word in comments and strings.
        #[arg(long, requires = "rename")]
        words: bool,
        /// Also where the new name is in use already.
        #[arg(long, requires = "rename")]
        taken: bool,
    },
    /// Make the next chapter: a copy of the last one's program, a page that shows nothing yet, and all that is generated.
    New {
        /// Its name, such as `ch04-threads`: a number that follows, and words.
        name: String,
        /// Not a copy, but a library on top of this chapter's, such as `ch08`. (One after such a chapter is a copy again.)
        #[arg(long)]
        base: Option<String>,
    },
    /// Build the release program of every step of a chapter, and print where each is: to run, and to measure.
    Steps {
        /// `ch03`
        chapter: String,
    },
    /// Words and reading time of every page.
    Stats,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(what: What) -> Result<bool, PressError> {
    let house = House::open(&root()?)?;
    match what {
        What::Generate { runs, check } => generate(&house, runs.as_deref(), check),
        What::Check { page, checkpoints, runs } => {
            let page = page.as_deref();
            let mut faults = check::all(&house)?;
            if checkpoints {
                faults.extend(bench::checkpoints(&house, page)?);
            }
            if runs {
                faults.extend(cargo::runs(&house)?);
            }
            report(faults, page)
        }
        What::Hunks { chapter, unclaimed } => hunks(&house, &chapter, unclaimed),
        What::Carry { from, rename: Some(names), inside, outside, words, taken, .. } => {
            let [old, new] = names.as_slice() else { unreachable!("clap takes two") };
            let asked = Rename::parse(old, new, inside, outside, words)?;
            let report = rename::rename(&house, &from, &asked, taken)?;
            say!("{report}");
            Ok(report.taken.is_empty() || taken)
        }
        What::Carry { from, base, .. } => {
            let report = carry::carry(&house, &from, &base)?;
            say!("{}", report.lines.join("\n"));
            Ok(report.conflicts == 0)
        }
        What::New { name, base } => {
            new::make(&house, &name, base.as_deref())?;
            let made = generate(&House::open(&house.root)?, None, false)?;
            let short = name.split('-').next().unwrap_or(&name);
            say!(
                "chapters/{name} does what the chapter before does; change it, and tell it in the book.\n\
                 Its packages: {name} and {short}-exercises (`cargo run -p {name}`, `cargo test -p {short}-exercises`)."
            );
            Ok(made)
        }
        What::Steps { chapter } => {
            let chapter =
                house.chapter_named(&chapter).ok_or_else(|| unknown(&house, &chapter))?;
            for program in bench::programs(&house, chapter)? {
                say!("{}", program.display());
            }
            Ok(true)
        }
        What::Stats => {
            let book = Book::load(&house)?;
            let story = Story::tell(&house, &book);
            let sources = Sources { house: &house, book: &book, story: &story };
            say!("{}", generate::pages(&sources)?.trim_end());
            Ok(true)
        }
    }
}

/// The repository: the nearest folder upwards that holds `book/course.json`.
fn root() -> Result<PathBuf, PressError> {
    let here = std::env::current_dir()
        .map_err(|source| PressError::File { path: ".".into(), source })?;
    let found = here.ancestors().find(|folder| folder.join("book/course.json").is_file());
    found.map(PathBuf::from).ok_or_else(|| {
        PressError::content(&here, "not inside the course: no book/course.json here or above")
    })
}

fn expected(house: &House) -> Result<(generate::Files, Vec<Fault>), PressError> {
    let book = Book::load(house)?;
    let story = Story::tell(house, &book);
    generate::expected(&Sources { house, book: &book, story: &story })
}

fn generate(house: &House, runs: Option<&str>, only_check: bool) -> Result<bool, PressError> {
    let mut faults = match runs {
        Some(name) if !only_check => cargo::record_runs(house, name)?,
        _ => Vec::new(),
    };
    let (mut files, wrong) = expected(house)?;
    faults.extend(wrong);
    if only_check {
        faults.extend(generate::stale(house, &files)?);
        return report(faults, None);
    }
    // The first pass may bring the pages that the summary of the second one lists.
    for line in generate::update(house, &files)? {
        say!("{line}");
    }
    files = expected(house)?.0;
    for line in generate::update(house, &files)? {
        say!("{line}");
    }
    report(faults, None)
}

fn report(faults: Vec<Fault>, page: Option<&str>) -> Result<bool, PressError> {
    let wanted: Vec<&Fault> = faults
        .iter()
        .filter(|fault| page.is_none_or(|page| fault.place.contains(page)))
        .collect();
    for fault in &wanted {
        say!("{fault}");
    }
    say!(
        "{}",
        if wanted.is_empty() {
            "no faults".to_string()
        } else {
            format!("{} faults", wanted.len())
        }
    );
    Ok(wanted.is_empty())
}

fn unknown(house: &House, chapter: &str) -> PressError {
    PressError::content(&house.root.join("chapters"), format!("no chapter '{chapter}'"))
}

fn hunks(house: &House, chapter: &str, unclaimed: bool) -> Result<bool, PressError> {
    let book = Book::load(house)?;
    let story = Story::tell(house, &book);
    let short = house.chapter_named(chapter).map(|chapter| chapter.short.clone());
    let Some(diff) = short.and_then(|short| story.diff(&short)) else {
        return Err(unknown(house, chapter));
    };
    let claimed = story.claimed();
    for hunk in diff.hunks() {
        let page = claimed.get(hunk.name.as_str()).and_then(|claims| claims.first());
        if unclaimed && page.is_some() {
            continue;
        }
        let page =
            page.map(|claim| format!("  {}:{}", claim.page, claim.line)).unwrap_or_default();
        say!("+{:<4} -{:<4} {}.md{page}", hunk.added, hunk.removed, hunk.name);
    }
    let (added, removed) = diff.size();
    say!("+{added:<4} -{removed:<4} in all");
    Ok(true)
}
