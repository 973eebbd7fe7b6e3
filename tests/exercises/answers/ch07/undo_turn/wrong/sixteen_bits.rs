//? recognised: 16 bits
//? why: Counts tokens in 16 bits. Long conversations have more than 65,535.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    let valid =
        tokens[..question].iter().fold(0u16, |sum, tokens| sum.wrapping_add(*tokens as u16));
    Some(usize::from(valid).min(rows))
}
