//? recognised: tokens, not messages
//? why: Gives the number of messages. A message has many rows.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(question.min(rows))
}
