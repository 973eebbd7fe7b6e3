//! Side rooms: pages, or stretches of one, that a reader of the main line leaves out. Her code gets theirs by
//! `cargo run -- take`.
//!
//! A page says so by a mark of lines of their own, which names what the reader has to know. Without a name after its first
//! word it makes a room of the whole page, and with one of what comes before `{{#side-room-end}}`:
//!
//! ```text
//! {{#side-room neon
//! teaches: ...
//! brings: ...
//! without it: ...
//! needed by: tiles
//! }}
//! ```
//!
//! The last field is the first page of the chapter that builds on the room's code, or `nothing`.

use std::ops::Range;

const OPENS: &str = "{{#side-room";
const ENDS: &str = "{{#side-room-end}}";
const FIELDS: [&str; 4] = ["teaches", "brings", "without it", "needed by"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Of a stretch, its name.
    pub stretch: Option<String>,
    pub teaches: String,
    pub brings: String,
    pub without: String,
    /// `tiles` of `ch03/tiles.md`
    pub needed_by: Option<String>,
    /// From 1.
    pub line: usize,
    /// Where on the page the mark is, and what it is about, without the mark that ends it.
    pub mark: Range<usize>,
    pub inside: Range<usize>,
}

impl Mark {
    /// What a reader calls it: `ch04/panics`, or `ch05/integers#neon`.
    pub fn name(&self, page: &str) -> String {
        let page = page.trim_end_matches(".md");
        self.stretch.as_ref().map_or(page.into(), |stretch| format!("{page}#{stretch}"))
    }
}

/// The marks of a page, from top to bottom, or a line and what is wrong there.
pub fn marks(source: &str) -> Result<Vec<Mark>, (usize, String)> {
    let mut marks: Vec<Mark> = Vec::new();
    let (mut at, mut rest) = (0, source.split_inclusive('\n').enumerate());
    while let Some((number, line)) = rest.next() {
        let start = at;
        at += line.len();
        let text = line.trim_end();
        let wrong = |why: &str| Err((number + 1, why.to_string()));
        let open = marks.last_mut().filter(|mark| mark.inside.end == usize::MAX);
        if text == ENDS {
            match open {
                Some(mark) => mark.inside.end = start,
                None => return wrong("no side room with a name begins above this end"),
            }
            continue;
        }
        let Some(name) = text.strip_prefix(OPENS).filter(|name| !name.contains('}')) else {
            continue;
        };
        if open.is_some() || marks.iter().any(|mark| mark.stretch.is_none()) {
            return wrong("a side room inside another");
        }
        let stretch = Some(name.trim()).filter(|name| !name.is_empty()).map(String::from);
        let mut said = FIELDS.map(|_| String::new());
        loop {
            let Some((_, line)) = rest.next() else { return wrong("a mark without its }}") };
            at += line.len();
            let line = line.trim();
            if line == "}}" {
                break;
            }
            let field = line.split_once(": ").and_then(|(name, text)| {
                Some((FIELDS.iter().position(|field| *field == name)?, text))
            });
            match field {
                Some((field, text)) => said[field] = text.trim().into(),
                None => return wrong(&format!("expected one of {FIELDS:?}, found {line:?}")),
            }
        }
        if let Some(at) = said.iter().position(String::is_empty) {
            return wrong(&format!("a side room has to say {:?}", FIELDS[at]));
        }
        let [teaches, brings, without, needed_by] = said;
        let needed_by = Some(needed_by).filter(|page| page != "nothing");
        let end = if stretch.is_some() { usize::MAX } else { source.len() };
        let (line, mark, inside) = (number + 1, start..at, at..end);
        marks.push(Mark { stretch, teaches, brings, without, needed_by, line, mark, inside });
    }
    match marks.last() {
        Some(mark) if mark.inside.end == usize::MAX => {
            Err((mark.line, "a side room without its end".into()))
        }
        _ => Ok(marks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "teaches: a\nbrings: b\nwithout it: c\nneeded by: nothing\n}}\n";

    #[test]
    fn a_page_is_a_room_or_has_some() {
        let page = format!("# T\n\n{{{{#side-room\n{FIELDS}\nRest.\n");
        let mark = &marks(&page).expect("a mark")[0];
        assert_eq!((mark.line, mark.needed_by.as_ref()), (3, None));
        assert_eq!(mark.name("ch04/panics.md"), "ch04/panics");
        assert_eq!(&page[mark.inside.clone()], "\nRest.\n");
        let fields = FIELDS.replace("nothing", "tiles");
        let page = format!("A\n\n{{{{#side-room neon\n{fields}\nB\n\n{ENDS}\n\nC\n");
        let mark = &marks(&page).expect("a mark")[0];
        assert_eq!(mark.needed_by.as_deref(), Some("tiles"));
        assert_eq!(mark.name("ch05/integers.md"), "ch05/integers#neon");
        assert_eq!(&page[mark.inside.clone()], "\nB\n\n");
        assert_eq!(
            page[..mark.mark.start].len() + page[mark.mark.clone()].len(),
            mark.inside.start
        );
    }

    #[test]
    fn what_is_wrong_with_a_mark_is_said_at_its_line() {
        let cases = [
            (format!("\n{ENDS}\n"), 2, "no side room"),
            (format!("{OPENS} a\n{FIELDS}"), 1, "without its end"),
            (format!("{OPENS}\n{FIELDS}{OPENS}\n{FIELDS}"), 7, "inside another"),
            (format!("{OPENS}\nteaches: a\n"), 1, "without its }}"),
            (format!("{OPENS}\nteaches: a\n}}}}\n"), 1, "has to say \"brings\""),
            (format!("{OPENS}\nteach: a\n}}}}\n"), 1, "found \"teach: a\""),
        ];
        for (page, line, why) in cases {
            let (at, said) = marks(&page).expect_err(why);
            assert!(at == line && said.contains(why), "{at}: {said}");
        }
    }
}
