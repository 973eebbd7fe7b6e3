//? title: What a cache tells about the texts of others
//? page: ch11/owners.md
//? section: A tree for each key
//? level: core
//? minutes: 30
//? call: check(overhear, most_questions)
//? hint 1: You know nothing yet, and there are as many first tokens as the vocabulary has. What does the server say if you ask with a text of a single token, and it's the right one? And when you know the first token, what's the next thing to ask?
//? hint 2: If `known` tokens are certain, ask with these and one more. The answer is larger than `known` if the one more is right. It would also be larger if you had asked that before, with anything behind it: so ask no text twice, and put nothing behind the token that you try. Where hits are whole blocks, nothing is learned from a block of which some tokens are right. How many blocks of so many tokens are there, and how many of them are asked one after the other?
//? hint 3: `let mut known = Vec::new();`, and `length` times: for each `token` in `0..vocabulary`, push it, and if `ask(&known) == known.len()`, go on with the next place; otherwise pop it. For `most_questions`: `vocabulary.checked_pow(block)` for one block, and `checked_mul` with `length / block`.
//? why: A hit to the token is the best a cache can do, and it's the best that a listener can wish for: each token is
//?   guessed by itself, so a text of n tokens takes n times the vocabulary and not its n-th power. With whole blocks of 16 nobody
//?   would live to see the first one, unless most of it can be guessed, as in a template where only a name is open.
//?   Leaving out the number in the answer doesn't help, because the time to the first token says the same. So
//?   this chapter's tree has one root for each key: what others have asked is not in what you can hit.
//?   A listener's own questions enter the cache too. That is a nuisance for her, and no protection.

// Some server has one prefix cache for all of its clients, and answers to each how many of its tokens were in the cache.
// A hit is the longest common beginning with any text that has been asked, to the token. Another client's text
// is in there, and you'd like to know it.
//
// - `overhear(ask, vocabulary, length)`: find that text. It has `length` tokens, each below `vocabulary`. `ask(text)`
//   asks the server and returns how many tokens of your text were in the cache. At first the cache has the other client's
//   text and nothing else. What you ask enters it as well, whole. You may ask `length * vocabulary` questions, and
//   none with a token that doesn't exist.
// - `most_questions(vocabulary, length, block)`: how many questions that takes at most, if a hit is always a whole number
//   of blocks of `block` tokens (at least 1). Each block is guessed as a whole then, until it is found; every
//   possible block is asked, the last one too. What is left over at the end of the text is in no block and can't be
//   found. `None` if the number doesn't fit 64 bits.

pub fn overhear(
    ask: &mut dyn FnMut(&[u32]) -> usize,
    vocabulary: u32,
    length: usize,
) -> Vec<u32> {
    //-- starter
    // todo!()
    //-- solution
    let mut known = Vec::new();
    for _ in 0..length {
        for token in 0..vocabulary {
            known.push(token);
            if ask(&known) == known.len() {
                break;
            }
            known.pop();
        }
    }
    known
    //-- end
}

pub fn most_questions(vocabulary: u64, length: u64, block: u32) -> Option<u64> {
    //-- starter
    // todo!()
    //-- solution
    match length / u64::from(block) {
        0 => Some(0), // and no power of anything has to fit
        blocks => vocabulary.checked_pow(block)?.checked_mul(blocks),
    }
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Failure, Random, call};
    use std::collections::BTreeSet;
    use std::ops::Bound::{Excluded, Included, Unbounded};

    /// The tokens that there are, those of the text, and those of a block.
    type Given = (u64, u64, u32);

    pub fn check(
        overhear: fn(&mut dyn FnMut(&[u32]) -> usize, u32, usize) -> Vec<u32>,
        most_questions: fn(u64, u64, u32) -> Option<u64>,
    ) -> Checked {
        for (vocabulary, secret) in secrets() {
            listen(overhear, vocabulary, &secret)?;
        }
        let case = |(vocabulary, length, block): &Given| {
            format!(
                "most_questions: {vocabulary} tokens in the vocabulary, {length} in the text, blocks of {block}"
            )
        };
        let answer = |g: &Given| most_questions(g.0, g.1, g.2);
        ask_in_turn(given(), case, answer, right, as_written)?;
        // As many questions as that take a second, so they come last. The token is one of those that need 18 bits.
        let token = 151_935 - Random::new(117).below(151_936 - (1 << 17)) as u32;
        listen(overhear, 151_936, &[token])
    }

    fn secrets() -> Vec<(u32, Vec<u32>)> {
        let mut random = Random::new(116);
        let mut secrets = vec![
            (3, vec![2]),
            (3, vec![1, 2]),
            (5, vec![4, 1, 3, 2]),
            (5, vec![1, 0, 3, 0]),
            (4, vec![]),
            (1, vec![0, 0, 0]),
            (2, vec![1, 1, 1, 1, 1, 0]),
            (300, vec![299, 256]),
        ];
        for _ in 0..20 {
            let vocabulary = 2 + random.below(30);
            let length = random.below(30);
            let secret = (0..length).map(|_| random.below(vocabulary) as u32).collect();
            secrets.push((vocabulary as u32, secret));
        }
        secrets
    }

    fn listen(
        overhear: fn(&mut dyn FnMut(&[u32]) -> usize, u32, usize) -> Vec<u32>,
        vocabulary: u32,
        secret: &[u32],
    ) -> Checked {
        let most = secret.len() * vocabulary as usize;
        let case = match secret.len() {
            0..=8 => format!("overhear: {secret:?} of a vocabulary of {vocabulary}"),
            length => {
                format!("overhear: a text of {length} tokens of a vocabulary of {vocabulary}")
            }
        };
        let (mut questions, mut met_itself, mut went_on) = (0, false, false);
        // The last question, unless all of it was a hit.
        let mut missed: Option<Vec<u32>> = None;
        let goes_on = |missed: &Option<Vec<u32>>, text: &[u32]| {
            missed.as_ref().is_some_and(|missed| text.starts_with(missed))
        };
        // In order: the longest hit is with a neighbour.
        let mut cache = BTreeSet::from([secret.to_vec()]);
        let mut ask = |text: &[u32]| {
            assert!(questions < most, "more than {most} questions");
            assert!(text.iter().all(|token| *token < vocabulary), "a token that there is not");
            let before = cache.range::<[u32], _>((Unbounded, Included(text))).next_back();
            let behind = cache.range::<[u32], _>((Excluded(text), Unbounded)).next();
            let neighbours = before.into_iter().chain(behind);
            let hit = neighbours.map(|other| in_common(other, text)).max().unwrap_or(0);
            cache.insert(text.to_vec());
            questions += 1;
            went_on |= goes_on(&missed, text);
            missed = (hit < text.len()).then(|| text.to_vec());
            met_itself |= hit > in_common(secret, text);
            hit
        };
        let result = call(&case, || overhear(&mut ask, vocabulary, secret.len()));
        let expected = match secret.len() {
            0..=8 => format!("{secret:?} after no more than {most} questions"),
            _ => format!("the other text after no more than {most} questions"),
        };
        let failure = match result {
            Ok(found) if found == secret => return Ok(()),
            Ok(found) => {
                went_on |= goes_on(&missed, &found);
                Failure::new(&case, expected, format!("{found:?}"))
            }
            Err(failure) => return Err(Failure { expected, ..failure }),
        };
        Err(if met_itself {
            failure.likely(
                "your own question was in the cache already: its hit says nothing of the other text",
            )
        } else if went_on {
            failure
                .likely("a hit that is no longer than what is known already says nothing new")
        } else {
            failure
        })
    }

    fn in_common(a: &[u32], b: &[u32]) -> usize {
        a.iter().zip(b).take_while(|(a, b)| a == b).count()
    }

    /// By hand first: in each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let part = "whether a part of a block is right cannot be seen: the block is guessed as a whole";
        let rest =
            "what is left over at the end of the text is in no block, and never in a hit";
        let fits = "so many questions are a number that does not fit 64 bits";
        let mut all =
            vec![("", (2, 3, 1)), (part, (3, 4, 2)), (rest, (3, 5, 2)), (fits, (2, 128, 64))];
        for vocabulary in [1, 2, 3, 300, 151_936, 1 << 32] {
            for length in [0, 1, 9, 63, 126, 1_000, 1 << 40] {
                all.extend(
                    [1, 2, 3, 4, 16, 63, 64, 300]
                        .map(|block| ("", (vocabulary, length, block))),
                );
            }
        }
        all
    }

    fn right(&(vocabulary, length, block): &Given) -> Option<u64> {
        match length / u64::from(block) {
            0 => Some(0),
            blocks => (0..block).try_fold(blocks, |all: u64, _| all.checked_mul(vocabulary)),
        }
    }
}
