//! The exercises' one source. `answers/ch02/append_row/answer.rs` holds the task, three hints, the starter, the
//! solution and why it is right; `wrong/` beside it holds answers that the check must reject. From these this
//! file makes what the reader sees: the starter, the hints, the list and the test file of each package.
//!
//! The form of an annotated source:
//!
//! ```text
//! //? page: ch02/basic.md          lines for the generator: page, section, level, minutes, title, call, hint 1..3, why
//! //! The task.                    goes into the starter as it stands
//! pub fn append_row(...) {
//!     //-- starter
//!     // todo!()                   goes into the starter, without the slashes
//!     //-- solution
//!     ...                          stays out of the starter
//!     //-- end
//! }
//! ```
//!
//! An exercise whose starter has no `todo!()` is one in which a fault is to be found. A wrong answer begins with two lines:
//!
//! ```text
//! //? recognised: words of the reason that the check must give
//! //? why: what it does, and why that is wrong: a sentence or two for the page with the solutions
//! ```

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One exercise as its annotated source describes it.
pub struct Exercise {
    /// "ch02"
    pub chapter: String,
    /// "append_row"
    pub name: String,
    pub about: BTreeMap<String, String>,
    /// The annotated source, which is also the solution: it compiles as it is.
    pub source: PathBuf,
    pub text: String,
    pub wrong: Vec<Wrong>,
    /// The folder of the reader's package.
    pub package_folder: PathBuf,
}

/// An answer that looks right and is not.
pub struct Wrong {
    pub name: String,
    pub path: PathBuf,
    /// Words of the reason that the check must give.
    pub recognised: String,
    /// What it does, and why that is wrong.
    pub why: String,
}

const KEYS: [&str; 10] = [
    "title", "page", "section", "level", "minutes", "call", "hint 1", "hint 2", "hint 3", "why",
];

/// How hard an exercise is.
pub const LEVELS: [&str; 3] = ["warm-up", "core", "deep"];

impl Exercise {
    pub fn id(&self) -> String {
        format!("{}_{}", self.chapter, self.name)
    }

    pub fn package(&self) -> String {
        format!("{}-exercises", self.chapter)
    }

    pub fn get(&self, key: &str) -> &str {
        &self.about[key]
    }

    /// The page of the built book: ch02/cache.html.
    pub fn address(&self) -> String {
        self.get("page").replace(".md", ".html")
    }

    /// The reader's package from the course's root, written alike on every system.
    pub fn folder(&self) -> String {
        self.package_folder.to_string_lossy().replace('\\', "/")
    }

    /// The reader looks for a fault in a function that is given, and has nothing to write from the start.
    pub fn has_fault(&self) -> bool {
        !starter(self).contains("todo!()")
    }

    pub fn check_file(&self) -> PathBuf {
        self.package_folder.join("checks").join(format!("{}.rs", self.name))
    }
}

/// Every exercise, by chapter and then in the order of the chapter's `order.txt`. `root` is the course's root folder.
pub fn read_all(root: &Path) -> Result<Vec<Exercise>, String> {
    let answers = root.join("tests/exercises/answers");
    let mut all = Vec::new();
    for chapter in folders(&answers)? {
        let package_folder = package_folder(root, &chapter)?;
        let mut names = folders(&answers.join(&chapter))?;
        let order_file = answers.join(&chapter).join("order.txt");
        let order: Vec<String> = read(&order_file)?.lines().map(str::to_string).collect();
        names.sort_by_key(|name| order.iter().position(|line| line == name));
        let mut listed = order.clone();
        listed.retain(|line| names.contains(line));
        if listed != names {
            return Err(problem_at(
                &order_file,
                format!("lists {order:?}, the folders are {names:?}"),
            ));
        }
        for name in names {
            all.push(read_one(&answers, &chapter, &name, &package_folder)?);
        }
    }
    Ok(all)
}

fn read_one(
    answers: &Path,
    chapter: &str,
    name: &str,
    package_folder: &Path,
) -> Result<Exercise, String> {
    let folder = answers.join(chapter).join(name);
    let source = folder.join("answer.rs");
    let text = read(&source)?;
    let about = about(&text).map_err(|problem| problem_at(&source, problem))?;
    let mut wrong = Vec::new();
    for path in files(&folder.join("wrong"))? {
        let text = read(&path)?;
        let line = |key: &str| {
            let begin = format!("//? {key}: ");
            let found = text.lines().find_map(|line| line.strip_prefix(&begin));
            let missing = || problem_at(&path, format!("no line \"{begin}...\""));
            found.map(str::to_string).ok_or_else(missing)
        };
        let (recognised, why) = (line("recognised")?, line("why")?);
        wrong.push(Wrong { name: file_stem(&path), recognised, why, path });
    }
    Ok(Exercise {
        chapter: chapter.to_string(),
        name: name.to_string(),
        about,
        source,
        text,
        wrong,
        package_folder: package_folder.to_path_buf(),
    })
}

/// The `//?` lines: `//? key: text`, continued by lines that begin with `//?` and two or more spaces.
fn about(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut about: BTreeMap<String, String> = BTreeMap::new();
    let mut last = None;
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("//?") else {
            continue;
        };
        if let Some(more) = rest.strip_prefix("  ") {
            let key: &String = last.as_ref().ok_or("the first //? line continues nothing")?;
            let value = about.entry(key.clone()).or_default();
            value.push('\n');
            value.push_str(more.trim());
            continue;
        }
        let (key, value) = rest.split_once(':').ok_or(format!("no key in {line:?}"))?;
        let key = key.trim().to_string();
        if !KEYS.contains(&key.as_str()) {
            return Err(format!("unknown key {key:?}"));
        }
        about.insert(key.clone(), value.trim().to_string());
        last = Some(key);
    }
    match KEYS.iter().find(|key| !about.contains_key(**key)) {
        Some(missing) => Err(format!("no line \"//? {missing}: ...\"")),
        None => Ok(about),
    }
}

/// The file that the reader edits.
pub fn starter(exercise: &Exercise) -> String {
    let mut out = String::new();
    writeln!(out, "//! {}", exercise.get("title")).ok();
    writeln!(out, "//!").ok();
    let mut part = "";
    for line in exercise.text.lines() {
        let mark = line.trim_start();
        if line.starts_with("//?") {
            continue;
        } else if let Some(name) = mark.strip_prefix("//-- ") {
            part = name;
        } else if part == "starter" {
            out.push_str(&line.replacen("// ", "", 1));
            out.push('\n');
        } else if part != "solution" {
            out.push_str(line);
            out.push('\n');
        }
    }
    // The task ends with where to read and what to run.
    let name = &exercise.name;
    let tail = format!(
        "//!\n//! Level: {}, about {} minutes.\n//! Read: \"{}\", in the book at {}.\n\
         //! Run: `cargo run -- watch {name}`, or once: `cargo test -p {} {name}`.\n\
         //! Stuck: `cargo run -- hint {name}`. Done: `cargo run -- solution {name}`. Start over: `cargo run -- reset {name}`.\n",
        exercise.get("level"),
        exercise.get("minutes"),
        exercise.get("section"),
        exercise.address(),
        exercise.package(),
    );
    let end_of_task = out
        .lines()
        .take_while(|line| line.starts_with("//!") || line.is_empty())
        .filter(|line| line.starts_with("//!"))
        .count();
    let task: String = out
        .lines()
        .filter(|line| !line.is_empty())
        .take(end_of_task)
        .map(|line| format!("{line}\n"))
        .collect();
    let code: Vec<&str> =
        out.lines().skip_while(|line| line.starts_with("//!") || line.is_empty()).collect();
    format!("{task}{tail}\n{}\n", code.join("\n"))
}

/// Every generated file of every package: path from the root, and text. `root` is the course's root folder.
pub fn generated(
    root: &Path,
    exercises: &[Exercise],
) -> Result<Vec<(PathBuf, String)>, String> {
    let mut out = Vec::new();
    let mut by_package: BTreeMap<PathBuf, Vec<&Exercise>> = BTreeMap::new();
    for exercise in exercises {
        let folder = &exercise.package_folder;
        let name = &exercise.name;
        out.push((folder.join("src").join(format!("{name}.rs")), starter(exercise)));
        let alone = reader_tests(&[exercise], "../..");
        out.push((folder.join("tests/one").join(format!("{name}.rs")), alone));
        for level in 1..=3 {
            let text = format!("{}\n", exercise.get(&format!("hint {level}")));
            out.push((folder.join(format!("hints/{name}/{level}.md")), text));
        }
        by_package.entry(folder.clone()).or_default().push(exercise);
    }
    for (folder, exercises) in by_package {
        let settings = folder.join("Cargo.toml");
        let text = manifest(&read(&root.join(&settings))?, &exercises);
        out.push((settings, text));
        out.push((folder.join("src/lib.rs"), LIBRARY.to_string()));
        out.push((folder.join("tests/exercises.rs"), reader_tests(&exercises, "..")));
        out.push((folder.join("README.md"), list(&exercises)));
    }
    Ok(out)
}

/// What the package of a chapter holds as long as there are no exercises: paths inside its folder, and text.
pub fn none_yet(package: &str) -> Vec<(PathBuf, String)> {
    let readme = format!("# {package}\n\nThis chapter has no exercises yet.\n");
    vec![("src/lib.rs".into(), LIBRARY.to_string()), ("README.md".into(), readme)]
}

/// The same for every package that is there without exercises: paths from the root.
pub fn generated_without(
    root: &Path,
    exercises: &[Exercise],
) -> Result<Vec<(PathBuf, String)>, String> {
    let mut out = Vec::new();
    for chapter in folders(&root.join("chapters"))? {
        let folder = Path::new("chapters").join(&chapter).join("exercises");
        let known = exercises.iter().any(|exercise| exercise.package_folder == folder);
        if let Some((short, _)) = chapter.split_once('-')
            && root.join(&folder).join("Cargo.toml").is_file()
            && !known
        {
            let files = none_yet(&format!("{short}-exercises"));
            out.extend(files.into_iter().map(|(path, text)| (folder.join(path), text)));
        }
    }
    Ok(out)
}

/// The package's library is empty: an exercise is compiled with its test, so that one which does not compile yet leaves
/// the others alone.
const LIBRARY: &str = "//! The exercises: open a file beside this one, read the task at its top, replace `todo!()` or mend the fault. README.md\n\
     //! lists them. The tests compile them; this library has nothing in it.\n";

/// The test file of these exercises, which is `up` from the package's folder.
fn reader_tests(exercises: &[&Exercise], up: &str) -> String {
    let mut out = String::from(match exercises {
        [_] => {
            "//! One exercise by itself. The check is in `checks/`; nothing here needs an edit.\n\n"
        }
        _ => {
            "//! One test per exercise. The checks themselves are in `checks/`; nothing here needs an edit.\n\n"
        }
    });
    out.push_str("use exercise_kit::{Exercise, Told};\n");
    for exercise in exercises {
        let name = &exercise.name;
        writeln!(out, "\n#[path = \"{up}/checks/{name}.rs\"]\nmod {name}_check;").ok();
        // A starter does not use its arguments yet, and a test uses some of an answer only.
        writeln!(out, "#[allow(dead_code, unused_variables)]").ok();
        writeln!(out, "#[path = \"{up}/src/{name}.rs\"]\nmod {name}_answer;\n").ok();
        writeln!(out, "#[test]\nfn {name}() -> Result<(), Told> {{").ok();
        writeln!(out, "    use {name}_answer as answer;\n    use {name}_check::check;").ok();
        writeln!(out, "    static EXERCISE: Exercise = {};", record(exercise, "    ")).ok();
        writeln!(out, "    EXERCISE.test(|| {})\n}}", exercise.get("call")).ok();
    }
    out
}

const ALONE: &str = "\n# Each exercise by itself, so that another one which does not compile is no matter: `cargo test --test NAME`.\n\
     # `cargo test` alone runs tests/exercises.rs, which has them all. Written by `cargo run -p course-exercises -- --write`.\n";

/// The package's Cargo.toml: what it was, and then a test for each exercise.
fn manifest(before: &str, exercises: &[&Exercise]) -> String {
    let kept = before.split(ALONE).next().unwrap_or_default();
    let mut out = format!("{kept}{ALONE}");
    for exercise in exercises {
        let name = &exercise.name;
        writeln!(
            out,
            "[[test]]\nname = \"{name}\"\npath = \"tests/one/{name}.rs\"\ntest = false\n"
        )
        .ok();
    }
    out.pop();
    out
}

fn record(exercise: &Exercise, indent: &str) -> String {
    format!(
        "Exercise {{\n{indent}    name: {:?},\n{indent}    package: {:?},\n{indent}    folder: {:?},\n{indent}    page: {:?},\n{indent}    section: {:?},\n{indent}}}",
        exercise.name,
        exercise.package(),
        exercise.folder(),
        exercise.address(),
        exercise.get("section")
    )
}

fn list(exercises: &[&Exercise]) -> String {
    let (package, name) = (exercises[0].package(), &exercises[0].name);
    let mut out = format!(
        "# {package}\n\n\
         Each file in `src/` is one exercise: the task is at its top. Replace `todo!()`, or find the fault in what is there.\n\n\
         ```\ncargo run -- watch {name}       # tests it each time you save the file, and goes on to the next when it is right\n\
         cargo run -- hint {name}        # then `hint {name} 2`, and 3: each says more\n\
         cargo run -- solution {name}    # a solution, why it is right, and why others are not\n\
         cargo run -- reset {name}       # the file as it was; yours is kept in my/exercises\n```\n\n\
         A red test says what was expected, what was found and what to read. `cargo test -p {package}` tests all of them once,\n\
         and `cargo test -p {package} {name}` this one. If another exercise does not compile, add `--test`:\n\
         `cargo test -p {package} --test {name}`.\n\n\
         Pages are named as in the built book: `mdbook serve book`.\n\n\
         | exercise | task | level | minutes | read |\n|---|---|---|---|---|\n"
    );
    for exercise in exercises {
        writeln!(
            out,
            "| `{}` | {} | {} | {} | \"{}\", {} |",
            exercise.name,
            exercise.get("title"),
            exercise.get("level"),
            exercise.get("minutes"),
            exercise.get("section"),
            exercise.address()
        )
        .ok();
    }
    out
}

/// As `cargo fmt` would leave it.
pub fn formatted(text: &str, root: &Path) -> Result<String, String> {
    let broken = |error: io::Error| format!("rustfmt: {error}");
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(broken)?;
    let mut input = rustfmt.stdin.take().ok_or("rustfmt: no standard input")?;
    input.write_all(text.as_bytes()).map_err(broken)?;
    drop(input);
    let output = rustfmt.wait_with_output().map_err(broken)?;
    String::from_utf8(output.stdout).map_err(|error| format!("rustfmt: {error}"))
}

/// The part of the page with the solutions that comes from the sources. `title` names a chapter.
pub fn solutions(exercises: &[Exercise], title: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut chapter = "";
    // The ground floor comes first, as in the book.
    let (ground, chapters): (Vec<&Exercise>, Vec<&Exercise>) =
        exercises.iter().partition(|exercise| exercise.chapter == "part0");
    for exercise in ground.into_iter().chain(chapters) {
        if exercise.chapter != chapter {
            chapter = &exercise.chapter;
            writeln!(out, "## {}\n", title(chapter)).ok();
        }
        let (name, page, section) =
            (&exercise.name, exercise.get("page"), exercise.get("section"));
        writeln!(out, "### `{name}`\n").ok();
        writeln!(
            out,
            "{}. The task is in `{}/src/{name}.rs`; it belongs to [{section}]({page}#{}).\n",
            exercise.get("title"),
            exercise.folder(),
            anchor(section)
        )
        .ok();
        writeln!(out, "<details><summary>A solution</summary>\n").ok();
        writeln!(out, "```rust\n{}```\n", solution(exercise)).ok();
        writeln!(out, "{}\n\n</details>\n", exercise.get("why").replace('\n', " ")).ok();
        let count = exercise.wrong.len();
        writeln!(out, "<details><summary>{count} answers that are wrong</summary>\n").ok();
        for wrong in &exercise.wrong {
            writeln!(out, "- *{}.* {}", wrong.name.replace('_', " "), wrong.why).ok();
        }
        writeln!(out, "\n</details>\n").ok();
    }
    out
}

/// The solution alone: the code without the task and without the starter.
pub fn solution(exercise: &Exercise) -> String {
    let mut out = String::new();
    let mut part = "";
    for line in exercise.text.lines() {
        let mark = line.trim_start();
        if let Some(name) = mark.strip_prefix("//-- ") {
            part = name;
        } else if part != "starter" && !line.starts_with("//?") && !line.starts_with("//!") {
            out.push_str(line);
            out.push('\n');
        }
    }
    format!("{}\n", out.trim())
}

/// As mdBook makes it from a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The Rust text that holds every answer beside its check.
pub fn cases(exercises: &[Exercise], root: &Path, out_dir: &Path) -> String {
    let mut modules = String::new();
    let mut table = String::from("pub static CASES: &[Case] = &[\n");
    for exercise in exercises {
        let id = exercise.id();
        writeln!(modules, "pub mod {id} {{").ok();
        let mut module = |path: &Path, name: &str, allow: &str| {
            writeln!(modules, "    {allow}#[path = {path:?}] pub mod {name};").ok();
        };
        module(&root.join(exercise.check_file()), "checks", "");
        let starter = out_dir.join(format!("{id}_starter.rs"));
        module(&starter, "starter", "#[allow(unused_variables, dead_code)] ");
        module(&exercise.source, "solution", "");
        for wrong in &exercise.wrong {
            // A wrong answer is written as its author would have: its style is no concern of the course.
            module(
                &wrong.path,
                &wrong.name,
                "#[allow(clippy::all, dead_code, unused_variables)] ",
            );
        }
        writeln!(modules, "}}").ok();
        let mut case = |module: &str, kind: &str| {
            writeln!(
                table,
                "    Case {{ kind: {kind}, exercise: &{}, run: |exercise| {{ use {id}::{module} as answer; use {id}::checks::check; exercise.run(|| {}) }} }},",
                record(exercise, ""),
                exercise.get("call")
            )
            .ok();
        };
        case("starter", "Kind::Starter");
        case("solution", "Kind::Solution");
        for wrong in &exercise.wrong {
            let kind = format!(
                "Kind::Wrong {{ name: {:?}, recognised: {:?} }}",
                wrong.name, wrong.recognised
            );
            case(&wrong.name, &kind);
        }
    }
    table.push_str("];\n");
    modules + &table
}

/// The pages of the book that an exercise names, each of which must link back. One line per link that is missing.
pub fn missing_links(exercises: &[Exercise], book: &Path) -> Vec<String> {
    let mut missing = Vec::new();
    for exercise in exercises {
        let page = exercise.get("page");
        let (level, minutes) = (exercise.get("level"), exercise.get("minutes"));
        let begin = format!("> **Exercise** `{}` ({level}, {minutes} minutes", exercise.name);
        let run = format!("`cargo run -- watch {}`", exercise.name);
        match fs::read_to_string(book.join(page)) {
            Err(_) => missing.push(one_line(&format!("{}: no page {page}", exercise.id()))),
            Ok(text) if !text.contains(&begin) || !text.contains(&run) => {
                let line =
                    format!("{}: {page} does not say \"{begin}\" and {run}", exercise.id());
                missing.push(one_line(&line));
            }
            Ok(text) if !headings(&text).contains(&exercise.get("section")) => {
                let section = exercise.get("section");
                let line = format!("{}: {page} has no heading \"{section}\"", exercise.id());
                missing.push(one_line(&line));
            }
            Ok(_) => {}
        }
    }
    missing
}

fn headings(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').split(" {#").next().unwrap_or_default().trim())
        .collect()
}

/// `chapters/part0-exercises`, or `chapters/ch02-kv-cache/exercises`.
fn package_folder(root: &Path, chapter: &str) -> Result<PathBuf, String> {
    for name in folders(&root.join("chapters"))? {
        if name == format!("{chapter}-exercises") {
            return Ok(Path::new("chapters").join(name));
        }
        if name.starts_with(&format!("{chapter}-")) {
            return Ok(Path::new("chapters").join(name).join("exercises"));
        }
    }
    Err(one_line(&format!("no folder chapters/{chapter}-* for the exercises of {chapter}")))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| problem_at(path, error))
}

/// What is wrong with a file or a folder, in one line.
pub fn problem_at(path: &Path, problem: impl Display) -> String {
    one_line(&format!("{}: {problem}", path.display()))
}

/// A name may hold what a terminal obeys: it is shown escaped. As `ground::text` does it, which a build script does not
/// have.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        match character {
            '"' | '\'' | '\\' => line.push(character),
            _ => line.extend(character.escape_debug()),
        }
    }
    line
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = fs::read_dir(folder).map_err(|error| problem_at(folder, error))?;
    let mut paths: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

fn folders(folder: &Path) -> Result<Vec<String>, String> {
    let paths = entries(folder)?;
    let names = paths.iter().filter(|path| path.is_dir()).map(|path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    });
    Ok(names.collect())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut paths = entries(folder)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    Ok(paths)
}

fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
