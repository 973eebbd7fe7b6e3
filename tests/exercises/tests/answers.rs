//! Every starter, solution and wrong answer against its check. Nothing here reads a file that a reader edits.

#![allow(unsafe_code)] // an answer of chapter 3 calls the processor's instructions

use exercise_kit::apart::OUTSIDE;
use exercise_kit::{Exercise, Failure, Report};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

pub enum Kind {
    Starter,
    Solution,
    Wrong { name: &'static str, red: &'static str },
}

pub struct Case {
    pub chapter: &'static str,
    pub kind: Kind,
    pub exercise: &'static Exercise,
    pub run: fn(&'static Exercise) -> Result<(), Box<Report>>,
}

include!(concat!(env!("OUT_DIR"), "/cases.rs"));

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the course's root")
}

fn exercises() -> Vec<exercise_source::Exercise> {
    exercise_source::read_all(&root()).expect("the annotated sources can be read")
}

#[test]
fn a_path_that_a_terminal_would_obey_is_shown_escaped() {
    let Err(said) = exercise_source::read_all(Path::new("no\n\u{1b}[2J\u{202e}folder")) else {
        panic!("there is no such folder");
    };
    assert!(said.starts_with(r"no\n\u{1b}[2J\u{202e}folder"), "{said:?}");
    assert!(!said.contains(char::is_control), "{said:?}");
}

/// Runs the cases of one kind and gathers what is wrong with them, so that one run shows all.
fn all(problem_of: impl Fn(&Case) -> Option<String> + Sync) {
    let problem = |case: &&Case| {
        let problem = problem_of(case)?;
        Some(format!("{} {}: {problem}", case.chapter, case.exercise.name()))
    };
    // Half of the time goes to answers of chapter 4, whose threads wait for each other: the rest is done meanwhile.
    let (waiting, others): (Vec<&Case>, Vec<&Case>) =
        CASES.iter().partition(|case| case.chapter == "ch04");
    let problems: Vec<String> = thread::scope(|scope| {
        let waiting = scope.spawn(|| waiting.iter().filter_map(problem).collect::<Vec<_>>());
        let mut problems: Vec<String> = others.iter().filter_map(problem).collect();
        problems.extend(waiting.join().expect("a check returns what it finds"));
        problems
    });
    assert!(problems.is_empty(), "\n{}", problems.join("\n\n"));
}

#[test]
fn every_starter_fails_and_says_that_it_is_as_it_was_given() {
    all(|case| {
        let Kind::Starter = case.kind else { return None };
        let Err(report) = (case.run)(case.exercise) else {
            return Some("the starter passes".into());
        };
        let text = report.to_string();
        let (name, file) = (case.exercise.name(), case.exercise.file);
        let begin = match report.failure.given {
            // The symptom and no diagnosis: to find the fault is the exercise.
            true if report.failure.likely.is_none() => format!("{name} still has its fault"),
            _ => format!("{name} is still todo!()"),
        };
        let told = text.starts_with(&begin)
            && text.contains(file)
            && text.contains("\", in the book at ");
        (!told).then(|| format!("the starter's message is\n{text}"))
    });
}

#[test]
fn every_solution_passes() {
    all(|case| {
        let Kind::Solution = case.kind else { return None };
        let report = (case.run)(case.exercise).err()?;
        Some(format!("the solution fails\n{report}"))
    });
}

#[test]
fn every_wrong_answer_is_rejected_for_its_own_reason() {
    all(|case| {
        let Kind::Wrong { name, red } = case.kind else { return None };
        if OUTSIDE.contains(red) {
            return None; // It would take this process down; below it has one of its own.
        }
        let Err(report) = (case.run)(case.exercise) else {
            return Some(format!("the answer {name:?} passes"));
        };
        let likely = report.failure.likely.unwrap_or_default();
        let Failure { unwritten, given, expected, found, .. } = &report.failure;
        let told = !expected.is_empty() && !found.is_empty() && !unwritten && !given;
        let right = likely.contains(red) && told;
        (!right).then(|| format!("the answer {name:?} should be told {red:?}\n{report}"))
    });
}

#[cfg(unix)]
#[test]
fn a_wrong_answer_that_reads_past_the_end_is_stopped() {
    let outside =
        |case: &&Case| matches!(case.kind, Kind::Wrong { red, .. } if OUTSIDE.contains(red));
    let cases: Vec<&Case> = CASES.iter().filter(outside).collect();
    let [case] = cases[..] else {
        // When the build was asked for one chapter, it may be another one.
        assert!(
            cases.is_empty() && option_env!("EXERCISES").is_some(),
            "{} answers",
            cases.len()
        );
        return;
    };
    let test = "answers::a_wrong_answer_that_reads_past_the_end_is_stopped";
    let check = || (case.run)(case.exercise).map_err(|report| report.failure);
    let told = case.exercise.test(test, check).expect_err("it reads what is not there");
    let told = format!("{told:?}");
    assert!(told.contains(OUTSIDE) && told.contains("its process ended"), "{told}");
}

#[test]
fn every_exercise_has_all_its_parts() {
    for exercise in exercises() {
        let id = exercise.id();
        let wrong = exercise.wrong.len();
        assert!((3..=6).contains(&wrong), "{id}: {wrong} wrong answers, not 3 to 6");
        for key in ["title", "page", "section", "why", "hint 1", "hint 2", "hint 3"] {
            assert!(!exercise.get(key).is_empty(), "{id}: {key} is empty");
        }
        assert!(exercise.get("minutes").parse::<u32>().is_ok(), "{id}: minutes");
        assert!(exercise_source::LEVELS.contains(&exercise.get("level")), "{id}: level");
        let library = root().join(exercise.folder()).join("src/lib.rs");
        let library =
            std::fs::read_to_string(library).expect("the package lists its exercises");
        let listed = library.lines().any(|line| line.trim() == exercise.name);
        assert!(listed, "{id}: it isn't in the package's lib.rs");
        let starter = exercise_source::starter(&exercise);
        let says_so = exercise.get("title").contains("fault");
        assert_eq!(exercise.has_fault(), says_so, "{id}: todo!(), or a title with \"fault\"");
        let task = starter.lines().take_while(|line| line.starts_with("//!")).count();
        assert!(task >= 7, "{id}: the task is too short to be one");
        assert!(
            !starter.contains("//--") && !starter.contains("//?"),
            "{id}: marks in the starter"
        );
    }
    let mut packages: Vec<String> = exercises().iter().map(|one| one.package()).collect();
    packages.dedup();
    for package in packages {
        let count = exercises().iter().filter(|one| one.package() == package).count();
        assert!((2..=10).contains(&count), "{package} has {count} exercises, not 2 to 10");
    }
}

/// A page names its exercises, and an exercise its page.
#[test]
fn every_exercise_is_linked_from_the_page_that_it_names() {
    let mut missing = Vec::new();
    for exercise in exercises() {
        let (page, section) = (exercise.get("page"), exercise.get("section"));
        let path = root().join("book/src").join(page);
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let (name, level) = (&exercise.name, exercise.get("level"));
        let minutes = exercise.get("minutes");
        for words in [
            format!("> **Exercise** `{name}` ({level}, {minutes} minutes"),
            format!("`cargo run -- watch {name}`"),
        ] {
            if !text.contains(&words) {
                missing.push(format!("{page} does not say {words:?}"));
            }
        }
        let headings = text.lines().filter(|line| line.starts_with('#'));
        let mut titles = headings
            .map(|line| line.trim_start_matches('#').split(" {#").next().unwrap_or_default());
        if !titles.any(|title| title.trim() == section) {
            missing.push(format!("{page} has no heading {section:?}"));
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

/// The starters were made from these sources; the pages that they name move on with the book.
#[test]
fn every_task_names_the_page_and_heading_of_its_source() {
    for exercise in exercises() {
        let file = root().join(exercise.file());
        let text = std::fs::read_to_string(file).expect("the reader's file");
        let read =
            format!("\"{}\", in the book at {}.", exercise.get("section"), exercise.address());
        // A reader may have taken the line out of a solved exercise.
        let line = text.lines().find_map(|line| line.strip_prefix("//! Read: "));
        assert_eq!(line.unwrap_or(&read), read, "{}", exercise.file());
    }
}

#[test]
fn every_answer_is_formatted() {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--check"]);
    for exercise in exercises() {
        command.arg(&exercise.source);
    }
    let output =
        command.output().expect("rustfmt comes with Rust: `rustup component add rustfmt`");
    let diff = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{diff}{}", String::from_utf8_lossy(&output.stderr));
}
