//! Every starter, solution and wrong answer against its check. Nothing here reads a file that a reader edits.

use exercise_kit::apart::OUTSIDE;
use exercise_kit::{Exercise, Failure, Report};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

pub enum Kind {
    Starter,
    Solution,
    Wrong { name: &'static str, recognised: &'static str },
}

pub struct Case {
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

fn exercises() -> Vec<course_exercises::Exercise> {
    course_exercises::read_all(&root()).expect("the annotated sources can be read")
}

#[test]
fn a_path_that_a_terminal_would_obey_is_shown_escaped() {
    let Err(said) = course_exercises::read_all(Path::new("no\n\u{1b}[2J\u{202e}folder")) else {
        panic!("there is no such folder");
    };
    assert!(said.starts_with(r"no\n\u{1b}[2J\u{202e}folder"), "{said:?}");
    assert!(!said.contains(char::is_control), "{said:?}");
}

/// All cases; with EXERCISES=ch02 those of one chapter.
fn cases() -> Vec<&'static Case> {
    let asked = std::env::var("EXERCISES").unwrap_or_default();
    let cases = CASES.iter().filter(|case| case.exercise.package.starts_with(&asked));
    let cases: Vec<&Case> = cases.collect();
    assert!(!cases.is_empty(), "EXERCISES={asked}: there are none");
    cases
}

/// Runs the cases of one kind and gathers what is wrong with them, so that one run shows all.
fn all(problem_of: impl Fn(&Case) -> Option<String> + Sync) {
    let problem = |case: &&Case| {
        let problem = problem_of(case)?;
        Some(format!("{} {}: {problem}", case.exercise.package, case.exercise.name))
    };
    // Half of the time goes to answers of chapter 4, whose threads wait for each other: the rest is done meanwhile.
    let (waiting, others): (Vec<&Case>, Vec<&Case>) =
        cases().iter().partition(|case| case.exercise.package == "ch04-exercises");
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
        let Exercise { name, folder, page, .. } = case.exercise;
        let files = [format!("{folder}/src/{name}.rs"), format!("{folder}/hints/{name}/1.md")];
        let begin = match report.failure.given {
            // The symptom and no diagnosis: to find the fault is the exercise.
            true if report.failure.likely.is_none() => format!("{name} still has its fault"),
            _ => format!("{name} is still todo!()"),
        };
        let told = text.starts_with(&begin)
            && text.contains(page)
            && files.iter().all(|file| text.contains(file) && root().join(file).is_file());
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
        let Kind::Wrong { name, recognised } = case.kind else { return None };
        if OUTSIDE.contains(recognised) {
            return None; // It would take this process down; below it has one of its own.
        }
        let Err(report) = (case.run)(case.exercise) else {
            return Some(format!("wrong/{name}.rs passes"));
        };
        let likely = report.failure.likely.unwrap_or_default();
        let Failure { unwritten, given, expected, found, .. } = &report.failure;
        let told = !expected.is_empty() && !found.is_empty() && !unwritten && !given;
        let right = likely.contains(recognised) && told;
        (!right).then(|| format!("wrong/{name}.rs should be told {recognised:?}\n{report}"))
    });
}

#[cfg(unix)]
#[test]
fn a_wrong_answer_that_reads_past_the_end_is_stopped() {
    let outside = |case: &&Case| matches!(case.kind, Kind::Wrong { recognised, .. } if OUTSIDE.contains(recognised));
    let cases: Vec<&Case> = CASES.iter().filter(outside).collect();
    let [case] = cases[..] else { panic!("this test asks one answer, not {}", cases.len()) };
    let test = "a_wrong_answer_that_reads_past_the_end_is_stopped";
    let check = || (case.run)(case.exercise).map_err(|report| report.failure);
    let told = case.exercise.test_as(test, check).expect_err("it reads what is not there");
    let told = format!("{told:?}");
    assert!(told.contains(OUTSIDE) && told.contains("its process ended"), "{told}");
}

#[test]
fn every_exercise_has_all_its_parts() {
    for exercise in exercises() {
        let id = exercise.id();
        assert!(exercise.wrong.len() >= 6, "{id}: six wrong answers at least");
        for key in ["title", "page", "section", "why", "hint 1", "hint 2", "hint 3"] {
            assert!(!exercise.get(key).is_empty(), "{id}: {key} is empty");
        }
        assert!(exercise.get("minutes").parse::<u32>().is_ok(), "{id}: minutes");
        assert!(course_exercises::LEVELS.contains(&exercise.get("level")), "{id}: level");
        assert!(root().join(exercise.check_file()).is_file(), "{id}: no check");
        let starter = course_exercises::starter(&exercise);
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
        assert!((3..=7).contains(&count), "{package} has {count} exercises, not 3 to 7");
    }
}

#[test]
fn every_exercise_is_linked_from_the_page_that_it_names() {
    let missing = course_exercises::missing_links(&exercises(), &root().join("book/src"));
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

/// The files of the reader's packages were made from these sources; the pages that they name move on with the book.
#[test]
fn every_task_and_list_names_the_page_and_heading_of_its_source() {
    let mut stale = Vec::new();
    for exercise in exercises() {
        let name = &exercise.name;
        let (section, page) = (exercise.get("section"), exercise.address());
        let places = [
            (
                format!("src/{name}.rs"),
                "//! Read: ".to_string(),
                format!("\"{section}\", in the book at {page}."),
            ),
            ("README.md".into(), format!("| `{name}` |"), format!("| \"{section}\", {page} |")),
        ];
        for (file, begin, end) in places {
            let path = exercise.package_folder.join(file);
            let text = std::fs::read_to_string(root().join(&path)).expect("a reader's file");
            // A reader may have taken the line out of a solved exercise.
            let mut lines = text.lines().filter(|line| line.starts_with(&begin));
            if let Some(line) = lines.find(|line| !line.ends_with(&end)) {
                stale.push(format!("{}: {line}\nshould end in: {end}", path.display()));
            }
        }
    }
    assert!(stale.is_empty(), "\n{}", stale.join("\n"));
}

#[test]
fn every_answer_is_formatted() {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--check"]);
    for exercise in exercises() {
        command.arg(&exercise.source).arg(root().join(exercise.check_file()));
        command.args(exercise.wrong.iter().map(|wrong| &wrong.path));
    }
    let output =
        command.output().expect("rustfmt comes with Rust: `rustup component add rustfmt`");
    let diff = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{diff}{}", String::from_utf8_lossy(&output.stderr));
}
