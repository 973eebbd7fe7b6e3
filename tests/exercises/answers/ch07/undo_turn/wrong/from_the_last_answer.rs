//? recognised: without an answer
//? why: Looks for the last answer and takes the question before it. A question without an answer is not a turn for it, and an answered turn goes with it.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let last = messages.iter().rposition(|message| message.role == Role::Assistant);
    let end = last.unwrap_or(messages.len());
    let question = messages[..end].iter().rposition(|message| message.role == Role::User)?;
    messages.truncate(question);
    Some(tokens[..question].iter().sum::<usize>().min(rows))
}
