//! What differs inside a line that was replaced: words, not letters.

use std::cmp::Ordering;

use crate::align::{Step, align};
use crate::apply_hunks::Mark;
use crate::row::Row;

/// A word, a sign or a space of a line of HTML, and the class of the piece that it is a part of.
#[derive(Clone, Debug)]
struct Word<'a> {
    class: &'a str,
    html: &'a str,
}

impl Word<'_> {
    fn is_space(&self) -> bool {
        self.html.starts_with(char::is_whitespace)
    }

    fn is_name(&self) -> bool {
        self.html.starts_with(is_letter)
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// How alike two lines must be for one to be the other's new form. Where too much differs, marks would be noise.
const ALIKE: f64 = 0.5;

/// In each stretch of changes, puts `<em>` around what a new line has and its old form has not, and the other way round.
pub fn mark_words(rows: &mut [Row]) {
    let mut at = 0;
    while at < rows.len() {
        let changed = |row: &Row| matches!(row, Row::Line { mark, .. } if *mark != Mark::Same);
        let run = rows[at..].iter().take_while(|row| changed(row)).count();
        mark_stretch(&mut rows[at..at + run]);
        at += run.max(1);
    }
}

fn mark_stretch(rows: &mut [Row]) {
    let lines: Vec<String> = rows
        .iter()
        .map(|row| match row {
            Row::Line { html, .. } => html.clone(),
            Row::Gap => String::new(),
        })
        .collect();
    let of = |wanted: Mark| -> Vec<(usize, Vec<Word>)> {
        let is = |row: &Row| matches!(row, Row::Line { mark, .. } if *mark == wanted);
        let found = lines.iter().enumerate().filter(|(at, _)| is(&rows[*at]));
        found.map(|(at, html)| (at, words(html))).collect()
    };
    let (old, new) = (of(Mark::Removed), of(Mark::Added));
    let mut marked = Vec::new();
    for (a, b) in pairs(&old, &new) {
        let (removed, added) = differences(&old[a].1, &new[b].1);
        marked.push((old[a].0, html(&old[a].1, &removed)));
        marked.push((new[b].0, html(&new[b].1, &added)));
    }
    for (at, marked) in marked {
        if let Row::Line { html, .. } = &mut rows[at] {
            *html = marked;
        }
    }
}

/// A line of HTML in words: pieces are text, or text inside one `<b>`.
fn words(line: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    for piece in line.split_inclusive("</b>") {
        let (plain, colored) = piece.split_once("<b class=\"").unwrap_or((piece, ""));
        split(plain, "", &mut found);
        if let Some((class, text)) = colored.split_once("\">") {
            split(text.trim_end_matches("</b>"), class, &mut found);
        }
    }
    found
}

fn split<'a>(mut text: &'a str, class: &'a str, found: &mut Vec<Word<'a>>) {
    while let Some(first) = text.chars().next() {
        let while_it = |is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
        let end = match first {
            '&' => text.find(';').map_or(text.len(), |end| end + 1),
            _ if is_letter(first) => while_it(is_letter),
            _ if first.is_whitespace() => while_it(char::is_whitespace),
            _ => first.len_utf8(),
        };
        found.push(Word { class, html: &text[..end] });
        text = &text[end..];
    }
}

/// Old lines and the new forms of them, in order, so that as much as can be is alike.
fn pairs(old: &[(usize, Vec<Word>)], new: &[(usize, Vec<Word>)]) -> Vec<(usize, usize)> {
    let mut best = vec![vec![0.0f64; new.len() + 1]; old.len() + 1];
    let mut like = vec![vec![0.0f64; new.len()]; old.len()];
    let (sorted_old, sorted_new) = (sorted(old), sorted(new));
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            if at_most_alike(&sorted_old[a], &sorted_new[b]) >= ALIKE {
                like[a][b] = alike(&old[a].1, &new[b].1);
            }
            let paired = if like[a][b] < ALIKE { 0.0 } else { like[a][b] + best[a + 1][b + 1] };
            best[a][b] = paired.max(best[a + 1][b]).max(best[a][b + 1]);
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut found = Vec::new();
    while a < old.len() && b < new.len() {
        if best[a][b] == best[a + 1][b] {
            a += 1;
        } else if best[a][b] == best[a][b + 1] {
            b += 1;
        } else {
            found.push((a, b));
            (a, b) = (a + 1, b + 1);
        }
    }
    found
}

/// Two words are the same if they read the same; their colours may differ.
fn texts<'a>(words: &[Word<'a>]) -> Vec<&'a str> {
    words.iter().map(|word| word.html).collect()
}

/// From 0 to 1: the share of letters in words that both have.
fn alike(old: &[Word], new: &[Word]) -> f64 {
    let weight = |words: &[Word]| -> usize {
        words.iter().filter(|word| !word.is_space()).map(|word| word.html.len()).sum()
    };
    let all = weight(old) + weight(new);
    let mut both = 0;
    for step in align(&texts(old), &texts(new)) {
        if let Step::Both(a, _) = step {
            both += 2 * weight(&old[a..=a]);
        }
    }
    if all == 0 { 0.0 } else { both as f64 / all as f64 }
}

/// The words of each line that are no spaces, in order of their letters.
fn sorted<'a>(lines: &[(usize, Vec<Word<'a>>)]) -> Vec<Vec<&'a str>> {
    let sorted = |(_, line): &(usize, Vec<Word<'a>>)| {
        let words = line.iter().filter(|word| !word.is_space());
        let mut words: Vec<&str> = words.map(|word| word.html).collect();
        words.sort_unstable();
        words
    };
    lines.iter().map(sorted).collect()
}

/// What [`alike`] would say at most, whatever the order of the words is: found in no time, and most lines have little in
/// common.
fn at_most_alike(old: &[&str], new: &[&str]) -> f64 {
    let weight = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    let (mut a, mut b, mut both) = (0, 0, 0);
    while a < old.len() && b < new.len() {
        match old[a].cmp(new[b]) {
            Ordering::Less => a += 1,
            Ordering::Greater => b += 1,
            Ordering::Equal => {
                both += 2 * old[a].len();
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    let all = weight(old) + weight(new);
    if all == 0 { 0.0 } else { both as f64 / all as f64 }
}

/// Which words of each line the other has not.
fn differences(old: &[Word], new: &[Word]) -> (Vec<bool>, Vec<bool>) {
    let (mut removed, mut added) = (vec![true; old.len()], vec![true; new.len()]);
    for step in align(&texts(old), &texts(new)) {
        if let Step::Both(a, b) = step {
            (removed[a], added[b]) = (false, false);
        }
    }
    (smooth(old, removed), smooth(new, added))
}

/// A sign or a space between two words that differ belongs to them; a space at the edge does not.
fn smooth(words: &[Word], mut differs: Vec<bool>) -> Vec<bool> {
    for at in 1..words.len().saturating_sub(1) {
        if differs[at - 1] && differs[at + 1] && !words[at].is_name() {
            differs[at] = true;
        }
    }
    for at in 0..words.len() {
        let inside = at > 0 && differs[at - 1] && differs.get(at + 1) == Some(&true);
        if words[at].is_space() && !inside {
            differs[at] = false;
        }
    }
    differs
}

fn html(words: &[Word], differs: &[bool]) -> String {
    let mut out = String::new();
    let numbered: Vec<(usize, &Word)> = words.iter().enumerate().collect();
    for part in numbered.chunk_by(|a, b| differs[a.0] == differs[b.0]) {
        let marked = differs[part[0].0];
        out.push_str(if marked { "<em>" } else { "" });
        for piece in part.chunk_by(|a, b| a.1.class == b.1.class) {
            let text: String = piece.iter().map(|(_, word)| word.html).collect();
            match piece[0].1.class {
                "" => out.push_str(&text),
                class => out.push_str(&format!("<b class=\"{class}\">{text}</b>")),
            }
        }
        out.push_str(if marked { "</em>" } else { "" });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::highlight::html_lines;

    /// The lines after marking: `-` or `+` or a space, then the text with what is marked in brackets.
    fn marked(lines: &[(Mark, &str)]) -> Vec<String> {
        let mut rows: Vec<Row> = lines
            .iter()
            .map(|(mark, text)| Row::Line {
                mark: *mark,
                html: html_lines("a.rs", text).concat(),
                beside: false,
            })
            .collect();
        mark_words(&mut rows);
        let show = |row: &Row| match row {
            Row::Line { html, .. } => html
                .replace("<em>", "[")
                .replace("</em>", "]")
                .split('<')
                .map(|part| part.rsplit_once('>').map_or(part, |(_, text)| text))
                .collect::<String>()
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&"),
            Row::Gap => String::new(),
        };
        rows.iter().map(show).collect()
    }

    #[test]
    fn a_word_that_was_exchanged_is_marked_on_both_sides() {
        let rows = [
            (Mark::Removed, "fn norm(x: &[f32]) -> f32 {"),
            (Mark::Added, "fn norm(x: &[f64]) -> f32 {"),
        ];
        let expected = ["fn norm(x: &[[f32]]) -> f32 {", "fn norm(x: &[[f64]]) -> f32 {"];
        assert_eq!(marked(&rows), expected);
    }

    #[test]
    fn a_line_finds_its_new_form_among_others() {
        let rows = [
            (Mark::Removed, "let rows = x.rows();"),
            (Mark::Removed, "    attend(q, k, v);"),
            (Mark::Added, "let cached = cache.length();"),
            (Mark::Added, "    attend(q, k, v, cached);"),
        ];
        let expected = [
            "let rows = x.rows();",
            "    attend(q, k, v);",
            "let cached = cache.length();",
            "    attend(q, k, v[, cached]);",
        ];
        assert_eq!(marked(&rows), expected);
    }

    #[test]
    fn what_only_moves_inwards_has_no_marks() {
        let rows = [(Mark::Removed, "step();"), (Mark::Added, "    step();")];
        assert_eq!(marked(&rows), ["step();", "    step();"]);
    }

    #[test]
    fn lines_with_little_in_common_have_no_marks() {
        let rows = [(Mark::Removed, "let a = b;"), (Mark::Added, "for row in rows(x) {")];
        assert_eq!(marked(&rows), ["let a = b;", "for row in rows(x) {"]);
    }

    #[test]
    fn lines_that_stay_part_the_stretches() {
        let rows =
            [(Mark::Removed, "push(a, b);"), (Mark::Same, "}"), (Mark::Added, "push(a, c);")];
        assert_eq!(marked(&rows), ["push(a, b);", "}", "push(a, c);"]);
    }

    #[test]
    fn comments_are_compared_word_by_word_and_nothing_is_lost() {
        let rows = [
            (Mark::Removed, "/// One row <here>, and then the next."),
            (Mark::Added, "/// Some rows <here>, and then the next."),
        ];
        let expected = [
            "/// [One row] <here>, and then the next.",
            "/// [Some rows] <here>, and then the next.",
        ];
        assert_eq!(marked(&rows), expected);
    }
}
