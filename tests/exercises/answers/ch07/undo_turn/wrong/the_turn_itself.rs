//? recognised: that stay
//? why: Gives the tokens of the turn, and not the rows that stay.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(tokens[question..].iter().sum::<usize>().min(rows))
}
