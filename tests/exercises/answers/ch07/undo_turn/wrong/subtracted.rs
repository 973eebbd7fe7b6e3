//? recognised: taken from the rows
//? why: Takes the tokens of the turn from the rows of the cache. It may hold fewer rows than the conversation has tokens: the last token of an answer is never computed, and Ctrl-C stops the rest.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(rows.saturating_sub(tokens[question..].iter().sum()))
}
