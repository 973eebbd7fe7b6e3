//? recognised: one question
//? why: Goes back to the last answer that another turn ended with. Two questions in a row both go.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;
    let before = messages[..question].iter().rposition(|message| message.role != Role::User);
    let question = before.map_or(0, |before| before + 1);
    messages.truncate(question);
    Some(tokens[..question].iter().sum::<usize>().min(rows))
}
