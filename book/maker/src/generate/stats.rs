//! How long the book is: words, lines of code, and the hours that they take.

use catalog::thousands::thousands;

use super::Files;
use crate::address::resolve;
use crate::book::Book;
use crate::fault::{BookError, Fault};
use crate::page::Page;
use crate::sources::Sources;
use crate::title;

/// Words a minute, by a reader who stops to think.
const WORDS: usize = 130;
/// Lines of code a minute, read with understanding.
const LINES: usize = 8;
/// Lines of code a minute, read and typed.
const TYPED: usize = 4;

/// What a page, or several together, asks of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Load {
    words: usize,
    /// Lines that listings show, but for blank and folded ones.
    lines: usize,
    /// Those of them that a reader who types along types.
    new: usize,
}

impl Load {
    fn of(page: &Page, files: &Files) -> Load {
        let mut load = Load { words: page.words_about(), ..Load::default() };
        for (target, _) in page.includes() {
            let path = resolve(&page.path, &target);
            let file = path.as_deref().and_then(|path| path.strip_prefix("generated/"));
            if let Some(text) = file.and_then(|file| files.get(file)) {
                let (lines, new) = lines(text);
                load.lines += lines;
                load.new += new;
            }
        }
        load
    }

    /// Of what is in side rooms.
    fn of_rooms(page: &Page, files: &Files) -> Load {
        let loads = page.rooms().into_iter().map(|room| Load::of(&room, files));
        loads.fold(Load::default(), Load::and)
    }

    /// What is left without the rooms.
    fn without(self, rooms: Load) -> Load {
        Load {
            words: self.words.saturating_sub(rooms.words),
            lines: self.lines - rooms.lines,
            new: self.new - rooms.new,
        }
    }

    fn and(self, other: Load) -> Load {
        Load {
            words: self.words + other.words,
            lines: self.lines + other.lines,
            new: self.new + other.new,
        }
    }

    fn minutes_to_read(self) -> usize {
        self.words / WORDS + self.lines / LINES
    }

    fn minutes_to_type(self) -> usize {
        self.words / WORDS + (self.lines - self.new) / LINES + self.new / TYPED
    }
}

/// The lines of a fragment's listings: all, and the new ones. Old lines that go away are read as well.
fn lines(fragment: &str) -> (usize, usize) {
    let (mut all, mut new, mut inside) = (0, 0, false);
    for line in fragment.lines() {
        let opens = line.split_once("<span class=\"rows\">");
        inside |= opens.is_some();
        let ends = line.contains("</span></pre>");
        let line = opens.map_or(line, |(_, first)| first);
        let code = line.trim_start_matches("</span>").trim_start_matches("</del>");
        let code = code.trim_start_matches("</ins>");
        let folded = code.contains("class=\"folded\"") || code.contains("class=\"gap\"");
        let shown = inside && !folded && !without_tags(code).trim().is_empty();
        all += usize::from(shown);
        new += usize::from(shown && code.starts_with("<ins"));
        inside &= !ends;
    }
    (all, new)
}

fn without_tags(html: &str) -> String {
    html.split('<').map(|part| part.rsplit('>').next().unwrap_or("")).collect()
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let parts = parts(sources, files);
    for chapter in &sources.repository.chapters {
        let name = title::on_page(&chapter.short, &chapter.about.title);
        let load = parts.iter().find(|(part, ..)| *part == name);
        if let Some((_, load, rooms)) = load {
            files.insert(format!("time/{}.md", chapter.short), time(*load, *rooms));
        }
    }
    let rates = format!(
        "\nCounted at {WORDS} words a minute, and {LINES} lines of code that are read, or {TYPED} that are typed. Lines that \
         you only read, such as those around a change, count as read. The exercises are not counted.\n"
    );
    files.insert("stats.md".into(), table("part", &parts) + &rates);
    Ok(Vec::new())
}

/// `About 3½ hours to read, 6 if you type along. Without its side rooms: 3 and 5.`
fn time(load: Load, rooms: Load) -> String {
    let (read, typed) = (hours(load.minutes_to_read()), hours(load.minutes_to_type()));
    let word = if matches!(read.as_str(), "¼" | "½" | "1") { "hour" } else { "hours" };
    let main = load.without(rooms);
    let (main_read, main_typed) =
        (hours(main.minutes_to_read()), hours(main.minutes_to_type()));
    let without = |times: String| match rooms == Load::default() {
        true => String::new(),
        false => format!(" Without its side rooms: {times}."),
    };
    if load.new == 0 {
        return format!("About {read} {word} to read.{}\n", without(main_read));
    }
    let without = without(format!("{main_read} and {main_typed}"));
    format!("About {read} {word} to read, {typed} if you type along.{without}\n")
}

/// To the nearest half hour, but for what is shorter.
fn hours(minutes: usize) -> String {
    if minutes < 23 {
        return "¼".into();
    }
    let halves = (minutes + 15) / 30;
    match (halves / 2, halves % 2) {
        (0, _) => "½".into(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// What it is called, all of it, and what of that is in side rooms.
type Part = (String, Load, Load);

/// The summary's parts: a chapter is one, and so are the other pages under a heading. A page before all headings or
/// between two chapters is a part by itself.
fn parts(sources: &Sources, files: &Files) -> Vec<Part> {
    let called = |short: &str| {
        let chapter =
            sources.repository.chapters.iter().find(|chapter| chapter.short == short)?;
        Some(title::on_page(short, &chapter.about.title))
    };
    let pages = under_headings(sources.book);
    let chapter_of = |path: &str| path.split_once('/').and_then(|(folder, _)| called(folder));
    let climbs = |heading: &Option<String>| {
        pages.iter().any(|(other, path)| other == heading && chapter_of(path).is_some())
    };
    let mut parts: Vec<Part> = Vec::new();
    for (heading, path) in pages.clone() {
        let Some(page) = sources.book.page(&path) else { continue };
        if path.starts_with("generated/") {
            continue;
        }
        let title = page.title().unwrap_or(&page.path);
        let heading = if climbs(&heading) { None } else { heading };
        let name = chapter_of(&path).or(heading).unwrap_or_else(|| title.to_string());
        let (load, rooms) = (Load::of(page, files), Load::of_rooms(page, files));
        match parts.iter_mut().find(|(part, ..)| *part == name) {
            Some((_, sum, side)) => (*sum, *side) = (sum.and(load), side.and(rooms)),
            None => parts.push((name, load, rooms)),
        }
    }
    parts
}

/// Each page of the summary with the heading above it.
fn under_headings(book: &Book) -> Vec<(Option<String>, String)> {
    let mut heading = None;
    let mut pages = Vec::new();
    for line in book.summary.source.lines().skip(1) {
        if let Some(title) = line.strip_prefix("# ") {
            heading = Some(title.to_string());
        }
        let path = line.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')'));
        pages.extend(path.map(|path| (heading.clone(), path.to_string())));
    }
    pages
}

/// Every page by itself, for people who write them.
pub fn pages(sources: &Sources) -> Result<String, BookError> {
    let (files, _) = super::expected(sources)?;
    let row = |page: &Page| {
        let title = page.title().unwrap_or(&page.path).to_string();
        (title, Load::of(page, &files), Load::of_rooms(page, &files))
    };
    Ok(table("page", &sources.book.written().map(row).collect::<Vec<_>>()))
}

fn table(what: &str, rows: &[Part]) -> String {
    let mut table = format!(
        "| {what} | words | lines of code | hours to read | hours if you type along |\n|---|---:|---:|---:|---:|\n"
    );
    let row = |title: &str, load: Load| {
        let read = hours(load.minutes_to_read());
        let typed = match load.new {
            0 => String::new(),
            _ => hours(load.minutes_to_type()),
        };
        let [words, lines] = [load.words, load.lines].map(|n| thousands(&n.to_string()));
        format!("| {title} | {words} | {lines} | {read} | {typed} |\n")
    };
    let (mut all, mut aside) = (Load::default(), Load::default());
    for (title, load, rooms) in rows {
        table.push_str(&row(title, *load));
        if *rooms != Load::default() && load != rooms {
            table.push_str(&row("– without its side rooms", load.without(*rooms)));
        }
        (all, aside) = (all.and(*load), aside.and(*rooms));
    }
    table.push_str(&row("**all**", all));
    if aside != Load::default() {
        table.push_str(&row("**all without side rooms**", all.without(aside)));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(summary: &str) -> Book {
        Book {
            summary: Page::parse("SUMMARY.md", summary),
            pages: Vec::new(),
            faults: Vec::new(),
        }
    }

    #[test]
    fn a_page_belongs_to_the_heading_above_it() {
        let book =
            book("# Summary\n\n[Begin](a.md)\n\n# Ground\n\n- [One](b.md)\n  - [Two](c.md)\n");
        let found: Vec<String> = under_headings(&book)
            .into_iter()
            .map(|(heading, path)| format!("{}: {path}", heading.unwrap_or_default()))
            .collect();
        assert_eq!(found, [": a.md", "Ground: b.md", "Ground: c.md"]);
    }

    #[test]
    fn lines_that_are_shown_and_lines_that_are_new() {
        let fragment = "<figure>\n<figcaption>x</figcaption>\n\
             <pre class=\"listing\"><span class=\"rows\"><span><b class=\"k\">fn</b> a() {\n\
             </span><del>    1\n</del><ins>    2\n</ins><ins>\n</ins><ins>    3\n</ins>\
             <button class=\"fold\" type=\"button\">4 unchanged lines</button><span class=\"folded\">    4\n\
             </span><span class=\"gap\">\u{22ef}\n</span><span>}\n</span></span></pre>\n</figure>\n";
        assert_eq!(lines(fragment), (5, 2));
        let plain = "<pre class=\"listing plain\"><span class=\"rows\">fn a() {\n<b></b>\n}\n</span></pre>\n";
        assert_eq!(lines(plain), (2, 0));
    }

    #[test]
    fn hours_are_told_in_halves() {
        let load = Load { words: 130 * 60, lines: 8 * 60, new: 8 * 60 };
        let (none, half) = (Load::default(), Load { words: 130 * 30, lines: 0, new: 0 });
        assert_eq!(time(load, none), "About 2 hours to read, 3 if you type along.\n");
        let aside = " Without its side rooms: 1½ and 2½.\n";
        assert_eq!(
            time(load, half),
            format!("About 2 hours to read, 3 if you type along.{aside}")
        );
        let short = Load { words: 130 * 40, ..Load::default() };
        assert_eq!(time(short, none), "About ½ hour to read.\n");
        assert_eq!(time(short, half), "About ½ hour to read. Without its side rooms: ¼.\n");
        assert_eq!([0, 23, 44, 45, 100].map(hours), ["¼", "½", "½", "1", "1½"]);
    }
}
