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
    use exercise_kit::explained::{Answered, Mistake, explained};
    use exercise_kit::{Checked, Failure, Random, call};

    type Given = Vec<Message>;

    pub fn check(history: fn(&[Message]) -> Vec<String>) -> Checked {
        for conversations in [short_ones(), long_ones()] {
            let mut all = Vec::new();
            for (case, given) in conversations {
                let found = call(&case, || history(&given))?;
                if found.len() != given.len() {
                    let texts = |count| format!("{count} texts");
                    let failure = Failure::new(&case, texts(given.len()), texts(found.len()));
                    return Err(failure.likely(
                    "there are as many texts as messages: of one of which nothing is left, the text is empty",
                ));
                }
                all.push(Answered { case, given, found });
            }
            explained(&all, right, &mistakes(), |expected, found| {
                first_difference(expected, found)
            })?;
        }
        Ok(())
    }

    fn first_difference(expected: &[String], found: &[String]) -> (String, String) {
        let differs = expected.iter().zip(found).position(|(a, b)| a != b).unwrap_or(0);
        let told = |texts: &[String]| {
            let text: String = texts[differs].chars().take(200).collect();
            format!("message {differs} is written as {text:?}")
        };
        (told(expected), told(found))
    }

    fn short_ones() -> Vec<(String, Given)> {
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
            vec![(User, "1?"), (Assistant, "\n\nOne."), (Assistant, "\n\nSo.")],
            vec![(Assistant, four), (Assistant, four)],
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
            vec![(User, "2 + 2?"), (Assistant, "\n<think>\nTwo and")],
            vec![(User, "2 + 2?"), (Assistant, "Two.\n</think>\n\nFour."), (User, "3 + 3?")],
            vec![(User, "2 + 2?"), (Assistant, "Two.\n</think>\n\nFour.")],
            // Words before it, two of them, one in the other.
            vec![(User, "2?"), (Assistant, "Well. <think>x</think>\nTwo."), (User, "3?")],
            vec![(User, "2?"), (Assistant, "Well. <think>x</think>\nTwo.")],
            vec![(User, "2?"), (Assistant, "<think>a</think>b<think>c</think>d"), (User, "3?")],
            vec![(User, "2?"), (Assistant, "<think>a</think>b<think>c</think>d")],
            vec![(User, "2?"), (Assistant, "<think>a<think>b</think>c</think>d")],
            // White space.
            vec![
                (User, "2?"),
                (Assistant, "<think>\nx\n</think>\n\n\n\n    two()\n\n"),
                (User, "3?"),
            ],
            vec![(User, "2?"), (Assistant, "<think>\n\n  x \n\n</think>\n\n\n\n    two()\n\n")],
            vec![(User, "2?"), (Assistant, "<think>\n\n</think>\n\nTwo."), (User, "3?")],
            vec![(User, "2?"), (Assistant, "<think>\n\n</think>\n\nTwo."), (Assistant, "Yes.")],
            vec![(User, "2?"), (Assistant, "<think>\n\n</think>\n\nTwo.")],
            vec![(User, "2?"), (Assistant, "<think>\nx\n</think>\n\n"), (User, "3?")],
            vec![(User, "2?"), (Assistant, "<think>\r\nx\r\n</think>\r\n\tTwo."), (User, "3?")],
            vec![
                (User, "2?"),
                (Assistant, "<think>\n \n</think>\n\nTwo."),
                (Assistant, "Yes."),
            ],
            vec![
                (User, "2?"),
                (Assistant, "<think>\n\t\n</think>\n\nTwo."),
                (Assistant, "Yes."),
            ],
            vec![(User, "2?"), (Assistant, "\n<THINK>x</THINK>\n\nTwo."), (User, "3?")],
            vec![(User, ""), (Assistant, ""), (User, "")],
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
        all.into_iter().map(|given| (case(&given), given)).collect()
    }

    fn case(messages: &[Message]) -> String {
        let told = |message: &Message| {
            format!("{} {:?}", format!("{:?}", message.role).to_lowercase(), message.text)
        };
        match messages {
            [] => "no messages".into(),
            _ => messages.iter().map(told).collect::<Vec<_>>().join(", "),
        }
    }

    fn long_ones() -> Vec<(String, Given)> {
        let said = |role, text: &str| Message { role, text: text.into() };
        let turn = |i: usize| {
            let answer = format!("<think>\nthought {i}\n</think>\n\nanswer {i}");
            [said(Role::User, "And then?"), said(Role::Assistant, &answer)]
        };
        let turns: Vec<Message> = (0..3000).flat_map(turn).collect();
        let marks =
            ["<think>".repeat(50_000), "</think>".repeat(50_000), "Four.".into()].concat();
        let marks = vec![said(Role::User, "2 + 2?"), said(Role::Assistant, &marks)];
        vec![
            ("3,000 turns, each with a thought".into(), turns),
            ("an answer of 50,000 `<think>`, 50,000 `</think>` and \"Four.\"".into(), marks),
        ]
    }

    /// One thing done otherwise than the template does it.
    #[derive(Clone, Copy, PartialEq)]
    enum Slip {
        None,
        AllNew,
        AllOld,
        NewestAnswer,
        LastMessage,
        FirstQuestion,
        QuestionAtZero,
        NobodyAskedAllNew,
        EveryRole,
        UsersToo,
        UnclosedDropped,
        UnclosedAllDropped,
        BeginDemanded,
        CutOut,
        WordsFromFirstEnd,
        ThoughtToLastEnd,
        ThoughtFromFirstBegin,
        AllWhiteSpace,
        WhiteSpaceInThought,
        NotTrimmed,
        TwoLineEnds,
        EndTrimmed,
        PlainTrimmed,
        AnyCase,
        BlankIsEmpty,
        NoEmptyThought,
        EmptyThoughts,
        AsItWas,
    }

    fn right(messages: &Given) -> Vec<String> {
        written(messages, Slip::None)
    }

    fn written(messages: &Given, slip: Slip) -> Vec<String> {
        let is_question = |message: &Message| message.role == Role::User;
        let is_answer = |message: &Message| message.role == Role::Assistant;
        let question = match slip {
            Slip::FirstQuestion => messages.iter().position(is_question),
            _ => messages.iter().rposition(is_question),
        };
        let one = |(i, message): (usize, &Message)| {
            let answers = match slip {
                Slip::EveryRole => true,
                Slip::UsersToo => message.role != Role::System,
                _ => is_answer(message),
            };
            if !answers {
                return message.text.clone();
            }
            let (thought, words) = parts(&message.text, slip);
            let is_last = i + 1 == messages.len();
            let is_new = match slip {
                Slip::AllNew => true,
                Slip::AllOld => false,
                Slip::NewestAnswer => messages.iter().rposition(is_answer) == Some(i),
                Slip::QuestionAtZero => i > question.unwrap_or(0),
                Slip::NobodyAskedAllNew => question.is_none_or(|question| i > question),
                Slip::UsersToo if !is_answer(message) => false,
                _ => question.is_some_and(|question| i > question),
            };
            let is_thought_written = match slip {
                Slip::NewestAnswer | Slip::EmptyThoughts => true,
                Slip::LastMessage => is_last,
                Slip::BlankIsEmpty => is_last || !thought.trim().is_empty(),
                Slip::NoEmptyThought => !thought.is_empty(),
                _ => is_last || !thought.is_empty(),
            };
            if !is_new || !is_thought_written {
                return words;
            }
            let begin = format!("<think>\n{thought}\n</think>\n\n");
            match slip {
                Slip::AsItWas if thought.is_empty() && !message.text.contains("</think>") => {
                    begin + &message.text
                }
                Slip::AsItWas => message.text.clone(),
                Slip::AllWhiteSpace => begin + words.trim_start(),
                _ => begin + words.trim_start_matches('\n'),
            }
        };
        messages.iter().enumerate().map(one).collect()
    }

    fn parts(text: &str, slip: Slip) -> (String, String) {
        let first = text.split_once("</think>");
        let end = match slip {
            Slip::ThoughtToLastEnd => text.rsplit_once("</think>"),
            Slip::AnyCase => first.or(text.split_once("</THINK>")),
            Slip::BeginDemanded => first.filter(|(before, _)| before.contains("<think>")),
            _ => first,
        };
        let Some((before, _)) = end else {
            let words = match slip {
                Slip::UnclosedDropped => text.split("<think>").next().unwrap_or(text),
                Slip::UnclosedAllDropped if text.contains("<think>") => "",
                Slip::PlainTrimmed => text.trim_start_matches('\n'),
                _ => text,
            };
            return (String::new(), words.into());
        };
        let (left, thought) = match slip {
            Slip::ThoughtFromFirstBegin => before.split_once("<think>").unwrap_or(("", before)),
            _ => before.rsplit_once("<think>").unwrap_or(("", before)),
        };
        let words = match slip {
            Slip::WordsFromFirstEnd => first.map_or(text, |(_, words)| words),
            _ => text.rsplit("</think>").next().unwrap_or(text),
        };
        let thought = match slip {
            Slip::WhiteSpaceInThought => thought.trim(),
            _ => thought.trim_matches('\n'),
        };
        let words = match slip {
            Slip::AllWhiteSpace => words.trim_start(),
            Slip::NotTrimmed => words,
            Slip::TwoLineEnds => words.strip_prefix("\n\n").unwrap_or(words),
            Slip::EndTrimmed => words.trim_matches('\n'),
            _ => words.trim_start_matches('\n'),
        };
        let left = if slip == Slip::CutOut { left } else { "" };
        (thought.into(), format!("{left}{words}"))
    }

    fn mistakes() -> Vec<Mistake<Given, Vec<String>>> {
        macro_rules! slips {
        ($($slip:ident: $reason:expr,)*) => {
            vec![$(($reason, |messages| written(messages, Slip::$slip))),*]
        };
    }
        let nobody = "if nobody asked, no answer is new: all thoughts go";
        let roles = "only answers have thoughts: what users and the system said is written as it stands";
        let unclosed = "a thought without an end stays: where `</think>` is missing, all of the answer are its words";
        let line_ends =
            "only line ends are taken away: spaces and tabs may be the indentation of code";
        slips![
            AllNew: "the thought of an answer before the last question does not come back",
            AllOld: "the thought of an answer after the last question stays: it is not old",
            NewestAnswer: "the newest answer is old too, if it came before the last question",
            LastMessage: "the thoughts of all answers after the last question stay, and not only the last message has one",
            FirstQuestion: "new is what came after the last question: after the first one comes everything",
            QuestionAtZero: nobody,
            NobodyAskedAllNew: nobody,
            EveryRole: roles,
            UsersToo: roles,
            UnclosedDropped: unclosed,
            UnclosedAllDropped: unclosed,
            BeginDemanded: "an answer may have a thought without `<think>`: some models get it with the prompt",
            CutOut: "the words are what comes after `</think>`, and nothing before `<think>` is left of an answer",
            WordsFromFirstEnd: "the words are what comes after the last `</think>`, if there are more of them",
            ThoughtToLastEnd: "the thought is what comes before the first `</think>`, if there are more of them",
            ThoughtFromFirstBegin: "the thought begins after the last `<think>` before its end, if there are more of them",
            AllWhiteSpace: line_ends,
            WhiteSpaceInThought: line_ends,
            NotTrimmed: "the line ends after `</think>` are taken away, in the history too",
            TwoLineEnds: "all line ends in front of the words are taken away, however many there are",
            EndTrimmed: "the line ends at the end of an answer stay: only those in front of it go",
            PlainTrimmed: "an old answer that had no thought is written as it stands, line ends and all",
            AnyCase: "`</THINK>` is something else than `</think>`",
            BlankIsEmpty: "a thought of spaces is not empty: only line ends are taken away",
            NoEmptyThought: "the last message gets an empty thought if it has none and came after the last question",
            EmptyThoughts: "a new answer which is not the last message gets no empty thought",
            AsItWas: "a new answer is written anew: `<think>`, its thought and `</think>` each on lines of their own, and an empty line",
        ]
    }
}
