//? title: Where each row of a batch belongs
//? page: ch12/rows.md
//? section: A row, and whose it is
//? level: warm-up
//? minutes: 20
//? call: check(positions, wanted)
//? hint 1: Draw a batch of three texts as one column: a text that has 5 rows and brings 3 tokens, one that has 0 and brings 2, one that has 70 and brings 1. Write two numbers beside each row: the how many-eth it is in the batch, and its position in its own text.
//? hint 2: A position knows nothing of the batch. It starts at the rows that the text has already, and goes on from there. The row whose logits are wanted knows nothing of what the text has already: only what came before it in this batch counts.
//? hint 3: For `positions`, `flat_map` each text to `has..has + brings`. For `wanted`, keep a sum of what the texts have brought so far; after adding a text's own, its last row is the sum minus 1. A text that brings nothing has no last row.
//? why: Two ways to count meet in a batch. A row's place among all rows says where its numbers lie: products, norms and the head need no more. Its
//?   position in its text says by which angle it's rotated, and how far it may look back. With one text that was computed from its beginning both are the same
//?   number, and that is why a mistake here survives so many tests: try it with a text that has rows already, beside another.

// A batch has the next tokens of several texts, one text after the other. Each text has some rows in its table already
// and brings some new tokens, perhaps none.
//
// - `positions(texts)`: the position of each row of the batch in its own text, from 0. `texts` has two numbers of each: how
//   many rows it has already, and how many tokens it brings.
// - `wanted(texts)`: which row of the batch has the logits after each text's last token, from 0. `texts` has how many tokens
//   each brings, and whether it wants its logits. `None` for those that don't want any, and for those that bring nothing.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    texts.iter().flat_map(|&(has, brings)| has..has + brings).collect()
    //-- end
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        (wants && brings > 0).then(|| end - 1)
    };
    texts.iter().map(last).collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Texts = Vec<(usize, usize)>;
    type Wishes = Vec<(usize, bool)>;

    pub fn check(
        positions: fn(&[(usize, usize)]) -> Vec<usize>,
        wanted: fn(&[(usize, bool)]) -> Vec<Option<usize>>,
    ) -> Checked {
        let mut random = Random::new(121);
        let drawn: Vec<Vec<(usize, usize, bool)>> = (0..60)
            .map(|round| {
                let most = if round < 58 { 4 } else { 40_000 };
                let mut text =
                    |_| (random.below(100_000), random.below(most), random.below(3) > 0);
                (0..round / 10).map(&mut text).collect()
            })
            .collect();

        let on = "positions go on from one text to the next, as if all were one text";
        let begin = "the positions begin as if the text had no rows yet";
        let texts = [(begin, vec![(5, 3)]), (on, vec![(5, 3), (0, 2), (70, 1)])].into_iter();
        let of = |&(has, brings, _): &(usize, usize, bool)| (has, brings);
        let all = texts.chain(drawn.iter().map(|texts| ("", texts.iter().map(of).collect())));
        let case = |given: &Texts| format!("positions of (has, brings): {given:?}");
        let right = |texts: &Texts| {
            let mut all = Vec::new();
            texts.iter().for_each(|(has, brings)| all.extend(*has..has + brings));
            all
        };
        ask_in_turn(all, case, |given| positions(given), right, as_written)?;

        let wishes = [
            ("this is one row too far: it belongs to the next text", vec![(3, true)]),
            (
                "this is counted within the text, and not in the batch",
                vec![(3, true), (2, true)],
            ),
            ("texts that want nothing bring rows as well", vec![(2, false), (1, true)]),
            (
                "a text that brings nothing has no row here, and this is another's",
                vec![(2, true), (0, true)],
            ),
        ];
        let of = |&(_, brings, wants): &(usize, usize, bool)| (brings, wants);
        let drawn = drawn.iter().map(|texts| ("", texts.iter().map(of).collect()));
        let case = |given: &Wishes| format!("wanted of (brings, wants): {given:?}");
        let right = |texts: &Wishes| {
            let end = |at: usize| texts[..=at].iter().map(|text| text.0).sum::<usize>();
            let row = |at: usize| (texts[at].1 && texts[at].0 > 0).then(|| end(at) - 1);
            (0..texts.len()).map(row).collect()
        };
        ask_in_turn(
            wishes.into_iter().chain(drawn),
            case,
            |given| wanted(given),
            right,
            as_written,
        )
    }
}
