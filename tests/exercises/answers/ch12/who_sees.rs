//? title: Whose keys a query may see
//? page: ch12/attend.md
//? section: Each its own
//? level: core
//? minutes: 25
//? call: check(mask)
//? hint 1: With one text there was one question: is the key later than the query? Which second question is there now, and can one of them be asked without the other?
//? hint 2: Texts that begin alike share the rows of their beginning. So a key can belong to several texts, and it's seen by the queries of each of them, but only up to each query's own position, and by nobody else.
//? hint 3: For each query, and for each key: `texts.contains(&text) && key_position <= position`.
//? why: A mask is how other engines do it: all keys lie in one memory, and every query is multiplied with all of them, even those that it mustn't
//?   see. This chapter needs none, because each part is given its own pieces and no others. A text then can't see another by a wrong
//?   comparison, and the time for one doesn't grow with the texts of the others. The last piece still has an edge, and there the question of positions is
//?   the same as ever.

// Keys of several texts lie in one memory. Say for each query which of these keys it may see: a list for each query, with
// true or false for each key, in their order.
//
// - A query is the number of its text and its position there.
// - A key is the numbers of all texts that it belongs to, and its position. Texts that begin alike have its rows
//   in common up to there, so it has the same position in each.
// - A query sees the keys of its own text, up to its own position and including that.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    //-- starter
    // todo!()
    //-- solution
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| texts.contains(&text) && *at <= position;
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_each};
    use exercise_kit::{Checked, Random};

    struct Given {
        queries: Vec<(usize, usize)>,
        keys: Vec<(Vec<usize>, usize)>,
    }

    type Mask = Vec<Vec<bool>>;

    pub fn check(mask: fn(&[(usize, usize)], &[(Vec<usize>, usize)]) -> Mask) -> Checked {
        let case = |(_, given): &(&str, Given)| {
            format!("queries {:?}, keys {:?}", given.queries, given.keys)
        };
        let answer = |(_, given): &(&str, Given)| mask(&given.queries, &given.keys);
        let likely =
            |(likely, _): &(&'static str, _), _: &Mask, found: Option<&Mask>| match found
                .and_then(|found| found.first())
                .map(|row| &row[..])
            {
                Some([true, true]) => {
                    "both have to hold: its own text, and no later than the query"
                }
                Some([true, false]) => "texts see each other: a key of another text is seen",
                Some([false, true]) => "a key is seen that comes after the query",
                _ => likely,
            };
        ask_each(given(), case, answer, |(_, given)| right(given), likely, as_written)
    }

    fn given() -> Vec<(&'static str, Given)> {
        let one = |likely, keys: &[(&[usize], usize)]| {
            let keys = keys.iter().map(|(texts, at)| (texts.to_vec(), *at)).collect();
            (likely, Given { queries: vec![(1, 3)], keys })
        };
        // In each, one thing more can go wrong; in the third, one of three.
        let mut all = vec![
            one("a query sees up to its own position, and that as well", &[(&[1], 3)]),
            one("a key that belongs to several texts is seen by each of them", &[(&[0, 1], 2)]),
            one("", &[(&[2], 3), (&[1], 4)]),
            one(
                "the number of a text is a place in an integer's bits: there may be more texts than these",
                &[(&[300], 3)],
            ),
            one("", &[]),
        ];
        let mut random = Random::new(122);
        for number in 0..400 {
            let mut queries = Vec::new();
            let mut keys = Vec::new();
            for _ in 0..random.below(6) {
                queries.push((random.below(4), random.below(5)));
            }
            for _ in 0..random.below(8) {
                let mut texts: Vec<usize> = (0..4).filter(|_| random.below(3) == 0).collect();
                if texts.is_empty() {
                    texts.push(random.below(4));
                }
                keys.push((texts, random.below(5)));
            }
            // Few texts and positions, so that they meet, and any numbers.
            if number % 2 == 1 {
                let mut any = |count| {
                    let numbers: Vec<usize> = (0..count)
                        .map(|_| random.bits() as usize >> random.below(64))
                        .collect();
                    numbers
                };
                let (far, late) = (any(4), any(5));
                for (text, position) in &mut queries {
                    (*text, *position) = (far[*text], late[*position]);
                }
                for (texts, position) in &mut keys {
                    texts.iter_mut().for_each(|text| *text = far[*text]);
                    *position = late[*position];
                }
            }
            all.push(("", Given { queries, keys }));
        }
        all
    }

    fn right(Given { queries, keys }: &Given) -> Mask {
        let mut mask = vec![vec![false; keys.len()]; queries.len()];
        for (row, (text, position)) in mask.iter_mut().zip(queries) {
            for (sees, (texts, at)) in row.iter_mut().zip(keys) {
                *sees = at <= position && texts.iter().any(|other| other == text);
            }
        }
        mask
    }
}
