//? title: Change a message in the middle
//? page: ch07/kept.md
//? section: What an early end leaves
//? level: core
//? minutes: 20
//? call: check(edit)
//? hint 1: Write all ids of the old text in a line, and those of the new text under it. Which rows saw nothing that has changed? Do the borders of the messages matter for that?
//? hint 2: What stays is a beginning: as far as the ids of the two texts are equal, as far as the cache has rows, and never all of the new text. The other two numbers follow from it, one from the rows and one from the new text.
//? hint 3: `messages.concat()` is the old text; of the new one, `messages[..edited].concat()` is the first part. Count equal ids from the front with `zip` and `take_while`. `let kept = common.min(rows).min(text.len().saturating_sub(1));`, then `rows - kept` are cut off and `text.len() - kept` are computed.
//? why: A row is made from all ids before it. In the first layer, its key and value depend on its own id and position alone;
//?   from the second layer on they depend on what attention mixed in, and that is the whole past. So the first id that differs
//?   ends what stays, however equal the rest is. Moving rows would be wrong twice: they saw the old message, and their
//?   position was rotated into the keys. What saves work is to change as late in the text as possible. An engine that keeps
//?   the later rows all the same computes something else than a fresh run, and nobody can say how far off.

// The cache has rows for the first `rows` ids of a conversation, perhaps for all of them and never for more. The text is
// the ids of all messages, one message after the other. Now message number `edited` gets other ids, `new`. There may be more
// than before, fewer, as many, or none. The other messages keep theirs.
//
// Then the logits after the new text are wanted. They must be those of a fresh run, to the bit, for as little work as
// possible. A row was made from its own id, its position and all ids before it. So it stays valid only if all ids up to its
// own are those of the old text, at the same positions. What a message is does not matter, only ids do. No row is ever moved
// to another position. The last id of the text is always computed, since its logits are wanted.
//
// Return three numbers: how many rows are kept, how many are cut off, and how many ids must be computed then.

// messages: the ids of each -> (kept, cut off, computed)
pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    //-- starter
    // todo!()
    //-- solution
    let old = messages.concat();
    let (before, after) = (messages[..edited].concat(), messages[edited + 1..].concat());
    let text = [&before, new, &after].concat();
    let common = old.iter().zip(&text).take_while(|(a, b)| a == b).count();
    let kept = common.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, Random};

    #[derive(Clone)]
    struct Given {
        messages: Vec<Vec<u32>>,
        edited: usize,
        new: Vec<u32>,
        rows: usize,
    }

    /// How many rows are kept, how many are cut off, and how many ids are computed.
    type Found = (usize, usize, usize);

    pub fn check(edit: fn(&[Vec<u32>], usize, &[u32], usize) -> Found) -> Checked {
        let case = |Given { messages, edited, new, rows }: &Given| match messages.concat().len()
        {
            0..100 => format!(
                "messages {messages:?}, number {edited} becomes {new:?}; the cache has {rows} rows"
            ),
            ids => format!(
                "{} messages with {ids} ids, number {edited} gets {} ids; the cache has {rows} rows",
                messages.len(),
                new.len()
            ),
        };
        let answer = |g: &Given| edit(&g.messages, g.edited, &g.new, g.rows);
        ask_all(given(), case, answer, right, &mistakes(), |expected, found| {
            let told = |(kept, cut, computed): &Found| {
                format!("kept {kept}, cut off {cut}, computed {computed}")
            };
            (told(expected), told(found))
        })
    }

    impl Given {
        fn old(&self) -> Vec<u32> {
            self.messages.concat()
        }

        fn text(&self) -> Vec<u32> {
            let mut messages = self.messages.clone();
            messages[self.edited] = self.new.clone();
            messages.concat()
        }

        /// The ids before the edited message.
        fn before(&self) -> usize {
            self.messages[..self.edited].iter().map(Vec::len).sum()
        }

        fn edited(&self) -> &[u32] {
            &self.messages[self.edited]
        }

        fn common(&self) -> usize {
            same(&self.old(), &self.text(), 32)
        }

        /// When so many ids are taken for common.
        fn kept(&self, common: usize) -> Found {
            let length = self.text().len();
            let kept = common.min(self.rows).min(length.saturating_sub(1));
            (kept, self.rows - kept, length - kept)
        }
    }

    /// As many ids as are the same in their lower bits.
    fn same(a: &[u32], b: &[u32], bits: u32) -> usize {
        a.iter().zip(b).take_while(|(a, b)| (*a ^ *b) << (32 - bits) == 0).count()
    }

    /// By what a row was made from: it is kept if that is still the beginning of the text, and something remains to compute.
    fn right(given: &Given) -> Found {
        let (old, text) = (given.old(), given.text());
        let mut kept = 0;
        while kept < given.rows && kept + 1 < text.len() && old[kept] == text[kept] {
            kept += 1;
        }
        (kept, given.rows - kept, text.len() - kept)
    }

    fn given() -> Vec<Given> {
        let talk: &[&[u32]] = &[&[1, 8, 8], &[2, 5, 6, 7], &[3, 9, 9], &[2, 4, 4], &[3, 6]];
        let given = |messages: &[&[u32]], edited: usize, new: &[u32], rows: usize| Given {
            messages: messages.iter().map(|ids| ids.to_vec()).collect(),
            edited,
            new: new.to_vec(),
            rows,
        };
        let mut all = vec![
            // As long, longer, shorter, nothing.
            given(talk, 1, &[2, 5, 0, 7], 15),
            given(talk, 1, &[2, 5, 0, 0, 0, 7], 15),
            given(talk, 1, &[2, 0], 15),
            given(talk, 1, &[], 15),
            given(talk, 1, &[2, 5, 6, 7], 15),
            given(talk, 1, &[0, 5, 6, 7], 15),
            // The old message is a beginning of the new one, or the new one of the old.
            given(talk, 1, &[2, 5, 6, 7, 0], 15),
            given(talk, 1, &[2, 5, 6, 7, 3, 0], 15),
            given(talk, 1, &[2, 5, 6], 15),
            given(&[&[1], &[2, 3, 9], &[3, 9, 9], &[2, 4]], 1, &[2], 9),
            given(&[&[1], &[2], &[3, 9], &[3, 9]], 1, &[2, 3, 9], 6),
            // The first message, and the last one.
            given(talk, 0, &[1, 0, 8], 15),
            given(talk, 4, &[3], 15),
            given(talk, 4, &[], 15),
            given(talk, 4, &[3, 6, 6], 15),
            // Fewer rows than ids.
            given(talk, 3, &[2, 0, 4], 14),
            given(talk, 3, &[2, 0, 4], 9),
            given(talk, 3, &[2, 4, 4, 4], 0),
            given(talk, 4, &[3], 13),
            // Nothing is left, nothing was there.
            given(&[&[1, 2, 3]], 0, &[], 3),
            given(&[&[], &[]], 1, &[], 0),
            given(&[&[], &[]], 1, &[5], 0),
            given(&[&[5]], 0, &[5], 1),
        ];
        let mut random = Random::new(74);
        for _ in 0..400 {
            let mut ids = |most| {
                let length = random.below(most);
                (0..length).map(|_| random.below(2) as u32).collect::<Vec<u32>>()
            };
            let messages = [ids(6), ids(4), ids(6), ids(4), ids(4)].to_vec();
            let mut new = ids(6);
            let edited = random.below(messages.len());
            if random.below(2) == 0 {
                // The same beginning.
                let kept = random.below(messages[edited].len() + 1);
                new = [&messages[edited][..kept], &new].concat();
            }
            let rows = random.below(messages.concat().len() + 1);
            all.push(Given { messages, edited, new, rows });
        }
        // Ids that differ in one of their bits.
        for bit in 0..32 {
            let id = random.bits() as u32;
            all.push(given(&[&[1], &[id, 2], &[3]], 1, &[id ^ 1 << bit, 2], 4));
        }
        let message =
            |i: u32| (0..100).map(|j| (i * 31 + j * 7) % 151_936).collect::<Vec<u32>>();
        let messages: Vec<Vec<u32>> = (0..1500).map(message).collect();
        let new = [&messages[700][..50], &messages[701]].concat();
        all.push(Given { messages, edited: 700, new, rows: 149_999 });
        all
    }

    fn mistakes() -> Vec<Mistake<Given, Found>> {
        let narrow = "an id has 32 bits, and all of them count";
        fn in_bits<const BITS: u32>(given: &Given) -> Found {
            given.kept(same(&given.old(), &given.text(), BITS))
        }
        vec![
            (
                "the same ids at the same positions are not enough: rows after the edit were made from what they saw, and that has changed",
                |g| match g.new.len() == g.edited().len() {
                    true => {
                        let replaced = g.new.len().min(g.rows);
                        (g.rows - replaced, replaced, replaced)
                    }
                    false => right(g),
                },
            ),
            ("the edited message too stays valid as far as its ids are the same", |g| {
                g.kept(g.before())
            }),
            (
                "common ids do not end where a message ends: the next ones may be the same ids at the same positions",
                |g| match g.edited() == g.new {
                    true => right(g),
                    false => g.kept(g.before() + same(g.edited(), &g.new, 32)),
                },
            ),
            ("these are rows that the cache has not: after Ctrl-C it may have fewer", |g| {
                let kept = g.common().min(g.text().len().saturating_sub(1));
                (kept, g.rows.saturating_sub(kept), g.text().len() - kept)
            }),
            (
                "the last id is always computed: without it there are no logits, whatever the cache holds",
                |g| {
                    let kept = g.common().min(g.rows);
                    (kept, g.rows - kept, g.text().len() - kept)
                },
            ),
            (narrow, in_bits::<16>),
            (narrow, in_bits::<17>),
            (narrow, in_bits::<21>),
            (narrow, in_bits::<24>),
        ]
    }
}
