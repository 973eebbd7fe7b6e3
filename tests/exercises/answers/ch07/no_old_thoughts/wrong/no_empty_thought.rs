//? recognised: an empty thought
//? why: Writes no thought where there was none. The template gives the last message an empty one, as the model was trained.

use exercise_kit::conversation::{Message, Role};

pub fn history(messages: &[Message]) -> Vec<String> {
    let question = messages.iter().rposition(|message| message.role == Role::User);
    let written = |(i, message): (usize, &Message)| {
        if message.role != Role::Assistant {
            return message.text.clone();
        }
        let (thought, said) = parts(&message.text);
        let is_new = question.is_some_and(|question| i > question);
        let is_last = i + 1 == messages.len();
        if is_new && !thought.is_empty() {
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
