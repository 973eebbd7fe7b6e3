//? recognised: the last question
//? why: Looks for the first question, and takes the whole conversation back.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().position(|message| message.role == Role::User)?;
    messages.truncate(question);
    Some(tokens[..question].iter().sum::<usize>().min(rows))
}
