//! Text from a stranger, for one line on a terminal.

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
