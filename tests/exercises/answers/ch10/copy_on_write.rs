//? title: One more token for one of several forks
//? page: ch10/fork.md
//? section: Sharing, and writing
//? level: core
//? minutes: 35
//? call: check(append)
//? hint 1: There are three cases: the token begins a block, or it goes into a block that this text alone has, or into one that others have as well. Write down for each which blocks of the room change, and which counts. Is there one among the three that needs no free block?
//? hint 2: What's in a block isn't always what's in the text. The block may have been written further by a text that shared it and has ended, or by one that still has it. And a free block still has what it last held. How many tokens of its last block belong to this text? `table.length` says it.
//? hint 3: With `begun = table.length % BLOCK` and `last = table.blocks[table.length / BLOCK]`: if `begun > 0` and `room[last].holders == 1`, `room[last].tokens.truncate(begun)` and push. Otherwise find the first free block, or return `false` before anything has changed. It gets `tokens` of its own: none, or a copy of the first `begun` of `last`, whose count then goes down by one. Its number is the table's new last entry, pushed or in place of the old one, and its `holders` is 1.
//? why: What others can see isn't written. That is the whole rule, and all cases follow from it: a full block is never written again, so
//?   it's never copied; the last block is copied by the first one who writes while somebody else still has it; and whoever has
//?   it alone, because the others have copied or ended, writes in place. So of n forks that all go on, n - 1 copy. The rows behind
//?   `length` are another text's, and a copy that took them along would put them before the new one. Nothing may change before
//?   it's certain that there is a free block, or a request that is refused leaves a count behind that no one corrects. In the
//?   engine `Arc::get_mut` asks the question "am I alone?", and gives no way to write if the answer is no.

// Texts are in blocks of `BLOCK` = 4 tokens, and texts that begin alike share blocks. Put one more token at the end of
// one of them. A text has its blocks' numbers and its length (`Table`), a block has tokens and the number of texts that
// have it (`Block`); both are in `exercise_kit::blocks`.
//
// - A block that other texts have as well is never written. If the token has to go into one, this text gets a copy
//   of what it has in that block, in a free block. The others keep theirs.
// - Otherwise nothing is copied, and no block is taken that isn't needed.
// - The first `length` tokens of the table's blocks are the text. A block may have more: another text, which perhaps
//   has ended, has written on in it. Behind the new token nothing must be left of that in a block of this text's own.
// - A free block has `holders == 0`, and it may still have tokens. Take the one with the smallest number.
// - Counts and tables have to be right afterwards.
//
// Return `true`. If a free block is needed and there is none, return `false`, and nothing may have changed. The table
// has as many blocks as its length needs, and the text may be empty.

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

//-- check
pub mod check {
    use exercise_kit::blocks::{BLOCK, Block, Table};
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, Random};

    struct Given {
        room: Vec<Block>,
        table: Table,
        token: u32,
    }

    /// What it returned, and what there is then. Free blocks count as empty.
    type After = (bool, Vec<Block>, Table);

    pub fn check(append: fn(&mut [Block], &mut Table, u32) -> bool) -> Checked {
        let case = |Given { room, table, token }: &Given| {
            let (length, blocks) = (table.length, &table.blocks[..table.blocks.len().min(8)]);
            format!(
                "append {token} to a text of {length} tokens in blocks {blocks:?}, where the room has {}",
                all(room)
            )
        };
        let answer = |given: &Given| {
            let (mut room, mut table) = (given.room.clone(), given.table.clone());
            let done = append(&mut room, &mut table, given.token);
            (done, emptied(room), table)
        };
        ask_each(given(), case, answer, right, likely, |expected, found| {
            let shown = |(done, room, Table { blocks, length }): &After| {
                let last = &blocks[blocks.len().saturating_sub(8)..];
                format!(
                    "{done}, {length} tokens, the last blocks {last:?}, the room has {}",
                    all(room)
                )
            };
            (shown(expected), shown(found))
        })
    }

    fn emptied(mut room: Vec<Block>) -> Vec<Block> {
        let free = room.iter_mut().filter(|block| block.holders == 0);
        free.for_each(|block| block.tokens.clear());
        room
    }

    fn all(room: &[Block]) -> String {
        let one = |(number, block): (usize, &Block)| match block.holders {
            0 => format!("{number}: free"),
            holders => format!("{number}: {:?} of {holders}", block.tokens),
        };
        room.iter().enumerate().map(one).take(12).collect::<Vec<String>>().join(", ")
    }

    /// Rooms of all kinds, small ones first. In the first of them somebody has written on in each block that is shared.
    fn given() -> Vec<Given> {
        let mut random = Random::new(104);
        let mut given = Vec::new();
        for i in 0..600 {
            let length = random.below(if i == 599 { 70_000 } else { 2 + i / 50 });
            let count = length.div_ceil(BLOCK);
            // The text's blocks are in this order, some way into the room.
            let size = count + random.below(4);
            let shift = random.below(size + 1);
            let blocks = (0..count).map(|i| (2 * size - 1 - i + shift) % size);
            let blocks: Vec<usize> = blocks.collect();
            let mut room: Vec<Block> = (0..size)
                .map(|_| {
                    let tokens = (0..random.below(BLOCK + 1)).map(|_| random.bits() as u32);
                    Block { tokens: tokens.collect(), holders: random.below(3) }
                })
                .collect();
            for (at, &block) in blocks.iter().enumerate() {
                let own = BLOCK.min(length - at * BLOCK);
                let written = (own + random.below(BLOCK + 1 - own)).max(if i < 200 {
                    BLOCK
                } else {
                    own
                });
                room[block].tokens = (0..written).map(|_| random.bits() as u32).collect();
                room[block].holders = [1, 2, 300, 70_000][random.below(4)];
            }
            let token = random.bits() as u32;
            given.push(Given { room, table: Table { blocks, length }, token });
        }
        given
    }

    fn right(given: &Given) -> After {
        let (mut room, mut table) = (given.room.clone(), given.table.clone());
        let begun = table.length % BLOCK;
        let last = table.blocks.last().copied().filter(|_| begun > 0);
        let own = last.map_or(Vec::new(), |last| room[last].tokens[..begun].to_vec());
        let is_alone = |last: &usize| room[*last].holders == 1;
        let free = room.iter().position(|block| block.holders == 0);
        let Some(block) = last.filter(is_alone).or(free) else {
            return (false, emptied(room), table);
        };
        if let Some(last) = last {
            room[last].holders -= 1;
            table.blocks.pop();
        }
        room[block] = Block { tokens: [&own[..], &[given.token]].concat(), holders: 1 };
        table.blocks.push(block);
        table.length += 1;
        (true, emptied(room), table)
    }

    /// What became of the block into which the token would go.
    fn likely(given: &Given, expected: &After, found: Option<&After>) -> &'static str {
        let begun = given.table.length % BLOCK;
        let last = given.table.blocks.last().filter(|_| begun > 0);
        let (Some(found), Some(&last)) = (found, last) else { return "" };
        let before = &given.room[last];
        let [right, now] = [expected, found].map(|(_, room, _)| &room[last]);
        if before.holders > 1 && now.tokens != before.tokens {
            return match before.tokens.len() == begun {
                true => {
                    "a shared block is not written either as long as nobody has written on in it"
                }
                false => "a block that another text has was written",
            };
        }
        if !found.0 && found != expected {
            return "the token was refused, and something has changed";
        }
        if now.holders > right.holders {
            return "the original still counts this text, which has a copy now";
        }
        let longer = |(a, b): (&Block, &Block)| a.tokens.len() > b.tokens.len();
        match found.1.iter().zip(&expected.1).any(longer) {
            true if before.holders > 1 => "what another text has written is in the copy",
            true => "the block has tokens behind the text, and the new one came after them",
            false => "",
        }
    }
}
