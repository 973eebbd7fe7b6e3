//? title: How many blocks some texts take, alone and together
//? page: ch10/index.md
//? section: Blocks
//? level: warm-up
//? minutes: 20
//? call: check(answer::alone, answer::together, answer::unused)
//? hint 1: Take blocks of 4, a common beginning of 6 tokens, and three texts of 6, 9 and 11. Draw the blocks of each text below one another, write into each how many rows it has, and cross out every one that already stands above it with the very same rows. What is left in the second column?
//? hint 2: Go through the blocks by their place. Before the place where the texts part, there is one for all. Behind it, everybody has their own. At that place, if the common beginning ends inside a block, each text that goes on has written into it, so it has one of its own. Those that don't go on have written nothing: how many blocks do they need, and how many if there are none of them?
//? hint 3: With `whole = common / block`, the blocks are `whole`, plus `length.div_ceil(block) - whole` for each text with `length > common`, plus 1 if `common % block > 0` and any text has exactly `common` tokens. Without texts it's 0. The rows in them: `whole * block`, plus `length - whole * block` for each text that goes on, plus `common % block` if that further block is there. Unused is what's missing from `blocks * block`.
//? why: A block is at an absolute place: positions 64 to 127 of a text are in its second block, wherever the text parts from
//?   others. So what two texts share is whole blocks, and the one in which they part has to be there for each that writes, with
//?   its first rows copied. At most one block a text is lost to this, and at most one is not full: that's the price of paging,
//?   half a block a text on average, and a block here is 7 MiB. The original of the copied block stays only as long as somebody
//?   has not gone on. The last of its holders needn't copy, it writes into the original, and that's why no block is counted for
//?   it in addition.

//! Texts are in blocks of `block` positions. Position p of a text is in its block number p / block, so a text of no tokens
//! has no block. Say what some texts of `lengths` tokens take:
//!
//! - `alone`: how many blocks there are if each text has its own.
//! - `together`: how many there are if all of them begin with the same `common` tokens and go on differently. What
//!   begins alike was computed once, and each text is a fork of it. Two texts have a block in common as long as all their rows
//!   in it are the same. A text that goes on inside a common block has a copy of its own there, and texts that don't go on
//!   (they have exactly `common` tokens) still share what they had. A block that is in no text any more is free and
//!   isn't counted.
//! - `unused`: how many bytes of the blocks of `together` have no row yet. A row takes `bytes` bytes.
//!
//! No text has fewer than `common` tokens. There may be no texts at all: they take nothing. `block` is at least 1, and
//! all results fit 64 bits.

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
