//! The reader's tools on a small course of one package of exercises: an answer that does not compile, never ends or takes
//! the whole process down is told, and leaves the others alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use catalog::workspace;
use coach::exercises::{self, Exercise, Reset, State, Tried, Watch};
use test_support::root;

const PACKAGE: &str = "chapters/ch02-kv-cache/exercises";

/// A course in a folder of its own, with the exercises of chapter 2 as they were given.
struct Small {
    folder: tempfile::TempDir,
    all: Vec<Exercise>,
}

impl Small {
    fn new() -> Small {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (from, to) = (root(), folder.path());
        for part in ["tests/exercises/answers/ch02", "tests/exercises/kit", PACKAGE] {
            copy(&from.join(part), &to.join(part));
        }
        let manifest = fs::read_to_string(from.join("Cargo.toml")).expect("the workspace");
        let members = "chapters/*/exercises";
        let manifest = workspace::beside(&manifest, members, ".").expect("a workspace");
        write(to, "Cargo.toml", &manifest);
        fs::copy(from.join("rustfmt.toml"), to.join("rustfmt.toml"))
            .expect("the house's style");
        // What is built here is built once, and a check may take two seconds.
        let target = from.join("target/small-course");
        let config = format!(
            "[build]\ntarget-dir = {:?}\n\n[env]\nEXERCISE_SECONDS = {{ value = \"2\", force = true }}\n",
            target.display().to_string()
        );
        write(to, ".cargo/config.toml", &config);
        let all = exercises::all(to).expect("the annotated sources can be read");
        let small = Small { folder, all };
        for exercise in &small.all {
            // A reader may have solved it in the real one, or not yet: nothing of that comes along.
            fs::remove_file(small.root().join(exercises::file(exercise))).ok();
            exercises::reset(small.root(), exercise).expect("a starter");
        }
        small
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn exercise(&self, name: &str) -> &Exercise {
        self.all.iter().find(|exercise| exercise.name == name).expect(name)
    }

    fn answer(&self, name: &str, text: &str) {
        write(self.root(), &format!("{PACKAGE}/src/{name}.rs"), text);
    }

    /// Puts this in place of every `todo!()` of the starter.
    fn body(&self, name: &str, body: &str) {
        let starter = exercise_source::starter(self.exercise(name));
        assert!(starter.contains("todo!()"), "{name}");
        self.answer(name, &starter.replace("todo!()", body));
    }

    fn solve(&self, name: &str) {
        let exercise = self.exercise(name);
        let solution = exercise_source::solution(exercise);
        self.answer(name, &exercise_source::with_test(exercise, &solution));
    }

    fn try_all(&self) -> BTreeMap<&str, Tried> {
        let all: Vec<&Exercise> = self.all.iter().collect();
        let tried = exercises::try_package(self.root(), &all).expect("Cargo runs");
        self.all.iter().map(|exercise| exercise.name.as_str()).zip(tried).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("folders can be made");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).expect("files can be copied")),
        }
    }
}

fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().expect("a file has a folder"))
        .expect("folders can be made");
    fs::write(path, text).expect("files can be written");
}

fn states<'a>(tried: &BTreeMap<&'a str, Tried>) -> BTreeMap<&'a str, State> {
    tried.iter().map(|(name, tried)| (*name, tried.state)).collect()
}

#[test]
#[ignore = "cargo prove: compiles the exercises of a chapter twice"]
fn each_exercise_has_a_state_of_its_own() {
    let small = Small::new();
    small.solve("append_row");
    // What it prints says nothing of another one.
    small.body("cache_budget", "println!(\"test parity_test ... ok\"); None");
    let crash = "unsafe { std::ptr::read_volatile(4096 as *const u8) }; todo!()";
    small.body("attend_one", crash);
    small.body("parity_test", "loop { println!(\"{:9999}\", 0) }");

    let together = small.try_all();
    let mut expected = BTreeMap::from([
        ("append_row", State::Green),
        ("attend_one", State::Red),
        ("attend_chunk", State::Unstarted),
        ("cache_budget", State::Red),
        ("fixed_cache", State::Unstarted),
        ("parity_test", State::Red),
    ]);
    assert_eq!(states(&together), expected, "{together:#?}");
    for (name, tried) in &together {
        assert!(!tried.alone, "{name}");
        let whole = tried.state == State::Green || tried.text.contains("\n  read:     \"");
        let hint = tried.text.contains(&format!("`cargo run -- hint {name}`"));
        assert!(whole && (hint || tried.text.is_empty()), "{name}: {}", tried.text);
    }
    let text = |name: &str| together[name].text.as_str();
    assert!(text("attend_chunk").starts_with("attend_chunk still has its fault"));
    assert!(text("cache_budget").contains("  expected: "), "{}", text("cache_budget"));
    assert!(text("attend_one").contains("its process ended: "), "{}", text("attend_one"));
    if cfg!(unix) {
        assert!(text("attend_one").contains("an unsafe block"), "{}", text("attend_one"));
    }
    let endless = text("parity_test");
    assert!(endless.contains("still ran after 2 s") && endless.contains("loop"), "{endless}");

    // One that does not compile: it alone.
    small.body("cache_budget", "Some(layers +)");
    small.body("parity_test", "std::process::exit(0)");
    let recursive =
        "fn deeper(n: u64) -> u64 { std::hint::black_box([n; 512]); deeper(n + 1) + n }";
    small.body("fixed_cache", &format!("{recursive} deeper(1); todo!()"));
    let untested = exercise_source::solution(small.exercise("attend_chunk"));
    small.answer("attend_chunk", &untested);
    let alone = small.try_all();
    expected.insert("cache_budget", State::Broken);
    expected.insert("fixed_cache", State::Red);
    expected.insert("attend_chunk", State::Broken);
    assert_eq!(states(&alone), expected, "{alone:#?}");
    assert!(alone.values().all(|tried| tried.alone));
    let text = |name: &str| alone[name].text.as_str();
    let (broken, ended) = (text("cache_budget"), text("parity_test"));
    assert!(broken.starts_with("error") && broken.contains("src/cache_budget.rs:"), "{broken}");
    assert!(!broken.contains("warning") && !broken.contains("could not compile"), "{broken}");
    assert!(ended.contains("the answer ended the program"), "{ended}");
    let untested = text("attend_chunk");
    assert!(untested.contains("has no test any more"), "{untested}");
    let deep = text("fixed_cache");
    assert!(deep.contains("a function calls itself"), "{deep}");
}

#[test]
fn what_the_reader_wrote_is_kept_when_an_exercise_is_reset() {
    let small = Small::new();
    let (root, exercise) = (small.root(), small.exercise("append_row"));
    let file = root.join(exercises::file(exercise));
    let given = fs::read_to_string(&file).expect("a starter");
    assert!(given.contains("todo!()"), "{given}");
    let reset = || exercises::reset(root, exercise).expect("it can be written");
    assert_eq!(reset(), Reset::AsGiven);
    for (number, mine) in [(1, "// mine\n"), (2, "// mine once more\n")] {
        fs::write(&file, mine).expect("files can be written");
        let kept = Path::new("my/exercises").join(format!("append_row-{number}.rs"));
        assert_eq!(reset(), Reset::Kept(kept.clone()));
        assert_eq!(fs::read_to_string(root.join(kept)).expect("it is kept"), mine);
        assert_eq!(fs::read_to_string(&file).expect("a starter"), given);
    }
    fs::remove_file(&file).expect("files can be removed");
    assert_eq!(reset(), Reset::Missing);
    assert_eq!(fs::read_to_string(&file).expect("a starter"), given);
    fs::write(&file, b"no text: \xff").expect("files can be written");
    assert!(matches!(reset(), Reset::Kept(_)));
    assert_eq!(fs::read_to_string(&file).expect("a starter"), given);
}

#[test]
fn a_saved_file_is_noticed_once() {
    let small = Small::new();
    let mut watch = Watch::new(small.root(), &small.all);
    assert_eq!(watch.changed(), None);
    let touch = |place: usize, seconds: u64| {
        let path = small.root().join(exercises::file(&small.all[place]));
        let file = fs::File::options().append(true).open(path).expect("a starter");
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(seconds);
        file.set_modified(later).expect("a time can be set");
    };
    touch(4, 5);
    touch(2, 5);
    assert_eq!([watch.changed(), watch.changed(), watch.changed()], [Some(2), Some(4), None]);
    // An editor that writes anew: away for a moment, and back.
    let path = small.root().join(exercises::file(&small.all[1]));
    fs::remove_file(&path).expect("files can be removed");
    assert_eq!(watch.changed(), None);
    fs::write(&path, "").expect("files can be written");
    touch(1, 9);
    assert_eq!([watch.changed(), watch.changed()], [Some(1), None]);
}
