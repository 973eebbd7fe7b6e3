//? recognised: the question goes too
//? why: Cuts after the question, and leaves it in the list.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question + 1);
    Some(tokens[..question].iter().sum::<usize>().min(rows))
}
