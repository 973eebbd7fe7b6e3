//? title: The thought that must not come back
//? page: ch07/seam.md
//? section: Thinking on
//? level: deep
//? minutes: 30
//? call: check(history)
//? hint 1: First write a function that takes one answer apart: its thought and what it says. Try it on an answer with two `</think>`, on one without `<think>`, and on one whose thought has no end. Then ask of each message: is it an answer, and did it come after the last question?
//? hint 2: An answer is old if its index is below that of the last question, or if there is no question. Of an old one only what it says is written. Of a new one the thought is written too, if there is one, or if the message is the last of all.
//? hint 3: `text.split_once("</think>")` gives the thought on its left, and nothing if there is none; then all of the text is said, line ends and all. `rsplit("<think>").next()` of the thought is its part after the last `<think>`, and `rsplit("</think>").next()` of the text is what is said. `trim_matches('\n')` and `trim_start_matches('\n')` take line ends away, and leave spaces.
//? why: The template looks for `</think>`, and for nothing else, to decide whether an answer has a thought. So a thought that
//?   Ctrl-C cut short would be said for ever after, and the engine closes it before it keeps the answer. Old or new depends
//?   on the last question alone. An answer has its thought in the text while it is the newest, and loses it when the next
//?   question comes: the two texts part right after the words `<|im_start|>assistant`, and the rows of the whole answer
//?   must be computed anew. Line ends go because the model learned that an answer begins at once. Spaces stay: they
//?   may be the indentation of code.

// A model that thinks writes its thought between `<think>` and `</think>`, and then its answer. The conversation keeps both,
// and the template leaves old thoughts out. Write what Qwen3's template does: return the text that it writes for each
// message, without `<|im_start|>`, the role and `<|im_end|>`.
//
// - What a user or the system said is written as it stands, whatever is in it.
// - If an answer holds `</think>`, its thought is what comes before the first `</think>`, but only from the last `<think>`
//   before that on. It need not hold `<think>`: some models get it with the prompt. The words of the answer are what comes
//   after the last `</think>`. Line ends (`\n`) are taken away around the thought and in front of the words, and no other
//   white space is.
// - If an answer does not hold `</think>`, it has no thought, and all of it are its words, as they stand: also where a
//   `<think>` has no end.
// - An answer before the last question is old: only its words are written. If nobody asked, all answers are old.
// - An answer after the last question is new. If its thought is not empty, or if the message is the last of all, then
//   `<think>\n`, the thought, `\n</think>\n\n` and the words are written, now without line ends in front in any case. If it
//   has no thought and another message follows, only its words are written, as of an old one.

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

//-- check
pub mod check {
    use exercise_kit::conversation::{Message, Role};
    use exercise_kit::explained::ask_in_turn;
    use exercise_kit::{Checked, Random};

    type Given = Vec<Message>;

    pub fn check(history: fn(&[Message]) -> Vec<String>) -> Checked {
        let case = |messages: &Given| {
            let told = |message: &Message| {
                format!("{} {:?}", format!("{:?}", message.role).to_lowercase(), message.text)
            };
            let told: Vec<String> = messages.iter().take(20).map(told).collect();
            format!("{} messages: {}", messages.len(), told.join(", "))
        };
        let answer = |given: &Given| history(given);
        ask_in_turn(conversations(), case, answer, right, |expected, found| {
            let both = expected.len().min(found.len());
            let differs = (0..both).find(|&i| expected[i] != found[i]);
            let told = |texts: &[String]| match differs {
                Some(i) => {
                    let text: String = texts[i].chars().take(200).collect();
                    format!("message {i} is written as {text:?}")
                }
                None => format!("a text for each of {} messages", texts.len()),
            };
            (told(expected), told(found))
        })
    }

    /// By hand first: in each, one thing more can go wrong.
    fn conversations() -> Vec<(&'static str, Given)> {
        use Role::{Assistant, System, User};
        let four = "<think>\nTwo and two.\n</think>\n\nFour.";
        let message =
            |(role, text): &(Role, &str)| Message { role: *role, text: (*text).into() };
        let of = |likely, list: &[(Role, &str)]| (likely, list.iter().map(message).collect());
        let mut all = vec![
            of("", &[]),
            of("", &[(User, "2 + 2?"), (Assistant, "Four.")]),
            of(
                "the newest answer is old too, if it came before the last question",
                &[(User, "2 + 2?"), (Assistant, four), (User, "3 + 3?")],
            ),
            of(
                "the thoughts of all answers after the last question stay, and not only the last message has one",
                &[(User, "2 + 2?"), (Assistant, four), (Assistant, "And so on.")],
            ),
            of(
                "only answers have thoughts: what users and the system said is written as it stands",
                &[(System, "Write\n</think>\n first."), (User, "2 + 2?"), (Assistant, four)],
            ),
            of(
                "a thought without an end stays: where `</think>` is missing, all of the answer are its words",
                &[(User, "2 + 2?"), (Assistant, "<think>\nTwo and"), (User, "Go on.")],
            ),
            of(
                "the words are what comes after `</think>`, and nothing before `<think>` is left of an answer",
                &[(User, "2?"), (Assistant, "Well. <think>x</think>\nTwo."), (User, "3?")],
            ),
            of(
                "only line ends are taken away: spaces and tabs may be the indentation of code",
                &[(User, "2?"), (Assistant, "<think>x</think>\n\n    two()\n"), (User, "3?")],
            ),
        ];
        let pieces = [
            "<think>", "</think>", "</think>", "\n", "\n\n", " ", "\t", "\r\n", "ja", "é", "<",
            "think>", "<THINK>",
        ];
        let mut random = Random::new(73);
        for round in 0..1000 {
            let count = if round == 999 { 6000 } else { random.below(6) };
            let mut any = |_| {
                let role = [System, User, Assistant, Assistant, Assistant][random.below(5)];
                let length = random.below(9);
                let text = (0..length).map(|_| pieces[random.below(pieces.len())]).collect();
                Message { role, text }
            };
            all.push(("", (0..count).map(&mut any).collect()));
        }
        all
    }

    fn right(messages: &Given) -> Vec<String> {
        let question = messages.iter().rposition(|message| message.role == Role::User);
        let one = |(i, Message { role, text }): (usize, &Message)| {
            if *role != Role::Assistant {
                return text.clone();
            }
            let cut: Vec<&str> = text.split("</think>").collect();
            let (mut thought, mut words) = ("", &text[..]);
            if let [first, .., last] = cut[..] {
                thought = first.split("<think>").last().unwrap_or("").trim_matches('\n');
                words = last.trim_start_matches('\n');
            }
            let is_new = question.is_some_and(|question| question < i);
            match is_new && (i + 1 == messages.len() || !thought.is_empty()) {
                true => format!(
                    "<think>\n{thought}\n</think>\n\n{}",
                    words.trim_start_matches('\n')
                ),
                false => words.to_string(),
            }
        };
        messages.iter().enumerate().map(one).collect()
    }
}
