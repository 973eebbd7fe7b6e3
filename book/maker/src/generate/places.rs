//! `book/theme/header.hbs`: for each page a line that says where one is, in which chapter and how far into it. mdBook puts it
//! above the page's title, so that no page has to ask for it and no script is needed.

use std::path::Path;

use super::whole;
use crate::fault::{BookError, read};
use crate::highlight::escape;
use crate::title;

/// One line of the summary that leads to a page.
struct Entry {
    title: String,
    path: String,
    inside: bool, // of the entry above it that is not
    part: String,
}

/// What mdBook puts above each page of the summary, and of those that only we know.
pub fn header(root: &Path) -> Result<String, BookError> {
    let mut all = entries(&read(&root.join("book/src/SUMMARY.md"))?);
    all.extend(whole::pages(root)?.into_iter().map(|page| Entry {
        path: page.path(),
        title: page.title,
        inside: false,
        part: whole::PART.into(),
    }));
    Ok(lines(&all))
}

fn entries(summary: &str) -> Vec<Entry> {
    let (mut found, mut part) = (Vec::new(), String::new());
    for line in summary.lines() {
        if let Some(title) = line.strip_prefix("# ").filter(|title| *title != "Summary") {
            part = title.into();
        }
        let link = line.trim_start().trim_start_matches("- ").strip_prefix('[');
        let Some((title, rest)) = link.and_then(|link| link.split_once("](")) else { continue };
        found.push(Entry {
            title: title.into(),
            path: rest.trim_end().trim_end_matches(')').into(),
            inside: line.starts_with(' '),
            part: part.clone(),
        });
    }
    found
}

/// What is not before the first part, where a book introduces itself.
fn lines(entries: &[Entry]) -> String {
    let mut out = "{{!-- written for each build, from the summary --}}\n".to_string();
    for group in groups(entries) {
        for (at, entry) in group.iter().enumerate() {
            let line = place(entries, group, at);
            let path = &entry.path;
            out.push_str(&format!("{{{{#if (eq path \"{path}\")}}}}{line}{{{{/if}}}}\n"));
        }
    }
    out
}

/// A chapter with its pages, or what of a part stands together without being one.
fn groups(entries: &[Entry]) -> Vec<&[Entry]> {
    let mut found: Vec<&[Entry]> = Vec::new();
    let mut begin = 0;
    for (at, entry) in entries.iter().enumerate() {
        let first = &entries[begin];
        let alone = number(entry).is_some() || number(first).is_some();
        if at > begin && !entry.inside && (alone || entry.part != first.part) {
            found.push(&entries[begin..at]);
            begin = at;
        }
    }
    found.push(&entries[begin..]);
    found.retain(|group| group.first().is_some_and(|first| !first.part.is_empty()));
    found
}

/// `6` of `6. A fast prefill`
fn number(entry: &Entry) -> Option<usize> {
    entry.title.split_once(". ").and_then(|(number, _)| number.parse().ok())
}

fn place(entries: &[Entry], group: &[Entry], at: usize) -> String {
    let (first, count) = (&group[0], group.len());
    let chapter = first.title.split_once(". ").zip(number(first));
    let name = match chapter {
        Some(_) if at == 0 => escape(&first.part),
        Some(((_, words), number)) => {
            let short = format!("ch{number:02}");
            let words = title::on_page(&short, words).replacen(": ", " · ", 1);
            let page = first.path.replace(".md", ".html");
            format!("<a href=\"{{{{path_to_root}}}}{page}\">{}</a>", escape(&words))
        }
        // Between two chapters.
        None => {
            match entries.iter().take_while(|e| e.path != first.path).filter_map(number).last()
            {
                Some(number) if count == 1 => format!("Beside chapter {number}"),
                _ => escape(&first.part),
            }
        }
    };
    let bar = match count {
        1 => String::new(),
        _ => format!(
            "<i style=\"--pages:{count};--page:{0}\"></i><span><span class=\"said\">page </span>{0} of {count}</span>",
            at + 1
        ),
    };
    format!("<p class=\"place\"><span>{name}</span>{bar}</p>")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str = "# Summary\n\n[Introduction](introduction.md)\n\n# The \"ground\"\n\n- [The file](part0/file.md)\n\
        - [Tokens](part0/tokens.md)\n\n# Stairs\n\n- [3. Many lanes](ch03/index.md)\n  - [Tiles](ch03/tiles.md)\n\
        - [An aside](engine/aside.md)\n- [4. Cores](ch04/index.md)\n\n\
        # And then\n\n- [One](one.md)\n  - [Two](two.md)\n- [Three](three.md)\n";

    #[test]
    fn a_page_says_its_chapter_and_how_far_into_it_one_is() {
        let text = lines(&entries(SUMMARY));
        let of = |path: &str| {
            let begin = format!("{{{{#if (eq path \"{path}\")}}}}");
            text.lines().find_map(|line| line.strip_prefix(&begin)).map(String::from)
        };
        let tiles = of("ch03/tiles.md").expect("a page");
        assert!(
            tiles.contains(">Chapter 3 · Many lanes</a>")
                && tiles.contains("href=\"{{path_to_root}}ch03/index.html\"")
        );
        assert!(tiles.contains("--pages:2;--page:2") && tiles.contains("2 of 2"), "{tiles}");
        let first = of("ch03/index.md").expect("a page");
        assert!(first.contains("<span>Stairs</span>") && first.contains("1 of 2"), "{first}");
        assert!(of("part0/file.md").is_some_and(
            |line| line.contains("The &quot;ground&quot;") && line.contains("1 of 2")
        ));
        assert!(
            of("engine/aside.md")
                .is_some_and(|line| line.contains("Beside chapter 3</span></p>"))
        );
        assert!(
            of("two.md")
                .is_some_and(|line| line.contains("And then") && line.contains("2 of 3"))
        );
        assert_eq!(of("introduction.md"), None);
    }
}
