//! What a chapter says of itself to the tools: `[package.metadata.course]` in its Cargo.toml.
//!
//! Cargo leaves this table alone, and no reader types it: together with what only tests need, it is told apart from the
//! manifest that the book tells.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ground::error::Error;
use ground::machine::Machine;
use ground::text::{NAME, one_line};
use serde::de::{Error as _, IntoDeserializer};
use serde::{Deserialize, Deserializer};
use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

use crate::error::problem_at;

/// What a chapter says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// As in the summary and on its first page, where its number comes first.
    pub title: String,
    /// The most lines that it may add and remove, all together.
    pub budget: usize,
    /// The ways that its program can be run. All of them must agree to the bit.
    #[serde(deserialize_with = "some")]
    pub ways: Vec<Way>,
    /// What a reader builds in it, and the number that it moves; none of a chapter that is not told yet.
    pub builds: Option<String>,
    pub moves: Option<String>,
    /// What the flight of stairs is called that begins with it.
    pub flight: Option<String>,
    /// Whether its JSON has metrics: false says that it came before there were any.
    #[serde(default = "yes")]
    pub metrics: bool,
    /// Which judgement it is held to, a folder of `tests/fixtures/judge`: "rounded" if it rounds the inputs of products with
    /// quantised weights, "f16" if it rounds keys and values as well. None: it rounds nothing.
    pub judge: Option<String>,
    /// Flags with which its bits are those of the chapter before.
    #[serde(default)]
    pub as_before: Vec<String>,
    /// The parts that `check --part` tests by themselves, as the book comes to them: each names a file of its tests.
    #[serde(default, deserialize_with = "some")]
    pub parts: Vec<String>,
    /// The pages at whose ends there is what these parts test; the others are there from the beginning.
    #[serde(default)]
    pub parts_from: BTreeMap<String, String>,
    /// The page at whose end its numbers are its own: until then what `metrics`, `judge` and `says` say is as in the
    /// chapter before.
    pub numbers_from: Option<String>,
    /// The page at whose end the judge can agree: until then its program is held to the course's alone, as it is at the
    /// end of the same page.
    pub judged_from: Option<String>,
    /// Whether it is a server where it is given no prompt, and the page at whose end it is one: then what it says at its
    /// port is held against what it says by its command line.
    #[serde(default)]
    pub serves: bool,
    pub serves_from: Option<String>,
    /// The chapter whose library it builds on, `ch07`: of that one's files it has only those that it changes. None of a
    /// chapter that is whole.
    pub base: Option<String>,
    /// On a base: whether its library and its manifest go on from the base's. If not, they begin anew.
    #[serde(default)]
    pub goes_on: bool,
    /// Which snapshot of the model's words it is held to: chapters that add up in the same order say the same words.
    pub says: Option<String>,
}

/// One way to run a chapter's program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    pub flags: Vec<String>,
    /// What to look at when only this way differs.
    pub suspect: Option<String>,
    /// Every pass computes the whole past: it is right, and slow.
    #[serde(default)]
    pub recomputes: bool,
    /// A feature of the processor, as `ground::machine` names it. Where it is missing, this way must be refused.
    pub needs: Option<String>,
    /// The page at whose end there is this way; none if it is one from the beginning.
    pub from: Option<String>,
}

impl Way {
    /// Whether this machine has the instructions for it.
    pub fn is_possible(&self) -> bool {
        let has = |needs: &String| Machine::describe().features.contains(&needs.as_str());
        self.needs.as_ref().is_none_or(has)
    }

    /// What to look at when this way is wrong and the first one is right.
    pub fn look(&self) -> String {
        let at = |suspect: &String| format!("{suspect} (if it is right without these flags)");
        self.suspect.as_ref().map_or(String::new(), at)
    }
}

impl About {
    /// What holds of it while only these of its pages are typed, and for every page that is missing what it brings.
    /// Before the first of its own ways works, its program runs in those of the chapter before.
    pub fn while_typed(
        &self,
        typed: &[&str],
        before: Option<&About>,
    ) -> (About, Vec<(String, Vec<String>)>) {
        let is_there = |from: &str| typed.contains(&from);
        let mut later: Vec<(String, Vec<String>)> = Vec::new();
        let mut comes = |from: &Option<String>, what: &[String]| {
            let Some(from) = from.as_ref().filter(|from| !is_there(from)) else { return true };
            match later.iter_mut().find(|(page, _)| page == from) {
                Some((_, all)) => all.extend(
                    what.iter().filter(|one| !all.contains(one)).cloned().collect::<Vec<_>>(),
                ),
                None => later.push((from.clone(), what.to_vec())),
            }
            false
        };
        let mut now = self.clone();
        now.ways.retain(|way| comes(&way.from, &way.flags));
        now.parts.retain(|part| {
            comes(&self.parts_from.get(part).cloned(), &[format!("part {part}")])
        });
        now.serves &= comes(&self.serves_from, &["at its port".into()]);
        now.judged_from.take_if(|_| comes(&self.judged_from, &["the judge".into()]));
        // A way may also have flags that others have already.
        for (_, all) in &mut later {
            all.retain(|one| !now.ways.iter().any(|way| way.flags.contains(one)));
        }
        let before = before.cloned().unwrap_or_default();
        if now.ways.is_empty() {
            now.ways = before.ways;
        }
        if self.numbers_from.as_ref().is_some_and(|from| !is_there(from)) {
            (now.metrics, now.judge, now.says) = (before.metrics, before.judge, before.says);
        }
        (now, later)
    }
}

/// What the manifest at `path` says of its chapter.
pub fn read(path: &Path) -> Result<About, Error> {
    let wrong = |reason: String| problem_at(path, reason);
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    parse(&text).map_err(wrong)
}

/// What a manifest says of its chapter, or what is wrong with it, in one line.
pub fn parse(manifest: &str) -> Result<About, String> {
    let document = document(manifest)?;
    let mut table = document
        .get("package")
        .and_then(|package| package.get("metadata"))
        .and_then(|metadata| metadata.get("course")?.clone().into_table().ok())
        .ok_or("expected a table [package.metadata.course] with title, budget and ways")?;
    // These are read by lab/peers.
    table.remove("peers");
    table.remove("cover");
    let about = About::deserialize(Value::from(table.into_inline_table()).into_deserializer());
    let about = about
        .map_err(|error| one_line(error.to_string().trim().replace('\n', " ").as_str(), 300))?;
    let About {
        title,
        builds,
        moves,
        flight,
        says,
        base,
        numbers_from,
        judged_from,
        serves_from,
        ..
    } = &about;
    let texts = [builds, moves, flight, says, base, numbers_from, judged_from, serves_from];
    let texts = texts.into_iter().flatten();
    for text in texts.chain([title]) {
        if text.trim().is_empty() || text.contains(char::is_control) {
            return Err(format!("found {:?}: expected one line of text", one_line(text, NAME)));
        }
    }
    Ok(about)
}

/// A list that is given has something in it.
fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(list: D) -> Result<Vec<T>, D::Error> {
    let list = Vec::deserialize(list)?;
    let empty = || D::Error::custom("an empty list, expected something in it");
    if list.is_empty() { Err(empty()) } else { Ok(list) }
}

fn yes() -> bool {
    true
}

/// The manifest that the book tells and a reader types: without what it says to tools and tests only. All else is as it
/// was, to the byte.
pub fn told(manifest: &str) -> Result<String, String> {
    let mut document = document(manifest)?;
    without_test_dependencies(&mut document);
    if let Some(package) = document.get_mut("package").and_then(Item::as_table_like_mut)
        && let Some(metadata) = package.get_mut("metadata").and_then(Item::as_table_like_mut)
    {
        metadata.remove("course");
        if metadata.is_empty() {
            package.remove("metadata");
        }
    }
    without_test_switches(&mut document);
    Ok(document.to_string())
}

/// What only the tests need, on some platform or on all.
fn without_test_dependencies(document: &mut DocumentMut) {
    document.remove("dev-dependencies");
    let platforms = document.get_mut("target").and_then(Item::as_table_like_mut);
    for (_, platform) in platforms.into_iter().flat_map(|all| all.iter_mut()) {
        platform.as_table_like_mut().and_then(|all| all.remove("dev-dependencies"));
    }
}

/// `test = false` and the like, and what stays of `[lib]` and `[[bin]]` if it says only what Cargo finds by itself.
fn without_test_switches(document: &mut DocumentMut) {
    const SWITCHES: [&str; 3] = ["test", "doctest", "bench"];
    let name = document.get("package").and_then(|package| package.get("name"));
    let name = name.and_then(Item::as_str).map(str::to_string);
    let stripped = |target: &mut dyn TableLike, path: &str| {
        let switched = SWITCHES.iter().filter(|key| target.remove(key).is_some()).count() > 0;
        let known = target.iter().all(|(key, item)| match key {
            "name" => item.as_str() == name.as_deref(),
            "path" => item.as_str() == Some(path),
            _ => false,
        });
        switched && known
    };
    if let Some(library) = document.get_mut("lib").and_then(Item::as_table_like_mut)
        && stripped(library, "src/lib.rs")
    {
        document.remove("lib");
    }
    if let Some(programs) = document.get_mut("bin").and_then(Item::as_array_of_tables_mut) {
        programs.retain(|program| !stripped(&mut program.clone(), "src/main.rs"));
        for program in programs.iter_mut() {
            stripped(program, "src/main.rs");
        }
    }
}

/// The manifest of a package that holds the chapter's tests, by their names, against the package in `folder`, which has the
/// chapter's name and the manifest `own`. If that one has a program, so has this.
pub fn testing(
    manifest: &str,
    own: &str,
    folder: &Path,
    tests: &[(String, PathBuf)],
) -> Result<String, String> {
    let (mut document, own) = (document(manifest)?, document(own)?);
    for key in ["lib", "bin"] {
        document.remove(key);
    }
    let package = document.get_mut("package").and_then(Item::as_table_like_mut);
    let package = package.ok_or("expected a table [package]")?;
    package.remove("metadata");
    let name = package.get("name").and_then(Item::as_str).ok_or("expected a name")?.to_string();
    package.insert("name", toml_edit::value(format!("{name}-tests")));
    let path = |path: &Path| toml_edit::value(path.to_string_lossy().into_owned());
    // The program may need more than the course's.
    let needs = own.get("dependencies").and_then(Item::as_table_like);
    for (needed, item) in needs.into_iter().flat_map(|all| all.iter()) {
        if document["dependencies"].get(needed).is_none() && item.get("path").is_none() {
            document["dependencies"][needed] = item.clone();
        }
    }
    let mut aimed_at = InlineTable::new();
    aimed_at.insert("path", folder.to_string_lossy().into_owned().into());
    document["dependencies"][&name] = toml_edit::value(aimed_at);
    let target = |name: &str, file: &Path| {
        let mut target = toml_edit::Table::new();
        target["name"] = toml_edit::value(name);
        target["path"] = path(file);
        target
    };
    let program = folder.join("src/main.rs");
    if program.is_file() {
        // No other program has this name in the target folder.
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let program = target(&format!("my-{name}"), &program);
        document["bin"] = Item::ArrayOfTables([program].into_iter().collect());
    }
    let tests = tests.iter().map(|(name, file)| target(name, file));
    document["test"] = Item::ArrayOfTables(tests.collect());
    Ok(document.to_string())
}

/// The manifest of a chapter on a base, where that base is at another place than beside it.
pub fn on_base(manifest: &str, base: &str, place: &Path) -> String {
    let place = place.display().to_string().replace('\\', "/");
    manifest.replace(&format!("path = \"../{base}\""), &format!("path = \"{place}\""))
}

/// What is told of a manifest, with the chapter whose library it builds on.
pub fn needing(told: &str, base: &str) -> Result<String, String> {
    let mut document = document(told)?;
    need(&mut document, base)?;
    Ok(document.to_string())
}

fn need(document: &mut DocumentMut, base: &str) -> Result<(), String> {
    let dependencies = document.get_mut("dependencies").and_then(Item::as_table_like_mut);
    let dependencies = dependencies.ok_or("expected a table [dependencies]")?;
    let mut path = toml_edit::Table::new();
    path.set_dotted(true);
    path["path"] = toml_edit::value(format!("../{base}"));
    dependencies.insert(base, Item::Table(path));
    dependencies.sort_values();
    Ok(())
}

/// The manifest of a chapter that is, so far, its base under another name: made of that one's, in which the name is the
/// new one.
pub fn on_top(manifest: &str, title: &str, base: &str, short: &str) -> Result<String, String> {
    let mut document = document(&following(manifest, title)?)?;
    let dependencies = document.get_mut("dependencies").and_then(Item::as_table_like_mut);
    let dependencies = dependencies.ok_or("expected a table [dependencies]")?;
    let others = dependencies.iter().map(|(name, _)| name.to_string());
    for other in others.filter(|name| name != "ground").collect::<Vec<_>>() {
        dependencies.remove(&other);
    }
    need(&mut document, base)?;
    document["package"]["metadata"]["course"]["base"] = toml_edit::value(short);
    Ok(document.to_string())
}

/// The manifest of a chapter that copies this one: another title, no tests of its own, and nothing to tell yet of what it
/// builds and moves.
pub fn following(manifest: &str, title: &str) -> Result<String, String> {
    parse(manifest)?;
    let mut document = document(manifest)?;
    without_test_dependencies(&mut document);
    let table = document
        .get_mut("package")
        .and_then(|package| package.get_mut("metadata"))
        .and_then(|metadata| metadata.get_mut("course"))
        .and_then(Item::as_table_like_mut)
        .ok_or("expected a table [package.metadata.course]")?;
    table.remove("builds");
    table.remove("moves");
    table.remove("flight");
    table.remove("cover");
    table.remove("parts");
    table.remove("parts_from");
    table.remove("numbers_from");
    table.remove("serves_from");
    table.remove("judged_from");
    if let Some(ways) = table.get_mut("ways").and_then(Item::as_array_mut) {
        for way in ways.iter_mut().filter_map(Value::as_inline_table_mut) {
            way.remove("from");
        }
    }
    table.insert("title", toml_edit::value(title));
    Ok(document.to_string())
}

pub(crate) fn document(manifest: &str) -> Result<DocumentMut, String> {
    manifest.parse().map_err(|error: toml_edit::TomlError| {
        let line =
            error.span().map_or(0, |span| manifest[..span.start].matches('\n').count()) + 1;
        format!("line {line}: {}", error.message())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: &str = "[package]\nname = \"ch02-cache\"\n\n[package.metadata.course]\n\
         title = \"Keep\"\nbudget = 680\njudge = \"rounded\"\nsays = \"rounded\"\nbuilds = \"a cache\"\nmoves = \"work\"\nflight = \"Fast\"\n\
         cover = { flags = [] }\nways = [\n    { flags = [] },\n    { flags = [\"--kv=basic\", \"-n\"], suspect = \"rows\", needs = \"avx2\" },\n]\n";

    #[test]
    fn what_comes_with_a_page_is_not_there_before() {
        let from = ABOUT.replace("needs = \"avx2\"", "from = \"basic\"");
        let from = format!(
            "{from}parts = [\"rows\", \"all\"]\nparts_from = {{ all = \"whole\" }}\nnumbers_from = \"whole\"\n\
             judged_from = \"whole\"\nserves = true\nserves_from = \"whole\"\n"
        );
        let about = parse(&from).expect("a whole table");
        let before = About { metrics: true, ..About::default() };
        let (now, later) = about.while_typed(&[], Some(&before));
        assert_eq!(
            (now.ways.len(), now.parts.as_slice(), now.judge),
            (1, &["rows".to_string()][..], None)
        );
        let words = |all: &[&str]| all.iter().map(|one| one.to_string()).collect::<Vec<_>>();
        let expected = [
            ("basic".into(), words(&["--kv=basic", "-n"])),
            ("whole".into(), words(&["part all", "at its port", "the judge"])),
        ];
        assert!(about.serves && !now.serves && now.judged_from.is_some());
        assert_eq!(later, expected);
        let (now, later) = about.while_typed(&["basic", "whole"], Some(&before));
        let whole = About { judged_from: None, ..about.clone() };
        assert_eq!((&now, later.len()), (&whole, 0));
        // A copy of the chapter before runs as that one does, until it has a way of its own.
        let mut none = about.clone();
        none.ways.remove(0);
        let before =
            About { ways: vec![Way { flags: words(&["--old"]), ..Way::default() }], ..before };
        assert_eq!(none.while_typed(&[], Some(&before)).0.ways, before.ways);
        let next = parse(&following(&from, "Next").expect("a chapter")).expect("a whole table");
        assert_eq!(next.while_typed(&[], Some(&about)), (next.clone(), Vec::new()));
    }

    #[test]
    fn what_is_missing_or_wrong_is_said_in_one_line() {
        let cases = [
            ("[package.metadata.course]", "[package.metadata.curse]", "expected a table"),
            ("title = \"Keep\"\n", "", "missing field `title`"),
            ("\"Keep\"", "7", "expected a string in `title`"),
            ("\"Keep\"", "\"\\u001b[2J\"", r#"found "\\u{1b}[2J": expected one line"#),
            ("\"a cache\"", "\" \"", "found \" \": expected one line"),
            ("680", "-1", "expected usize in `budget`"),
            ("680", "\"680\"", "expected usize in `budget`"),
            ("judge = \"rounded\"", "judge = 8", "expected a string in `judge`"),
            ("{ flags = [] },", "[],", "expected struct Way with 5 elements in `ways`"),
            ("{ flags = [] },", "{ flags = [1] },", "expected a string in `ways.flags`"),
            ("{ flags = [] },", "{ },", "missing field `flags` in `ways`"),
            ("{ flags = [] },", "\"\"\"\na\nb\"\"\",", r#"string "a\nb", expected struct Way"#),
            ("suspect", "suspects", "unknown field `suspects`, expected one of `flags`"),
            ("moves", "move", "unknown field `move`, expected one of `title`"),
            ("judge = \"rounded\"", "parts = [1]", "expected a string in `parts`"),
            (
                "judge = \"rounded\"",
                "parts = []",
                "an empty list, expected something in it in `parts`",
            ),
            ("name = ", "name ", "line 2: "),
        ];
        for (from, to, expected) in cases {
            assert!(ABOUT.contains(from), "{from}");
            let error = parse(&ABOUT.replacen(from, to, 1)).expect_err(to);
            assert!(error.contains(expected) && !error.contains('\n'), "{error}");
        }
        let error = parse(
            "[package]\n[package.metadata.course]\ntitle = \"a\"\nbudget = 1\nways = []\n",
        );
        assert!(error.is_err_and(|error| {
            error.contains("an empty list, expected something in it in `ways`")
        }));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read(Path::new("nowhere/Cargo.toml")).expect_err("no such file");
        assert!(error.to_string().starts_with("nowhere/Cargo.toml: "), "{error}");
    }

    #[test]
    fn a_chapter_that_follows_has_a_title_of_its_own_and_the_same_ways() {
        let before =
            ABOUT.replace("\n[package.m", "\n[dev-dependencies]\na = \"1\"\n\n[package.m");
        let expected = ABOUT.replace("Keep", "Threads");
        let expected = expected
            .replace("builds = \"a cache\"\nmoves = \"work\"\nflight = \"Fast\"\ncover = { flags = [] }\n", "");
        assert_eq!(following(&before, "Threads").as_deref(), Ok(expected.as_str()));
    }

    #[test]
    fn a_chapter_on_top_of_another_needs_that_one_and_the_ground_floor() {
        let dependencies =
            "\n[dependencies]\nhalf.workspace = true\nground.workspace = true\n\n[package.m";
        let base = ABOUT.replace("\n[package.m", dependencies);
        let on_it = on_top(&base.replace("ch02", "ch08"), "Top", "ch02-cache", "ch02");
        let on_it = on_it.expect("a chapter");
        let needs = "\n[dependencies]\nch02-cache.path = \"../ch02-cache\"\nground.workspace = true\n\n[package.m";
        assert!(
            on_it.contains(needs) && on_it.starts_with("[package]\nname = \"ch08-cache\""),
            "{on_it}"
        );
        let about = parse(&on_it).expect("a chapter");
        assert_eq!((about.base.as_deref(), about.builds), (Some("ch02"), None));
        let elsewhere = self::on_base(&on_it, "ch02-cache", Path::new("/my/ch02"));
        assert!(elsewhere.contains("\nch02-cache.path = \"/my/ch02\"\n"), "{elsewhere}");
        assert!(on_top(ABOUT, "Top", "ch02-cache", "ch02").is_err());
    }

    #[test]
    fn tests_are_aimed_at_another_package_of_the_same_name() {
        let manifest = ABOUT.replace(
            "\n[package.m",
            "\n[lib]\ntest = false\n\n[dependencies]\na = \"1\"\n\n[package.m",
        );
        let tests = [("cache".into(), "/tests/cache.rs".into())];
        let own = "[dependencies]\na = \"2\"\nb = \"1\"\nc.path = \"../c\"\n";
        let aimed = testing(&manifest, own, Path::new("/my/ch02"), &tests);
        let expected = "[package]\nname = \"ch02-cache-tests\"\n\n[dependencies]\na = \"1\"\nb = \"1\"\n\
             ch02-cache = { path = \"/my/ch02\" }\n\n[[test]]\nname = \"cache\"\npath = \"/tests/cache.rs\"\n";
        assert_eq!(aimed.as_deref(), Ok(expected));
        assert!(testing("[lib]", "", Path::new("a"), &tests).is_err());
    }

    const TOLD: &str = "# A chapter.\n[package]\nname = \"ch02-cache\" # the same as its folder\n\n\
         [lints]\nworkspace = true\n\n# Why.\n[dependencies]\nground.workspace = true\n";

    #[test]
    fn what_is_told_stays_as_it_is_to_the_byte() {
        assert_eq!(told(TOLD).as_deref(), Ok(TOLD));
        let tools = "\n# For tests.\n[dev-dependencies]\nx.workspace = true\n\n[dev-dependencies.y]\npath = \"y\"\n\n\
             [target.'cfg(unix)'.dev-dependencies]\nz.workspace = true\n\n# For tools.\n[package.metadata.course]\ntitle = \"a\"\n\n[lib]\ndoctest = false\n\n\
             [[bin]]\nname = \"ch02-cache\"\npath = \"src/main.rs\"\ntest = false\n";
        assert_eq!(told(&format!("{TOLD}{tools}")).as_deref(), Ok(TOLD));
        let between = TOLD.replace("\n[lints]", "\n[lib]\ntest = false\n\n[lints]");
        assert_eq!(told(&between).as_deref(), Ok(TOLD));
        let others =
            format!("{TOLD}\n[package.metadata.other]\na = 1\n\n[lib]\nname = \"cache\"\n");
        assert_eq!(told(&others).as_deref(), Ok(others.as_str()));
        assert_eq!(told("").as_deref(), Ok(""));
        assert!(told("[package").is_err_and(|error| error.starts_with("line 1: ")));
    }
}
