//? recognised: something else than
//? why: Takes `</THINK>` for `</think>`. The model writes the one with a purpose; the other is a word like any other.

use exercise_kit::conversation::{Message, Role};

// A message has a `text` and a `role`: System, User or Assistant of exercise_kit::conversation::Role.
// -> one text for each message
pub fn history(messages: &[Message]) -> Vec<String> {
    let question = messages.iter().rposition(|message| message.role == Role::User);
    let written = |(i, message): (usize, &Message)| {
        if message.role != Role::Assistant {
            return message.text.clone();
        }
        let (thought, words) = parts(&message.text);
        let is_new = question.is_some_and(|question| i > question);
        let is_last = i + 1 == messages.len();
        if is_new && (is_last || !thought.is_empty()) {
            let words = words.trim_start_matches('\n');
            return format!("<think>\n{thought}\n</think>\n\n{words}");
        }
        words.to_string()
    };
    messages.iter().enumerate().map(written).collect()
}

// The thought of an answer, and its words.
fn parts(text: &str) -> (&str, &str) {
    let Some((before, _)) = text.split_once("</think>").or(text.split_once("</THINK>")) else {
        return ("", text);
    };
    let thought = before.rsplit("<think>").next().unwrap_or(before);
    let words = text.rsplit("</think>").next().unwrap_or(text);
    (thought.trim_matches('\n'), words.trim_start_matches('\n'))
}
