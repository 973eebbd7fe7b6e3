//? recognised: rows that the cache has not
//? why: Gives all tokens that are left. After Ctrl-C in the middle of a prompt the cache has fewer rows.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(tokens[..question].iter().sum())
}
