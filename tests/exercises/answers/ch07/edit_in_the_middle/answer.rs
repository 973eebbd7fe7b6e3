//? title: Change a message in the middle
//? page: ch07/kept.md
//? section: What an early end leaves
//? level: core
//? minutes: 20
//? call: check(answer::edit)
//? hint 1: Write all ids of the old text in a line, and those of the new text under it. Which rows saw nothing that has changed? Do the borders of the messages matter for that?
//? hint 2: What stays is a beginning: as far as the ids of the two texts are equal, as far as the cache has rows, and never all of the new text. The other two numbers follow from it, one from the rows and one from the new text.
//? hint 3: `messages.concat()` is the old text; of the new one, `messages[..edited].concat()` is the first part. Count equal ids from the front with `zip` and `take_while`. `let kept = common.min(rows).min(text.len().saturating_sub(1));`, then `rows - kept` are cut off and `text.len() - kept` are computed.
//? why: A row is made from all ids before it. In the first layer, its key and value depend on its own id and position alone;
//?   from the second layer on they depend on what attention mixed in, and that is the whole past. So the first id that differs
//?   ends what stays, however equal the rest is. Moving rows would be wrong twice: they saw the old message, and their
//?   position was rotated into the keys. What saves work is to change as late in the text as possible. An engine that keeps
//?   the later rows all the same computes something else than a fresh run, and nobody can say how far off.

//! The cache has rows for the first `rows` ids of a conversation, perhaps for all of them and never for more. The text is
//! the ids of all messages, one message after the other. Now message number `edited` gets other ids, `new`. There may be more
//! than before, fewer, as many, or none. The other messages keep theirs.
//!
//! Then the logits after the new text are wanted. They must be those of a fresh run, to the bit, for as little work as
//! possible. A row was made from its own id, its position and all ids before it. So it stays valid only if all ids up to its
//! own are those of the old text, at the same positions. What a message is does not matter, only ids do. No row is ever moved
//! to another position. The last id of the text is always computed, since its logits are wanted.
//!
//! Return three numbers: how many rows are kept, how many are cut off, and how many ids must be computed then.

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
