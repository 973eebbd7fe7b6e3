//! How long the book is: words and reading time, words of a page to the nearest fifty.

use super::{Files, Sources};
use crate::fault::{Fault, PressError, read};
use crate::page::Page;

/// Words a minute, for prose that one has to think about.
const PACE: usize = 180;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    let summary = read(&sources.house.book().join("SUMMARY.md"))?;
    let rows = parts(&summary).into_iter().filter_map(|(title, paths)| {
        let pages = paths.iter().filter_map(|path| sources.book.page(path));
        let words = pages.filter(|page| !page.path.starts_with("generated/")).map(words).sum();
        (words > 0).then(|| (numbered(title, &paths), words))
    });
    files.insert("stats.md".into(), table("part", rows));
    Ok(Vec::new())
}

/// A chapter's title with its number, which is in its folder's name.
fn numbered(title: String, paths: &[String]) -> String {
    let number =
        |path: &String| path.strip_prefix("ch")?.split('/').next()?.parse::<u32>().ok();
    match paths.first().and_then(number) {
        Some(number) => format!("Chapter {number}: {title}"),
        None => title,
    }
}

/// Every page by itself, for whoever writes them.
pub fn pages(sources: &Sources) -> String {
    let rows = sources.book.written().map(|page| {
        let title = page.title().unwrap_or(&page.path);
        (title.to_string(), words(page))
    });
    table("page", rows)
}

fn table(what: &str, rows: impl Iterator<Item = (String, usize)>) -> String {
    let mut table = format!("| {what} | words | minutes |\n|---|---:|---:|\n");
    let mut total = 0;
    for (title, words) in rows {
        total += words;
        table.push_str(&format!("| {title} | {words} | {} |\n", minutes(words)));
    }
    table.push_str(&format!("| **all** | **{total}** | **{}** |\n", minutes(total)));
    table
}

/// The summary's titles with their pages: a page that has pages below it, or all others under one heading.
fn parts(summary: &str) -> Vec<(String, Vec<String>)> {
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    let mut heading = None;
    let mut lines = summary.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("# ") {
            heading = Some(title.to_string());
        }
        let Some((title, path)) = link(line) else { continue };
        let below = |line: &str| line.starts_with(' ');
        let above_others = lines.peek().is_some_and(|next| below(next));
        match parts.last_mut() {
            Some((_, pages)) if below(line) => pages.push(path),
            Some((part, pages)) if Some(&*part) == heading.as_ref() && !above_others => {
                pages.push(path);
            }
            _ => {
                let under_heading = line.starts_with('-') && !above_others;
                let part = heading.clone().filter(|_| under_heading).unwrap_or(title);
                parts.push((part, vec![path]));
            }
        }
    }
    parts
}

/// `- [title](path)`
fn link(line: &str) -> Option<(String, String)> {
    let (title, path) = line.split_once('[')?.1.split_once("](")?;
    Some((title.to_string(), path.strip_suffix(')')?.to_string()))
}

fn words(page: &Page) -> usize {
    (page.words() + 25) / 50 * 50
}

fn minutes(words: usize) -> usize {
    words.div_ceil(PACE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_one_part_and_so_are_the_pages_under_a_heading() {
        let summary = "# Summary\n\n[Begin](a.md)\n\n# Ground\n\n- [One](b.md)\n- [Two](c.md)\n\n# Stairs\n\n\
                       - [First](d.md)\n  - [Step](e.md)\n- [Second](f.md)\n  - [Step](g.md)\n\n# Rest\n\n- [H](h.md)\n";
        let found: Vec<String> = parts(summary)
            .iter()
            .map(|(title, pages)| format!("{title}: {}", pages.join(" ")))
            .collect();
        let expected = [
            "Begin: a.md",
            "Ground: b.md c.md",
            "First: d.md e.md",
            "Second: f.md g.md",
            "Rest: h.md",
        ];
        assert_eq!(found, expected);
    }
}
