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
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::prefix::VOCABULARY;
    use exercise_kit::{Checked, Random};

    struct Given {
        messages: Vec<Vec<u32>>,
        edited: usize,
        new: Vec<u32>,
        rows: usize,
    }

    /// How many rows are kept, how many are cut off, and how many ids are computed.
    type Found = (usize, usize, usize);

    pub fn check(edit: fn(&[Vec<u32>], usize, &[u32], usize) -> Found) -> Checked {
        let case = |Given { messages, edited, new, rows }: &Given| {
            let ids = messages.concat().len();
            let told = match ids + new.len() {
                0..100 => format!("messages {messages:?}, number {edited} becomes {new:?}"),
                _ => format!(
                    "{} messages with {ids} ids, number {edited} gets {} ids",
                    messages.len(),
                    new.len()
                ),
            };
            format!("(kept, cut off, computed): {told}; the cache has {rows} rows")
        };
        let answer = |g: &Given| edit(&g.messages, g.edited, &g.new, g.rows);
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// By what a row was made from: it is kept if that is still the beginning of the text, and something remains to compute.
    fn right(given: &Given) -> Found {
        let mut messages = given.messages.clone();
        let old = messages.concat();
        messages[given.edited] = given.new.clone();
        let text = messages.concat();
        let mut kept = 0;
        while kept < given.rows && kept + 1 < text.len() && old[kept] == text[kept] {
            kept += 1;
        }
        (kept, given.rows - kept, text.len() - kept)
    }

    /// By hand first: in each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let talk: &[&[u32]] = &[&[1, 8, 8], &[2, 5, 6, 7], &[3, 9, 9], &[2, 4, 4], &[3, 6]];
        let of = |likely, messages: &[&[u32]], edited: usize, new: &[u32], rows: usize| {
            let messages = messages.iter().map(|ids| ids.to_vec()).collect();
            (likely, Given { messages, edited, new: new.to_vec(), rows })
        };
        let mut all = vec![
            of(
                "the same ids at the same positions are not enough: rows after the edit were made from what they saw, and that has changed",
                talk,
                1,
                &[0, 5, 6, 7],
                15,
            ),
            of(
                "the edited message too stays valid as far as its ids are the same",
                talk,
                1,
                &[2, 5, 0, 0, 0, 7],
                15,
            ),
            of(
                "common ids do not end where a message ends: the next ones may be the same ids at the same positions",
                talk,
                1,
                &[2, 5, 6, 7, 3, 0],
                15,
            ),
            of(
                "these are rows that the cache has not: after Ctrl-C it may have fewer",
                talk,
                3,
                &[2, 0, 4],
                9,
            ),
            of(
                "the last id is always computed: without it there are no logits, whatever the cache holds",
                talk,
                4,
                &[3],
                15,
            ),
            of("", &[&[1, 2, 3]], 0, &[], 3),
            of("", &[&[], &[]], 1, &[], 0),
        ];
        let mut random = Random::new(74);
        // Ids that differ in one of their bits.
        for bit in 0..32 {
            let id = random.bits() as u32;
            let bits = "an id has 32 bits, and all of them count";
            all.push(of(bits, &[&[1], &[id, 2], &[3]], 1, &[id ^ 1 << bit, 2], 4));
        }
        // Short messages of few ids, and many messages of many.
        for (rounds, count, most, apart) in [(400, 5, 6, 1), (2, 500, 300, VOCABULARY / 2)] {
            for _ in 0..rounds {
                let mut ids = || {
                    let length = random.below(most);
                    (0..length).map(|_| random.below(2) as u32 * apart).collect::<Vec<u32>>()
                };
                let messages: Vec<Vec<u32>> = (0..count).map(|_| ids()).collect();
                let mut new = ids();
                let edited = random.below(count) / if count > 5 { 20 } else { 1 };
                if random.below(2) == 0 || count > 5 {
                    // The same beginning, sometimes far into the messages behind it.
                    let after = messages[edited..].concat();
                    let kept = random.below(after.len() + 1);
                    new = [&after[..kept], &new].concat();
                }
                let rows = random.below(messages.concat().len() + 1);
                all.push(("", Given { messages, edited, new, rows }));
            }
        }
        all
    }
}
