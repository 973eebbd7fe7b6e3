//? recognised: the question goes too
//? why: Takes the last message away and no more. The question stays, and the next one is a second question in a row.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    messages.iter().rposition(|message| message.role == Role::User)?;
    let question = messages.len() - 1;
    messages.truncate(question);
    Some(tokens[..question].iter().sum::<usize>().min(rows))
}
