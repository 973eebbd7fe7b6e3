//! Gives a name in the code another one, from the chapter where it begins to the last: in chapters, steps, exercises and
//! tests, in planted faults, and on pages, where names of hunks and code between backticks hold it.
//!
//! It knows Rust's words, not its types. The compiler and `cargo book proofread` name what it missed, and what it does not
//! dare to touch it lists: a person reads that.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::carry::git;
use crate::fault::{BookError, read, write};
use crate::fold::{fold, unfold};
use crate::lexer::{Kind, Token, lex};
use crate::repository::Repository;
use crate::select::short_path;

/// What has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Old {
    /// `name`: whatever has it.
    Any,
    /// `Type::name`: a method, constant, field or variant of the type.
    Of(String),
    /// `.name`: what stands after a dot, of whatever type.
    Member,
    /// `src/folder/name.rs`: the file, and the module that is in it.
    File(String),
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Rename {
    old: Old,
    name: String,
    /// The new name alone; of a file, without `.rs`.
    new: String,
    /// The first chapter that is meant.
    first: String,
    inside: Vec<String>,
    outside: Vec<String>,
}

impl Rename {
    /// `inside` and `outside`: only files whose path has one of these, and none that has one of those.
    pub fn parse(
        repository: &Repository,
        from: &str,
        (old, new): (&str, &str),
        inside: Vec<String>,
        outside: Vec<String>,
    ) -> Result<Rename, BookError> {
        let wrong =
            |reason: String| Err(BookError::Content { path: "--rename".into(), reason });
        let (kind, name) = if old.contains('/') {
            (Old::File(old.into()), stem(old).unwrap_or_default())
        } else if let Some((owner, name)) = old.split_once("::") {
            (Old::Of(owner.into()), name)
        } else if let Some(name) = old.strip_prefix('.') {
            (Old::Member, name)
        } else {
            (Old::Any, old)
        };
        let bare =
            if matches!(kind, Old::File(_)) { stem(new).unwrap_or_default() } else { new };
        if !is_name(name) || !is_name(bare) || name == "mod" || new.contains('/') {
            return wrong(format!("{old} {new}: these are no two names of one kind"));
        }
        let Some(first) = repository.chapter_named(from).map(|chapter| chapter.short.clone())
        else {
            return wrong(format!("no chapter '{from}'"));
        };
        let (name, new) = (name.into(), bare.into());
        Ok(Rename { old: kind, name, new, first, inside, outside })
    }

    /// Whether it goes into this file.
    fn reaches(&self, path: &str, text: &str) -> bool {
        let holds = |part: &String| path.contains(part.as_str());
        let is_named = self.inside.iter().any(holds);
        if self.outside.iter().any(holds) || !(is_named || self.inside.is_empty()) {
            return false;
        }
        match path.split('/').find_map(chapter_in) {
            Some(chapter) => chapter >= self.first.as_str(),
            // Elsewhere a common word is somebody else's, unless a chapter's library is used there.
            None => is_named || !path.ends_with(".rs") || uses_a_chapter(text),
        }
    }

    /// Where the file is afterwards. What a module has in a folder of its own goes with it.
    fn moved(&self, path: &str) -> String {
        let Old::File(old) = &self.old else { return path.into() };
        let new = format!("{}{}", old.trim_end_matches(&format!("{}.rs", self.name)), self.new);
        if path == old || path.ends_with(&format!("/{old}")) {
            return format!("{}{new}.rs", path.trim_end_matches(old.as_str()));
        }
        path.replacen(&format!("/{}/", old.trim_end_matches(".rs")), &format!("/{new}/"), 1)
    }
}

/// `room` of `src/room.rs`.
fn stem(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.strip_suffix(".rs")
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c == '_' || c.is_alphabetic()) && text.chars().all(is_part)
}

fn is_part(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// `ch02` of `ch02`, `ch02-kv-cache` and `ch02.json`.
fn chapter_in(part: &str) -> Option<&str> {
    let digits = part.strip_prefix("ch")?.bytes().take_while(u8::is_ascii_digit).count();
    (digits >= 2 && !part[2 + digits..].starts_with(is_part)).then(|| &part[..2 + digits])
}

/// `ch02_kv_cache` as a crate.
fn is_a_chapter(word: &str) -> bool {
    word.split_once('_').is_some_and(|(short, _)| chapter_in(short).is_some())
}

/// By its own name, or by the one that tests of several chapters give it.
fn uses_a_chapter(text: &str) -> bool {
    text.split(|c| !is_part(c)).any(is_a_chapter) || text.contains("use crate::engine::")
}

#[derive(Debug, Default)]
pub struct Report {
    /// Each file that is another now.
    pub changed: Vec<String>,
    /// `path:line: text`: the old name where it may mean something else.
    pub left: Vec<String>,
    /// Files where the new name was used already: two things would have one name.
    pub taken: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.left.iter().try_for_each(|line| writeln!(out, "left     {line}"))?;
        self.taken.iter().try_for_each(|line| writeln!(out, "TAKEN    {line}"))?;
        self.changed.iter().try_for_each(|line| writeln!(out, "changed  {line}"))?;
        let (changed, left) = (self.changed.len(), self.left.len());
        write!(out, "{changed} files changed; the old name is left in {left} places")
    }
}

/// `taken`: also where the new name is in use already. Otherwise nothing is written then. A change in a step is renamed as
/// the whole file.
pub fn rename(root: &Path, asked: &Rename, taken: bool) -> Result<Report, BookError> {
    unfold(root, Repository::open(root)?.states())?;
    let report = in_files(root, asked, taken)?;
    fold(root, &BTreeSet::new())?;
    Ok(report)
}

fn in_files(root: &Path, asked: &Rename, taken: bool) -> Result<Report, BookError> {
    let mut report = Report::default();
    let mut changes = Vec::new();
    let files = ["ls-files", "--cached", "--others", "--exclude-standard"];
    for path in git(root, &files)?.lines() {
        let kind = path.rsplit('.').next().unwrap_or_default();
        let is_read = ["rs", "md", "json", "toml", "py", "sh", "yml"].contains(&kind)
            || path.ends_with("/as-in-src");
        if !is_read || path.contains("measurements/") || path == "CHANGELOG.md" {
            continue;
        }
        let Ok(text) = read(&root.join(path)) else { continue };
        let (mut left, mut to, mut new) = (Vec::new(), path.to_string(), text.clone());
        if kind == "toml" && text.contains("\nstands = ") {
            new = faults(path, &text, asked);
        } else if asked.reaches(path, &text) {
            to = asked.moved(path);
            new = match kind {
                _ if !text.contains(&asked.name) => new,
                "rs" => asked.rust(&text, path, &mut left),
                "md" => asked.page(&text, &mut left),
                _ => asked.paths(&text),
            };
            report.taken.extend((kind == "rs" && asked.is_taken(&text)).then(|| path.into()));
        }
        report.left.extend(left.iter().map(|(line, what)| format!("{path}:{line}: {what}")));
        if new != text || to != path {
            // A longer name may need another line, where lines are as rustfmt wants them.
            if kind == "rs" && rustfmt(root, &text)? == text {
                new = rustfmt(root, &new)?;
            }
            changes.push((root.join(path), root.join(&to), new));
            let moved = if to == path { String::new() } else { format!(" -> {to}") };
            report.changed.push(format!("{path}{moved}"));
        }
    }
    if !taken && !report.taken.is_empty() {
        report.changed.clear();
        return Ok(report);
    }
    for (from, to, text) in changes {
        write(&to, &text)?;
        if from != to {
            std::fs::remove_file(&from)
                .map_err(|source| BookError::File { path: from, source })?;
        }
    }
    Ok(report)
}

/// Laid out, or as it is if that is no whole file.
fn rustfmt(root: &Path, text: &str) -> Result<String, BookError> {
    let failed = |source| BookError::File { path: "rustfmt".into(), source };
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--emit", "stdout", "--config-path"]).arg(root);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        std::io::Write::write_all(&mut input, text.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    let done = output.status.success();
    Ok(if done { String::from_utf8_lossy(&output.stdout).into_owned() } else { text.into() })
}

/// Planted faults: each is in a file, and where that file is left, it is left.
fn faults(path: &str, text: &str, asked: &Rename) -> String {
    let folder = path.strip_suffix("faults.toml").unwrap_or_default();
    let (mut out, mut is_code) = (String::with_capacity(text.len()), false);
    let mut reaches = asked.reaches(path, "");
    for line in text.split_inclusive('\n') {
        if let Some((file, _)) = line.strip_prefix("[[\"").and_then(|rest| rest.split_once('"'))
        {
            reaches = asked.reaches(&format!("{folder}{file}"), "");
        }
        let is_key = line.split_once(" = ").is_some_and(|(key, _)| is_name(key));
        if is_key || line.starts_with(['[', '#']) {
            is_code = line.starts_with("stands = ") || line.starts_with("becomes = ");
        }
        out.push_str(&match (reaches, is_code) {
            (false, _) => line.to_string(),
            (true, true) => asked.loosely(line),
            (true, false) => asked.spans(line, &mut || {}),
        });
    }
    out
}

/// What becomes of one file's text. `left` gets each place where the name stays, by its line.
impl Rename {
    /// Rust, or a part of it.
    fn rust(&self, source: &str, path: &str, left: &mut Vec<(usize, String)>) -> String {
        let blocks = self.blocks(source);
        let (mut out, mut at) = (String::with_capacity(source.len()), 0);
        for token in lex(source) {
            let (text, before) = (token.text, &source[..at]);
            let after = &source[at + text.len()..];
            let mut unsure = || left.push(line_at(source, at));
            out.push_str(&match token.kind {
                Kind::Comment => self.spans(text, &mut unsure),
                Kind::Attribute => self.loosely(text),
                Kind::Text if self.old == Old::Any => {
                    let is = |before: &str, after: &str| {
                        let opens = before.ends_with('{') && !before.ends_with("{{");
                        opens && after.starts_with(['}', ':'])
                    };
                    self.replaced(text, is)
                }
                // Without a folder it is the file beside this one.
                Kind::Text if text.contains('/') || self.is_beside(path) => self.paths(text),
                _ if text != self.name => text.into(),
                _ => {
                    let block = blocks.iter().find(|(from, to, _)| (from..to).contains(&&at));
                    match self.is_meant(before, after, path, block.map(|(_, _, is)| *is)) {
                        Some(is) => if is { &self.new } else { &self.name }.clone(),
                        None => {
                            unsure();
                            self.name.clone()
                        }
                    }
                }
            });
            at += text.len();
        }
        out
    }

    /// In code, by what is around the name; nothing where a type would have to be known. `block` is there inside of what
    /// its type owns, and says whether names are declared there without a word before them.
    fn is_meant(
        &self,
        before: &str,
        after: &str,
        path: &str,
        block: Option<bool>,
    ) -> Option<bool> {
        let (is_module, segment) = match before.strip_suffix("::") {
            Some(path) => (false, path.rsplit(|c| !is_part(c)).next().unwrap_or_default()),
            None => (before.ends_with("mod "), ""),
        };
        let after_dot = before.ends_with('.') && !before.ends_with("..");
        // What follows `::` here is no type's parameter.
        let goes_on = after.starts_with("::") && !after.starts_with("::<");
        let in_use = before.rsplit(';').next().is_some_and(|start| {
            start.find("use ").is_some_and(|at| !start[at..].contains(['(', '=']))
        });
        Some(match &self.old {
            // The file of a module would have to move with it.
            Old::Any => !self.name.starts_with(char::is_lowercase) || !(is_module || goes_on),
            Old::Member => after_dot,
            Old::File(_) if is_module => self.is_beside(path),
            Old::File(file) => {
                let parent = file.rsplit('/').skip(1).find(|folder| *folder != "src");
                match segment {
                    "" => !after_dot && (goes_on || in_use),
                    // Chapters call their base so, and tests that several chapters share the engine.
                    "crate" | "super" | "self" | "base" | "engine" => true,
                    other => parent == Some(other) || is_a_chapter(other),
                }
            }
            Old::Of(owner) if !segment.is_empty() => {
                segment == owner || segment == "Self" && block.is_some()
            }
            Old::Of(owner) => {
                let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
                let declares =
                    ["fn ", "const ", "type "].iter().any(|word| line.ends_with(word));
                match block {
                    Some(_) if declares || after_dot && before.ends_with("self.") => true,
                    Some(true) if line.is_empty() || line.ends_with("pub ") => true,
                    // Of a type that only the compiler knows, or in a literal.
                    _ if after_dot || line.contains(&format!("{owner} {{")) => return None,
                    _ => false,
                }
            }
        })
    }

    /// From where to where a type's `impl`, `trait`, `struct` and `enum` go, and whether it is one of the latter two.
    fn blocks(&self, source: &str) -> Vec<(usize, usize, bool)> {
        let Old::Of(owner) = &self.old else { return Vec::new() };
        let (mut all, mut at) = (Vec::new(), 0);
        for line in source.split_inclusive('\n') {
            let head = line.trim_start();
            let indent = &line[..line.len() - head.len()];
            let head = head.trim_start_matches("pub ").trim_start_matches("unsafe ");
            let is = |kinds: [&str; 2]| kinds.iter().any(|kind| head.starts_with(kind));
            let (owns, declares) = (is(["impl", "trait "]), is(["struct ", "enum "]));
            // Of `impl From<Other> for Type` only what is after a blank.
            let named = positions(head, owner).iter().any(|at| head[..*at].ends_with(' '));
            if (owns || declares) && named && line.ends_with("{\n") {
                let end = source[at..].find(&format!("\n{indent}}}")).unwrap_or(line.len());
                all.push((at, at + end, declares));
            }
            at += line.len();
        }
        all
    }

    /// Whether another thing here has the new name: one that no type owns, nor a path.
    fn is_taken(&self, text: &str) -> bool {
        let code: Vec<_> =
            lex(text).into_iter().filter(|token| token.kind != Kind::Space).collect();
        let is_bare = |pair: &[Token]| {
            pair[1].text == self.new && ![".", ":", "mod", "fn"].contains(&pair[0].text)
        };
        self.old == Old::Any
            && code.windows(2).any(is_bare)
            && code.iter().any(|token| token.text == self.name)
    }

    /// Whether the module of a file that moves is declared here.
    fn is_beside(&self, path: &str) -> bool {
        let Old::File(old) = &self.old else { return false };
        let folder =
            |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_string();
        ends_with_path(&folder(path), &folder(old))
    }

    /// Code of which only the words are known.
    fn loosely(&self, text: &str) -> String {
        let fits = |before: &str, after: &str| match &self.old {
            // A file of the name stays where it is.
            Old::Any => !after.starts_with(".rs"),
            Old::Member => before.ends_with('.'),
            Old::Of(owner) => before.ends_with(&format!("{owner}::")),
            Old::File(_) => after.starts_with("::"),
        };
        self.paths(&self.replaced(text, fits))
    }

    /// The name as a whole word, where what is before and after it fits.
    fn replaced(&self, text: &str, fits: impl Fn(&str, &str) -> bool) -> String {
        let (mut out, mut from) = (String::with_capacity(text.len()), 0);
        for at in positions(text, &self.name) {
            let end = at + self.name.len();
            if fits(&text[..at], &text[end..]) {
                out.extend([&text[from..at], &self.new]);
                from = end;
            }
        }
        out + &text[from..]
    }

    /// Prose, with code between backticks. Calls `unsure` where the name is left.
    fn spans(&self, text: &str, unsure: &mut dyn FnMut()) -> String {
        let mut parts: Vec<String> = text.split('`').map(String::from).collect();
        for (index, part) in parts.iter_mut().enumerate() {
            *part = if index % 2 == 1 { self.loosely(part) } else { self.paths(part) };
            if !positions(&part.to_lowercase(), &self.name.to_lowercase()).is_empty() {
                unsure();
            }
        }
        parts.join("`")
    }

    /// The path of a file that moves, wherever it is written.
    fn paths(&self, text: &str) -> String {
        let Old::File(old) = &self.old else { return text.into() };
        let full = old.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_path = |before: &str, after: &str| {
            let goes_on = |c: char| is_part(c) || matches!(c, '/' | '.' | '-');
            let folder = before[before.trim_end_matches(goes_on).len()..].trim_end_matches('/');
            let fits = ends_with_path(folder, full)
                || ends_with_path(full, folder)
                || ends_with_path(folder, short_path(full));
            fits && after.starts_with(".rs") && !after[3..].starts_with(is_part)
                || before.ends_with("--test ") && full == "tests"
        };
        self.replaced(text, is_path)
    }

    /// A page: code between backticks and in blocks of Rust, names of hunks, and paths.
    fn page(&self, text: &str, left: &mut Vec<(usize, String)>) -> String {
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for (index, part) in text.split("```").enumerate() {
            out.push_str(if index > 0 { "```" } else { "" });
            let first = text[..at].matches('\n').count() + 1;
            at += part.len() + 3;
            if index % 2 == 1 {
                let new = if part.starts_with("rust") {
                    self.rust(part, "", left)
                } else {
                    self.paths(part)
                };
                out.push_str(&new);
                continue;
            }
            for (index, line) in part.split_inclusive('\n').enumerate() {
                match line.split_once("generated/") {
                    Some((before, hunk)) if before.trim_start().starts_with("{{#include") => {
                        out.extend([before, "generated/", &self.hunk(hunk)]);
                    }
                    _ => {
                        let mut unsure = || left.push((first + index, line.trim().into()));
                        out.push_str(&self.spans(line, &mut unsure));
                    }
                }
            }
        }
        out
    }

    /// `ch10/block_pool.rs/impl-Room/fn-a+fn-b.md`
    fn hunk(&self, target: &str) -> String {
        let chapter =
            target.trim_start_matches("again/").split(['/', '-']).next().and_then(chapter_in);
        let earlier = chapter < Some(&self.first);
        let Some(end) = target.find(".rs").filter(|_| !earlier) else { return target.into() };
        let (mut file, items) = (target[..end + 3].to_string(), &target[end + 3..]);
        if let Old::File(old) = &self.old
            && ends_with_path(&file, short_path(old))
        {
            file.replace_range(end - self.name.len()..end, &self.new);
        }
        let fits = |before: &str, _: &str| {
            let is_module = before.contains("use/") || before.ends_with("mod-");
            let owners = before.rsplit_once('/').map_or("", |(owners, _)| owners);
            match &self.old {
                Old::Any => !is_module,
                Old::File(_) => is_module,
                Old::Of(owner) => !positions(owners, owner).is_empty(),
                Old::Member => !owners.is_empty() && !is_module,
            }
        };
        file + &self.replaced(items, fits)
    }
}

/// Where the name is, as a whole word.
fn positions(text: &str, name: &str) -> Vec<usize> {
    // What follows an escaped end of line begins anew.
    let whole = |at: &usize| {
        let before = text[..*at].trim_end_matches("\\n");
        !before.ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    };
    text.match_indices(name).map(|(at, _)| at).filter(whole).collect()
}

fn line_at(source: &str, at: usize) -> (usize, String) {
    let start = source[..at].rfind('\n').map_or(0, |at| at + 1);
    let line = source[start..].lines().next().unwrap_or_default();
    (source[..at].matches('\n').count() + 1, line.trim().into())
}

fn ends_with_path(path: &str, end: &str) -> bool {
    path == end || path.ends_with(&format!("/{end}")) || end.is_empty()
}
