//? title: Where a block of keys meets the future
//? page: ch06/in-tiles.md
//? section: The diagonal
//? level: warm-up
//? minutes: 15
//? call: check(seen, blocks)
//? hint 1: Take a block that begins at position 8 and holds 4 positions. Write down how many of them the queries at positions 7, 8, 10, 11 and 30 see. Which of these numbers does `position - start` give?
//? hint 2: A query at `position` sees position + 1 keys of the whole text. Take away those before the block: nothing below 0 may remain, and no more than the block holds. Of several queries, ask two: the first sees the fewest keys, and the last sees the most.
//? hint 3: `(position + 1).saturating_sub(start).min(length)`. The first query sees first + 1 keys, and the last query sees first + queries. So `(first + 1) / block` blocks are seen whole by all, and `(first + queries).div_ceil(block)` are needed.
//? why: A query sees its own position, and so position + 1 keys of the text. `saturating_sub` ends at 0 where the block comes
//?   later, and `min` ends at the block's length where it comes earlier. Two of the queries decide: a block is
//?   whole for all if it is whole for the first, and needed at all if the last sees any of it. Between the two numbers are
//?   the blocks on the edge, where each query has to be asked by itself. All blocks before the edge take the quick way. Those
//?   after it are not touched at all, which saves nearly half of all products in a long prompt.

// A query sees the key of its own position and all before it. Attention goes through the keys in blocks, and has to know for
// each block how much of it a query may see:
//
// - `seen(position, start, length)`: how many keys of a block the query at `position` sees. The block holds `length` keys,
//   at positions `start`, `start + 1`, and so on. From 0 to `length`.
// - `blocks(first, queries, block)`: two numbers for the queries at positions `first`, `first + 1`, and so on. The
//   text is cut every `block` positions, from position 0 on. How many blocks, from the first on, does each of these
//   queries see whole? And how many do they need, because one of them at least sees a key there?
//
// A block holds at least one position, and there is at least one query. The first number of `blocks` is never larger than the
// second.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    //-- starter
    // todo!()
    //-- solution
    (position + 1).saturating_sub(start).min(length)
    //-- end
}

// -> (whole, needed)
pub fn blocks(first: usize, queries: usize, block: usize) -> (usize, usize) {
    //-- starter
    // todo!()
    //-- solution
    ((first + 1) / block, (first + queries).div_ceil(block))
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::Checked;
    use exercise_kit::explained::{as_written, ask_in_turn};

    /// Position, start and length of a block; or first position, queries, and the length of a block.
    type Given = [usize; 3];

    pub fn check(
        seen: fn(usize, usize, usize) -> usize,
        blocks: fn(usize, usize, usize) -> (usize, usize),
    ) -> Checked {
        let case = |[position, start, length]: &Given| {
            let last = start + length - 1;
            format!("the query at position {position}, a block of positions {start} to {last}")
        };
        let answer = |[position, start, length]: &Given| seen(*position, *start, *length);
        // In each of the first, one thing more can go wrong.
        let first = [
            ("a query also sees the key of its own position", [11, 8, 4]),
            ("all of a block is seen as soon as one key of it may be", [8, 8, 4]),
            (
                "the block comes later than the query: nothing of it is seen, and a subtraction ends below 0",
                [0, 8, 4],
            ),
        ];
        let all = first.into_iter().chain(edges().into_iter().map(|edge| ("", edge)));
        ask_in_turn(all, case, answer, seen_by_counting, as_written)?;
        let case = |[first, queries, block]: &Given| {
            let last = first + queries - 1;
            format!("queries at positions {first} to {last}, blocks of {block}: whole, needed")
        };
        let answer = |[first, queries, block]: &Given| blocks(*first, *queries, *block);
        let first = [
            ("queries that end where a block ends need nothing of the next one", [3, 1, 4]),
            ("not every query sees these blocks whole", [2, 2, 4]),
            ("an f32 does not hold every position", [1 << 24, 1, 64]),
        ];
        let all = first.into_iter().chain(groups().into_iter().map(|group| ("", group)));
        ask_in_turn(all, case, answer, blocks_by_counting, as_written)
    }

    /// Blocks of four come first: there one can count on the fingers.
    fn edges() -> Vec<Given> {
        let mut edges = Vec::new();
        for start in [8, 0, 4] {
            edges.extend([8, 9, 10, 11, 12, 30, 7, 0].map(|position| [position, start, 4]));
        }
        for (start, length) in [(5, 1), (3, 7), (64, 64), (4032, 64), (40_000, 1000)] {
            let (before, last) = (start - 1, start + length - 1);
            for position in [0, before, start, start + length / 2, last, last + 1, 40_959] {
                edges.push([position, start, length]);
            }
        }
        // A usize holds them.
        let far = usize::MAX / 4;
        edges.extend([[far, 0, 4], [far, far - 2, 4], [far, 1000, 64], [0, far, 4]]);
        edges.push([1 << 24, (1 << 24) - 2, 7]);
        edges
    }

    fn groups() -> Vec<Given> {
        let mut groups = Vec::new();
        for first in [0, 2, 3, 4, 5, 8, 11] {
            groups.extend([1, 2, 3, 4, 5, 9].map(|queries| [first, queries, 4]));
        }
        for first in [0, 48, 63, 64, 100, 511, 512, 40_900, 1 << 24, usize::MAX / 4] {
            groups.extend([1, 16, 48, 512].map(|queries| [first, queries, 64]));
        }
        groups.extend([[0, 1, 1], [6, 3, 1], [6, 3, 1000], [100_000, 2, 1000]]);
        groups
    }

    fn seen_by_counting([position, start, length]: &Given) -> usize {
        (*start..start + length).filter(|key| key <= position).count()
    }

    fn blocks_by_counting([first, queries, block]: &Given) -> (usize, usize) {
        let seen = |query, number: usize| seen_by_counting(&[query, number * block, *block]);
        let all = || *first..first + queries;
        let is_whole = |number: &usize| all().all(|query| seen(query, *number) == *block);
        let is_needed = |number: &usize| all().any(|query| seen(query, *number) > 0);
        // All blocks before the one of the first query are whole, and in the end nothing is seen any more.
        let before = first / block;
        let whole = (before..).take_while(is_whole).count();
        (before + whole, before + (before..).take_while(is_needed).count())
    }
}
