//? recognised: `None` says
//? why: Gives `None` where no row stays valid. But a turn was taken back, and `Some(0)` says so.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;

    messages.truncate(question);
    let valid = tokens[..question].iter().sum::<usize>().min(rows);
    (valid > 0).then_some(valid)
}
