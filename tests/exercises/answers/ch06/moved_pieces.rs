//? title: Attention in blocks, with a fault
//? page: ch06/pieces.md
//? section: Where the blocks begin
//? level: core
//? minutes: 20
//? call: check(attend)
//? hint 1: Which chunks does the check name, and which are right? Write down the blocks of the query at position 6, once for the text in one chunk, and once for chunks of 3.
//? hint 2: The first block of a chunk begins where the chunk begins, and the last block of the past is cut short there. The values hardly change, but the sums are added up in another order. Where has a block to begin, so that no chunk can move it?
//? hint 3: What a query sees is one row of scores, from position 0 on. The cut at `position` has no meaning there: `let blocks = scores[..position + t + 1].chunks(BLOCK_SIZE);`.
//? why: The past and the chunk's own keys were each cut into blocks from their own beginning. A chunk that begins at position
//?   3 then has a block from 3 on, and the block before it ends early. Both cuts give the softmax up to rounding, and not the
//?   same bits: a sum of blocks depends on where they end. Cut from position 0 on, a block is at the same place of the text,
//?   however the text comes. With blocks of 64 and chunks of 512, no chunk of a prompt begins inside a block, so prompts
//?   alone would not show it. Decoding would: 63 of 64 positions are inside a block, and there the bits would not be those of
//?   the same text read as a prompt.

// One head, with values of a single number. A chunk of a text comes in: its queries are at `position`, `position + 1`, and
// so on. The scores are there already, one row for each query: first those of the keys before the chunk, then those of the
// chunk's own keys. A query sees the keys up to its own position. Columns after that are there, and do not count.
//
// The engine promises the same bits for a text, in one chunk or in many. So attention is defined to the bit. The text is cut
// into blocks of `BLOCK_SIZE` positions, from position 0 on. A query begins with largest = minus infinity, and with 0.0 in `sum`
// and in `mixed`. For each block that it sees, or for as much of it as it sees:
//
// - new is the larger of `largest` and the scores of the block, and factor = exp(largest - new).
// - The weight of a key is w = exp(score - new). The sum of the block begins with 0.0, and the weights are added in order.
// - sum = sum * factor + the sum of the block. mixed = mixed * factor, and then w * v is added for each key, in order.
//
// At the end the output is mixed / sum. All is in `f32`, and nothing is fused.
//
// This function does so for a text in one chunk, and for some other chunks. With the rest, the bits differ. Find its fault,
// and mend it.

const BLOCK_SIZE: usize = 4;

// scores: [queries, keys], values: [keys] -> [queries]
pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        //-- starter
        // // First what the cache holds, then the chunk's own keys.
        // let (past, own) = scores[..position + t + 1].split_at(position);
        // let blocks = past.chunks(BLOCK_SIZE).chain(own.chunks(BLOCK_SIZE));
        //-- solution
        let blocks = scores[..position + t + 1].chunks(BLOCK_SIZE);
        //-- end
        let mut values = values.iter();
        let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, 0.0);
        for block in blocks {
            let new = block.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            let mut of_block = 0.0;
            for (score, value) in block.iter().zip(&mut values) {
                let weight = (score - new).exp();
                of_block += weight;
                mixed += weight * value;
            }
            sum = sum * factor + of_block;
        }
        mixed / sum
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}

//-- check
pub mod check {
    use std::ops::Range;

    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, GIVEN, Near, Random, same_numbers};

    const BLOCK_SIZE: usize = 4;

    /// A chunk of a text.
    struct Chunk {
        case: String,
        position: usize,
        scores: Vec<f32>, // [queries, keys], and there are position + queries keys
        values: Vec<f32>, // [keys]
    }

    /// Outputs that are equal if their bits are; any NaN equals any NaN.
    #[derive(Debug)]
    struct Bits(Vec<f32>);

    impl PartialEq for Bits {
        fn eq(&self, other: &Bits) -> bool {
            same_numbers("", &[], Near::Bits, &self.0, &other.0, &[]).is_ok()
        }
    }

    pub fn check(attend: fn(&[f32], &[f32], usize) -> Vec<f32>) -> Checked {
        let case = |chunk: &Chunk| chunk.case.clone();
        let answer = |chunk: &Chunk| Bits(attend(&chunk.scores, &chunk.values, chunk.position));
        ask_all(chunks(), case, answer, right, &mistakes(), |Bits(expected), Bits(found)| {
            let differs = |i: &usize| Bits(vec![expected[*i]]) != Bits(vec![found[*i]]);
            let both = expected.len().min(found.len());
            let told = |outputs: &[f32]| match (0..both).find(differs) {
                Some(i) => {
                    format!("query {i}: {:?} (bits {:08x})", outputs[i], outputs[i].to_bits())
                }
                None => format!("{} outputs", outputs.len()),
            };
            (told(expected), told(found))
        })
    }

    /// Texts in one chunk and in many. The chunks that the given function can do come first.
    fn chunks() -> Vec<Chunk> {
        let mut random = Random::new(64);
        let mut chunks = Vec::new();
        let mut text = |about: &str,
                        length: usize,
                        sizes: &[usize],
                        score: &dyn Fn(f32) -> f32| {
            let values = random.numbers(length);
            let scores: Vec<f32> =
                random.numbers(length * length).iter().map(|x| score(*x)).collect();
            for &size in sizes {
                for position in (0..length).step_by(size) {
                    let end = length.min(position + size);
                    let rows = scores.chunks(length).take(end).skip(position);
                    chunks.push(Chunk {
                        case: format!(
                            "a text of {length}{about} in chunks of {size}: positions {position} to {}",
                            end - 1
                        ),
                        position,
                        scores: rows.flat_map(|row| &row[..end]).copied().collect(),
                        values: values[..end].to_vec(),
                    });
                }
            }
        };
        text("", 23, &[23, 4, 8, 3, 5, 7, 1], &|x| x * 3.0);
        text("", 300, &[300, 256, 150, 299], &|x| x * 3.0);
        text(", scores around -20,000,", 9, &[9, 2], &|x| x * 3.0 - 20_000.0);
        text(", scores from -3e38 to 3e38,", 9, &[9, 2], &|x| x * 3e38);
        // A key without a weight, and values that are no numbers.
        for value in [f32::INFINITY, f32::NAN] {
            chunks.push(Chunk {
                case: format!("a text of 9; the key at position 2 has a score of -200 and the value {value}"),
                position: 0,
                scores: (0..81).map(|i| if i % 9 == 2 { -200.0 } else { 1.0 }).collect(),
                values: (0..9).map(|i| if i == 2 { value } else { i as f32 }).collect(),
            });
        }
        chunks
    }

    /// Where the blocks of a query end: from the chunk's position, the query's own, and the number of keys.
    type Cuts = fn(usize, usize, usize) -> Vec<Range<usize>>;

    /// The definition. `round` makes an `f32` of what was computed, and `largest` is what it begins with.
    fn outputs(chunk: &Chunk, cuts: Cuts, largest: f32, round: fn(f64) -> f64) -> Bits {
        let output = |(t, scores): (usize, &[f32])| {
            let (mut largest, mut sum, mut mixed) = (largest, 0.0, 0.0);
            // Values are taken one after the other, whatever scores they go with.
            let mut values = chunk.values.iter();
            for keys in cuts(chunk.position, chunk.position + t, scores.len()) {
                let new = scores[keys.clone()].iter().copied().fold(largest, f32::max);
                let factor = f64::from((largest - new).exp());
                largest = new;
                mixed = round(mixed * factor);
                let mut of_block = 0.0;
                for (score, value) in scores[keys].iter().zip(&mut values) {
                    let weight = f64::from((score - new).exp());
                    of_block = round(of_block + weight);
                    mixed = round(mixed + round(weight * f64::from(*value)));
                }
                sum = round(round(sum * factor) + of_block);
            }
            (mixed / sum) as f32
        };
        Bits(chunk.scores.chunks(chunk.values.len()).enumerate().map(output).collect())
    }

    /// An operation of `f32` is that of `f64`, rounded: it has more than twice the bits.
    fn with(chunk: &Chunk, cuts: Cuts) -> Bits {
        outputs(chunk, cuts, f32::NEG_INFINITY, |x| f64::from(x as f32))
    }

    fn right(chunk: &Chunk) -> Bits {
        with(chunk, |_, own, _| cut(0..own + 1, BLOCK_SIZE))
    }

    /// Cut every `length` positions from the first on; the last block may be shorter.
    fn cut(keys: Range<usize>, length: usize) -> Vec<Range<usize>> {
        let end = |start: usize| keys.end.min(start.saturating_add(length));
        keys.clone().step_by(length).map(|start| start..end(start)).collect()
    }

    /// What came before `at` and what comes after it, each cut by itself.
    fn cut_at(at: usize, own: usize) -> Vec<Range<usize>> {
        [cut(0..at, BLOCK_SIZE), cut(at..own + 1, BLOCK_SIZE)].concat()
    }

    fn mistakes() -> Vec<Mistake<Chunk, Bits>> {
        vec![
            (GIVEN, |it| with(it, |position, own, _| cut_at(position, own))),
            (
                "no chunk moves the blocks now, but the query itself does: its own key is a block of its own",
                |it| with(it, |_, own, _| cut_at(own, own)),
            ),
            (
                "there are no blocks any more: all scores at once are what the definition avoids",
                |it| with(it, |_, own, _| cut(0..own + 1, usize::MAX)),
            ),
            (
                "keys of the past are missing, and the values after them go with other scores",
                |it| {
                    with(it, |position, own, _| {
                        let whole = cut(0..position - position % BLOCK_SIZE, BLOCK_SIZE);
                        [whole, cut(position..own + 1, BLOCK_SIZE)].concat()
                    })
                },
            ),
            ("a query sees no key after its own position: that is the future", |it| {
                with(it, |_, own, keys| {
                    cut(0..(own + 1).next_multiple_of(BLOCK_SIZE).min(keys), BLOCK_SIZE)
                })
            }),
            ("summed in f64: the definition has f32 everywhere", |it| {
                outputs(it, |_, own, _| cut(0..own + 1, BLOCK_SIZE), f32::NEG_INFINITY, |x| x)
            }),
            (
                "`largest` begins with minus infinity: here it begins with a number that scores can be below",
                |it| {
                    outputs(
                        it,
                        |_, own, _| cut(0..own + 1, BLOCK_SIZE),
                        -1e4,
                        |x| f64::from(x as f32),
                    )
                },
            ),
        ]
    }
}
