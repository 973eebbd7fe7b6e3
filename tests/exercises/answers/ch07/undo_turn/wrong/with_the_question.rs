//? recognised: the rows of the question
//? why: Counts the rows up to the question, and the question with them.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    Some(tokens[..=question].iter().sum::<usize>().min(rows))
}
