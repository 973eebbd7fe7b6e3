//? recognised: system message
//? why: Leaves out the tokens of the system message. It stays, and so do its rows.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    let left = messages.drain(question..).count();
    let said = messages.iter().zip(tokens).filter(|(message, _)| message.role != Role::System);
    Some(said.map(|(_, tokens)| tokens).sum::<usize>().min(rows))
}
