//! Side rooms in the book: the box that a mark becomes, and the main line without them.

use std::collections::BTreeMap;

use catalog::pages::{self, Page, Room};
use catalog::rooms::{Mark, marks};

use crate::sources::Sources;

/// The page with a box for each mark of a room. `title`: that of a page of the same chapter.
pub fn boxed(
    page: &str,
    source: &str,
    title: impl Fn(&str) -> Option<String>,
) -> Result<String, (usize, String)> {
    let (mut text, mut at) = (String::new(), 0);
    for mark in marks(source)? {
        text += &source[at..mark.mark.start];
        at = mark.inside.end;
        let inside = &source[mark.inside.clone()];
        let about = about(&mark, page, inside, &title)?;
        match mark.stretch {
            None => {
                text += &format!(
                    "<aside class=\"side-room\">\n\n**Side room.** {about}\n\n</aside>\n{inside}"
                )
            }
            Some(_) => {
                let end = source[at..].find('\n').map_or(source.len(), |end| at + end + 1);
                at = end;
                let kind = if is_supplied(&mark, page) { "Supplied" } else { "Side room" };
                text += &format!(
                    "<details class=\"side-room\"><summary>\n\n{kind}: {}\n\n</summary>\n\n{about}\n{inside}\n</details>\n",
                    mark.teaches
                );
            }
        }
    }
    Ok(text + &source[at..])
}

/// A stretch that its own page needs: nobody types it, and nobody leaves it out.
fn is_supplied(mark: &Mark, page: &str) -> bool {
    let name = page.split('/').next_back().and_then(|name| name.strip_suffix(".md"));
    mark.stretch.is_some() && mark.needed_by.as_deref() == name
}

fn about(
    mark: &Mark,
    page: &str,
    inside: &str,
    title: impl Fn(&str) -> Option<String>,
) -> Result<String, (usize, String)> {
    let name = mark.name(page);
    let chapter = name.split('/').next().unwrap_or_default();
    let Mark { teaches, brings, without, .. } = mark;
    if is_supplied(mark, page) {
        let page = page.trim_end_matches(".md");
        return Ok(format!(
            "`cargo run -- take {page}` types all that this page supplies into `my/{chapter}`.\n\n- *Brings* {brings}"
        ));
    }
    let until = match &mark.needed_by {
        None => "Nothing later needs it.".to_string(),
        Some(needs) => {
            let title = title(needs)
                .ok_or_else(|| (mark.line, format!("{chapter} has no later page {needs:?}")))?;
            format!("Do so before [{title}]({needs}.md), which builds on it.")
        }
    };
    let take = match inside.contains(&format!("{{{{#include ../generated/{chapter}")) {
        true => format!(
            "To leave it out, let `cargo run -- take {name}` type its code into `my/{chapter}`. {until}"
        ),
        false => "You can leave it out: it has no code to type.".into(),
    };
    let teaches =
        if mark.stretch.is_some() { String::new() } else { format!("- *Teaches* {teaches}\n") };
    Ok(format!("{take}\n\n{teaches}- *Brings* {brings}\n- *Without it* {without}"))
}

/// A chapter after one more page of its main line has been typed.
pub struct Step {
    /// `ch04/heads`
    pub page: String,
    pub compiles: bool,
    /// The rooms that are not there yet.
    pub without: Vec<String>,
    pub files: BTreeMap<String, String>,
    pub examples: Vec<String>,
}

/// The chapter as somebody types it who puts each room off for as long as it allows. The second is why it can't go on: the
/// rooms that are not there, and what the page says.
pub fn main_line(sources: &Sources, short: &str) -> (Vec<Step>, Option<(Vec<String>, String)>) {
    let mut steps = Vec::new();
    let walked = walk(sources, short, &mut steps);
    (steps, walked.err())
}

fn walk(
    sources: &Sources,
    short: &str,
    steps: &mut Vec<Step>,
) -> Result<(), (Vec<String>, String)> {
    let Some(chapter) = sources.repository.chapter(short) else { return Ok(()) };
    let told = pages::in_book(sources.repository, short, &chapter.package);
    let told = told.map_err(|error| (Vec::new(), error.to_string()))?;
    let first = sources.repository.states().find(|state| state.package == chapter.package);
    let begins = first.and_then(|first| sources.claims.diff(&first.short));
    let mut files = begins.map(|diff| diff.apply(&Default::default())).unwrap_or_default();
    let (mut left, mut examples) = (Vec::<(&Room, Page)>::new(), Vec::new());
    for page in &told {
        let is_due =
            |(room, _): &mut (&Room, Page)| room.needed_by.as_ref() == Some(&page.name);
        let rooms = page.rooms.iter().map(|room| (room, page.only_of(room)));
        left.extend(rooms.filter(|(_, page)| !page.listings.is_empty()));
        let due: Vec<Page> = left.extract_if(.., is_due).map(|(_, room)| room).collect();
        let without: Vec<String> = left.iter().map(|(room, _)| room.name.clone()).collect();
        for page in due.iter().chain([&page.only_main()]) {
            let read = |file: &str| files.get(file).cloned().unwrap_or_default();
            let typed = page.typed(read).map_err(|why| (without.clone(), why.to_string()))?;
            for (file, text) in typed {
                match text {
                    Some(text) => _ = files.insert(file, text),
                    None => _ = files.remove(&file),
                }
            }
        }
        if page.room().is_none() {
            examples.extend(page.examples.clone());
            let (files, examples) = (files.clone(), examples.clone());
            let name = format!("{short}/{}", page.name);
            steps.push(Step { page: name, compiles: page.compiles, without, files, examples });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_becomes_a_box_that_says_what_to_do() {
        let mark = "teaches: a\nbrings: b\nwithout it: c\nneeded by: tiles\n}}\n";
        let title = |page: &str| (page == "tiles").then(|| "Tiles".into());
        let page = format!(
            "# T\n\n{{{{#side-room\n{mark}\n{{{{#include ../generated/ch03/a.rs.md}}}}\n"
        );
        let text = boxed("ch03/neon.md", &page, title).expect("a box");
        let said = "# T\n\n<aside class=\"side-room\">\n\n**Side room.** To leave it out, let `cargo run -- take ch03/neon`";
        assert!(text.starts_with(said) && text.ends_with("a.rs.md}}\n"), "{text}");
        assert!(text.contains("Do so before [Tiles](tiles.md)"), "{text}");
        let needed = mark.replace("tiles", "avx");
        let page = format!("{{{{#side-room neon\n{needed}\n{{{{#side-room-end}}}}\n");
        let text = boxed("ch03/avx.md", &page, title).expect("a box");
        let said =
            "`cargo run -- take ch03/avx` types all that this page supplies into `my/ch03`";
        assert!(text.contains(said), "{text}");
        let mark = mark.replace("tiles", "nothing");
        let page =
            format!("A\n\n{{{{#side-room neon\n{mark}\nB\n\n{{{{#side-room-end}}}}\n\nC\n");
        let text = boxed("ch03/avx.md", &page, title).expect("a box");
        assert!(
            text.starts_with("A\n\n<details") && text.ends_with("</details>\n\nC\n"),
            "{text}"
        );
        assert!(
            text.contains("Side room: a\n\n</summary>") && text.contains("no code"),
            "{text}"
        );
        let page = "{{#side-room\nteaches: a\nbrings: b\nwithout it: c\nneeded by: x\n}}\n";
        assert_eq!(
            boxed("ch03/a.md", page, title),
            Err((1, "ch03 has no later page \"x\"".into()))
        );
    }
}
