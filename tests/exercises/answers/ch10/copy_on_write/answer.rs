//? title: One more token for one of several forks
//? page: ch10/fork.md
//? section: Sharing, and writing
//? level: core
//? minutes: 35
//? call: check(answer::append)
//? hint 1: There are three cases: the token begins a block, or it goes into a block that this text alone has, or into one that others have as well. Write down for each which blocks of the room change, and which counts. Is there one among the three that needs no free block?
//? hint 2: What's in a block isn't always what's in the text. The block may have been written further by a text that shared it and has ended, or by one that still has it. And a free block still has what it last held. How many tokens of its last block belong to this text? `table.length` says it.
//? hint 3: With `begun = table.length % BLOCK` and `last = table.blocks[table.length / BLOCK]`: if `begun > 0` and `room[last].holders == 1`, `room[last].tokens.truncate(begun)` and push. Otherwise find the first free block, or return `false` before anything has changed. It gets `tokens` of its own: none, or a copy of the first `begun` of `last`, whose count then goes down by one. Its number is the table's new last entry, pushed or in place of the old one, and its `holders` is 1.
//? why: What others can see isn't written. That is the whole rule, and all cases follow from it: a full block is never written again, so
//?   it's never copied; the last block is copied by the first one who writes while somebody else still has it; and whoever has
//?   it alone, because the others have copied or ended, writes in place. So of n forks that all go on, n - 1 copy. The rows behind
//?   `length` are another text's, and a copy that took them along would put them before the new one. Nothing may change before
//?   it's certain that there is a free block, or a request that is refused leaves a count behind that no one corrects. In the
//?   engine `Arc::get_mut` asks the question "am I alone?", and gives no way to write if the answer is no.

//! Texts are in blocks of `BLOCK` = 4 tokens, and texts that begin alike share blocks. Put one more token at the end of
//! one of them. A text has its blocks' numbers and its length (`Table`), a block has tokens and the number of texts that
//! have it (`Block`); both are in `exercise_kit::blocks`.
//!
//! - A block that other texts have as well is never written. If the token has to go into one, this text gets a copy
//!   of what it has in that block, in a free block. The others keep theirs.
//! - Otherwise nothing is copied, and no block is taken that isn't needed.
//! - The first `length` tokens of the table's blocks are the text. A block may have more: another text, which perhaps
//!   has ended, has written on in it. Behind the new token nothing must be left of that in a block of this text's own.
//! - A free block has `holders == 0`, and it may still have tokens. Take the one with the smallest number.
//! - Counts and tables have to be right afterwards.
//!
//! Return `true`. If a free block is needed and there is none, return `false`, and nothing may have changed. The table
//! has as many blocks as its length needs, and the text may be empty.

//-- solution
use exercise_kit::blocks::BLOCK;
//-- end
use exercise_kit::blocks::{Block, Table};

pub fn append(room: &mut [Block], table: &mut Table, token: u32) -> bool {
    //-- starter
    // todo!()
    //-- solution
    let begun = table.length % BLOCK;
    let last = table.blocks.last().copied().filter(|_| begun > 0);
    let alone = last.filter(|&last| room[last].holders == 1);
    let block = match alone {
        Some(last) => {
            room[last].tokens.truncate(begun);
            last
        }
        None => {
            let Some(free) = room.iter().position(|block| block.holders == 0) else {
                return false;
            };
            room[free] = Block { tokens: Vec::new(), holders: 1 };
            if let Some(last) = last {
                room[free].tokens = room[last].tokens[..begun].to_vec();
                room[last].holders -= 1;
                table.blocks.pop();
            }
            table.blocks.push(free);
            free
        }
    };
    room[block].tokens.push(token);
    table.length += 1;
    true
    //-- end
}
