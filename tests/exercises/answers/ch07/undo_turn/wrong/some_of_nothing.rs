//? recognised: nothing to undo
//? why: Gives a number of rows where there is nothing to undo. The caller cannot tell that nothing happened.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let last = messages.iter().rposition(|message| message.role == Role::User);
    let question = last.unwrap_or(messages.len());
    messages.truncate(question);
    Some(tokens[..question].iter().sum::<usize>().min(rows))
}
