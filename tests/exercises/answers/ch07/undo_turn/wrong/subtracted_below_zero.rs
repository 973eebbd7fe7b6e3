//? recognised: taken from the rows
//? why: Takes the tokens of the turn from the rows of the cache, which may be fewer.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(rows - tokens[question..].iter().sum::<usize>())
}
