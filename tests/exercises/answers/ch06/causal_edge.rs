//? title: Where a piece of keys meets the future
//? page: ch06/in-tiles.md
//? section: The diagonal
//? level: warm-up
//? minutes: 15
//? call: check(seen, pieces)
//? hint 1: Take a piece that begins at position 8 and holds 4 positions. Write down how many of them the queries at positions 7, 8, 10, 11 and 30 see. Which of these numbers does `position - start` give?
//? hint 2: A query at `position` sees position + 1 keys of the whole text. Take away those before the piece: nothing below 0 may remain, and no more than the piece holds. For a block of queries, ask two of them: the first sees the fewest keys, and the last sees the most.
//? hint 3: `(position + 1).saturating_sub(start).min(length)`. The block's first query sees first + 1 keys, and its last query sees first + queries. So `(first + 1) / piece` pieces are seen whole by all, and `(first + queries).div_ceil(piece)` are needed.
//? why: A query sees its own position, and so position + 1 keys of the text. `saturating_sub` ends at 0 where the piece comes
//?   later, and `min` ends at the piece's length where it comes earlier. A block is decided by two of its queries: a piece is
//?   whole for all if it is whole for the first, and needed at all if the last sees any of it. Between the two numbers are
//?   the pieces on the edge, where each query has to be asked by itself. All pieces before the edge take the quick way. Those
//?   after it are not touched at all, which saves nearly half of all products in a long prompt.

// A query sees the key of its own position and all before it. Attention goes through the keys in pieces, and has to know for
// each piece how much of it a query may see:
//
// - `seen(position, start, length)`: how many keys of a piece the query at `position` sees. The piece holds `length` keys,
//   at positions `start`, `start + 1`, and so on. From 0 to `length`.
// - `pieces(first, queries, piece)`: two numbers for a block of queries at positions `first`, `first + 1`, and so on. The
//   text is cut every `piece` positions, from position 0 on. How many pieces, from the first on, does every query of the
//   block see whole? And how many does the block need, because one of its queries at least sees a key there?
//
// Pieces hold at least one position and blocks at least one query. The first number of `pieces` is never larger than the
// second.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    //-- starter
    // todo!()
    //-- solution
    (position + 1).saturating_sub(start).min(length)
    //-- end
}

// -> (whole, needed)
pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    //-- starter
    // todo!()
    //-- solution
    ((first + 1) / piece, (first + queries).div_ceil(piece))
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call};

    /// One question of three numbers, and what came of it.
    struct Asked<T> {
        case: String,
        given: [usize; 3],
        found: T,
    }

    /// What a mistake gives in place of the right answer, and the reason.
    type Mistake<T> = (&'static str, fn([usize; 3]) -> T);

    pub fn check(
        seen: fn(usize, usize, usize) -> usize,
        pieces: fn(usize, usize, usize) -> (usize, usize),
    ) -> Checked {
        let ask = |given| seen_of(seen, given);
        let asked = edges().into_iter().map(ask).collect::<Result<Vec<_>, _>>()?;
        compare(&asked, seen_by_counting, &seen_mistakes())?;
        let ask = |given| pieces_of(pieces, given);
        let asked = blocks().into_iter().map(ask).collect::<Result<Vec<_>, _>>()?;
        compare(&asked, pieces_by_counting, &pieces_mistakes())
    }

    fn seen_of(
        seen: impl Fn(usize, usize, usize) -> usize,
        given: [usize; 3],
    ) -> Result<Asked<usize>, Failure> {
        let [position, start, length] = given;
        let last = start + length - 1;
        let case =
            format!("the query at position {position}, a piece of positions {start} to {last}");
        match call(&case, || seen(position, start, length)) {
            Ok(found) => Ok(Asked { case, given, found }),
            Err(failure) if failure.found.contains("subtract with overflow") => {
                let expected = seen_by_counting(given).to_string();
                Err(Failure { expected, ..failure }.likely(
                "the piece comes later than the query: nothing of it is seen, and a subtraction ends below 0",
            ))
            }
            Err(failure) => Err(failure),
        }
    }

    fn pieces_of(
        pieces: impl Fn(usize, usize, usize) -> (usize, usize),
        given: [usize; 3],
    ) -> Result<Asked<(usize, usize)>, Failure> {
        let [first, queries, piece] = given;
        let last = first + queries - 1;
        let case =
            format!("queries at positions {first} to {last}, pieces of {piece}: whole, needed");
        let found = call(&case, || pieces(first, queries, piece))?;
        Ok(Asked { case, given, found })
    }

    /// Position, start and length. Pieces of four come first: there one can count on the fingers.
    fn edges() -> Vec<[usize; 3]> {
        let mut edges = Vec::new();
        for start in [8, 0, 4, 12] {
            edges.extend([8, 9, 10, 11, 12, 30, 7, 0].map(|position| [position, start, 4]));
        }
        for (start, length) in
            [(5, 1), (3, 7), (64, 64), (4032, 64), (4096, 10), (40_000, 1000)]
        {
            let (before, last) = (start - 1, start + length - 1);
            for position in [0, before, start, start + length / 2, last, last + 1, 40_959] {
                edges.push([position, start, length]);
            }
        }
        // A usize holds them.
        let far = usize::MAX / 4;
        edges.extend([
            [1 << 24, (1 << 24) - 2, 7],
            [far, 0, 4],
            [far, far - 2, 4],
            [far, 1000, 64],
            [0, far, 4],
        ]);
        edges
    }

    /// First position, queries and the length of a piece.
    fn blocks() -> Vec<[usize; 3]> {
        let mut blocks = Vec::new();
        for first in [0, 2, 3, 4, 5, 8, 11] {
            blocks.extend([1, 2, 3, 4, 5, 9].map(|queries| [first, queries, 4]));
        }
        for first in [0, 48, 63, 64, 100, 511, 512, 40_900] {
            blocks.extend([1, 16, 48, 512].map(|queries| [first, queries, 64]));
        }
        blocks.extend([[0, 1, 1], [6, 3, 1], [6, 3, 1000], [100_000, 2, 1000]]);
        blocks
    }

    fn seen_by_counting([position, start, length]: [usize; 3]) -> usize {
        (start..start + length).filter(|key| *key <= position).count()
    }

    fn pieces_by_counting([first, queries, piece]: [usize; 3]) -> (usize, usize) {
        let seen = |query, number: usize| seen_by_counting([query, number * piece, piece]);
        let block = || first..first + queries;
        let is_whole = |number: &usize| block().all(|query| seen(query, *number) == piece);
        let is_needed = |number: &usize| block().any(|query| seen(query, *number) > 0);
        // In the end nothing is seen any more.
        ((0..).take_while(is_whole).count(), (0..).take_while(is_needed).count())
    }

    fn compare<T: PartialEq + std::fmt::Debug>(
        asked: &[Asked<T>],
        right: fn([usize; 3]) -> T,
        mistakes: &[Mistake<T>],
    ) -> Checked {
        let Some(first) = asked.iter().find(|one| one.found != right(one.given)) else {
            return Ok(());
        };
        let (expected, found) =
            (format!("{:?}", right(first.given)), format!("{:?}", first.found));
        let failure = Failure::new(&first.case, expected, found);
        // Many mistakes are right here and there: one is named when it explains every answer.
        let explains =
            |of: fn([usize; 3]) -> T| asked.iter().all(|one| of(one.given) == one.found);
        Err(match mistakes.iter().find(|(_, of)| explains(*of)) {
            Some((reason, _)) => failure.likely(reason),
            None => failure,
        })
    }

    fn seen_mistakes() -> Vec<Mistake<usize>> {
        vec![
            ("a query also sees the key of its own position", |[p, s, l]| {
                p.saturating_sub(s).min(l)
            }),
            ("every query sees one key of the future", |[p, s, l]| {
                (p + 2).saturating_sub(s).min(l)
            }),
            (
                "the subtraction wraps: where the piece comes later, a number below 0 turns into a huge one",
                |[p, s, l]| (p + 1).wrapping_sub(s).min(l),
            ),
            ("all of a piece is seen as soon as one key of it may be", |[p, s, l]| {
                if p >= s { l } else { 0 }
            }),
            (
                "a piece is not seen whole or not at all: on the edge it is a part",
                |[p, s, l]| {
                    if p + 1 >= s + l { l } else { 0 }
                },
            ),
            (
                "the piece ends after `length` positions: no more than these are seen",
                |[p, s, _]| (p + 1).saturating_sub(s),
            ),
            ("the piece begins at `start`, and not at position 0", |[p, _, l]| (p + 1).min(l)),
            (
                "that is the place in the query's own piece: an earlier piece is seen whole",
                |[p, s, l]| if p < s { 0 } else { p % l + 1 },
            ),
            (
                "of a piece that comes later nothing is seen, and here it is at least one",
                |[p, s, l]| (p + 1).saturating_sub(s).clamp(1, l),
            ),
            ("these are the keys that stay hidden: the others are asked for", |[p, s, l]| {
                l - seen_by_counting([p, s, l])
            }),
            (
                "that is a position: the number of keys in the piece is asked for",
                |[p, s, l]| p.clamp(s, s + l - 1),
            ),
            ("positions are of type usize: these were cut to 32 bits", |[p, s, l]| {
                (p as i32).wrapping_sub(s as i32).wrapping_add(1).clamp(0, l as i32) as usize
            }),
            ("a float does not hold every position", |[p, s, l]| {
                ((p + 1) as f32 as usize).saturating_sub(s).min(l)
            }),
            (
                "the piece is taken whole one too early: its last key is still the future",
                |[p, s, l]| {
                    if p + 2 >= s + l { l } else { (p + 1).saturating_sub(s) }
                },
            ),
        ]
    }

    fn pieces_mistakes() -> Vec<Mistake<(usize, usize)>> {
        let last = "some query of the block sees more than this";
        let end = "a block that ends where a piece ends needs nothing of the next one";
        // (whole, needed), each right or with its own mistake.
        const fn whole(first: usize, piece: usize) -> usize {
            (first + 1) / piece
        }
        const fn needed(first: usize, queries: usize, piece: usize) -> usize {
            (first + queries).div_ceil(piece)
        }
        vec![
            ("a text may be longer than 16 bits can count", |[f, q, p]| {
                let f = usize::from(f as u16);
                (whole(f, p), needed(f, q, p))
            }),
            (last, |[f, _, p]| (whole(f, p), (f + 1).div_ceil(p))),
            (last, |[f, q, p]| (whole(f, p), (f + q - 1).div_ceil(p))),
            (
                "of the last piece, a single key may be seen: then it is needed, too",
                |[f, q, p]| (whole(f, p), (f + q) / p),
            ),
            (end, |[f, q, p]| (whole(f, p), (f + q) / p + 1)),
            (end, |[f, q, p]| (whole(f, p), (f + q + 1).div_ceil(p))),
            (
                "the queries also see what came before their block: pieces count from position 0",
                |[_, q, p]| (1 / p, q.div_ceil(p)),
            ),
            ("not every query of the block sees these pieces whole", |[f, q, p]| {
                ((f + q) / p, needed(f, q, p))
            }),
            ("the first query sees its own key too", |[f, q, p]| (f / p, needed(f, q, p))),
            ("the whole pieces are rounded down: a part of one is not whole", |[f, q, p]| {
                ((f + 1).div_ceil(p), needed(f, q, p))
            }),
            (
                "not just the last piece: the edge of a block may go through more than one piece, or end with one",
                |[f, q, p]| (needed(f, q, p) - 1, needed(f, q, p)),
            ),
            (
                "on the edge are pieces that only some queries see, or only in part",
                |[f, q, p]| (needed(f, q, p), needed(f, q, p)),
            ),
            (
                "the second number is of all needed pieces, together with the whole ones",
                |[f, q, p]| (whole(f, p), needed(f, q, p) - whole(f, p)),
            ),
        ]
    }
}
