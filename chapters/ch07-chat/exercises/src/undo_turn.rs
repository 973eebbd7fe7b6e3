//! Take the last turn back
//!
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
//!
//! Level: warm-up, about 15 minutes.
//! Read: "Undo for free", in the book at ch07/turns.html.
//! Run: `cargo run -- watch undo_turn`, or once: `cargo test -p ch07-exercises undo_turn`.
//! Stuck: `cargo run -- hint undo_turn`. Done: `cargo run -- solution undo_turn`. Start over: `cargo run -- reset undo_turn`.

use exercise_kit::conversation::Message;

// A message has a `text` and a `role`: System, User or Assistant of exercise_kit::conversation::Role.
// tokens: one for each message
#[allow(clippy::ptr_arg)] // no slice: the list gets shorter
pub fn undo(messages: &mut Vec<Message>, tokens: &[usize], rows: usize) -> Option<usize> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(undo) in "../../../../tests/exercises/answers/ch07/undo_turn.rs");
