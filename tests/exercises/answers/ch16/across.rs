//? title: Across the end of a string
//? page: ch16/which.md
//? section: Where nearly everything may come
//? level: core
//? minutes: 25
//? call: check(across)
//? hint 1: Cut the token at its first quote. What's before it is the string's, and what's behind it isn't. If it has no quote, all of it is the string's.
//? hint 2: What's behind the quote and what comes after the string are two texts that begin at the same place. One of them may be longer than the other, either one, and as far as both go they have to agree.
//? hint 3: `match token.split_once('"')`: without a quote, `token.chars().count() <= room`; with one, the same of the part before it, and `after.starts_with(rest) || rest.starts_with(after)`.
//? why: A token is a stretch of bytes that was frequent in some text, so quotes, commas and the first letters of the next name are often one token. A mask that knew only tokens "of a string"
//?   and tokens "of the rest" would forbid those with which the model has learned to end a string, and the model would write on. Walking byte by byte, there's no border to be crossed: after the quote
//?   the automaton is in the next place, and the token may end wherever it likes. Characters are counted and bytes are written, as `maxLength` wants it.

// The answer is in the middle of a JSON string that may have `room` more characters. Its quote may come at any time, and then the
// answer goes on with `after`; nothing is known of what comes behind that, so it may be anything.
//
// Say of each token whether it may come. A token is a text that isn't empty; it has no backslash and no line break, which
// strings write in another way. `after` isn't empty either.

pub fn across(tokens: &[&str], room: usize, after: &str) -> Vec<bool> {
    //-- starter
    // todo!()
    //-- solution
    let may_come = |token: &&str| match token.split_once('"') {
        None => token.chars().count() <= room,
        Some((inside, rest)) => {
            inside.chars().count() <= room
                && (after.starts_with(rest) || rest.starts_with(after))
        }
    };
    tokens.iter().map(may_come).collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (Vec<String>, usize, String);

    pub fn check(across: fn(&[&str], usize, &str) -> Vec<bool>) -> Checked {
        let case = |(tokens, room, after): &Given| {
            format!("room for {room} characters, then {after:?}, the tokens are {tokens:?}")
        };
        let answer = |(tokens, room, after): &Given| {
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            across(&tokens, *room, after)
        };
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// In each of the first ones, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let mut given: Vec<_> = [
            ("what has more characters than there is room for is too long", "abcd", 3, "}"),
            ("the room may be filled to the last character", "abc", 3, "}"),
            ("a character may have several bytes", "éé", 2, "}"),
            ("a token may go on behind the quote", "a\"}", 3, "}"),
            ("what is behind the quote needs no room", "ab\"}", 2, "}"),
            ("a token may end in the middle of what comes next", "\", \"", 2, ", \"b\": "),
            ("a token may say more than what is known to come", "\"} ", 2, "}"),
            ("what is behind the quote must be what comes next", "\"]", 2, "}"),
            ("before the quote there are characters, too", "abc\"", 2, "}"),
        ]
        .map(|(reason, token, room, after)| {
            (reason, (vec![token.to_string()], room, after.to_string()))
        })
        .into();
        let mut random = Random::new(162);
        while given.len() < 400 {
            let mut word = || -> String {
                let length = 1 + random.below(6);
                (0..length).map(|_| ["a", "é", "\"", "}", ","][random.below(5)]).collect()
            };
            let (tokens, after) = ((0..6).map(|_| word()).collect(), word());
            given.push(("", (tokens, random.below(5), after)));
        }
        given
    }

    /// Character by character.
    fn right((tokens, room, after): &Given) -> Vec<bool> {
        let may_come = |token: &String| {
            let (mut left, mut next) = (*room, None);
            token.chars().all(|c| match &mut next {
                None if c == '"' => {
                    next = Some(after.chars());
                    true
                }
                None => {
                    let fits = left > 0;
                    left = left.saturating_sub(1);
                    fits
                }
                Some(after) => after.next().is_none_or(|wanted| wanted == c),
            })
        };
        tokens.iter().map(may_come).collect()
    }
}
