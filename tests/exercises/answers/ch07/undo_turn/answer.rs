//? title: Take the last turn back
//? page: ch07/turns.md
//? section: Undo for free
//? level: warm-up
//? minutes: 15
//? call: check(answer::undo)
//? hint 1: Where does the last turn begin, and where does it end? Try your rule on a list that ends with a question, on one with two answers in a row, and on one in which nobody has asked anything yet.
//? hint 2: The turn begins with the last message of a user, and all that follows belongs to it. What is left is the beginning of the conversation. Its tokens are at the beginning of the cache, unless the cache has fewer rows.
//? hint 3: `let question = messages.iter().rposition(|message| message.role == Role::User)?;` finds it, or returns `None`. Then `messages.truncate(question)`, and the valid rows are the smaller of `rows` and `tokens[..question].iter().sum()`.
//? why: A turn is found by its question, and not by counting messages: an answer may be missing, or have come in two parts.
//?   `?` leaves the function before anything is changed if nobody asked. The rows are counted from the front, because what is
//?   left is a beginning of the text. Counted from the back they would be wrong: the last token of an answer is never
//?   computed, and Ctrl-C may have stopped the cache earlier still. For the same reason there may be fewer rows than
//?   tokens that are left. The engine need not count at all: it compares ids when the next question comes, and finds the same
//?   number.

//! `/undo` takes the last turn of a conversation back: the last question, and everything that came after it. Usually that is
//! one answer. After Ctrl-C there may be none, and other programs write two answers in a row, or two questions. What came
//! before the last question stays as it is, above all the system message.
//!
//! Message `i` takes `tokens[i]` tokens of the text, with what the template writes around it. The cache has rows for the
//! first `rows` tokens of the conversation. That may be all of them or fewer: the last token of an answer is never computed,
//! and Ctrl-C in the middle of a long prompt leaves the rest out. It is never more.
//!
//! Shorten `messages`, and return how many rows of the cache belong to what is left: these stay valid. If there is no
//! question, nothing can be undone: return `None`, and leave the list as it is.

//-- starter
// use exercise_kit::conversation::Message;
//-- solution
use exercise_kit::conversation::{Message, Role};
//-- end

// A message has a `text` and a `role`: System, User or Assistant of exercise_kit::conversation::Role.
// tokens: one for each message
//-- starter
// #[allow(clippy::ptr_arg)] // no slice: the list gets shorter
//-- solution
//-- end
pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    //-- starter
    // todo!()
    //-- solution
    let question = messages.iter().rposition(|message| message.role == Role::User)?;
    messages.truncate(question);
    let left: usize = tokens[..question].iter().sum();
    Some(left.min(rows))
    //-- end
}
