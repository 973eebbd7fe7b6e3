//? title: A stretch that crosses a stop
//? page: ch16/forced.md
//? section: Where a stretch ends
//? level: warm-up
//? minutes: 20
//? call: check(crossed)
//? hint 1: Take `{"a"` as the text so far, `: "b` and `", "c": ` as two forced tokens, and `b", "` as the stop string. Write all of it in one line, and draw a bar wherever a token ends. Between which bars does the stop string begin, and where is it whole?
//? hint 2: No token knows whether it completes a stop string: that depends on what came before it, and part of that may be in the text from earlier passes. So append one token after the other to the text, and after each one look into all of it.
//? hint 3: `if let Some(at) = all.find(stop)` after each `all.push_str(token)`: cut the text at `at`, and return the number of tokens so far. If the loop gets to its end, all tokens count.
//? why: One pass brings as many tokens as the grammar had forced, and the engine must not hand them over as one piece: whoever asks for the same answer without
//?   guesses gets it token by token, and it ends in the middle of the stretch. So the decoder takes one token after the other, as if each had come from a pass of its own, and
//?   stops at the first that ends the answer; the rows after it are cut off like those of a wrong guess. A stop string is found in the text, never in a token.
//?   The grammar knows nothing of it, and a document that a stop string cuts is no valid one: whoever sets both wants that.

// A grammar left one way on, so the engine has guessed the tokens of `forced`, and all of them have come true. `text` is what
// the answer said before them, and each of `forced` is the text that a token adds. The answer ends where `stop` would begin,
// as soon as `stop` is whole. It isn't empty, and it isn't in `text`, which may end with its beginning.
//
// Return how many of the tokens are the answer's, and all of the answer's text. A token with which `stop` becomes whole is
// counted, since it was computed; those after it would never have been asked for. If `stop` doesn't come, all are counted.

pub fn crossed(text: &str, forced: &[&str], stop: &str) -> (usize, String) {
    //-- starter
    // todo!()
    //-- solution
    let mut all = text.to_string();
    for (place, token) in forced.iter().enumerate() {
        all.push_str(token);
        if let Some(at) = all.find(stop) {
            all.truncate(at);
            return (place + 1, all);
        }
    }
    (forced.len(), all)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (String, Vec<String>, String);

    pub fn check(crossed: fn(&str, &[&str], &str) -> (usize, String)) -> Checked {
        let case = |(text, forced, stop): &Given| {
            format!(
                "the text is {text:?}, the tokens are {forced:?}, the stop string is {stop:?}"
            )
        };
        let answer = |(text, forced, stop): &Given| {
            let forced: Vec<&str> = forced.iter().map(String::as_str).collect();
            crossed(text, &forced, stop)
        };
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// In each of the first ones, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let mut given: Vec<_> = [
            ("without a stop string all tokens count", "{", &["\"a\"", ": "][..], "#"),
            ("the stop string itself is not told", "{", &[": ", "a\""], "a"),
            ("it is in no token: it goes across their border", "{", &["\"a", "\": "], "a\""),
            ("it begins in what the answer said before", "{\"a", &["\""], "a\""),
            ("what its token says before it is told", "{", &["ab", "cd"], "d"),
            ("tokens after it would never have been asked for", "{", &["ab", "cd", "ef"], "b"),
            ("it ends the answer the first time", "{", &["abc", "b", "c"], "bc"),
            ("", "", &[], "a"),
        ]
        .map(|(reason, text, forced, stop)| {
            let forced = forced.iter().map(|token| token.to_string()).collect();
            (reason, (text.to_string(), forced, stop.to_string()))
        })
        .into();
        let mut random = Random::new(161);
        while given.len() < 400 {
            let mut word = |most: usize| -> String {
                let length = 1 + random.below(most);
                (0..length).map(|_| ["a", "b", "é", "\""][random.below(4)]).collect()
            };
            let (text, stop) = (word(6), word(3));
            let forced: Vec<String> = (0..5).map(|_| word(3)).collect();
            if !text.contains(&stop) {
                given.push(("", (text, forced, stop)));
            }
        }
        given
    }

    /// Over all of the text at once.
    fn right((text, forced, stop): &Given) -> (usize, String) {
        let all = text.clone() + &forced.concat();
        let Some((before, _)) = all.split_once(stop) else { return (forced.len(), all) };
        let end = before.len() + stop.len();
        let ends = forced.iter().scan(text.len(), |length, token| {
            *length += token.len();
            Some(*length)
        });
        (ends.take_while(|length| *length < end).count() + 1, before.to_string())
    }
}
