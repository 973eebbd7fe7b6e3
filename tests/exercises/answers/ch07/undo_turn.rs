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
    use exercise_kit::explained::{Answered, Mistake, explained};
    use exercise_kit::{Checked, Failure, Random, call};

    /// Who speaks and how many tokens that takes, for each message; and the rows of the cache.
    type Given = (Vec<(Role, usize)>, usize);

    pub fn check(undo: fn(&mut Vec<Message>, &[usize], usize) -> Option<usize>) -> Checked {
        let (mut lists, mut rows) = (Vec::new(), Vec::new());
        for given in conversations() {
            let case = case(&given);
            let (left, valid) = undone(undo, &case, &given)?;
            lists.push(Answered { case: case.clone(), given: given.clone(), found: left });
            rows.push(Answered { case, given, found: valid });
        }
        explained(&lists, left, &mistakes_of_lists(), |expected, found| {
            (format!("messages left: {expected}"), format!("messages left: {found}"))
        })?;
        explained(&rows, valid, &mistakes_of_rows(), |expected, found| {
            (format!("valid rows: {expected:?}"), format!("valid rows: {found:?}"))
        })
    }

    /// How many messages are left, and what came back.
    fn undone(
        undo: impl Fn(&mut Vec<Message>, &[usize], usize) -> Option<usize>,
        case: &str,
        given: &Given,
    ) -> Result<(usize, Option<usize>), Failure> {
        let (said, rows) = given;
        let message = |(i, (role, _)): (usize, &(Role, usize))| Message {
            role: *role,
            // A question may be empty: Enter was pressed too early.
            text: if i % 4 == 3 { String::new() } else { format!("message {i}") },
        };
        let before: Vec<Message> = said.iter().enumerate().map(message).collect();
        let tokens: Vec<usize> = said.iter().map(|(_, tokens)| *tokens).collect();
        let mut after = before.clone();
        let expected =
            format!("messages left: {}, valid rows: {:?}", left(given), valid(given));
        let found = call(case, || undo(&mut after, &tokens, *rows)).map_err(|failure| {
            let failure = Failure { expected: expected.clone(), ..failure };
            match failure.found.contains("subtract with overflow") {
                true if question(given).is_none() => failure.likely(NOTHING),
                true => failure.likely(SUBTRACTED),
                false => failure,
            }
        })?;
        if before.starts_with(&after) {
            return Ok((after.len(), found));
        }
        let texts: Vec<&str> = after.iter().map(|message| message.text.as_str()).collect();
        let failure = Failure::new(case, expected, format!("left are {}", texts.join(", ")));
        Err(match is_in_order(&before, &after) {
        true => failure.likely(
            "what is left is a beginning of the list: the question goes, and all that came after it",
        ),
        false => failure,
    })
    }

    /// Messages may be missing in `after`, and nothing else.
    fn is_in_order(before: &[Message], after: &[Message]) -> bool {
        let mut before = before.iter();
        after.iter().all(|message| before.any(|one| one == message))
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

    fn question((said, _): &Given) -> Option<usize> {
        said.iter().rposition(|(role, _)| *role == Role::User)
    }

    fn sum(said: &[(Role, usize)]) -> usize {
        said.iter().map(|(_, tokens)| tokens).sum()
    }

    fn left(given: &Given) -> usize {
        question(given).unwrap_or(given.0.len())
    }

    fn valid(given: &Given) -> Option<usize> {
        let (said, rows) = given;
        Some(sum(&said[..question(given)?]).min(*rows))
    }

    fn conversations() -> Vec<Given> {
        use Role::{Assistant, System, User};
        let talk = [(System, 9), (User, 12), (Assistant, 30), (User, 8), (Assistant, 21)];
        let mut all: Vec<Given> = vec![
            (talk.into(), 79),
            (talk.into(), 80),
            (talk[..3].into(), 50),
            (talk[1..].into(), 70),
            (talk[..4].into(), 59),
            // Ctrl-C: in the last prompt, in the first one, and before anything was computed.
            (talk[..4].into(), 55),
            (talk.into(), 40),
            (talk.into(), 9),
            (talk.into(), 5),
            (talk.into(), 0),
            (talk[..2].into(), 0),
            // Nothing to undo.
            (talk[..1].into(), 9),
            (vec![], 0),
            (vec![(Assistant, 6)], 5),
            (vec![(System, 9), (Assistant, 6)], 15),
            // The beginning of a talk.
            (talk[1..3].into(), 41),
            (talk[1..2].into(), 12),
            (vec![(Assistant, 6), (User, 5), (Assistant, 7)], 17),
            // Two of a kind.
            (vec![(System, 9), (User, 12), (User, 8), (Assistant, 21)], 49),
            (vec![(System, 9), (User, 12), (Assistant, 30), (User, 8), (User, 7)], 66),
            (vec![(User, 12), (Assistant, 30), (Assistant, 10), (User, 8)], 60),
            (vec![(System, 9), (User, 12), (Assistant, 30), (Assistant, 10)], 60),
            (vec![(System, 9), (User, 12), (Assistant, 5), (Assistant, 6), (Assistant, 7)], 38),
            (vec![(System, 9), (System, 4), (User, 12), (Assistant, 30)], 54),
            (vec![(System, 9), (User, 70_000), (Assistant, 65_536), (User, 8)], 135_552),
            (vec![(System, 16_777_217), (User, 5), (Assistant, 6)], 16_777_228),
        ];
        let mut random = Random::new(72);
        for _ in 0..300 {
            let mut said = Vec::new();
            for i in 0..random.below(9) {
                let role = match random.below(5) {
                    0 if i == 0 => System,
                    0..3 => User,
                    _ => Assistant,
                };
                said.push((role, 1 + random.below(40)));
            }
            let rows = random.below(sum(&said) + 1);
            all.push((said, rows));
        }
        let long = (0..20_001).map(|i| if i % 2 == 0 { (Assistant, 31) } else { (User, 17) });
        all.push((long.collect(), 480_000));
        all
    }

    const NOTHING: &str = "without a question there is nothing to undo: the list stays as it is, and the result is `None`";

    const SUBTRACTED: &str = "the tokens of the turn cannot be taken from the rows: the cache may have fewer rows than the conversation has tokens";

    fn mistakes_of_lists() -> Vec<Mistake<Given, usize>> {
        let answered = "a question may be without an answer: then it is the whole turn, and the answer before it stays";
        vec![
            (answered, |g| match question(g) {
                Some(_) => g.0.len().saturating_sub(2),
                None => g.0.len(),
            }),
            (answered, |g| {
                let (said, _) = g;
                let answer = said.iter().rposition(|(role, _)| *role == Role::Assistant);
                let asked = &said[..answer.unwrap_or(said.len())];
                let question = asked.iter().rposition(|(role, _)| *role == Role::User);
                question.unwrap_or(said.len())
            }),
            ("the question goes too, and not its answer alone", |g| {
                g.0.len() - usize::from(question(g).is_some())
            }),
            ("the question goes too, and not only what came after it", |g| {
                question(g).map_or(g.0.len(), |question| question + 1)
            }),
            ("a turn begins with the last question: this takes all turns back", |(said, _)| {
                let question = said.iter().position(|(role, _)| *role == Role::User);
                question.unwrap_or(said.len())
            }),
            (NOTHING, |g| question(g).unwrap_or(0)),
            (
                "one question goes, and no more: the one before it has no answer, and stays",
                |g| {
                    let before = &g.0[..left(g)];
                    let other = before.iter().rposition(|(role, _)| *role != Role::User);
                    question(g).map_or(g.0.len(), |_| other.map_or(0, |other| other + 1))
                },
            ),
            ("a question may be empty: who asked counts, and not what", |g| {
                let asked =
                    |(i, (role, _)): (usize, &(Role, usize))| *role == Role::User && i % 4 != 3;
                g.0.iter().enumerate().rposition(asked).unwrap_or(g.0.len())
            }),
            ("the list is as it was: the messages of the turn have to go", |g| g.0.len()),
        ]
    }

    fn mistakes_of_rows() -> Vec<Mistake<Given, Option<usize>>> {
        vec![
            (NOTHING, |g| Some(sum(&g.0[..left(g)]).min(g.1))),
            (
                "`None` says that nothing was undone: if a turn goes and no row stays, the result is `Some(0)`",
                |g| valid(g).filter(|valid| *valid > 0),
            ),
            (SUBTRACTED, |g| Some(g.1.saturating_sub(sum(&g.0[question(g)?..])))),
            (SUBTRACTED, |g| Some(g.1.wrapping_sub(sum(&g.0[question(g)?..])))),
            (
                "these are rows that the cache has not: after Ctrl-C it may have fewer than the messages have tokens",
                |g| Some(sum(&g.0[..question(g)?])),
            ),
            (
                "the rows of the turn are no longer valid: the next question has other tokens at their positions",
                |g| question(g).map(|_| g.1),
            ),
            (
                "these are the tokens of the turn that goes: the rows that stay are asked for",
                |g| Some(sum(&g.0[question(g)?..]).min(g.1)),
            ),
            ("the cache has rows for tokens, not messages: each of them has many", |g| {
                Some(question(g)?.min(g.1))
            }),
            ("the system message stays, and so do its rows", |g| {
                let said = g.0[..question(g)?].iter().filter(|(role, _)| *role != Role::System);
                Some(said.map(|(_, tokens)| tokens).sum::<usize>().min(g.1))
            }),
            ("the rows of the question do not stay: it was taken back", |g| {
                Some(sum(&g.0[..=question(g)?]).min(g.1))
            }),
            (
                "nothing is computed here, so no row is held back for its logits: the next question brings new tokens",
                |g| valid(g).map(|valid| valid.saturating_sub(1)),
            ),
            ("an f32 does not hold every number of tokens", |g| {
                let sum: f32 =
                    g.0[..question(g)?].iter().map(|(_, tokens)| *tokens as f32).sum();
                Some((sum as usize).min(g.1))
            }),
            (
                "a conversation may have more than 65,535 tokens: a count needs more than 16 bits",
                |g| Some((sum(&g.0[..question(g)?]) % 65_536).min(g.1)),
            ),
        ]
    }
}
