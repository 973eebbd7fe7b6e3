//? title: What a model with windows could give back
//? page: ch15/window.md
//? section: Giving back what no layer sees
//? level: core
//? minutes: 25
//? call: check(rows_kept)
//? hint 1: Take one layer with a window, and the last query. Which is the first key that it sees? In which block of 64 is that, and how many rows are from the beginning of that block to the end of the text?
//? hint 2: Of `length` positions the last query is at `length - 1` and sees `window` keys with its own, so the first of them is at `length - window`, or at 0. But the next token comes at `length`, and sees one key less of the old ones: that's the query for which rows must still be there.
//? hint 3: The first row that the next token sees is at `(length + 1).saturating_sub(window)`. Round it down to a multiple of 64 and subtract that from `length`. Do it for the layers that have a window, and add `length` for each of the others: layer `i` is one of those if `(i + 1)` is a multiple of `period`.
//? why: Rows are given back in blocks, and a block can go only when all of its rows are out of sight for the next query. So a layer keeps up to 63 rows more than its window. For a Gemma 3
//?   270M with 18 layers and a text of 32,768 tokens, that's 3 times 32,768 rows and 15 times 511 or a little more: a fifth of what is kept now.

// A model has `layers` layers. Layer `i`, from 0 on, sees everything if `i + 1` is a multiple of `period`; each of the others
// sees only the last `window` keys, the query's own among them. Keys and values are kept in blocks of 64 positions, beginning
// at position 0, and a layer could give back a block as soon as no query that's still to come sees any row of it.
//
// `length` positions have been computed, and the next query will be at position `length`. Return how many rows all layers
// together still have to keep, if they give back every block that they can. `period` and `window` are at least 1.

pub fn rows_kept(length: usize, layers: usize, period: usize, window: usize) -> usize {
    //-- starter
    // todo!()
    //-- solution
    let first_seen = (length + 1).saturating_sub(window);
    let given_back = first_seen / 64 * 64;
    let sees_all = layers / period;
    sees_all * length + (layers - sees_all) * (length - given_back)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (usize, usize, usize, usize);

    pub fn check(rows_kept: fn(usize, usize, usize, usize) -> usize) -> Checked {
        let case = |&(length, layers, period, window): &Given| {
            format!(
                "{length} positions, {layers} layers of which each {period}th sees everything, a window of {window}"
            )
        };
        let answer = |&(length, layers, period, window): &Given| {
            rows_kept(length, layers, period, window)
        };
        ask_in_turn(given(), case, answer, one_by_one, as_written)
    }

    /// In each of the first, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let mut given = vec![
            ("a text shorter than the window is kept whole", (100, 6, 6, 512)),
            (
                "a block goes only as a whole: all of its rows have to be out of sight",
                (200, 6, 6, 100),
            ),
            (
                "the layers are counted from 0: the last of each period sees everything",
                (300, 6, 6, 64),
            ),
            ("the query that's still to come sees one old row less", (127, 2, 2, 64)),
            ("the query's own key is one of the window's", (128, 2, 2, 66)),
            ("18 layers are three periods", (1000, 18, 6, 512)),
            ("7 layers are one period and a part of one", (1000, 7, 6, 72)),
            ("with a window of 1 a query sees only its own key, and no old one", (64, 2, 3, 1)),
            ("", (0, 4, 2, 64)),
        ];
        let mut random = Random::new(15);
        given.extend((0..300).map(|_| {
            let (length, layers) = (random.below(700), 1 + random.below(20));
            ("", (length, layers, 1 + random.below(7), 1 + random.below(300)))
        }));
        given
    }

    /// Row by row.
    fn one_by_one(&(length, layers, period, window): &Given) -> usize {
        let is_kept = |layer: usize, row: usize| {
            // The last row of this block that exists, or will.
            let last = row / 64 * 64 + 63;
            (layer + 1).is_multiple_of(period) || last + window > length
        };
        (0..layers).map(|layer| (0..length).filter(|&row| is_kept(layer, row)).count()).sum()
    }
}
