//? title: Take the last turn back
//? page: ch07/turns.md
//? section: Undo for free
//? level: warm-up
//? minutes: 15
//? call: check(undo)
//? hint 1: Where does the last turn begin, and where does it end? Try your rule on a list that ends with a question, on one with two answers in a row, and on one in which nobody has asked anything yet.
//? hint 2: The turn begins with the last message of a user, and all that follows belongs to it. What is left is the beginning of the conversation. Its tokens are at the beginning of the cache, unless the cache has fewer rows.
//? hint 3: `let question = messages.iter().rposition(|message| message.role == Role::User)?;` finds it, or returns `None`. Then `messages.truncate(question)`, and the valid rows are the smaller of `rows` and `tokens[..question].iter().sum()`.
//? why: A turn is found by its question, and not by counting messages: an answer may be missing, or have come in two parts.
//?   `?` leaves the function before anything is changed if nobody asked. The rows are counted from the front, because what is
//?   left is a beginning of the text. Counted from the back they would be wrong: the last token of an answer is never
//?   computed, and Ctrl-C may have stopped the cache earlier still. For the same reason there may be fewer rows than
//?   tokens that are left. The engine need not count at all: it compares ids when the next question comes, and finds the same
//?   number.

// `/undo` takes the last turn of a conversation back: the last question, and everything that came after it. Usually that is
// one answer. After Ctrl-C there may be none, and other programs write two answers in a row, or two questions. What came
// before the last question stays as it is, above all the system message.
//
// Message `i` takes `tokens[i]` tokens of the text, with what the template writes around it. The cache has rows for the
// first `rows` tokens of the conversation. That may be all of them or fewer: the last token of an answer is never computed,
// and Ctrl-C in the middle of a long prompt leaves the rest out. It is never more.
//
// Shorten `messages`, and return how many rows of the cache belong to what is left: these stay valid. If there is no
// question, nothing can be undone: return `None`, and leave the list as it is.

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

//-- check
pub mod check {
    use exercise_kit::conversation::{Message, Role};
    use exercise_kit::explained::ask_in_turn;
    use exercise_kit::{Checked, Random};

    /// Who speaks and how many tokens that takes, for each message; and the rows of the cache.
    type Given = (Vec<(Role, usize)>, usize);

    /// How many messages are left, and what came back. Nothing where what is left is no beginning of the list.
    type Found = Option<(usize, Option<usize>)>;

    pub fn check(undo: fn(&mut Vec<Message>, &[usize], usize) -> Option<usize>) -> Checked {
        let answer = |(said, rows): &Given| {
            let message = |(i, (role, _)): (usize, &(Role, usize))| Message {
                role: *role,
                // A question may be empty: Enter was pressed too early.
                text: if i % 4 == 3 { String::new() } else { format!("message {i}") },
            };
            let before: Vec<Message> = said.iter().enumerate().map(message).collect();
            let tokens: Vec<usize> = said.iter().map(|(_, tokens)| *tokens).collect();
            let mut after = before.clone();
            let valid = undo(&mut after, &tokens, *rows);
            before.starts_with(&after).then_some((after.len(), valid))
        };
        ask_in_turn(conversations(), case, answer, right, |expected, found| {
            let told = |found: &Found| match found {
                Some((left, valid)) => format!("messages left: {left}, valid rows: {valid:?}"),
                None => "what is left is no beginning of the list".into(),
            };
            (told(expected), told(found))
        })
    }

    fn case((said, rows): &Given) -> String {
        let mut parts: Vec<String> = said
            .iter()
            .map(|(role, tokens)| format!("{} {tokens}", format!("{role:?}").to_lowercase()))
            .collect();
        if parts.is_empty() {
            parts.push("no messages".into());
        }
        format!("messages and their tokens: {}; the cache has rows: {rows}", parts.join(", "))
    }

    fn right((said, rows): &Given) -> Found {
        let Some(question) = said.iter().rposition(|(role, _)| *role == Role::User) else {
            return Some((said.len(), None));
        };
        let left: usize = said[..question].iter().map(|(_, tokens)| tokens).sum();
        Some((question, Some(left.min(*rows))))
    }

    /// By hand first: in each, one thing more can go wrong.
    fn conversations() -> Vec<(&'static str, Given)> {
        use Role::{Assistant, System, User};
        let talk = [(System, 9), (User, 12), (Assistant, 30), (User, 8), (Assistant, 21)];
        let mut all: Vec<(&'static str, Given)> = vec![
            (
                "without a question there is nothing to undo: the list stays as it is, and the result is `None`",
                (talk[..1].into(), 9),
            ),
            (
                "a question may be without an answer: then it is the whole turn, and the answer before it stays",
                (talk[..4].into(), 59),
            ),
            ("the question goes too, and not its answer alone", (talk.into(), 80)),
            (
                "the tokens of the turn cannot be taken from the rows: the cache may have fewer rows than the conversation has tokens",
                (talk.into(), 60),
            ),
            (
                "these are rows that the cache has not: after Ctrl-C it may have fewer than the messages have tokens",
                (talk.into(), 5),
            ),
            (
                "a conversation may have more than 65,535 tokens: a count needs more than 16 bits",
                (vec![(System, 70_000), (User, 5)], 70_005),
            ),
            ("", (vec![], 0)),
        ];
        let mut random = Random::new(72);
        for round in 0..400 {
            let mut said = Vec::new();
            for i in 0..random.below(if round < 390 { 9 } else { 600 }) {
                let role = match random.below(5) {
                    0 if i == 0 => System,
                    0..3 if round < 390 => User,
                    _ => Assistant,
                };
                let most = [40, 4_000, 1 << 33][round % 3];
                said.push((role, 1 + random.below(most)));
            }
            let tokens: usize = said.iter().map(|(_, tokens)| tokens).sum();
            all.push(("", (said, random.below(tokens + 1))));
        }
        all
    }
}
