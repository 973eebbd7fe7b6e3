//! `check ch02`: builds the reader's chapter, tries the suite on it, and says where it first differs.

use std::fs;
use std::io::{self, Write};

use course::chapters::{self, Found, problem};
use course::suite::{Engine, Mistake, Suite, beside, unjudged};
use ground::error::Error;

use crate::part;

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
    let suite = Suite::read(&root)?;
    let mine = engine(format!("my/{}", chapter.short), &own)?;
    let theirs = engine(format!("chapters/{}", chapter.name), &chapter.folder)?;
    part::check_all(&root, found)?;
    for topic in Suite::topics() {
        writeln!(io::stdout(), "{}", topic.name)?;
        topic.try_on(&suite, &mine).map_err(|mistake| {
            let Mistake { way, question, .. } = *mistake.clone();
            let layer = if topic.is_about_numbers {
                beside::look(&mine, &theirs, &way, &question)
            } else {
                String::new()
            };
            said(&topic.name, &mistake.first_look(&layer))
        })?;
    }
    writeln!(io::stdout(), "every bit and every figure, beside {}", theirs.name)?;
    let judged = suite.judgements(&mine).iter().flat_map(beside::questions);
    let others =
        unjudged::MODELS.into_iter().flat_map(|model| unjudged::questions(&root, model));
    for question in judged.chain(others) {
        beside::same_bits(&mine, &theirs, &question)
            .map_err(|mistake| said("beside the course's own chapter", &mistake))?;
    }
    Ok(())
}

fn said(topic: &str, mistake: &Mistake) -> Error {
    problem(format!("{topic}\n{mistake}"))
}
