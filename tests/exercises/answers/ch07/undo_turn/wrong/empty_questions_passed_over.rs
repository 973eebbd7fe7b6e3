//? recognised: question may be empty
//? why: Passes over a question without words. It is a question all the same.

use exercise_kit::conversation::{Message, Role};

// A message has a `text` and a `role`: System, User or Assistant of exercise_kit::conversation::Role.
// tokens: one for each message
pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages
        .iter()
        .rposition(|message| message.role == Role::User && !message.text.is_empty())?;
    messages.truncate(question);
    let left: usize = tokens[..question].iter().sum();
    Some(left.min(rows))
}
