//? title: What a cache tells about the texts of others
//? page: ch11/owners.md
//? section: Whose it is
//? level: core
//? minutes: 30
//? call: check(answer::overhear, answer::most_questions)
//? hint 1: You know nothing yet, and there are as many first tokens as the vocabulary has. What does the server say if you ask with a text of a single token, and it's the right one? And when you know the first token, what's the next thing to ask?
//? hint 2: If `known` tokens are certain, ask with these and one more. The answer is larger than `known` if the one more is right. It would also be larger if you had asked that before, with anything behind it: so ask no text twice, and put nothing behind the token that you try. Where hits are whole blocks, nothing is learned from a block of which some tokens are right. How many blocks of so many tokens are there, and how many of them are asked one after the other?
//? hint 3: `let mut known = Vec::new();`, and `length` times: for each `token` in `0..vocabulary`, push it, and if `ask(&known) == known.len()`, go on with the next place; otherwise pop it. For `most_questions`: `vocabulary.checked_pow(block)` for one block, and `checked_mul` with `length / block`.
//? why: A hit to the token is the best a cache can do, and it's the best that a listener can wish for: each token is
//?   guessed by itself, so a text of n tokens takes n times the vocabulary and not its n-th power. With whole blocks of 16 nobody
//?   would live to see the first one, unless most of it can be guessed, as in a template where only a name is open.
//?   Leaving out the number in the answer doesn't help, because the time to the first token says the same. So
//?   this chapter's tree has one root for each key: what others have asked is not in what you can hit.
//?   A listener's own questions enter the cache too. That is a nuisance for her, and no protection.

//! Some server has one prefix cache for all of its clients, and answers to each how many of its tokens were in the cache.
//! A hit is the longest common beginning with any text that has been asked, to the token. Another client's text
//! is in there, and you'd like to know it.
//!
//! - `overhear(ask, vocabulary, length)`: find that text. It has `length` tokens, each below `vocabulary`. `ask(text)`
//!   asks the server and returns how many tokens of your text were in the cache. At first the cache has the other client's
//!   text and nothing else. What you ask enters it as well, whole. You may ask `length * vocabulary` questions, and
//!   none with a token that doesn't exist.
//! - `most_questions(vocabulary, length, block)`: how many questions that takes at most, if a hit is always a whole number
//!   of blocks of `block` tokens (at least 1). Each block is guessed as a whole then, until it is found; every
//!   possible block is asked, the last one too. What is left over at the end of the text is in no block and can't be
//!   found. `None` if the number doesn't fit 64 bits.

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
