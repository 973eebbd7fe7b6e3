//? title: Two texts with one key, and whose rows are served
//? page: ch11/index.md
//? section: Not a hash
//? level: deep
//? minutes: 45
//? call: check(another, served)
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

// A prefix cache has its blocks by a key: a hash of the block's tokens and of the key before it, as
// `exercise_kit::prefix::key` computes it. This one has only sixteen bits, so that you see soon what takes longer with
// more of them. Nothing compares the tokens.
//
// A text of tokens is cut into blocks of `BLOCK` = 4, and `key(0, first)` is the key of its first block, `key(that,
// second)` the key of the second one, and so on. What is left over at its end has no key and isn't in the cache.
//
// - `another(text)`: a text that others can be taken for. It is as long as `text` and has another first block.
//   Behind that block it's the same, and all its keys are the same. Tokens are below `VOCABULARY`. The text has at
//   least one whole block.
// - `served(requests)`: requests come one after the other, each with its text. A request looks for its blocks
//   from the first on. As long as a key is in the cache, it is served the rows that are there, and nothing is computed.
//   From the first key that isn't there to its end it computes its blocks itself, whatever else may be in the
//   cache. A block that it computes enters the cache, unless something is there under its key: that stays. Return, for
//   each request and each of its whole blocks, the number of the request that has computed the rows.
//
// Requests are numbered from 0, and the cache is empty at first. Then look at what `served` says of a text and the one that
// `another` has made of it. `BLOCK` is in `exercise_kit::blocks`; `key` and `VOCABULARY` are in `exercise_kit::prefix`.

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

//-- check
pub mod check {
    use exercise_kit::blocks::BLOCK;
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::prefix::{VOCABULARY, key};
    use exercise_kit::{Checked, Failure, Random, call};

    /// Requests, each with its text.
    type Requests = Vec<Vec<u32>>;

    pub fn check(
        another: fn(&[u32]) -> Vec<u32>,
        served: fn(&[Vec<u32>]) -> Vec<Vec<usize>>,
    ) -> Checked {
        for text in texts() {
            one(another, &text)?;
        }
        let case = |given: &Requests| format!("served: {}", told(given));
        let answer = |given: &Requests| served(given);
        ask_in_turn(requests(), case, answer, right, as_written)
    }

    /// The requests with their keys.
    fn told(requests: &Requests) -> String {
        let one = |(number, text): (usize, &Vec<u32>)| {
            let keys: Vec<String> = keys(text).iter().map(|key| format!("{key:04x}")).collect();
            format!("{number}: {text:?} (keys {})", keys.join(" "))
        };
        requests.iter().enumerate().take(8).map(one).collect::<Vec<String>>().join("; ")
    }

    fn keys(text: &[u32]) -> Vec<u16> {
        let mut before = 0;
        let next = |block: &[u32]| {
            before = key(before, block);
            before
        };
        text.chunks_exact(BLOCK).map(next).collect()
    }

    fn texts() -> Requests {
        let mut random = Random::new(114);
        let mut any = |length: usize| -> Vec<u32> {
            (0..length).map(|_| random.below(VOCABULARY as usize) as u32).collect()
        };
        let mut texts = vec![vec![0; 9], vec![1, 2, 3, 4], any(11), any(100)];
        // Blocks for which a search in the last token finds nothing.
        let alone = (0..).map(|first| vec![first, 1, 2, 3, 4, 5]);
        texts.extend(alone.filter(|text| !has_another_last_token(text)).take(1));
        texts
    }

    fn has_another_last_token(text: &[u32]) -> bool {
        let wanted = key(0, &text[..BLOCK]);
        let mut others = (0..VOCABULARY).filter(|last| *last != text[3]);
        others.any(|last| key(0, &[text[0], text[1], text[2], last]) == wanted)
    }

    fn one(another: fn(&[u32]) -> Vec<u32>, text: &[u32]) -> Checked {
        let shown = |text: &[u32]| match text.len() {
            0..=12 => format!("{text:?} with the keys {:x?}", keys(text)),
            length => format!("{:?} and so on, {length} tokens", &text[..8]),
        };
        let case = format!("another: {}", shown(text));
        let expected = "another first block of tokens that there are, the same text behind it, and the same keys";
        let found = call(&case, || another(text)).map_err(|failure| {
            let failure = Failure { expected: expected.into(), ..failure };
            match failure.unwritten || has_another_last_token(text) {
                true => failure,
                false => failure.likely(
                    "for this block, no other last token gives the same key: vary more than one token",
                ),
            }
        })?;
        let is_other = found.len() == text.len()
            && found[..BLOCK] != text[..BLOCK]
            && found[BLOCK..] == text[BLOCK..]
            && found.iter().all(|token| *token < VOCABULARY)
            && keys(&found) == keys(text);
        if is_other {
            return Ok(());
        }
        let failure = Failure::new(&case, expected, shown(&found));
        let begins_alike = found != text && found.get(..BLOCK) == Some(&text[..BLOCK]);
        Err(failure.likely(if begins_alike {
            "the first block is the same: whoever begins alike is rightly served the same"
        } else {
            ""
        }))
    }

    /// A block with this key behind that one, in whose last two tokens something is searched.
    fn block_with(before: u16, wanted: u16, first: u32) -> Vec<u32> {
        let blocks = (0..).map(|i: u32| vec![first, 7, i >> 16, i & 0xffff]);
        blocks.into_iter().find(|block| key(before, block) == wanted).expect("one of 2^32")
    }

    /// By hand first: in each, one thing more can go wrong.
    fn requests() -> Vec<(&'static str, Requests)> {
        let (a, b, c) = (vec![1, 2, 3, 4], vec![5, 6, 7, 8], vec![9, 10, 11, 12]);
        // Another first block with the key of a, and a block behind c that has the key of b behind a.
        let like_a = block_with(0, key(0, &a), 20);
        let like_ab = block_with(key(0, &c), key(key(0, &a), &b), 21);
        let also_like_ab = block_with(key(0, &a), key(key(0, &a), &b), 22);
        let of = |likely, texts: &[&[&Vec<u32>]]| {
            let text =
                |parts: &&[&Vec<u32>]| parts.iter().copied().flatten().copied().collect();
            (likely, texts.iter().map(text).collect::<Requests>())
        };
        let rest = vec![1, 2];
        let mut all = vec![
            of("", &[&[], &[&a, &b, &rest], &[&a, &b, &rest], &[&a, &c]]),
            of(
                "a block is served whatever comes before it: the key before is a part of its key",
                &[&[&a, &b], &[&b, &a], &[&b]],
            ),
            of(
                "nothing is served unless the blocks have the same tokens, which this cache does not compare",
                &[&[&a, &b], &[&like_a, &b, &c]],
            ),
            of(
                "after the first key that is not there, the request computes all blocks itself",
                &[&[&a, &b], &[&c, &like_ab]],
            ),
        ];
        for bit in 0..16 {
            let other = block_with(0, key(0, &a) ^ 1 << bit, 23);
            let narrow = "all sixteen bits of a key count: here two keys are taken for one";
            all.push(of(narrow, &[&[&a], &[&other], &[&other]]));
        }
        let mut random = Random::new(115);
        let blocks = [a, b, c, like_a, like_ab, also_like_ab];
        for round in 0..60 {
            let requests = if round == 59 { 70_000 } else { 6 };
            let mut text = |_| {
                let count = random.below(4);
                let mut text: Vec<u32> =
                    (0..count).flat_map(|_| blocks[random.below(6)].clone()).collect();
                text.extend_from_slice(&[1, 2, 3][..random.below(4)]);
                if requests > 6 {
                    text.push(random.below(VOCABULARY as usize) as u32);
                }
                text
            };
            all.push(("", (0..requests).map(&mut text).collect()));
        }
        all
    }

    /// Who has entered each key, by the keys alone.
    fn right(requests: &Requests) -> Vec<Vec<usize>> {
        let mut entered = vec![usize::MAX; 1 << 16];
        let one = |(request, text): (usize, &Vec<u32>)| {
            let mut is_hit = true;
            let of = |key: u16| {
                let whose = &mut entered[usize::from(key)];
                is_hit &= *whose != usize::MAX;
                *whose = request.min(*whose);
                if is_hit { *whose } else { request }
            };
            keys(text).into_iter().map(of).collect()
        };
        requests.iter().enumerate().map(one).collect()
    }
}
