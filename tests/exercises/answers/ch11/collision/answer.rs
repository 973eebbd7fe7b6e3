//? title: Two texts with one key, and whose rows are served
//? page: ch11/index.md
//? section: Not a hash
//? level: deep
//? minutes: 45
//? call: check(answer::another, answer::served)
//? hint 1: How many keys are there, and how many blocks of four tokens? For the second function take three requests and a piece of paper with two columns, key and whose. Which line does a request look at first, and when does it stop looking?
//? hint 2: Any block has one of 65,536 keys, so of that many other blocks, about one has the key of yours. Vary more than one token: a single one has 151,936 values, and it does happen that none of the others gives that key. What comes behind the block has the same keys then by itself. In the cache nothing but keys is compared, and after the first one that isn't there, all blocks are the request's own.
//? hint 3: `for first in 0..VOCABULARY` and `for second in 0..VOCABULARY`, in place of the first two tokens: if the block is another one and its `key(0, ..)` is the same, put the rest of the text behind it. The cache is a `HashMap<u16, usize>`. For each of `text.chunks_exact(BLOCK)`: `before = key(before, block)`. As long as all keys so far were there, serve what the map says; otherwise it's this request, and `entry(before).or_insert(request)`.
//? why: A cache that knows blocks by a hash serves whoever brings the hash. With sixteen bits a laptop finds a block for any
//?   key in a millisecond, and nobody has to know the other block for that: there are only 65,536 keys to try. What the cache
//?   hands out isn't the text but the rows of a model that has read it, and a model can be asked to repeat what it has read. The
//?   chain makes one block enough for the opposite as well. All keys behind it are the same, so whoever comes first decides what
//?   the model has read before the rest of somebody else's text. Sixty-four bits don't help if the hash wasn't made against
//?   attackers, because blocks for a key of it can be computed instead of tried. What helps is to compare the tokens, as a
//?   sorted tree does by its nature, or a hash for which nobody can find two texts.

//! A prefix cache has its blocks by a key: a hash of the block's tokens and of the key before it, as
//! `exercise_kit::prefix::key` computes it. This one has only sixteen bits, so that you see soon what takes longer with
//! more of them. Nothing compares the tokens.
//!
//! A text of tokens is cut into blocks of `BLOCK` = 4, and `key(0, first)` is the key of its first block, `key(that,
//! second)` the key of the second one, and so on. What is left over at its end has no key and isn't in the cache.
//!
//! - `another(text)`: a text that others can be taken for. It is as long as `text` and has another first block.
//!   Behind that block it's the same, and all its keys are the same. Tokens are below `VOCABULARY`. The text has at
//!   least one whole block.
//! - `served(requests)`: requests come one after the other, each with its text. A request looks for its blocks
//!   from the first on. As long as a key is in the cache, it is served the rows that are there, and nothing is computed.
//!   From the first key that isn't there to its end it computes its blocks itself, whatever else may be in the
//!   cache. A block that it computes enters the cache, unless something is there under its key: that stays. Return, for
//!   each request and each of its whole blocks, the number of the request that has computed the rows.
//!
//! Requests are numbered from 0, and the cache is empty at first. Then look at what `served` says of a text and the one that
//! `another` has made of it. `BLOCK` is in `exercise_kit::blocks`; `key` and `VOCABULARY` are in `exercise_kit::prefix`.

//-- solution
use exercise_kit::blocks::BLOCK;
use exercise_kit::prefix::{VOCABULARY, key};
use std::collections::HashMap;
//-- end

pub fn another(text: &[u32]) -> Vec<u32> {
    //-- starter
    // todo!()
    //-- solution
    let wanted = key(0, &text[..BLOCK]);
    for first in 0..VOCABULARY {
        for second in 0..VOCABULARY {
            let block = [first, second, text[2], text[3]];
            if key(0, &block) == wanted && block != text[..BLOCK] {
                return [&block, &text[BLOCK..]].concat();
            }
        }
    }
    unreachable!("there are many more blocks than keys")
    //-- end
}

pub fn served(requests: &[Vec<u32>]) -> Vec<Vec<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let mut cache: HashMap<u16, usize> = HashMap::new();
    let mut all = Vec::new();
    for (request, text) in requests.iter().enumerate() {
        let (mut before, mut is_hit) = (0, true);
        let mut rows = Vec::new();
        for block in text.chunks_exact(BLOCK) {
            before = key(before, block);
            is_hit &= cache.contains_key(&before);
            let entered = *cache.entry(before).or_insert(request);
            rows.push(if is_hit { entered } else { request });
        }
        all.push(rows);
    }
    all
    //-- end
}
