//! Text from a stranger, for a terminal.

use std::path::Path;

/// How much of a name or of a value is shown.
pub const NAME: usize = 100;

/// A path, as it may be shown in an error beside other things.
pub fn path_line(path: &Path) -> String {
    one_line(&path.to_string_lossy(), 150)
}

/// A text that a file or a path says, as it may be shown: characters that a terminal obeys, and
/// those that it does not show, are escaped, and what is longer than about `most` bytes is cut.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for (at, character) in text.char_indices() {
        if line.len() >= most {
            line.push_str(&format!("... and {} more bytes", text.len() - at));
            break;
        }
        match character {
            '"' | '\'' | '\\' => line.push(character), // they harm nothing
            _ => line.extend(character.escape_debug()),
        }
    }
    line
}

/// An answer, as a terminal may print it: what it would obey is written out, all but the end of a line
/// and a tab.
pub fn visible(text: &str) -> String {
    // These only turn the direction of writing, and with it what a line seems to say.
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let obeyed = |c: char| turns(c) || c.is_control() && c != '\n' && c != '\t';
    let written = |c: char| if obeyed(c) { c.escape_default().to_string() } else { c.into() };
    text.chars().map(written).collect()
}
