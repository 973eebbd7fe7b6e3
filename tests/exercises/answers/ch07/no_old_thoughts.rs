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
    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, Random};

    type Given = Vec<Message>;

    pub fn check(history: fn(&[Message]) -> Vec<String>) -> Checked {
        let answer = |given: &Given| history(given);
        ask_all(conversations(), case, answer, right, &mistakes(), |expected, found| {
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

    fn case(messages: &Given) -> String {
        let told = |message: &Message| {
            format!("{} {:?}", format!("{:?}", message.role).to_lowercase(), message.text)
        };
        match messages.len() {
            0 => "no messages".into(),
            1..100 => messages.iter().map(told).collect::<Vec<_>>().join(", "),
            many => format!("{many} messages"),
        }
    }

    fn conversations() -> Vec<Given> {
        use Role::{Assistant, System, User};
        let four = "<think>\nTwo and two.\n</think>\n\nFour.";
        let lists: Vec<Vec<(Role, &str)>> = vec![
            vec![(User, "2 + 2?"), (Assistant, four), (User, "3 + 3?")],
            vec![(System, "Be brief."), (User, "2 + 2?"), (Assistant, four), (User, "3 + 3?")],
            vec![(User, "2 + 2?"), (Assistant, four)],
            vec![(User, "2 + 2?"), (Assistant, "Four.")],
            vec![(User, "2 + 2?"), (Assistant, four), (User, "3?"), (Assistant, four)],
            vec![(User, "2 + 2?"), (Assistant, four), (Assistant, "And so on.")],
            vec![(User, "2 + 2?"), (Assistant, "Wait."), (Assistant, four)],
            vec![(User, "1?"), (Assistant, "\n\nOne."), (Assistant, "\n\nSo."), (User, "2?")],
            vec![(System, "Be brief."), (Assistant, four)],
            vec![],
            // What a user writes is no thought.
            vec![
                (User, "What does </think>\n mean?"),
                (Assistant, four),
                (User, "<think>x</think>\n\ny"),
            ],
            vec![(System, "Write\n</think>\n first."), (User, "2 + 2?"), (Assistant, four)],
            // A thought without an end, and one without a beginning.
            vec![(User, "2 + 2?"), (Assistant, "<think>\nTwo and"), (User, "Go on.")],
            vec![(User, "2 + 2?"), (Assistant, "Two.\n</think>\n\nFour."), (User, "3 + 3?")],
            // Words before it, two of them, one in the other.
            vec![(User, "2?"), (Assistant, "Well. <think>x</think>\nTwo."), (User, "3?")],
            vec![(User, "2?"), (Assistant, "<think>a</think>b<think>c</think>d")],
            vec![(User, "2?"), (Assistant, "<think>a<think>b</think>c</think>d")],
            // White space.
            vec![
                (User, "2?"),
                (Assistant, "<think>\nx\n</think>\n\n\n\n    two()\n\n"),
                (User, "3?"),
            ],
            vec![(User, "2?"), (Assistant, "<think>\n\n  x \n\n</think>\n\n\n\n    two()\n\n")],
            vec![(User, "2?"), (Assistant, "<think>\r\nx\r\n</think>\r\n\tTwo."), (User, "3?")],
            vec![
                (User, "2?"),
                (Assistant, "<think>\n \n</think>\n\nTwo."),
                (Assistant, "Yes."),
            ],
            vec![(User, "2?"), (Assistant, "\n<THINK>x</THINK>\n\nTwo."), (User, "3?")],
            vec![(User, ""), (Assistant, "")],
        ];
        let message = |(role, text): (Role, &str)| Message { role, text: text.into() };
        let mut all: Vec<Given> =
            lists.into_iter().map(|list| list.into_iter().map(message).collect()).collect();
        let pieces =
            ["<think>", "</think>", "</think>", "\n", "\n\n", " ", "ja", "é", "<", "think>"];
        let mut random = Random::new(73);
        for _ in 0..400 {
            let mut given = Vec::new();
            for _ in 0..random.below(6) {
                let role = [System, User, Assistant, Assistant, Assistant][random.below(5)];
                let length = random.below(8);
                let text = (0..length).map(|_| pieces[random.below(pieces.len())]).collect();
                given.push(Message { role, text });
            }
            all.push(given);
        }
        let turn = |i: usize| {
            let answer = format!("<think>\nthought {i}\n</think>\n\nanswer {i}");
            [message((User, "And then?")), Message { role: Assistant, text: answer }]
        };
        all.push((0..3000).flat_map(turn).collect());
        all
    }

    /// One thing done otherwise than the template does it.
    #[derive(Clone, Copy, PartialEq)]
    enum Slip {
        None,
        NewestAnswer,
        LastMessage,
        EveryRole,
        UnclosedDropped,
        CutOut,
        AllWhiteSpace,
    }

    fn right(messages: &Given) -> Vec<String> {
        written(messages, Slip::None)
    }

    fn written(messages: &Given, slip: Slip) -> Vec<String> {
        let last = |role| messages.iter().rposition(|message| message.role == role);
        let (question, answer) = (last(Role::User), last(Role::Assistant));
        let one = |(i, message): (usize, &Message)| {
            if message.role != Role::Assistant && slip != Slip::EveryRole {
                return message.text.clone();
            }
            let (thought, words) = parts(&message.text, slip);
            let is_last = i + 1 == messages.len();
            let has_thought = match slip {
                Slip::NewestAnswer => answer == Some(i),
                _ if question.is_none_or(|question| i <= question) => false,
                Slip::LastMessage => is_last,
                _ => is_last || !thought.is_empty(),
            };
            if !has_thought {
                return words;
            }
            format!("<think>\n{thought}\n</think>\n\n{}", trimmed(&words, slip))
        };
        messages.iter().enumerate().map(one).collect()
    }

    /// The thought of an answer, and its words.
    fn parts(text: &str, slip: Slip) -> (String, String) {
        let Some((before, _)) = text.split_once("</think>") else {
            let words = match slip {
                Slip::UnclosedDropped => text.split("<think>").next().unwrap_or(text),
                _ => text,
            };
            return (String::new(), words.into());
        };
        let (left, thought) = before.rsplit_once("<think>").unwrap_or(("", before));
        let words = trimmed(text.rsplit("</think>").next().unwrap_or(text), slip);
        let left = if slip == Slip::CutOut { left } else { "" };
        (thought.trim_matches('\n').into(), format!("{left}{words}"))
    }

    fn trimmed(words: &str, slip: Slip) -> &str {
        match slip {
            Slip::AllWhiteSpace => words.trim_start(),
            _ => words.trim_start_matches('\n'),
        }
    }

    fn mistakes() -> Vec<Mistake<Given, Vec<String>>> {
        vec![
            ("the newest answer is old too, if it came before the last question", |g| {
                written(g, Slip::NewestAnswer)
            }),
            (
                "the thoughts of all answers after the last question stay, and not only the last message has one",
                |g| written(g, Slip::LastMessage),
            ),
            (
                "only answers have thoughts: what users and the system said is written as it stands",
                |g| written(g, Slip::EveryRole),
            ),
            (
                "a thought without an end stays: where `</think>` is missing, all of the answer are its words",
                |g| written(g, Slip::UnclosedDropped),
            ),
            (
                "the words are what comes after `</think>`, and nothing before `<think>` is left of an answer",
                |g| written(g, Slip::CutOut),
            ),
            (
                "only line ends are taken away: spaces and tabs may be the indentation of code",
                |g| written(g, Slip::AllWhiteSpace),
            ),
        ]
    }
}
