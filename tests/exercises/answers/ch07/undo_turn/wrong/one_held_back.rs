//? recognised: nothing is computed here
//? why: Holds one row back, as for a text whose logits are wanted. Here no logits are wanted: the next question brings new tokens.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(tokens[..question].iter().sum::<usize>().min(rows).saturating_sub(1))
}
