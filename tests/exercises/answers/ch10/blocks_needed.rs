//? title: How many blocks some texts take, alone and together
//? page: ch10/index.md
//? section: Blocks
//? level: warm-up
//? minutes: 20
//? call: check(alone, together, unused)
//? hint 1: Take blocks of 4, a common beginning of 6 tokens, and three texts of 6, 9 and 11. Draw the blocks of each text below one another, write into each how many rows it has, and cross out every one that already stands above it with the very same rows. What is left in the second column?
//? hint 2: Go through the blocks by their place. Before the place where the texts part, there is one for all. Behind it, everybody has their own. At that place, if the common beginning ends inside a block, each text that goes on has written into it, so it has one of its own. Those that don't go on have written nothing: how many blocks do they need, and how many if there are none of them?
//? hint 3: With `whole = common / block`, the blocks are `whole`, plus `length.div_ceil(block) - whole` for each text with `length > common`, plus 1 if `common % block > 0` and any text has exactly `common` tokens. Without texts it's 0. The rows in them: `whole * block`, plus `length - whole * block` for each text that goes on, plus `common % block` if that further block is there. Unused is what's missing from `blocks * block`.
//? why: A block is at an absolute place: positions 64 to 127 of a text are in its second block, wherever the text parts from
//?   others. So what two texts share is whole blocks, and the one in which they part has to be there for each that writes, with
//?   its first rows copied. At most one block a text is lost to this, and at most one is not full: that's the price of paging,
//?   half a block a text on average, and a block here is 7 MiB. The original of the copied block stays only as long as somebody
//?   has not gone on. The last of its holders needn't copy, it writes into the original, and that's why no block is counted for
//?   it in addition.

// Texts are in blocks of `block` positions. Position p of a text is in its block number p / block, so a text of no tokens
// has no block. Say what some texts of `lengths` tokens take:
//
// - `alone`: how many blocks there are if each text has its own.
// - `together`: how many there are if all of them begin with the same `common` tokens and go on differently. What
//   begins alike was computed once, and each text is a fork of it. Two texts have a block in common as long as all their rows
//   in it are the same. A text that goes on inside a common block has a copy of its own there, and texts that don't go on
//   (they have exactly `common` tokens) still share what they had. A block that is in no text any more is free and
//   isn't counted.
// - `unused`: how many bytes of the blocks of `together` have no row yet. A row takes `bytes` bytes.
//
// No text has fewer than `common` tokens. There may be no texts at all: they take nothing. `block` is at least 1, and
// all results fit 64 bits.

pub fn alone(lengths: &[u64], block: u64) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    lengths.iter().map(|length| length.div_ceil(block)).sum()
    //-- end
}

pub fn together(common: u64, lengths: &[u64], block: u64) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    blocks_and_rows(common, lengths, block).0
    //-- end
}

pub fn unused(common: u64, lengths: &[u64], block: u64, bytes: u64) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    let (blocks, rows) = blocks_and_rows(common, lengths, block);
    (blocks * block - rows) * bytes
    //-- end
}
//-- solution

fn blocks_and_rows(common: u64, lengths: &[u64], block: u64) -> (u64, u64) {
    if lengths.is_empty() {
        return (0, 0);
    }
    let (whole, begun) = (common / block, common % block);
    let (mut blocks, mut rows) = (whole, whole * block);
    for &length in lengths.iter().filter(|&&length| length > common) {
        blocks += length.div_ceil(block) - whole;
        rows += length - whole * block;
    }
    if begun > 0 && lengths.contains(&common) {
        blocks += 1;
        rows += begun;
    }
    (blocks, rows)
}
//-- end

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_each};
    use exercise_kit::{Checked, Random};

    struct Given {
        common: u64,
        lengths: Vec<u64>,
        block: u64,
        bytes: u64,
        /// Why the answer is likely to be wrong here, if it was right before.
        likely: &'static str,
    }

    pub fn check(
        alone: fn(&[u64], u64) -> u64,
        together: fn(u64, &[u64], u64) -> u64,
        unused: fn(u64, &[u64], u64, u64) -> u64,
    ) -> Checked {
        let case = |of: &str| {
            let of = of.to_string();
            move |Given { common, lengths, block, bytes, .. }: &Given| {
                format!(
                    "{of}: texts of {lengths:?} tokens, in blocks of {block}, the first {common} in common, {bytes} bytes a row"
                )
            }
        };
        let likely = |g: &Given, _: &u64, _: Option<&u64>| g.likely;
        let right = |g: &Given| g.lengths.iter().map(|length| length.div_ceil(g.block)).sum();
        let answer = |g: &Given| alone(&g.lengths, g.block);
        let empty = "a text that ends where a block ends has an empty block";
        let all = given([four(empty, 0, &[4])]);
        ask_each(all, case("alone"), answer, right, likely, as_written)?;

        let answer = |g: &Given| together(g.common, &g.lengths, g.block);
        let once =
            "the block in which they part is there once, and each of them has written into it";
        let copied = "a block is copied for a text that does not go on";
        let none = "there are no texts here: one less than none is below 0";
        let all =
            given([four(once, 6, &[9, 11]), four(copied, 6, &[6, 6, 7]), four(none, 9, &[])]);
        let right = |g: &Given| distinct(g).len() as u64;
        ask_each(all, case("together"), answer, right, likely, as_written)?;

        let answer = |g: &Given| unused(g.common, &g.lengths, g.block, g.bytes);
        let place = "a row that was copied has a place in each copy";
        let many = "so many bytes are more than 32 bits can say";
        let all = given([
            four(place, 6, &[9, 11]),
            Given { block: 64, bytes: 114_688, ..four(many, 1000, &[40_961; 1000]) },
        ]);
        let right =
            |g: &Given| distinct(g).iter().map(|rows| g.block - rows).sum::<u64>() * g.bytes;
        ask_each(all, case("unused"), answer, right, likely, as_written)
    }

    fn four(likely: &'static str, common: u64, lengths: &[u64]) -> Given {
        Given { common, lengths: lengths.to_vec(), block: 4, bytes: 10, likely }
    }

    /// These ones, and others of all sizes.
    fn given(first: impl IntoIterator<Item = Given>) -> Vec<Given> {
        let mut all: Vec<Given> = first.into_iter().collect();
        let mut random = Random::new(101);
        for i in 0..300 {
            let scale = if i < 200 { 1 } else { 1 << random.below(30) };
            let common = random.below(12) as u64 * scale;
            let lengths = (0..random.below(6)).map(|_| common + random.below(9) as u64 * scale);
            let lengths: Vec<u64> = lengths.collect();
            let block = (1 + random.below(9)) as u64 * scale;
            let bytes = 1 + random.below(114_688) as u64;
            all.push(Given { common, lengths, block, bytes, likely: "" });
        }
        all
    }

    /// The rows in each block that somebody has. Blocks of the common beginning are there once.
    fn distinct(given: &Given) -> Vec<u64> {
        let Given { common, lengths, block, .. } = given;
        let mut blocks = Vec::new();
        let mut shared = Vec::new(); // first positions of common blocks that were counted
        for length in lengths {
            for first in (0..*length).step_by(*block as usize) {
                let end = *length.min(&(first + block));
                if end <= *common {
                    if shared.contains(&first) {
                        continue;
                    }
                    shared.push(first);
                }
                blocks.push(end - first);
            }
        }
        blocks
    }
}
