//! The thought that must not come back
//!
//! A model that thinks writes its thought between `<think>` and `</think>`, and then its answer. The conversation keeps both,
//! and the template leaves old thoughts out. Write what Qwen3's template does: return the text that it writes for each
//! message, without `<|im_start|>`, the role and `<|im_end|>`.
//!
//! - What a user or the system said is written as it stands, whatever is in it.
//! - If an answer holds `</think>`, its thought is what comes before the first `</think>`, but only from the last `<think>`
//!   before that on. It need not hold `<think>`: some models get it with the prompt. The words of the answer are what comes
//!   after the last `</think>`. Line ends (`\n`) are taken away around the thought and in front of the words, and no other
//!   white space is.
//! - If an answer does not hold `</think>`, it has no thought, and all of it are its words, as they stand: also where a
//!   `<think>` has no end.
//! - An answer before the last question is old: only its words are written. If nobody asked, all answers are old.
//! - An answer after the last question is new. If its thought is not empty, or if the message is the last of all, then
//!   `<think>\n`, the thought, `\n</think>\n\n` and the words are written, now without line ends in front in any case. If it
//!   has no thought and another message follows, only its words are written, as of an old one.
//!
//! Level: deep, about 30 minutes.
//! Read: "Thinking on", in the book at ch07/seam.html.
//! Run: `cargo run -- watch no_old_thoughts`, or once: `cargo test -p ch07-exercises no_old_thoughts`.
//! Stuck: `cargo run -- hint no_old_thoughts`. Done: `cargo run -- solution no_old_thoughts`. Start over: `cargo run -- reset no_old_thoughts`.

use exercise_kit::conversation::Message;

// A message has a `text` and a `role`: System, User or Assistant of exercise_kit::conversation::Role.
// -> one text for each message
pub fn history(messages: &[Message]) -> Vec<String> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(history) in "../../../../tests/exercises/answers/ch07/no_old_thoughts.rs");
