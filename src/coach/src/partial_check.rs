//! `check ch00 --part rope`: the course's own tests of one part of a chapter, aimed at the reader's. They need no
//! program, only what the part is made of.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use catalog::chapters::{self, Chapter, Found};
use catalog::children::Together;
use catalog::error::{problem, problem_at};
use catalog::manifest;
use catalog::pages;
use catalog::workspace;
use ground::error::Error;
use ground::text::path_line;
use judge::time_limit::{TEST, run_within};

/// What the tests of a part say.
pub enum Said {
    /// So many passed, and all did.
    Right(usize),
    /// What the first that failed said, and which one it is.
    Wrong(String),
    /// They do not compile with the reader's chapter: it is not there yet, or has another form. With the compiler's first
    /// error.
    Apart(String),
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
    let program = match run_the_program(&tests_of(&found.chapter, part)?)? {
        true => Some(program(root, found)?),
        false => None,
    };
    let programs = build(root, found, &[part.into()], program.as_deref(), true)?;
    let _together = Together::begin()?;
    match ask(root, found, part, &programs[0])? {
        Said::Right(count) => {
            let tests = if count == 1 { "its test" } else { &format!("its {count} tests") };
            Ok(writeln!(io::stdout(), "{part} of my/{short} is right: it passes {tests}.")?)
        }
        Said::Wrong(why) => {
            Err(problem(format!("{part} of my/{short} is not right yet\n{why}")))
        }
        Said::Apart(_) => Err(problem(format!(
            "the tests of {part} do not compile with my/{short}: the compiler says above what is missing or \
             has another form"
        ))),
    }
}

/// What tests say that run the program. Cargo tells it to the tests of its own package, and here we do.
const RUNS: &str = "CARGO_BIN_EXE_";

/// Whether these tests run the program, or a module beside them does it for them.
fn run_the_program(tests: &Path) -> Result<bool, Error> {
    let mut text = fs::read_to_string(tests)?;
    // `#[path = "..."]` before a module says where it is.
    let paths =
        text.lines().filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"));
    let modules: Vec<String> =
        paths.filter_map(|path| fs::read_to_string(tests.with_file_name(path)).ok()).collect();
    text.extend(modules);
    Ok(text.contains(RUNS))
}

/// Builds the reader's program.
pub fn program(root: &Path, found: &Found) -> Result<PathBuf, Error> {
    let short = &found.chapter.short;
    let mut build = quick(&package(root, found)?);
    build.args(["build", "--bins"]);
    chapters::built(build, &chapters::own(root, short), &format!("my-{short}"))
}

/// Cargo in the package of the tests. The reader's library is a dependency of theirs, and as fast as it should be; they
/// themselves are compiled for every mistake, and run for seconds.
fn quick(package: &Path) -> Command {
    let mut cargo = chapters::cargo(package);
    cargo.envs([("CARGO_PROFILE_DEV_OPT_LEVEL", "1"), ("CARGO_PROFILE_DEV_DEBUG", "0")]);
    cargo
}

/// The parts that a change in one of these files concerns, and the others. A part is named after such a file or its folder;
/// of a file that none is named after it's those whose tests name the module.
pub fn by_change(found: &Found, changed: &[String]) -> Result<[Vec<String>; 2], Error> {
    let Chapter { about, .. } = &found.chapter;
    let mut concerned = Vec::new();
    for file in changed {
        let file = file.trim_start_matches("src/").trim_end_matches(".rs");
        let is_named = |part: &&String| file.split('/').any(|name| name == *part);
        let module = file.split('/').next().unwrap_or_default();
        let named: Vec<&String> = about.parts.iter().filter(is_named).collect();
        let others = if named.is_empty() { &about.parts[..] } else { &[] };
        concerned.extend(named);
        for part in others {
            let tests = fs::read_to_string(tests_of(&found.chapter, part)?)?;
            if [":", ";"].iter().any(|end| tests.contains(&format!("::{module}{end}"))) {
                concerned.push(part);
            }
        }
    }
    let (first, rest) = about.parts.iter().cloned().partition(|part| concerned.contains(&part));
    Ok([first, rest])
}

/// The tests of a part as a program, or the compiler's first error.
pub type Built = Result<PathBuf, String>;

/// Compiles the tests of these parts with the reader's chapter, all in one go. `program`: the reader's, for tests that run
/// it. `is_shown`: the reader sees all that the compiler says.
pub fn build(
    root: &Path,
    found: &Found,
    parts: &[String],
    program: Option<&Path>,
    is_shown: bool,
) -> Result<Vec<Built>, Error> {
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let mut build = quick(&package(root, found)?);
    build.args(["build", "--keep-going", "--quiet"]);
    build.args(parts.iter().flat_map(|part| ["--test", part]));
    match is_shown {
        true => build.arg(chapters::MESSAGES).stderr(Stdio::inherit()),
        false => build.arg("--message-format=json").stderr(Stdio::null()),
    };
    if let Some(program) = program {
        // The tests may ask for it by the name of their package.
        for package in [found.chapter.name.clone(), format!("{}-tests", found.chapter.name)] {
            build.env(format!("{RUNS}{package}"), program);
        }
    }
    let said = build.output()?.stdout;
    let programs = chapters::programs(&said);
    let is_of = |program: &&PathBuf, part: &str| {
        let name = program.file_stem().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.rsplit_once('-').is_some_and(|(name, _)| name == part))
    };
    let of = |part: &String| {
        let program = programs.iter().find(|program| is_of(program, part)).cloned();
        program.ok_or_else(|| first_error(&said, part))
    };
    Ok(parts.iter().map(of).collect())
}

/// What Cargo's messages have of the first error in the tests of this part.
fn first_error(messages: &[u8], part: &str) -> String {
    let error = |line: &str| {
        let said: serde_json::Value = serde_json::from_str(line).ok()?;
        let message = &said["message"];
        let is_of = said["target"]["name"] == part && message["level"] == "error";
        is_of.then(|| message["message"].as_str().unwrap_or_default().to_string())
    };
    let first = String::from_utf8_lossy(messages).lines().find_map(error);
    first.unwrap_or_else(|| format!("--part {part} shows what the compiler says"))
}

/// Why a part isn't tried, in a line: the compiler's error, and the page that has what it misses.
pub fn left_out(root: &Path, found: &Found, error: &str) -> Result<String, Error> {
    let short = &found.chapter.short;
    let mut why = format!("left out, as its tests don't compile with my/{short}: {error}");
    let missing = error.split('`').nth(1).and_then(|path| path.rsplit("::").next());
    let pages = pages::of(root, &found.chapter)?;
    let page = missing.and_then(|name| pages.iter().find(|page| page.defines(name)));
    if let Some(page) = page {
        why += &format!(" (\"{}\", {short}/{}.html, shows it)", page.title, page.name);
    }
    Ok(why)
}

/// Runs the tests of a part.
pub fn ask(root: &Path, found: &Found, part: &str, program: &Built) -> Result<Said, Error> {
    let program = match program {
        Ok(program) => program,
        Err(error) => return Ok(Said::Apart(error.clone())),
    };
    let listed = run_within(tests_in(program).args(["--list", "--format=terse"]), TEST)?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let (mut right, mut wrong) = (0, None);
    // Each by itself: so the first that is wrong is told at once, and one that hangs has a name.
    for name in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
        let ran = run_within(tests_in(program).args(["--exact", name]), TEST)?;
        let told = String::from_utf8_lossy(&ran.stdout);
        match ran.status {
            Ok(status) if status.success() => {
                right += told.lines().filter(|line| line.ends_with(" ... ok")).count();
                continue;
            }
            Ok(_) => wrong = first_failure(&told),
            Err(why) => wrong = Some(format!("  {why}\n  test:     {name}")),
        }
        wrong = wrong.or(Some(format!("  it did not end as a test does\n  test:     {name}")));
        break;
    }
    let Some(wrong) = wrong else { return Ok(Said::Right(right)) };
    let tests = tests_of(&found.chapter, part)?;
    let shown = path_line(tests.strip_prefix(root).unwrap_or(&tests));
    Ok(Said::Wrong(format!("{wrong}\n  tests:    {shown}")))
}

/// The tests, told in plain text. What they find wrong with the reader's chapter is not kept among the course's tests.
fn tests_in(program: &Path) -> Command {
    let mut run = Command::new(program);
    run.args(["--color=never"]).env("RUST_BACKTRACE", "0");
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

/// A package beside the reader's chapter, with its program and the tests of its parts: so the reader's library is compiled
/// once for both.
fn package(root: &Path, found: &Found) -> Result<PathBuf, Error> {
    let Found { chapter, base, .. } = found;
    let folder = chapters::aside(root).join("parts").join(&chapter.short);
    fs::create_dir_all(folder.join("tests"))?;
    let manifest = chapter.folder.join("Cargo.toml");
    let own = chapters::own(root, &chapter.short);
    let tests = chapter.about.parts.iter();
    let tests = tests.map(|part| Ok((part.clone(), tests_of(chapter, part)?)));
    let tests = tests.collect::<Result<Vec<_>, Error>>()?;
    let theirs = fs::read_to_string(&manifest)?;
    let inner = fs::read_to_string(own.join("Cargo.toml"))?;
    let inner = manifest::testing(&theirs, &inner, &own, &tests)
        .map_err(|reason| problem_at(&manifest, reason))?;
    let inner = match base {
        Some(base) => {
            let theirs = || base.folder.clone();
            let place = chapters::own_base(root, chapter).unwrap_or_else(theirs);
            manifest::on_base(&inner, &base.name, &place)
        }
        None => inner,
    };
    alone(root, &folder, "tests", inner, found)?;
    Ok(folder.join("tests"))
}

/// Makes a folder of its own in one in `my/.check` a workspace, with this manifest in its only member's folder, for the
/// chapter in `found`.
pub fn alone(
    root: &Path,
    folder: &Path,
    member: &str,
    inner: String,
    found: &Found,
) -> Result<(), Error> {
    let manifest = root.join("Cargo.toml");
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    // The reader's chapter and its bases are no members, but they are to be as fast as one.
    let mut manifests = found.manifests_of_bases()?;
    manifests.push(inner.clone());
    let outer = workspace::beside(&fs::read_to_string(&manifest)?, member, "../../../..")
        .and_then(|outer| workspace::with_profiles_for(&outer, &lock, &manifests))
        .map_err(|reason| problem_at(&manifest, reason))?;
    // One changed line is compiled anew, not the whole chapter.
    let name = &found.chapter.name;
    let profile = format!("[profile.dev.package.{name}]\n");
    let quick = format!(
        "[profile.dev.package.{name}-tests]\nincremental = true\n\n{profile}incremental = true\n"
    );
    let outer = outer.replace(&profile, &quick);
    let place = format!("{member}/Cargo.toml");
    let files = [("Cargo.toml", outer), ("Cargo.lock", lock), (place.as_str(), inner)];
    for (place, text) in files {
        chapters::replace(&folder.join(place), |place| fs::write(place, &text))?;
    }
    Ok(())
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
    fn a_part_that_is_left_out_names_what_it_misses_and_the_page() {
        let said = |part: &str, level: &str, words: &str| {
            let message = serde_json::json!({ "level": level, "message": words });
            serde_json::json!({ "target": { "name": part }, "message": message }).to_string()
        };
        let all = [
            said("laws", "error", "of another part"),
            said("room", "warning", "unused"),
            said("room", "error", "no method named `in_use` found"),
            said("room", "error", "a later one"),
        ];
        let error = first_error(all.join("\n").as_bytes(), "room");
        assert_eq!(error, "no method named `in_use` found");
        let (root, short) = (chapters::root(), "ch10");
        let found = chapters::find(&root, short).expect("a chapter");
        let why = left_out(&root, &found, &error).expect("its pages");
        assert!(why.ends_with("(\"A pool of blocks\", ch10/room.html, shows it)"), "{why}");
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
    fn parts_that_a_change_concerns_come_first() {
        for (short, file, expected) in [
            ("ch02", "src/cache/contiguous.rs", &["contiguous"][..]),
            ("ch07", "src/saved.rs", &["saved"]),
            ("ch07", "src/stop.rs", &["watch"]),
        ] {
            let found = chapters::find(&chapters::root(), short).expect("a chapter");
            let [first, _] = by_change(&found, &[file.into()]).expect("its tests");
            assert_eq!(first, expected, "{file}");
        }
    }

    #[test]
    fn tests_that_run_the_program_are_known_by_their_modules_too() {
        for (short, part, expected) in [
            ("ch07", "watch", true),
            ("ch07", "kept", false),
            ("ch09", "leave", true),
            ("ch09", "queue", false),
        ] {
            let found = chapters::find(&chapters::root(), short).expect("a chapter");
            let tests = tests_of(&found.chapter, part).expect("a file");
            assert_eq!(run_the_program(&tests).expect("a text"), expected, "{part}");
        }
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
