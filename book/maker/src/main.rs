//! The maintainer's command, and what mdBook runs.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bookmaker::book::Book;
use bookmaker::claims::Claims;
use bookmaker::fault::{BookError, Fault};
use bookmaker::generate::{self, form, readme};
use bookmaker::rename::{self, Rename};
use bookmaker::repository::Repository;
use bookmaker::sources::Sources;
use bookmaker::{cargo, carry, checkpoints, fold, new, preprocess, proofread};
use clap::{Parser, Subcommand};

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
/// After you changed code or a page: `check`. After you fixed an early chapter: `carry ch00`, look at the diff, then
/// `check`.
#[derive(Parser)]
#[command(name = "cargo book")]
struct Arguments {
    #[command(subcommand)]
    command: What,
}

#[derive(Subcommand)]
enum What {
    /// Write the README's table and bring measurements into their form; say which listings, tables and formulas of the book
    /// cannot be made.
    Generate {
        /// Also run the commands of book/runs.json again and record what they print; only those whose names begin so.
        #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
        runs: Option<String>,
    },
    /// Say what is not true in the book.
    Proofread {
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
        /// OLD is `name`, whatever has it; `Type::name`, what a type owns; `.name`, what is after a dot; or
        /// `src/folder/name.rs`, a module, whose NEW is `other.rs`.
        #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
        rename: Option<Vec<String>>,
        /// Only in files whose path contains this; may be given several times.
        #[arg(long = "in", value_name = "PATH", requires = "rename")]
        inside: Vec<String>,
        /// Not in files whose path contains this.
        #[arg(long = "not-in", value_name = "PATH", requires = "rename")]
        outside: Vec<String>,
        /// Also where the new name is in use already.
        #[arg(long, requires = "rename")]
        taken: bool,
    },
    /// Make the next chapter: a copy of the last one's program, and a page that shows nothing yet.
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
    /// Put a step's changes there as whole files, to edit them. `carry` takes the edit further, and folds them again.
    Unfold {
        /// A step, such as `ch03-lanes`, or all of a chapter.
        steps: String,
    },
    /// Put whole files of steps there as changes of what the state before left, where that is much shorter.
    Fold,
    /// Words and reading time of every page.
    Stats,
    /// For mdBook, which runs this before it builds the book: its pages come in, and go out with all that they include.
    Preprocess,
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

fn run(what: What) -> Result<bool, BookError> {
    let root = root()?;
    let open = || Repository::open(&root);
    match what {
        What::Preprocess => preprocess(&root),
        What::Generate { runs } => generate(&open()?, runs.as_deref()),
        What::Proofread { page, checkpoints, runs } => {
            let (repository, page) = (open()?, page.as_deref());
            let mut faults = proofread::all(&repository)?;
            if checkpoints {
                faults.extend(checkpoints::compile(&repository, page)?);
            }
            if runs {
                faults.extend(cargo::runs(&repository)?);
            }
            report(faults, page)
        }
        What::Hunks { chapter, unclaimed } => hunks(&open()?, &chapter, unclaimed),
        What::Carry { from, rename: Some(names), inside, outside, taken, .. } => {
            let names = (names[0].as_str(), names[1].as_str());
            let asked = Rename::parse(&open()?, &from, names, inside, outside)?;
            let report = rename::rename(&root, &asked, taken)?;
            say!("{report}");
            if report.changed.is_empty() && !report.taken.is_empty() {
                say!("nothing is written: the new name is in use already (--taken)");
            }
            Ok(report.taken.is_empty() || taken)
        }
        What::Carry { from, base, .. } => {
            let report = carry::carry(&root, &from, &base)?;
            say!("{}", report.lines.join("\n"));
            if report.conflicts > 0 {
                say!(
                    "until all is settled, steps have these files whole; then: cargo book fold"
                );
            }
            Ok(report.conflicts == 0)
        }
        What::New { name, base } => {
            new::make(&open()?, &name, base.as_deref())?;
            let made = generate(&open()?, None)?;
            let short = name.split('-').next().unwrap_or(&name);
            say!(
                "chapters/{name} does what the chapter before does; change it, and tell it in the book.\n\
                 Its packages: {name} and {short}-exercises (`cargo run -p {name}`, `cargo test -p {short}-exercises`)."
            );
            Ok(made)
        }
        What::Steps { chapter } => {
            let repository = open()?;
            let chapter = repository
                .chapter_named(&chapter)
                .ok_or_else(|| unknown(&repository, &chapter))?;
            for program in checkpoints::programs(&repository, chapter)? {
                say!("{}", program.display());
            }
            Ok(true)
        }
        What::Unfold { steps } => {
            let repository = open()?;
            let named = repository.chapter_named(&steps);
            let named = named.ok_or_else(|| unknown(&repository, &steps))?;
            for file in fold::unfold(&root, named.steps.iter().chain([named]))? {
                say!("{file}");
            }
            Ok(true)
        }
        What::Fold => {
            fold::fold(&root, &BTreeSet::new())?.iter().for_each(|file| say!("{file}"));
            Ok(true)
        }
        What::Stats => {
            let repository = open()?;
            let book = Book::load(&repository)?;
            let claims = Claims::tell(&repository, &book);
            let sources = Sources::of(&repository, &book, &claims);
            say!("{}", generate::pages(&sources)?.trim_end());
            Ok(true)
        }
    }
}

/// The repository: the nearest folder upwards that holds `book/course.json`.
fn root() -> Result<PathBuf, BookError> {
    let here = std::env::current_dir()
        .map_err(|source| BookError::File { path: ".".into(), source })?;
    let found = here.ancestors().find(|folder| folder.join("book/course.json").is_file());
    found.map(PathBuf::from).ok_or_else(|| {
        BookError::content(&here, "not inside the course: no book/course.json here or above")
    })
}

fn generate(repository: &Repository, runs: Option<&str>) -> Result<bool, BookError> {
    let mut faults = match runs {
        Some(name) => cargo::record_runs(repository, name)?,
        None => Vec::new(),
    };
    let book = Book::load(repository)?;
    let claims = Claims::tell(repository, &book);
    faults.extend(generate::expected(&Sources::of(repository, &book, &claims))?.1);
    for line in form::update(repository)?.into_iter().chain(readme::update(repository)?) {
        say!("{line}");
    }
    report(faults, None)
}

/// What is wrong goes to mdBook's screen, and mdBook stops.
fn preprocess(root: &Path) -> Result<bool, BookError> {
    let failed = |source| BookError::File { path: "mdBook's pipe".into(), source };
    let input = std::io::read_to_string(std::io::stdin()).map_err(failed)?;
    let program = std::env::current_exe().ok();
    let memory = program.map(|program| program.with_file_name("book-made.json"));
    match preprocess::book(root, &input, memory.as_deref())? {
        Ok(book) => {
            let bytes = serde_json::to_vec(&book).expect("it came as JSON");
            std::io::stdout().write_all(&bytes).map_err(failed)?;
            Ok(true)
        }
        Err(faults) => {
            faults.iter().for_each(|fault| eprintln!("error: {fault}"));
            Ok(false)
        }
    }
}

fn report(faults: Vec<Fault>, page: Option<&str>) -> Result<bool, BookError> {
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

fn unknown(repository: &Repository, chapter: &str) -> BookError {
    BookError::content(&repository.root.join("chapters"), format!("no chapter '{chapter}'"))
}

fn hunks(repository: &Repository, chapter: &str, unclaimed: bool) -> Result<bool, BookError> {
    let book = Book::load(repository)?;
    let claims = Claims::tell(repository, &book);
    let short = repository.chapter_named(chapter).map(|chapter| chapter.short.clone());
    let Some(diff) = short.and_then(|short| claims.diff(&short)) else {
        return Err(unknown(repository, chapter));
    };
    let claimed = claims.claimed();
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
