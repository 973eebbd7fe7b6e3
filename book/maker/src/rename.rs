//! Gives a name in the code another one, from the chapter where it begins to the last: in chapters, steps, exercises and
//! tests, in planted faults, and on pages, where names of hunks and code between backticks hold it.
//!
//! It knows Rust's words, not its types. So whoever asks says what kind of name it is, and in which files, and the compiler
//! has the last word. What it does not dare to touch it lists: a person reads that.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::fault::{BookError, read, write};
use crate::lexer::{Kind, lex};
use crate::repository::{Chapter, Repository};
use crate::select::short_path;
use catalog::hunks::items::items_of;

/// What has the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Old {
    /// `name`: whatever has it.
    Any(String),
    /// `fn name`: a function that no type owns.
    Free(String),
    /// `Type::name`: a method, constant, field or variant of the type; `Type::name()`: a function only.
    Of { owner: String, name: String, only_function: bool },
    /// `.name`: what stands after a dot, of whatever type; `it.name`: after that of this name.
    Member { of: String, name: String },
    /// `src/folder/name.rs`: the file, and the module that is in it.
    File(String),
}

impl Old {
    pub fn parse(text: &str) -> Option<Old> {
        let old = if text.contains('/') {
            return (stem(text)? != "mod").then(|| Old::File(text.into()));
        } else if let Some((owner, name)) = text.split_once("::") {
            let (owner, bare) = (owner.into(), name.trim_end_matches("()"));
            Old::Of { owner, name: bare.into(), only_function: bare != name }
        } else if let Some(name) = text.strip_prefix("fn ") {
            Old::Free(name.into())
        } else if let Some((of, name)) = text.split_once('.') {
            Old::Member { of: of.into(), name: name.into() }
        } else {
            Old::Any(text.into())
        };
        is_name(old.name()).then_some(old)
    }

    fn name(&self) -> &str {
        match self {
            Old::Any(name) | Old::Free(name) => name,
            Old::Of { name, .. } | Old::Member { name, .. } => name,
            Old::File(path) => stem(path).unwrap_or_default(),
        }
    }
}

/// `room` of `src/room.rs`.
fn stem(path: &str) -> Option<&str> {
    path.rsplit('/').next()?.strip_suffix(".rs").filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c == '_' || c.is_alphabetic());
    starts && text.chars().all(is_part)
}

fn is_part(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Rename {
    pub old: Old,
    /// The new name alone; of a file, its new name with `.rs`.
    pub new: String,
    /// Only files whose path, from the root, contains one of these; all if there are none.
    pub inside: Vec<String>,
    /// None of those whose path contains one of these.
    pub outside: Vec<String>,
    /// In comments and strings as well, as a word.
    pub words: bool,
    /// Of the file that is being read.
    near: Near,
}

/// How near a file is to one that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Near {
    /// In the same folder, where the module is declared.
    Folder,
    /// In a chapter, or in the same crate.
    Crate,
    Elsewhere,
}

impl Rename {
    pub fn parse(
        old: &str,
        new: &str,
        inside: Vec<String>,
        outside: Vec<String>,
        words: bool,
    ) -> Result<Rename, BookError> {
        let wrong = |reason: &str| BookError::Content {
            path: "--rename".into(),
            reason: format!("{old} {new}: {reason}"),
        };
        let old = Old::parse(old).ok_or_else(|| wrong("the old name is none"))?;
        let fits = match old {
            Old::File(_) => !new.contains('/') && stem(new).is_some(),
            _ => is_name(new),
        };
        if !fits {
            return Err(wrong("the new name is none, or none of that kind"));
        }
        Ok(Rename { old, new: new.into(), inside, outside, words, near: Near::Folder })
    }
}

#[derive(Debug, Default)]
pub struct Report {
    /// Each file that is another now.
    pub changed: Vec<String>,
    /// `path:line: text`: the old name where it may mean something else.
    pub left: Vec<String>,
    /// Files where the new name was used already: two things may have one name now.
    pub taken: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, lines) in [
            ("left     ", &self.left),
            ("TAKEN    ", &self.taken),
            ("changed  ", &self.changed),
        ] {
            for line in lines {
                writeln!(out, "{what} {line}")?;
            }
        }
        let (changed, left) = (self.changed.len(), self.left.len());
        write!(out, "{changed} files changed; the old name is left in {left} places")?;
        if changed == 0 && !self.taken.is_empty() {
            let taken = self.taken.len();
            write!(
                out,
                "\nnothing is written: the new name is in use in {taken} files already (--taken)"
            )?;
        }
        Ok(())
    }
}

/// A file before and after.
struct Change {
    to: String,
    old: String,
    /// Line by line as before: only then are its items in the same order.
    plain: String,
    new: String,
}

/// `taken`: also where the new name is in use already. Otherwise nothing is written then.
pub fn rename(
    repository: &Repository,
    from: &str,
    asked: &Rename,
    taken: bool,
) -> Result<Report, BookError> {
    let known = |chapter: &&Chapter| chapter.short == from || chapter.package == from;
    let first = match repository.chapters.iter().find(known) {
        Some(chapter) => Some(chapter.short.as_str()),
        None if from == repository.ground.short => None,
        None => {
            let reason = format!("no chapter '{from}'");
            return Err(BookError::content(&repository.root.join("chapters"), reason));
        }
    };
    let mut report = Report::default();
    let mut texts = BTreeMap::new();
    let mut changes = BTreeMap::new();
    let all = tracked(&repository.root)?;
    for path in &all {
        let is_read = ["rs", "md", "json", "toml", "py", "sh", "yml"]
            .iter()
            .any(|kind| path.ends_with(&format!(".{kind}")))
            || path.ends_with("/as-in-src");
        let is_ours = !["generated/", "measurements/", "CHANGELOG.md"]
            .iter()
            .any(|other| path.contains(other));
        if !is_read || !is_ours {
            continue;
        }
        let Ok(text) = read(&repository.root.join(path)) else { continue };
        let place = Place::of(path, &text, first, asked);
        let plain = match &place {
            _ if !text.contains(asked.old.name()) => text.clone(),
            _ if path.ends_with(".toml") && text.contains("\nstands = ") => {
                faults(path, &text, first, asked)
            }
            Some(place) => place.renamed(&text, asked, &mut report),
            None => text.clone(),
        };
        let to = if place.is_some() { moved(path, asked) } else { path.clone() };
        if plain != text || to != *path {
            let new = match path.ends_with(".rs") {
                true => laid_out(&repository.root, &text, &plain)?,
                false => plain.clone(),
            };
            changes.insert(path.clone(), Change { to, old: text.clone(), plain, new });
        }
        texts.insert(path.clone(), text);
    }
    if !taken && !report.taken.is_empty() {
        return Ok(report);
    }
    names_of_hunks(repository, asked, &texts, &mut changes);
    for (path, change) in &changes {
        let here = repository.root.join(path);
        if change.to != *path {
            std::fs::remove_file(&here)
                .map_err(|source| BookError::File { path: here, source })?;
            report.changed.push(format!("{path} -> {}", change.to));
        } else {
            report.changed.push(path.clone());
        }
        write(&repository.root.join(&change.to), &change.new)?;
    }
    Ok(report)
}

/// All files of the repository that Git has, or would take.
fn tracked(root: &Path) -> Result<Vec<String>, BookError> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let failed = |reason: String| BookError::Command { command: "git ls-files".into(), reason };
    let output = Command::new("git").args(arguments).current_dir(root).output();
    let output = output.map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let all = String::from_utf8_lossy(&output.stdout);
    let names: BTreeSet<String> = all.split_terminator('\0').map(String::from).collect();
    Ok(names.into_iter().filter(|name| root.join(name).is_file()).collect())
}

/// A file in which the name may be.
struct Place<'a> {
    path: &'a str,
    /// The first chapter that is meant; of what belongs to no chapter, all is.
    first: Option<&'a str>,
    owned: bool,
}

impl<'a> Place<'a> {
    fn of(path: &'a str, text: &str, first: Option<&'a str>, asked: &Rename) -> Option<Self> {
        let holds = |part: &String| path.contains(part.as_str());
        let is_named = asked.inside.iter().any(holds);
        if asked.outside.iter().any(holds) || !(is_named || asked.inside.is_empty()) {
            return None;
        }
        let chapter = path.split('/').find_map(chapter_in);
        let reached = match (chapter, first) {
            (_, None) => true,
            (Some(chapter), Some(first)) => chapter >= first,
            // Outside the chapters a common word is somebody else's, unless a chapter's library is used there.
            (None, Some(_)) => is_named || !path.ends_with(".rs") || uses_a_chapter(text),
        };
        let owned = chapter.is_some();
        reached.then_some(Place { path, first, owned })
    }

    fn renamed(&self, text: &str, asked: &Rename, report: &mut Report) -> String {
        let mut left = Vec::new();
        let asked = &Rename { near: self.near(&asked.old), ..asked.clone() };
        let new = match self.path.rsplit('.').next() {
            Some("rs") => {
                if is_taken(text, asked) {
                    report.taken.push(self.path.into());
                }
                rust(text, asked, &mut left)
            }
            Some("md") => page(text, asked, &mut left),
            Some("toml") => toml(text, asked),
            _ => paths(text, asked),
        };
        report
            .left
            .extend(left.iter().map(|(line, what)| format!("{}:{line}: {what}", self.path)));
        new
    }

    fn near(&self, old: &Old) -> Near {
        let Old::File(old) = old else { return Near::Folder };
        let folder =
            |path: &'_ str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_string();
        let (here, there) = (folder(self.path), folder(old));
        let folder_is = match self.first {
            None => here == there,
            Some(_) => self.owned && ends_with_path(&here, &there),
        };
        if !self.path.ends_with(".rs") || folder_is {
            Near::Folder
        } else {
            // What begins in the ground floor is a library's own.
            let is_in =
                if self.first.is_none() { here.starts_with(&there) } else { self.owned };
            if is_in { Near::Crate } else { Near::Elsewhere }
        }
    }
}

/// Where the file is afterwards.
fn moved(path: &str, asked: &Rename) -> String {
    let Old::File(old) = &asked.old else { return path.into() };
    if let Some(folder) = path.strip_suffix(old.as_str())
        && (folder.is_empty() || folder.ends_with('/'))
    {
        return format!("{folder}{}", beside(old, &asked.new));
    }
    // What a module has in a folder of its own goes with it.
    let (inner, new) = (old.trim_end_matches(".rs"), asked.new.trim_end_matches(".rs"));
    match path.split_once(&format!("/{inner}/")) {
        Some((before, after)) => {
            let new = beside(inner, new);
            format!("{before}/{new}/{after}")
        }
        None => path.into(),
    }
}

/// Its library, by its own name, or by the one that tests of several chapters give it.
fn uses_a_chapter(text: &str) -> bool {
    let mut words = text.split(|c| !is_part(c));
    words.any(|word| word.split_once('_').is_some_and(|(short, _)| chapter_in(short).is_some()))
        || text.contains("use crate::engine::")
}

/// `ch02` of `ch02`, `ch02-kv-cache` and `ch02.json`.
fn chapter_in(part: &str) -> Option<&str> {
    let digits = part.strip_prefix("ch")?.bytes().take_while(u8::is_ascii_digit).count();
    let ends = !part[2 + digits..].starts_with(is_part);
    (digits >= 2 && ends).then(|| &part[..2 + digits])
}

/// Planted faults: each is in a file, and where that file is left, it is left.
fn faults(path: &str, text: &str, first: Option<&str>, asked: &Rename) -> String {
    let folder = path.strip_suffix("faults.toml").unwrap_or_default();
    let ends = text.match_indices("\n[[").map(|(at, _)| at + 1).chain([text.len()]);
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for end in ends {
        let fault = &text[from..end];
        // `[["src/engine.rs"]]`
        let file = fault.split_once("[[\"").and_then(|(_, rest)| rest.split_once("\"]]"));
        let file = file.map_or(path.into(), |(file, _)| format!("{folder}{file}"));
        match Place::of(&file, "", first, asked) {
            Some(_) => out.push_str(&toml(fault, asked)),
            None => out.push_str(fault),
        }
        from = end;
    }
    out
}

/// Code in `stands` and `becomes`, paths, and spans in the rest: as it is written, so that all else stays.
fn toml(text: &str, asked: &Rename) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(['"', '\'', '#']) {
        let (before, from) = rest.split_at(start);
        out.push_str(&paths(before, asked));
        if from.starts_with('#') {
            let (comment, after) = from.split_at(from.find('\n').unwrap_or(from.len()));
            out.push_str(&paths(&spans(comment, asked, &mut |_, _| {}), asked));
            rest = after;
            continue;
        }
        let quote =
            ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| from.starts_with(quote));
        let quote = quote.unwrap_or("'");
        let escapes = quote.starts_with('"');
        let mut end = quote.len();
        while end < from.len() && !from[end..].starts_with(quote) {
            let skipped = if escapes && from[end..].starts_with('\\') { 2 } else { 1 };
            end += from[end..].chars().take(skipped).map(char::len_utf8).sum::<usize>();
        }
        let line = out.lines().last().unwrap_or_default();
        let key = line.split_once('=').map_or("", |(key, _)| key.trim());
        let inner = &from[quote.len()..end.min(from.len())];
        let new = match key {
            // An escaped sign is itself, behind a mark.
            "stands" | "becomes" if escapes => {
                let inner = inner.replace("\\\"", "\u{1}\"").replace("\\n", "\u{2}\n");
                let new = rust(&inner, asked, &mut Vec::new());
                new.replace("\u{1}\"", "\\\"").replace("\u{2}\n", "\\n")
            }
            "stands" | "becomes" => rust(inner, asked, &mut Vec::new()),
            _ => paths(&spans(inner, asked, &mut |_, _| {}), asked),
        };
        out.extend([quote, &new, from.get(end..end + quote.len()).unwrap_or_default()]);
        rest = from.get(end + quote.len()..).unwrap_or_default();
    }
    out + &paths(rest, asked)
}

/// Another name in the same folder.
fn beside(path: &str, name: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.into(),
    }
}

#[derive(Clone, Copy)]
struct Word<'a> {
    kind: Kind,
    text: &'a str,
    at: usize,
}

/// All words and signs; those in an attribute, too.
fn words(source: &str) -> Vec<Word<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    for token in lex(source) {
        if token.kind == Kind::Attribute {
            let open = token.text.find('[').unwrap_or(token.text.len());
            let (sign, inner) = token.text.split_at(open);
            all.push(Word { kind: Kind::Punctuation, text: sign, at });
            all.extend(
                words(inner).into_iter().map(|word| Word { at: at + open + word.at, ..word }),
            );
        } else if token.kind != Kind::Space {
            all.push(Word { kind: token.kind, text: token.text, at });
        }
        at += token.text.len();
    }
    all
}

/// A name that a type owns, or a file, cannot hide another one.
fn is_taken(text: &str, asked: &Rename) -> bool {
    if !matches!(asked.old, Old::Any(_) | Old::Free(_)) {
        return false;
    }
    let all: Vec<Word> =
        words(text).into_iter().filter(|word| word.kind != Kind::Comment).collect();
    // After a dot or in a path it is something else's name.
    let own = |k: usize| {
        let context = Context { code: &all, k, open: &[], in_use: false };
        let is_path = context.after_path() || context.before_path();
        !(context.after_dot() || is_path || matches!(context.text(-1), "mod" | "fn"))
    };
    let is = |name: &str| (0..all.len()).any(|k| all[k].text == name && own(k));
    text.contains(&asked.new)
        && is(&asked.new)
        && all.iter().any(|word| word.text == asked.old.name())
}

/// What is open at a word.
#[derive(Clone, Debug)]
struct Open {
    /// The type whose `impl`, `struct`, `enum` or `trait` this is, or whose literal; in `impl Trait for Type` both.
    owners: Vec<String>,
    body: Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// `impl` or `trait`.
    Implementation,
    /// `struct` or `enum`.
    Definition,
    /// `Type { .. }`, as a value or as a pattern.
    Literal,
    Other,
}

/// Rust, or a part of it.
fn rust(source: &str, asked: &Rename, left: &mut Vec<(usize, String)>) -> String {
    let all = words(source);
    let code: Vec<Word> =
        all.iter().filter(|word| word.kind != Kind::Comment).copied().collect();
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut next: Option<Open> = None;
    let mut in_use = false;
    let (name, new) = (asked.old.name(), asked.new.trim_end_matches(".rs"));
    for (k, word) in code.iter().enumerate() {
        let context = Context { code: &code, k, open: &open, in_use };
        if word.kind != Kind::Text && word.text == name {
            match context.verdict(&asked.old, asked.near) {
                Verdict::Is => edits.push((word.at, word.text.len(), new.into())),
                Verdict::Short => {
                    edits.push((word.at, word.text.len(), format!("{new}: {name}")));
                }
                Verdict::Not => {}
                Verdict::Unsure => left.push(line_at(source, word.at)),
            }
        }
        match word.text {
            "use" if context.begins_item() => in_use = true,
            ";" => in_use = false,
            "impl" | "trait" | "struct" | "enum" | "union" if context.begins_item() => {
                next = context.definition();
            }
            "{" => open.push(next.take().or_else(|| context.literal()).unwrap_or(OTHER)),
            "(" | "[" => open.push(OTHER),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
        if word.text == ";" && open.last().is_none_or(|open| open.body != Body::Other) {
            next = None;
        }
    }
    for word in &all {
        let text = match word.kind {
            Kind::Text if matches!(asked.old, Old::Any(_)) => captured(word.text, name, new),
            // Without a folder it is the file beside this one.
            Kind::Text if asked.near == Near::Folder || word.text.contains('/') => {
                paths(word.text, asked)
            }
            Kind::Comment => {
                let mut unsure = |at: usize, span: bool| {
                    if span || !asked.words {
                        left.push(line_at(source, word.at + at));
                    }
                };
                spans(word.text, asked, &mut unsure)
            }
            _ => continue,
        };
        let text = if asked.words { whole_words(&text, name, new) } else { text };
        if text != word.text {
            edits.push((word.at, word.text.len(), text));
        }
    }
    edits.sort_by_key(|(at, ..)| *at);
    apply(source, &edits)
}

const OTHER: Open = Open { owners: Vec::new(), body: Body::Other };

fn apply(source: &str, edits: &[(usize, usize, String)]) -> String {
    let (mut out, mut from) = (String::with_capacity(source.len()), 0);
    for (at, length, text) in edits {
        out.push_str(&source[from..*at]);
        out.push_str(text);
        from = at + length;
    }
    out + &source[from..]
}

fn line_at(source: &str, at: usize) -> (usize, String) {
    let start = source[..at].rfind('\n').map_or(0, |at| at + 1);
    let line = source[start..].lines().next().unwrap_or_default();
    (source[..at].matches('\n').count() + 1, line.trim().into())
}

enum Verdict {
    Is,
    /// `Type { name }`: the variable keeps its name.
    Short,
    Not,
    Unsure,
}

struct Context<'a> {
    code: &'a [Word<'a>],
    k: usize,
    open: &'a [Open],
    in_use: bool,
}

impl Context<'_> {
    fn text(&self, offset: isize) -> &str {
        let at = self.k.checked_add_signed(offset);
        at.and_then(|at| self.code.get(at)).map_or("", |word| word.text)
    }

    /// A path goes on: `::` before.
    fn after_path(&self) -> bool {
        self.text(-1) == ":" && self.text(-2) == ":"
    }

    fn before_path(&self) -> bool {
        self.text(1) == ":" && self.text(2) == ":"
    }

    fn after_dot(&self) -> bool {
        self.text(-1) == "." && self.text(-2) != "."
    }

    fn begins_item(&self) -> bool {
        matches!(self.text(-1), "" | "}" | ";" | "]" | "{" | "unsafe" | "pub" | ")")
    }

    /// The types around this word whose methods are here.
    fn owners(&self) -> &[String] {
        let mut around = self.open.iter().rev();
        around.find(|open| open.body == Body::Implementation).map_or(&[], |open| &open.owners)
    }

    fn verdict(&self, old: &Old, near: Near) -> Verdict {
        let is = |yes| if yes { Verdict::Is } else { Verdict::Not };
        match old {
            Old::Any(name) => {
                is(!name.starts_with(char::is_lowercase) || !self.names_a_module())
            }
            Old::Member { of, .. } => {
                is(self.after_dot() && (of.is_empty() || self.is_receiver(of)))
            }
            Old::Free(_) => self.free(),
            Old::Of { owner, only_function, .. } => {
                let calls = self.text(1) == "(" || self.text(-1) == "fn";
                if *only_function && !calls { Verdict::Not } else { self.of(owner) }
            }
            Old::File(path) => is(self.module(path, near)),
        }
    }

    /// Its file would have to move with it.
    fn names_a_module(&self) -> bool {
        self.text(-1) == "mod" || self.before_path() && self.text(3) != "<"
    }

    fn module(&self, path: &str, near: Near) -> bool {
        if self.text(-1) == "mod" {
            return near == Near::Folder;
        }
        let mut folders = path.rsplit('/').skip(1);
        let parent = folders.find(|folder| *folder != "src").unwrap_or_default();
        let above = self.above();
        // Chapters call their base so, and tests that several chapters share the engine.
        let is_here = matches!(above, "base" | "engine")
            || near != Near::Elsewhere && matches!(above, "crate" | "super" | "self");
        let ours = is_here
            || above == parent
            || chapter_in(above.split('_').next().unwrap_or_default()).is_some();
        if !above.is_empty() {
            return ours && (self.in_use || self.before_path());
        }
        near != Near::Elsewhere && self.before_path() && self.text(3) != "<"
    }

    /// The name that ends at a word of a path: of `Type::<T>` the type's.
    fn type_before(&self, end: usize) -> &str {
        let mut depth = 0;
        for at in (0..=end).rev() {
            match self.code[at].text {
                ">" => depth += 1,
                "<" => depth -= 1,
                ":" => {}
                name if depth == 0 => return name,
                _ => {}
            }
        }
        ""
    }

    /// What is before this word in a path, also before the braces of a `use`.
    fn above(&self) -> &str {
        if self.after_path() {
            return self.type_before(self.k - 3);
        }
        let mut depth = 0;
        for at in (0..self.k).rev().take_while(|_| self.in_use) {
            match self.code[at].text {
                "use" | ";" => break,
                "}" => depth += 1,
                "{" if depth > 0 => depth -= 1,
                "{" => return at.checked_sub(3).map_or("", |at| self.code[at].text),
                _ => {}
            }
        }
        ""
    }

    /// `it` or `it()` before the dot.
    fn is_receiver(&self, name: &str) -> bool {
        match name.strip_suffix("()") {
            Some(name) => self.text(-2) == ")" && self.text(-3) == "(" && self.text(-4) == name,
            None => self.text(-2) == name,
        }
    }

    fn free(&self) -> Verdict {
        let above = self.above();
        let owned = self.after_path() && above.starts_with(|c: char| c.is_uppercase());
        if owned || self.after_dot() {
            return Verdict::Not;
        }
        let in_impl = self.open.last().is_some_and(|open| open.body == Body::Implementation);
        let ends = matches!(self.text(1), ";" | "," | "}" | "as");
        let turbofish = self.before_path() && self.text(3) == "<";
        let is = match self.text(-1) {
            "fn" => !in_impl,
            _ => {
                turbofish
                    || self.text(1) == "("
                    || self.in_use && ends
                    || self.after_path() && !self.before_path()
            }
        };
        if is { Verdict::Is } else { Verdict::Not }
    }

    fn of(&self, owner: &str) -> Verdict {
        let inside = self.owners().iter().any(|own| own == owner);
        let is_type = |word: &str| word == owner || word == "Self" && inside;
        if self.after_path() {
            return if is_type(self.above()) { Verdict::Is } else { Verdict::Not };
        }
        if self.after_dot() {
            return match self.text(-2) {
                "self" if inside => Verdict::Is,
                "self" if !self.owners().is_empty() && self.text(-3) != "." => Verdict::Not,
                _ => Verdict::Unsure,
            };
        }
        let Some(open) =
            self.open.last().filter(|open| open.owners.iter().any(|own| own == owner))
        else {
            return Verdict::Not;
        };
        let first =
            matches!(self.text(-1), "{" | "," | "pub" | ")" | "]" | "}" | "ref" | "mut");
        match open.body {
            Body::Implementation if matches!(self.text(-1), "fn" | "const" | "type") => {
                Verdict::Is
            }
            Body::Definition if first => Verdict::Is,
            Body::Literal if first && self.text(1) == ":" && !self.before_path() => Verdict::Is,
            Body::Literal if first && matches!(self.text(1), "," | "}") => Verdict::Short,
            _ => Verdict::Not,
        }
    }

    /// At `impl`, `struct` and the like: what the next brace opens.
    fn definition(&self) -> Option<Open> {
        let body = match self.text(0) {
            "impl" | "trait" => Body::Implementation,
            _ => Body::Definition,
        };
        let (mut owners, mut angle) = (Vec::new(), 0usize);
        for word in &self.code[self.k + 1..] {
            match word.text {
                "<" => angle += 1,
                ">" => angle = angle.saturating_sub(1),
                "{" | "where" | ";" | "(" if angle == 0 => break,
                "for" if angle == 0 => {}
                ":" if angle == 0 && self.text(0) == "trait" => break,
                text if angle == 0 && is_name(text) => owners.push(text.to_string()),
                _ => {}
            }
        }
        Some(Open { owners, body })
    }

    /// At a brace: the type whose literal or pattern it opens.
    fn literal(&self) -> Option<Open> {
        let name = self.text(-1);
        if !name.starts_with(|c: char| c.is_uppercase()) {
            return None;
        }
        // A body after `-> Type` is none.
        if self.text(-2) == ">" && self.text(-3) == "-" {
            return None;
        }
        let owners = match name {
            "Self" => self.owners().to_vec(),
            name => vec![name.into()],
        };
        Some(Open { owners, body: Body::Literal })
    }
}

/// `{name}` and `{name:?}` in a string that is a format.
fn captured(text: &str, name: &str, new: &str) -> String {
    let mut out = text.to_string();
    for end in ["}", ":"] {
        let old = format!("{{{name}{end}");
        let mut at = 0;
        while let Some(found) = out[at..].find(&old) {
            let start = at + found;
            if out[..start].ends_with('{') {
                at = start + old.len();
                continue;
            }
            out.replace_range(start + 1..start + 1 + name.len(), new);
            at = start + 1;
        }
    }
    out
}

fn whole_words(text: &str, name: &str, new: &str) -> String {
    let edits = positions(text, name).into_iter();
    let edits: Vec<_> = edits.map(|at| (at, name.len(), new.to_string())).collect();
    apply(text, &edits)
}

/// Where the name is, as a whole word.
fn positions(text: &str, name: &str) -> Vec<usize> {
    let whole = |at: &usize| {
        !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    };
    text.match_indices(name).map(|(at, _)| at).filter(whole).collect()
}

/// Prose with code between backticks. Calls `unsure` with each place where the name is left, and whether that is code.
fn spans(text: &str, asked: &Rename, unsure: &mut dyn FnMut(usize, bool)) -> String {
    let name = asked.old.name();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            out.push('`');
            at += 1;
        }
        if index % 2 == 1 {
            let new = span(part, asked);
            positions(&new, name).first().inspect(|_| unsure(at, true));
            out.push_str(&new);
        } else {
            for found in positions(&part.to_lowercase(), &name.to_lowercase()) {
                unsure(at + found, false);
            }
            out.push_str(part);
        }
        at += part.len();
    }
    out
}

/// Code between two backticks.
fn span(text: &str, asked: &Rename) -> String {
    let (name, new) = (asked.old.name(), asked.new.trim_end_matches(".rs"));
    let bare = text.trim_end_matches("()");
    let bare = match &asked.old {
        Old::Member { .. } => bare.trim_start_matches('.'),
        _ => bare,
    };
    let is_bare =
        bare == name && matches!(asked.old, Old::Any(_) | Old::Free(_) | Old::Member { .. });
    if is_bare {
        return text.replacen(name, new, 1);
    }
    let text = paths(text, asked);
    rust(&text, &Rename { words: false, ..asked.clone() }, &mut Vec::new())
}

/// The path of a file that moves, wherever it is written.
fn paths(text: &str, asked: &Rename) -> String {
    let Old::File(old) = &asked.old else { return text.into() };
    let mut edits = Vec::new();
    let file = old.rsplit('/').next().unwrap_or(old);
    for (at, _) in text.match_indices(file) {
        let goes_on = |c: char| is_part(c) || c == '/' || c == '.' || c == '-';
        let start = text[..at].rfind(|c: char| !goes_on(c));
        let start =
            start.map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let folder = text[start..at].trim_end_matches('/');
        let whole = folder.is_empty() || text[..at].ends_with('/');
        let full = old.trim_end_matches(file).trim_end_matches('/');
        let fits = folder.is_empty()
            || ends_with_path(folder, full)
            || ends_with_path(full, folder)
            || ends_with_path(folder, short_path(full));
        if whole && fits && !text[at + file.len()..].starts_with(is_part) {
            edits.push((at, file.len(), asked.new.clone()));
        }
    }
    let mut out = apply(text, &edits);
    if old.starts_with("tests/") {
        let (name, new) = (asked.old.name(), asked.new.trim_end_matches(".rs"));
        out = whole_words(&out, &format!("--test {name}"), &format!("--test {new}"));
    }
    out
}

fn ends_with_path(path: &str, end: &str) -> bool {
    path == end || path.ends_with(&format!("/{end}")) || end.is_empty()
}

/// A page: code between backticks and in blocks of Rust, and paths. Names of hunks come later.
fn page(text: &str, asked: &Rename, left: &mut Vec<(usize, String)>) -> String {
    let (mut out, mut rest, mut line) = (String::with_capacity(text.len()), text, 1);
    while !rest.is_empty() {
        let fence = rest.find("```").unwrap_or(rest.len());
        let (prose, code) = rest.split_at(fence);
        let mut unsure = |at: usize, _| {
            let (inside, text) = line_at(prose, at);
            if !text.starts_with("{{#include ") {
                left.push((line + inside - 1, text));
            }
        };
        out.push_str(&paths(&spans(prose, asked, &mut unsure), asked));
        line += prose.matches('\n').count();
        let end = code.get(3..).and_then(|inner| inner.find("```"));
        let end = end.map_or(code.len(), |end| end + 6);
        let (block, after) = code.split_at(end);
        let is_rust = block.starts_with("```rust");
        out.push_str(&if is_rust { rust(block, asked, left) } else { paths(block, asked) });
        line += block.matches('\n').count();
        rest = after;
    }
    out
}

/// Laid out anew where it was laid out before: a longer name may need another line.
fn laid_out(root: &Path, old: &str, new: &str) -> Result<String, BookError> {
    if rustfmt(root, old)?.as_deref() != Some(old) {
        return Ok(new.into());
    }
    Ok(rustfmt(root, new)?.unwrap_or_else(|| new.into()))
}

fn rustfmt(root: &Path, text: &str) -> Result<Option<String>, BookError> {
    let failed = |reason: String| BookError::Command { command: "rustfmt".into(), reason };
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--emit", "stdout", "--config-path"]).arg(root);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
    let input = child.stdin.take();
    let written = input.map(|mut input| std::io::Write::write_all(&mut input, text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| failed(e.to_string()))?;
    let done = written.is_some_and(|written| written.is_ok()) && output.status.success();
    Ok(done.then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Pages name hunks by chapter, file and item. The items of a file before and after are the same ones, in the same order.
fn names_of_hunks(
    repository: &Repository,
    asked: &Rename,
    texts: &BTreeMap<String, String>,
    changes: &mut BTreeMap<String, Change>,
) {
    let by_text: HashMap<&str, &Change> =
        changes.values().map(|change| (change.old.as_str(), change)).collect();
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    let mut before: BTreeMap<String, File> = BTreeMap::new();
    for state in repository.states().chain([&repository.ground]) {
        for (path, text) in &state.files {
            // What a step or a chapter on a base has from elsewhere is known by its text.
            let full = format!("{}/{path}", state.folder);
            let Some(change) = changes.get(&full).or(by_text.get(text.as_str()).copied())
            else {
                continue;
            };
            let to = moved(&full, asked);
            let to = to.strip_prefix(&format!("{}/", state.folder)).unwrap_or(path);
            let keys = items_of(path, &change.old).into_iter().zip(items_of(to, &change.plain));
            let file = before.entry(short_path(path).into()).or_default();
            file.to = short_path(to).into();
            file.keys.extend(keys.map(|(old, new)| (old.key, new.key)));
        }
        // A hunk may also be of what this state has no more.
        for (path, file) in &before {
            let name = |path: &str| format!("{}/{path}", state.short);
            files.insert(name(path), File { to: name(&file.to), keys: file.keys.clone() });
        }
    }
    for (path, text) in texts.iter().filter(|(path, _)| path.ends_with(".md")) {
        let text = changes.get(path).map_or(text, |change| &change.new);
        let new = with_hunks(text, &files);
        if new == *text {
            continue;
        }
        let old = texts[path].clone();
        let to = path.clone();
        let empty = Change { to, old, plain: String::new(), new: String::new() };
        changes.entry(path.clone()).or_insert(empty).new = new;
    }
}

#[derive(Default)]
struct File {
    /// `ch10/block_pool.rs`
    to: String,
    /// The keys of its items, before and after.
    keys: BTreeMap<String, String>,
}

impl File {
    /// An item, or an `impl` with all that is in it.
    fn item(&self, name: &str) -> String {
        let inside = format!("{name}/");
        let mut keys = self.keys.iter();
        match keys.find(|(key, _)| *key == name || key.starts_with(&inside)) {
            Some((_, new)) => {
                let parts: Vec<&str> = new.split('/').take(name.split('/').count()).collect();
                parts.join("/")
            }
            None => name.into(),
        }
    }

    /// What follows the file in a name: `/impl-Room/fn-a+fn-b`.
    fn items(&self, rest: &str) -> String {
        let Some(items) = rest.strip_prefix('/') else { return String::new() };
        let (folder, last) = items.rsplit_once('/').unwrap_or(("", items));
        let within = if folder.is_empty() { "" } else { "/" };
        let item = |name: &str| self.item(&format!("{folder}{within}{name}"));
        let own = |name| item(name).rsplit('/').next().unwrap_or_default().to_string();
        let names: Vec<String> = last.split('+').map(own).collect();
        format!("/{}{within}{}", self.item(folder), names.join("+"))
    }
}

fn with_hunks(page: &str, files: &BTreeMap<String, File>) -> String {
    const FOLDER: &str = "generated/";
    let mut edits = Vec::new();
    for (at, _) in page.match_indices(FOLDER) {
        let target = &page[at + FOLDER.len()..];
        let Some(end) = target.find(".md}}") else { continue };
        let again = if target.starts_with("again/") { "again/".len() } else { 0 };
        let target = &target[again..end];
        let ends = target.match_indices('/').map(|(at, _)| at).chain([target.len()]);
        let Some((file, rest)) = ends
            .filter_map(|end| Some((files.get(&target[..end])?, &target[end..])))
            .next_back()
        else {
            continue;
        };
        let new = format!("{}{}", file.to, file.items(rest));
        edits.push((at + FOLDER.len() + again, target.len(), new));
    }
    apply(page, &edits)
}
