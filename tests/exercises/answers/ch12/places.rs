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
    use exercise_kit::explained::{Mistake, as_written, ask_all};
    use exercise_kit::{Checked, Random};

    type Texts = Vec<(usize, usize)>;
    type Wishes = Vec<(usize, bool)>;

    pub fn check(
        positions: fn(&[(usize, usize)]) -> Vec<usize>,
        wanted: fn(&[(usize, bool)]) -> Vec<Option<usize>>,
    ) -> Checked {
        let texts = batches().into_iter().map(|batch| {
            batch.into_iter().map(|(has, brings, _)| (has, brings)).collect::<Texts>()
        });
        let case = |given: &Texts| format!("positions of (has, brings): {given:?}");
        let answer = |given: &Texts| positions(given);
        ask_all(texts, case, answer, right_positions, &of_positions(), as_written)?;
        let wishes = batches().into_iter().map(|batch| {
            batch.into_iter().map(|(_, brings, wants)| (brings, wants)).collect::<Wishes>()
        });
        let case = |given: &Wishes| format!("wanted of (brings, wants): {given:?}");
        let answer = |given: &Wishes| wanted(given);
        ask_all(wishes, case, answer, right_wanted, &of_wanted(), as_written)
    }

    /// What each text has, what it brings, and whether it wants its logits.
    fn batches() -> Vec<Vec<(usize, usize, bool)>> {
        let mut all = vec![
            vec![],
            vec![(0, 3, true)],
            vec![(5, 3, true), (0, 2, true), (70, 1, true)],
            vec![(0, 2, false), (9, 1, true)],
            vec![(4, 0, true), (2, 2, true), (8, 0, true)],
        ];
        let mut random = Random::new(121);
        for _ in 0..60 {
            let count = random.below(6);
            let mut text = || (random.below(100_000), random.below(4), random.below(3) > 0);
            all.push((0..count).map(|_| text()).collect());
        }
        all
    }

    fn right_positions(texts: &Texts) -> Vec<usize> {
        let mut all = Vec::new();
        for &(has, brings) in texts {
            all.extend(has..has + brings);
        }
        all
    }

    fn right_wanted(texts: &Wishes) -> Vec<Option<usize>> {
        rows(texts, |first, brings, wants| (wants && brings > 0).then(|| first + brings - 1))
    }

    /// Of each text what `of` says, to the rows before it and its own.
    fn rows(texts: &Wishes, of: fn(usize, usize, bool) -> Option<usize>) -> Vec<Option<usize>> {
        let before = |at: usize| texts[..at].iter().map(|text| text.0).sum();
        let each = texts.iter().enumerate();
        each.map(|(at, &(brings, wants))| of(before(at), brings, wants)).collect()
    }

    fn of_positions() -> Vec<Mistake<Texts, Vec<usize>>> {
        vec![
            ("positions go on from one text to the next, as if all were one text", |texts| {
                let first = texts.first().map_or(0, |text| text.0);
                (first..first + texts.iter().map(|text| text.1).sum::<usize>()).collect()
            }),
            ("the positions begin as if the text had no rows yet", |texts| {
                texts.iter().flat_map(|text| 0..text.1).collect()
            }),
        ]
    }

    fn of_wanted() -> Vec<Mistake<Wishes, Vec<Option<usize>>>> {
        vec![
            ("this is one row too far: it belongs to the next text", |texts| {
                rows(texts, |first, brings, wants| {
                    (wants && brings > 0).then_some(first + brings)
                })
            }),
            ("this is counted within the text, and not in the batch", |texts| {
                rows(texts, |_, brings, wants| (wants && brings > 0).then(|| brings - 1))
            }),
            ("texts that want nothing bring rows as well", |texts| {
                let mut end = 0;
                let each = texts.iter();
                each.map(|&(brings, wants)| {
                    end += if wants { brings } else { 0 };
                    (wants && brings > 0).then(|| end - 1)
                })
                .collect()
            }),
            ("a text that brings nothing has no row here, and this is another's", |texts| {
                rows(texts, |first, brings, wants| {
                    (wants && first + brings > 0).then(|| first + brings - 1)
                })
            }),
        ]
    }
}
