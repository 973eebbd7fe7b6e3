//? recognised: the newest answer
//? why: Takes the last answer for a new one, also when a question follows. That is the usual state of a conversation, and its thought is the one that must go.

use exercise_kit::conversation::{Message, Role};

pub fn history(messages: &[Message]) -> Vec<String> {
    let question = messages.iter().rposition(|message| message.role == Role::User);
    let written = |(i, message): (usize, &Message)| {
        if message.role != Role::Assistant {
            return message.text.clone();
        }
        let (thought, said) = parts(&message.text);
        let is_new = {
            let last = messages.iter().rposition(|m| m.role == Role::Assistant);
            last == Some(i)
        };
        let is_last = is_new;
        if is_new && (is_last || !thought.is_empty()) {
            return format!(
                "<think>\n{thought}\n</think>\n\n{}",
                said.trim_start_matches('\n')
            );
        }
        said.to_string()
    };
    messages.iter().enumerate().map(written).collect()
}

fn parts(text: &str) -> (&str, &str) {
    let Some((thought, _)) = text.split_once("</think>") else { return ("", text) };
    let thought = thought.rsplit("<think>").next().unwrap_or(thought);
    let said = text.rsplit("</think>").next().unwrap_or(text);
    (thought.trim_matches('\n'), said.trim_start_matches('\n'))
}
