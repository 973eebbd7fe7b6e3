//? recognised: nothing to undo
//? why: Takes messages away until one was a question. Where there is none, the system message goes as well.

use exercise_kit::conversation::{Message, Role};

pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    while let Some(last) = messages.pop() {
        if last.role == Role::User {
            let question = messages.len();
            return Some(tokens[..question].iter().sum::<usize>().min(rows));
        }
    }
    None
}
