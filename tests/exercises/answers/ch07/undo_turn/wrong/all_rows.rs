//? recognised: rows of the turn
//? why: Gives all rows of the cache. Those of the turn are no longer part of the conversation.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(rows)
}
