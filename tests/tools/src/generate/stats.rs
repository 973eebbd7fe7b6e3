//! How long the book is: words and reading time of each page, words to the nearest fifty.

use super::{Files, Sources};
use crate::fault::{CourseError, Fault};

/// Words a minute, for prose that one has to think about.
const PACE: usize = 180;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, CourseError> {
    let mut table = String::from("| page | words | minutes |\n|---|---:|---:|\n");
    let mut total = 0;
    for page in sources.book.written() {
        let words = (page.words() + 25) / 50 * 50;
        total += words;
        let title = page.title().unwrap_or(&page.path);
        table.push_str(&format!("| {title} | {words} | {} |\n", minutes(words)));
    }
    table.push_str(&format!("| **all** | **{total}** | **{}** |\n", minutes(total)));
    files.insert("stats.md".into(), table);
    Ok(Vec::new())
}

fn minutes(words: usize) -> usize {
    words.div_ceil(PACE)
}
