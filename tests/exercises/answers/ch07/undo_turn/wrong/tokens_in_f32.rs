//? recognised: an f32 does not hold
//? why: Adds the tokens up in f32, which does not hold every whole number above 2<sup>24</sup>.

use exercise_kit::conversation::{Message, Role};

// A message has a `text` and a `role`: System, User or Assistant of exercise_kit::conversation::Role.
// tokens: one for each message
pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    let question = messages.iter().rposition(|message| message.role == Role::User)?;
    messages.truncate(question);
    let left = tokens[..question].iter().map(|n| *n as f32).sum::<f32>() as usize;
    Some(left.min(rows))
}
