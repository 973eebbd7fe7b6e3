//! `check ch00 --part rope`: the course's own tests of one part of a chapter, aimed at the reader's. They need no
//! program, only what the part is made of.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use course::chapters::{self, Chapter, Found, problem, problem_at};
use course::limit::{PART, output_within};
use course::{about, workspace};
use ground::error::Error;
use ground::text::path_line;

/// What the tests of a part say.
enum Said {
    /// So many passed, and all did.
    Right(usize),
    /// The first that failed.
    Wrong(String),
    /// They do not compile with the reader's chapter: it is not there yet, or has another form.
    Apart,
}

/// Tests the part, and tells the first thing that is wrong with it.
pub fn check(root: &Path, found: &Found, part: &str) -> Result<(), Error> {
    let Chapter { short, about, .. } = &found.chapter;
    let parts = about.parts.join(", ");
    if part == "list" && !parts.is_empty() {
        return Ok(writeln!(io::stdout(), "{parts}")?);
    }
    if !about.parts.iter().any(|known| known == part) {
        return Err(problem(match parts.is_empty() {
            true => format!("{short} has no parts: `check {short}` tries the whole program"),
            false => format!("{short} has no part {part:?}: expected one of {parts}"),
        }));
    }
    match ask(root, found, part, Stdio::inherit())? {
        Said::Right(count) => {
            let tests = if count == 1 { "its test" } else { &format!("its {count} tests") };
            Ok(writeln!(io::stdout(), "{part} of my/{short} is right: it passes {tests}.")?)
        }
        Said::Wrong(why) => Err(problem(why)),
        Said::Apart => Err(problem(format!(
            "the tests of {part} do not compile with my/{short}: the compiler says above what is missing or \
             has another form"
        ))),
    }
}

/// All parts, as the book comes to them. A chapter of another form is tried by what it answers alone.
pub fn check_all(root: &Path, found: &Found) -> Result<(), Error> {
    for part in &found.chapter.about.parts {
        let apart = match ask(root, found, part, Stdio::null())? {
            Said::Right(_) => "",
            Said::Wrong(why) => return Err(problem(why)),
            Said::Apart => ": left out, because its tests do not compile with yours",
        };
        writeln!(io::stdout(), "part {part}{apart}")?;
    }
    Ok(())
}

/// Compiles the tests of a part with the reader's chapter, and runs them.
fn ask(root: &Path, found: &Found, part: &str, compiler: Stdio) -> Result<Said, Error> {
    let chapter = &found.chapter;
    let tests = tests_of(chapter, part)?;
    let package = package(root, found, &tests)?;
    let build = chapters::cargo(&package)
        .args(["test", "--no-run", "--quiet", "--message-format=json-render-diagnostics"])
        .stderr(compiler)
        .output()?;
    let program = chapters::programs(&build.stdout).pop().filter(|_| build.status.success());
    let Some(program) = program else { return Ok(Said::Apart) };
    let mut run = tests_in(&program);
    let (short, shown) =
        (&chapter.short, path_line(tests.strip_prefix(root).unwrap_or(&tests)));
    let Some(run) = output_within(&mut run, PART)? else {
        return Ok(Said::Wrong(format!(
            "{part} of my/{short} does not end: its tests were stopped after {} seconds\n  tests:    {shown}",
            PART.as_secs()
        )));
    };
    let told = String::from_utf8_lossy(&run.stdout);
    if run.status.success() {
        return Ok(Said::Right(told.lines().filter(|line| line.ends_with(" ... ok")).count()));
    }
    let wrong = first_failure(&told).unwrap_or_else(|| "  its tests did not end".into());
    Ok(Said::Wrong(format!(
        "{part} of my/{short} is not right yet\n{wrong}\n  tests:    {shown}"
    )))
}

/// The tests, told in plain text. What they find wrong with the reader's chapter is not kept among the course's tests.
fn tests_in(program: &Path) -> Command {
    let mut run = Command::new(program);
    run.args(["--color=never", "--format=pretty"]).env("RUST_BACKTRACE", "0");
    run.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
    run
}

/// The file that a part's tests begin in.
fn tests_of(chapter: &Chapter, part: &str) -> Result<PathBuf, Error> {
    let tests = chapter.folder.join("tests");
    let places = [format!("{part}.rs"), format!("{part}/main.rs"), format!("parts/{part}.rs")];
    let found = places.iter().map(|place| tests.join(place)).find(|file| file.is_file());
    found.ok_or_else(|| problem_at(&tests, format!("there are no tests of {part:?}")))
}

/// A package beside the reader's chapter, with these tests and nothing else.
fn package(root: &Path, found: &Found, tests: &Path) -> Result<PathBuf, Error> {
    let Found { chapter, base, .. } = found;
    let all = chapters::aside(root).join("parts");
    let folder = all.join(&chapter.short);
    fs::create_dir_all(&folder)?;
    let manifest = root.join("Cargo.toml");
    let outer = workspace::beside(&fs::read_to_string(&manifest)?, &chapter.short, "../../..")
        .map_err(|reason| problem_at(&manifest, reason))?;
    let manifest = chapter.folder.join("Cargo.toml");
    let own = chapters::own(root, &chapter.short);
    let inner = about::testing(&fs::read_to_string(&manifest)?, &own, tests)
        .map_err(|reason| problem_at(&manifest, reason))?;
    let inner = match base {
        Some(base) => {
            let theirs = || base.folder.clone();
            let place = chapters::own_base(root, chapter).unwrap_or_else(theirs);
            about::on_base(&inner, &base.name, &place)
        }
        None => inner,
    };
    fs::write(all.join("Cargo.toml"), outer)?;
    fs::write(folder.join("Cargo.toml"), inner)?;
    fs::copy(root.join("Cargo.lock"), all.join("Cargo.lock"))?;
    Ok(folder)
}

/// As much of a failed test's words as fits on a screen.
const LINES: usize = 12;
const WIDTH: usize = 240;

/// The first test that failed and what it said, of what a test program printed.
fn first_failure(told: &str) -> Option<String> {
    let (_, rest) = told.split_once("\n---- ")?;
    let (name, rest) = rest.split_once(" stdout ----\n")?;
    let end = ["\n---- ", "\nfailures:\n"].iter().filter_map(|end| rest.find(end)).min();
    let said = rest[..end.unwrap_or(rest.len())].lines().filter(|line| {
        !line.trim().is_empty() && !line.starts_with("note: ") && !line.starts_with("thread '")
    });
    // A test that tries thousands of inputs also prints the one that it found, a number a line.
    let cut = |line: &str| match line.trim_end().char_indices().nth(WIDTH) {
        Some((end, _)) => format!("  {}...", &line[..end]),
        None => format!("  {}", line.trim_end()),
    };
    let mut said: Vec<String> = said.map(cut).collect();
    if said.len() > LINES {
        said.truncate(LINES);
        said.push("  ...".into());
    }
    Some(format!("{}\n  test:     {name}", said.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_a_test_program_prints_the_first_failure_is_told() {
        let told = "running 2 tests\ntest a ... FAILED\ntest b ... FAILED\n\nfailures:\n\n---- a stdout ----\n\nthread 'a' panicked at \
             a.rs:1:1:\nnumber 3: found 2, expected 1\nnote: run with `RUST_BACKTRACE=1`\n\n---- b stdout ----\n\n\
             other\n\nfailures:\n    a\n    b\n";
        let expected = "  number 3: found 2, expected 1\n  test:     a";
        assert_eq!(first_failure(told).as_deref(), Some(expected));
        assert_eq!(first_failure("killed"), None);
    }

    #[test]
    fn what_a_test_finds_is_not_written_beside_the_courses_tests() {
        let run = tests_in(Path::new("cache"));
        let kept = "PROPTEST_DISABLE_FAILURE_PERSISTENCE";
        assert!(run.get_envs().any(|(name, value)| name == kept && value.is_some()));
    }

    #[test]
    fn of_a_failure_that_says_much_only_the_beginning_is_told() {
        let told = format!(
            "\n---- a stdout ----\n\n{}\n{}\nfailures:\n",
            "é".repeat(1000),
            "0,\n".repeat(100)
        );
        let said = first_failure(&told).expect("a failure");
        assert!(said.starts_with(&format!("  {}...\n  0,\n", "é".repeat(WIDTH))), "{said}");
        assert!(said.ends_with("  0,\n  ...\n  test:     a"), "{said}");
        assert_eq!(said.lines().count(), LINES + 2);
    }

    #[test]
    fn every_part_that_a_chapter_names_has_tests() {
        for chapter in chapters::all(&chapters::root()).expect("the chapters can be read") {
            for part in &chapter.about.parts {
                tests_of(&chapter, part).expect("a file");
            }
        }
    }
}
