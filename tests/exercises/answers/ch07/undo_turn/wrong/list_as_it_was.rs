//? recognised: list is as it was
//? why: Counts the rows, and leaves the messages as they were.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;
    Some(tokens[..question].iter().sum::<usize>().min(rows))
}
