//? title: The thought that must not come back
//? page: ch07/seam.md
//? section: Thinking on
//? level: deep
//? minutes: 30
//? call: check(answer::history)
//? hint 1: First write a function that takes one answer apart: its thought and what it says. Try it on an answer with two `</think>`, on one without `<think>`, and on one whose thought has no end. Then ask of each message: is it an answer, and did it come after the last question?
//? hint 2: An answer is old if its index is below that of the last question, or if there is no question. Of an old one only what it says is written. Of a new one the thought is written too, if there is one, or if the message is the last of all.
//? hint 3: `text.split_once("</think>")` gives the thought on its left, and nothing if there is none; then all of the text is said, line ends and all. `rsplit("<think>").next()` of the thought is its part after the last `<think>`, and `rsplit("</think>").next()` of the text is what is said. `trim_matches('\n')` and `trim_start_matches('\n')` take line ends away, and leave spaces.
//? why: The template looks for `</think>`, and for nothing else, to decide whether an answer has a thought. So a thought that
//?   Ctrl-C cut short would be said for ever after, and the engine closes it before it keeps the answer. Old or new depends
//?   on the last question alone. An answer has its thought in the text while it is the newest, and loses it when the next
//?   question comes: the two texts part right after the words `<|im_start|>assistant`, and the rows of the whole answer
//?   must be computed anew. Line ends go because the model learned that an answer begins at once. Spaces stay: they
//?   may be the indentation of code.

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

//-- starter
// use exercise_kit::conversation::Message;
//-- solution
use exercise_kit::conversation::{Message, Role};
//-- end

// A message has a `text` and a `role`: System, User or Assistant of exercise_kit::conversation::Role.
// -> one text for each message
pub fn history(messages: &[Message]) -> Vec<String> {
    //-- starter
    // todo!()
    //-- solution
    let question = messages.iter().rposition(|message| message.role == Role::User);
    let written = |(i, message): (usize, &Message)| {
        if message.role != Role::Assistant {
            return message.text.clone();
        }
        let (thought, words) = parts(&message.text);
        let is_new = question.is_some_and(|question| i > question);
        let is_last = i + 1 == messages.len();
        if is_new && (is_last || !thought.is_empty()) {
            let words = words.trim_start_matches('\n');
            return format!("<think>\n{thought}\n</think>\n\n{words}");
        }
        words.to_string()
    };
    messages.iter().enumerate().map(written).collect()
    //-- end
}
//-- solution

// The thought of an answer, and its words.
fn parts(text: &str) -> (&str, &str) {
    let Some((before, _)) = text.split_once("</think>") else {
        return ("", text);
    };
    let thought = before.rsplit("<think>").next().unwrap_or(before);
    let words = text.rsplit("</think>").next().unwrap_or(text);
    (thought.trim_matches('\n'), words.trim_start_matches('\n'))
}
//-- end
