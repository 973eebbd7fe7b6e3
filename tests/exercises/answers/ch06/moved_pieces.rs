//? title: Attention in pieces, with a fault
//? page: ch06/pieces.md
//? section: Where the pieces begin
//? level: core
//? minutes: 20
//? call: check(attend)
//? hint 1: Which chunks does the check name, and which are right? Write down the pieces of the query at position 6, once for the text in one chunk, and once for chunks of 3.
//? hint 2: The first piece of a chunk begins where the chunk begins, and the last piece of the past is cut short there. The values hardly change, but the sums are added up in another order. Where has a piece to begin, so that no chunk can move it?
//? hint 3: What a query sees is one row of scores, from position 0 on. The cut at `position` has no meaning there: `let pieces = scores[..position + t + 1].chunks(PIECE);`.
//? why: The past and the chunk's own keys were each cut into pieces from their own beginning. A chunk that begins at position
//?   3 then has a piece from 3 on, and the piece before it ends early. Both cuts give the softmax up to rounding, and not the
//?   same bits: a sum of pieces depends on where they end. Cut from position 0 on, a piece is at the same place of the text,
//?   however the text comes. With pieces of 64 and chunks of 512, no chunk of a prompt begins inside a piece, so prompts
//?   alone would not show it. Decoding would: 63 of 64 positions are inside a piece, and there the bits would not be those of
//?   the same text read as a prompt.

// One head, with values of a single number. A chunk of a text comes in: its queries are at `position`, `position + 1`, and
// so on. The scores are there already, one row for each query: first those of the keys before the chunk, then those of the
// chunk's own keys. A query sees the keys up to its own position. Columns after that are there, and do not count.
//
// The engine promises the same bits for a text, in one chunk or in many. So attention is defined to the bit. The text is cut
// into pieces of `PIECE` positions, from position 0 on. A query begins with largest = minus infinity, and with 0.0 in `sum`
// and in `mixed`. For each piece that it sees, or for as much of it as it sees:
//
// - new is the larger of `largest` and the scores of the piece, and factor = exp(largest - new).
// - The weight of a key is w = exp(score - new). The sum of the piece begins with 0.0, and the weights are added in order.
// - sum = sum * factor + the sum of the piece. mixed = mixed * factor, and then w * v is added for each key, in order.
//
// At the end the output is mixed / sum. All is in `f32`, and nothing is fused.
//
// This function does so for a text in one chunk, and for some other chunks. With the rest, the bits differ. Find its fault,
// and mend it.

const PIECE: usize = 4;

// scores: [queries, keys], values: [keys] -> [queries]
pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        //-- starter
        // // First what the cache holds, then the chunk's own keys.
        // let (past, own) = scores[..position + t + 1].split_at(position);
        // let pieces = past.chunks(PIECE).chain(own.chunks(PIECE));
        //-- solution
        let pieces = scores[..position + t + 1].chunks(PIECE);
        //-- end
        let mut values = values.iter();
        let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, 0.0);
        for piece in pieces {
            let new = piece.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            let mut of_piece = 0.0;
            for (score, value) in piece.iter().zip(&mut values) {
                let weight = (score - new).exp();
                of_piece += weight;
                mixed += weight * value;
            }
            sum = sum * factor + of_piece;
        }
        mixed / sum
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}

//-- check
pub mod check {
    use std::ops::Range;

    use exercise_kit::{Checked, Failure, GIVEN, Near, Random, call, same_numbers};

    const PIECE: usize = 4;

    /// A chunk of a text, and what came of it.
    struct Asked {
        case: String,
        chunk: Chunk,
        found: Vec<f32>,
    }

    struct Chunk {
        position: usize,
        queries: usize,
        scores: Vec<f32>, // [queries, keys], and there are position + queries keys
        values: Vec<f32>, // [keys]
    }

    pub fn check(attend: fn(&[f32], &[f32], usize) -> Vec<f32>) -> Checked {
        let mut asked = Vec::new();
        for (case, chunk) in chunks() {
            let found = call(&case, || attend(&chunk.scores, &chunk.values, chunk.position))?;
            asked.push(Asked { case, chunk, found });
        }
        asked.iter().find_map(|one| one.failure(&asked)).map_or(Ok(()), Err)
    }

    /// Two texts in one chunk and in many. The chunks that the given function can do come first.
    fn chunks() -> Vec<(String, Chunk)> {
        let mut random = Random::new(64);
        let mut chunks = Vec::new();
        for (length, sizes) in [(23, vec![23, 4, 8, 3, 5, 7, 1]), (70, vec![70, 32, 33, 69])] {
            let values = random.numbers(length);
            let scores: Vec<f32> =
                random.numbers(length * length).iter().map(|x| x * 3.0).collect();
            for size in sizes {
                for position in (0..length).step_by(size) {
                    let end = length.min(position + size);
                    let rows = scores.chunks(length).take(end).skip(position);
                    let chunk = Chunk {
                        position,
                        queries: end - position,
                        scores: rows.flat_map(|row| &row[..end]).copied().collect(),
                        values: values[..end].to_vec(),
                    };
                    let case = format!(
                        "a text of {length} in chunks of {size}: positions {position} to {}",
                        end - 1
                    );
                    chunks.push((case, chunk));
                }
            }
        }
        // Keys without a weight, and values that are no numbers.
        for (name, value) in [("infinity", f32::INFINITY), ("NaN", f32::NAN)] {
            let mut values = random.numbers(9);
            values[2] = value;
            let scores = (0..81).map(|i| if i % 9 == 2 { -200.0 } else { 1.0 }).collect();
            let case = format!(
                "a text of 9; the key at position 2 has a score of -200 and the value {name}"
            );
            chunks.push((case, Chunk { position: 0, queries: 9, scores, values }));
        }
        chunks
    }

    impl Asked {
        fn failure(&self, asked: &[Asked]) -> Option<Failure> {
            let Asked { case, chunk, found } = self;
            let shape = [("query", chunk.queries)];
            let right = chunk.outputs(&RIGHT);
            let failure = same_numbers(case, &shape, Near::Bits, &right, found, &[]).err()?;
            // Many mistakes give the same bits here and there: one is named when it explains every output.
            let explains = |way: &Way| {
                asked.iter().all(|one| {
                    let outputs = one.chunk.outputs(way);
                    same_numbers("", &[], Near::Bits, &outputs, &one.found, &[]).is_ok()
                })
            };
            Some(match mistakes().iter().find(|(_, way)| explains(way)) {
                Some((reason, _)) => failure.likely(reason),
                None => failure,
            })
        }
    }

    /// A score and the value that is weighed with it.
    type Key = (f32, f32);

    /// How a chunk is gone through, in parts that a mistake replaces.
    struct Way {
        /// The keys of each piece, from the chunk's position, the query's own, and the number of keys.
        pieces: fn(usize, usize, usize) -> Vec<Range<usize>>,
        /// The value that goes with the first score, from the chunk's position.
        first_value: fn(usize) -> usize,
        /// What the largest score begins with, from all scores of the chunk.
        begin: fn(&[f32]) -> f32,
        output: fn(f32, &[Vec<Key>]) -> f32,
    }

    const RIGHT: Way = Way {
        pieces: |_, own, _| cut(0..own + 1, PIECE),
        first_value: |_| 0,
        begin: |_| f32::NEG_INFINITY,
        output,
    };

    impl Chunk {
        fn outputs(&self, way: &Way) -> Vec<f32> {
            let rows = self.scores.chunks(self.values.len()).enumerate();
            rows.map(|(t, scores)| self.output(way, self.position + t, scores)).collect()
        }

        fn output(&self, way: &Way, own: usize, scores: &[f32]) -> f32 {
            // Values are taken one after the other, whatever scores they go with.
            let mut values = self.values[(way.first_value)(self.position)..].iter();
            let ranges = (way.pieces)(self.position, own, scores.len());
            let piece = |keys: Range<usize>| {
                scores[keys].iter().copied().zip(values.by_ref().copied()).collect::<Vec<Key>>()
            };
            let pieces: Vec<Vec<Key>> = ranges.into_iter().map(piece).collect();
            (way.output)((way.begin)(&self.scores), &pieces)
        }
    }

    /// Cut every `length` positions from the first on; the last piece may be shorter.
    fn cut(keys: Range<usize>, length: usize) -> Vec<Range<usize>> {
        keys.clone()
            .step_by(length)
            .map(|start| start..keys.end.min(start.saturating_add(length)))
            .collect()
    }

    fn joined(mut first: Vec<Range<usize>>, second: Vec<Range<usize>>) -> Vec<Range<usize>> {
        first.extend(second);
        first
    }

    /// Whole pieces only.
    fn whole(keys: Range<usize>) -> Vec<Range<usize>> {
        cut(keys.start..keys.end - keys.len() % PIECE, PIECE)
    }

    fn larger(piece: &[Key], old: f32) -> f32 {
        piece.iter().fold(old, |largest, (score, _)| largest.max(*score))
    }

    /// The definition.
    fn output(mut largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let (mut sum, mut mixed) = (0.0, 0.0);
        for piece in pieces {
            let new = larger(piece, largest);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            let mut of_piece = 0.0;
            for (score, value) in piece {
                let weight = (score - new).exp();
                of_piece += weight;
                mixed += weight * value;
            }
            sum = sum * factor + of_piece;
        }
        mixed / sum
    }

    fn without_zeros(largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let none = |(score, value): &Key| match (score - largest_of(pieces)).exp() {
            0.0 => (*score, 0.0),
            _ => (*score, *value),
        };
        let pieces: Vec<Vec<Key>> =
            pieces.iter().map(|piece| piece.iter().map(none).collect()).collect();
        output(largest, &pieces)
    }

    fn without_nan(largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let none = |(score, value): &Key| (*score, if value.is_nan() { 0.0 } else { *value });
        let pieces: Vec<Vec<Key>> =
            pieces.iter().map(|piece| piece.iter().map(none).collect()).collect();
        output(largest, &pieces)
    }

    fn largest_of(pieces: &[Vec<Key>]) -> f32 {
        larger(&pieces.concat(), f32::NEG_INFINITY)
    }

    fn one_running_sum(mut largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let (mut sum, mut mixed) = (0.0, 0.0);
        for piece in pieces {
            let new = larger(piece, largest);
            let factor = (largest - new).exp();
            largest = new;
            sum *= factor;
            mixed *= factor;
            for (score, value) in piece {
                let weight = (score - new).exp();
                sum += weight;
                mixed += weight * value;
            }
        }
        mixed / sum
    }

    fn mixed_by_piece(mut largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let (mut sum, mut mixed) = (0.0, 0.0);
        for piece in pieces {
            let new = larger(piece, largest);
            let factor = (largest - new).exp();
            largest = new;
            let (mut of_piece, mut mixed_of_piece) = (0.0, 0.0);
            for (score, value) in piece {
                let weight = (score - new).exp();
                of_piece += weight;
                mixed_of_piece += weight * value;
            }
            sum = sum * factor + of_piece;
            mixed = mixed * factor + mixed_of_piece;
        }
        mixed / sum
    }

    fn fused(mut largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let (mut sum, mut mixed) = (0.0f32, 0.0f32);
        for piece in pieces {
            let new = larger(piece, largest);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            let mut of_piece = 0.0;
            for (score, value) in piece {
                let weight = (score - new).exp();
                of_piece += weight;
                mixed = weight.mul_add(*value, mixed);
            }
            sum = sum.mul_add(factor, of_piece);
        }
        mixed / sum
    }

    fn in_double(mut largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let (mut sum, mut mixed) = (0.0f64, 0.0f64);
        for piece in pieces {
            let new = larger(piece, largest);
            let factor = f64::from((largest - new).exp());
            largest = new;
            mixed *= factor;
            let mut of_piece = 0.0;
            for (score, value) in piece {
                let weight = f64::from((score - new).exp());
                of_piece += weight;
                mixed += weight * f64::from(*value);
            }
            sum = sum * factor + of_piece;
        }
        (mixed / sum) as f32
    }

    fn divided_before(mut largest: f32, pieces: &[Vec<Key>]) -> f32 {
        let mut sum = 0.0;
        for piece in pieces {
            let new = larger(piece, largest);
            let of_piece = piece.iter().fold(0.0, |sum, (score, _)| sum + (score - new).exp());
            sum = sum * (largest - new).exp() + of_piece;
            largest = new;
        }
        let keys = pieces.iter().flatten();
        keys.fold(0.0, |mixed, (score, value)| mixed + (score - largest).exp() / sum * value)
    }

    fn mistakes() -> Vec<(&'static str, Way)> {
        let missing =
            "keys of the past are missing, and the values after them go with other scores";
        let future = "a query sees no key after its own position: that is the future";
        vec![
            (
                GIVEN,
                Way {
                    pieces: |position, own, _| {
                        joined(cut(0..position, PIECE), cut(position..own + 1, PIECE))
                    },
                    ..RIGHT
                },
            ),
            (
                "the past in one piece ends where the chunk begins: the chunk still moves the pieces",
                Way {
                    pieces: |position, own, _| {
                        joined(cut(0..position, usize::MAX), cut(position..own + 1, PIECE))
                    },
                    ..RIGHT
                },
            ),
            (
                "the chunk's own keys in one piece: it is as large as the chunk, which moves it",
                Way {
                    pieces: |position, own, _| {
                        joined(cut(0..position, PIECE), cut(position..own + 1, usize::MAX))
                    },
                    ..RIGHT
                },
            ),
            (
                "cut from the query back, each query has other pieces: they begin at position 0",
                Way {
                    pieces: |_, own, _| {
                        let first = own % PIECE + 1;
                        joined(cut(0..first, PIECE), cut(first..own + 1, PIECE))
                    },
                    ..RIGHT
                },
            ),
            (
                "no chunk moves the pieces now, but the query itself does: its own key is a piece of its own",
                Way {
                    pieces: |_, own, _| joined(cut(0..own, PIECE), cut(own..own + 1, PIECE)),
                    ..RIGHT
                },
            ),
            (
                "there are no pieces any more: all scores at once are what the definition avoids",
                Way { pieces: |_, own, _| cut(0..own + 1, usize::MAX), ..RIGHT },
            ),
            (
                "one key is not a piece: a piece is `PIECE` positions",
                Way { pieces: |_, own, _| cut(0..own + 1, 1), ..RIGHT },
            ),
            (
                "what came before the chunk is left out: its keys and values count too",
                Way {
                    pieces: |position, own, _| cut(position..own + 1, PIECE),
                    first_value: |position| position,
                    ..RIGHT
                },
            ),
            (
                "what came before the chunk is left out, and each score goes with the value of another key",
                Way { pieces: |position, own, _| cut(position..own + 1, PIECE), ..RIGHT },
            ),
            (
                missing,
                Way {
                    pieces: |position, own, _| {
                        joined(whole(0..position), cut(position..own + 1, PIECE))
                    },
                    ..RIGHT
                },
            ),
            (
                "these are whole pieces only: the last one counts as far as the query sees it",
                Way { pieces: |_, own, _| whole(0..own + 1), ..RIGHT },
            ),
            (
                future,
                Way {
                    pieces: |_, own, keys| {
                        cut(0..(own + 1).next_multiple_of(PIECE).min(keys), PIECE)
                    },
                    ..RIGHT
                },
            ),
            (future, Way { pieces: |_, _, keys| cut(0..keys, PIECE), ..RIGHT }),
            (
                "a query also sees the key at its own position",
                Way { pieces: |_, own, _| cut(0..own, PIECE), ..RIGHT },
            ),
            (
                "the definition has pieces of 4 positions: other pieces give other bits",
                Way { pieces: |_, own, _| cut(0..own + 1, 2 * PIECE), ..RIGHT },
            ),
            (
                "a key without a weight was left out: infinity times 0 is NaN",
                Way { output: without_zeros, ..RIGHT },
            ),
            (
                "a value that is NaN was left out: the definition adds every one",
                Way { output: without_nan, ..RIGHT },
            ),
            (
                "a piece has a sum of its own first, which then is added to the running one",
                Way { output: one_running_sum, ..RIGHT },
            ),
            (
                "the values are added to the running one key by key, not as a sum of the piece",
                Way { output: mixed_by_piece, ..RIGHT },
            ),
            (
                "fused: the definition rounds after the product and after the sum",
                Way { output: fused, ..RIGHT },
            ),
            (
                "summed in f64: the definition has f32 everywhere",
                Way { output: in_double, ..RIGHT },
            ),
            (
                "two passes over the scores: the definition knows the largest so far, and has a factor",
                Way {
                    output: |_, pieces| {
                        output(larger(&pieces.concat(), f32::NEG_INFINITY), pieces)
                    },
                    ..RIGHT
                },
            ),
            (
                "`largest` begins with minus infinity: here other queries of the chunk decide about it",
                Way {
                    begin: |all| all.iter().copied().fold(f32::NEG_INFINITY, f32::max),
                    ..RIGHT
                },
            ),
            (
                "the definition divides once, at the end: each weight by itself rounds otherwise",
                Way { output: divided_before, ..RIGHT },
            ),
        ]
    }
}
