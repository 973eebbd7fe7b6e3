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
    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, Random};

    #[derive(Clone)]
    struct Given {
        room: Vec<Block>,
        table: Table,
        token: u32,
    }

    /// What it returned, and what there is then. Free blocks count as empty.
    type After = (bool, Vec<Block>, Table);

    const TOKEN: u32 = 99;

    pub fn check(append: fn(&mut [Block], &mut Table, u32) -> bool) -> Checked {
        let case = |Given { room, table, token }: &Given| {
            let length = table.length;
            format!(
                "append {token} to a text of {length} tokens in blocks {:?}, where the room has {}",
                table.blocks,
                all(room)
            )
        };
        let answer = |given: &Given| {
            let Given { mut room, mut table, token } = given.clone();
            let done = append(&mut room, &mut table, token);
            (done, emptied(room), table)
        };
        let right = |given: &Given| after(given, RIGHT);
        ask_all(given(), case, answer, right, &mistakes(), |expected, found| {
            (shown(expected), shown(found))
        })
    }

    fn emptied(mut room: Vec<Block>) -> Vec<Block> {
        room.iter_mut()
            .filter(|block| block.holders == 0)
            .for_each(|block| block.tokens.clear());
        room
    }

    fn shown((done, room, Table { blocks, length }): &After) -> String {
        format!("{done}, {length} tokens in blocks {blocks:?}, the room has {}", all(room))
    }

    fn all(room: &[Block]) -> String {
        let one = |(number, block): (usize, &Block)| match block.holders {
            0 => format!("{number}: free"),
            holders => format!("{number}: {:?} of {holders}", block.tokens),
        };
        room.iter().enumerate().map(one).collect::<Vec<String>>().join(", ")
    }

    /// By hand at first, each with as little as shows something, and then whatever comes of texts that come and go.
    fn given() -> Vec<Given> {
        let block = |tokens: &[u32], holders| Block { tokens: tokens.to_vec(), holders };
        let one = |room: &[Block], blocks: &[usize], length| Given {
            room: room.to_vec(),
            table: Table { blocks: blocks.to_vec(), length },
            token: TOKEN,
        };
        let (full, free) = (block(&[1, 2, 3, 4], 1), block(&[], 0));
        let shared = block(&[1, 2, 3, 4], 2);
        let mut given = vec![
            one(&[free.clone(), free.clone()], &[], 0),
            one(&[block(&[1, 2], 1), free.clone()], &[0], 2),
            one(&[full.clone(), free.clone()], &[0], 4),
            one(&[full, block(&[7, 8], 0)], &[0], 4),
            one(&[block(&[1, 2], 2), free.clone()], &[0], 2),
            one(&[block(&[1, 2, 3], 2), free.clone()], &[0], 2),
            one(&[block(&[1, 2, 3, 4], 2), block(&[9], 0)], &[0], 1),
            one(&[block(&[1, 2, 3, 4], 1), free.clone()], &[0], 1),
            one(&[shared.clone(), free.clone(), free.clone()], &[0], 4),
            one(&[shared.clone(), block(&[5, 6], 2), free.clone(), free.clone()], &[0, 1], 6),
            one(&[block(&[5], 1), shared.clone(), free.clone()], &[1, 0], 5),
            // Nothing is free.
            one(&[], &[], 0),
            one(&[block(&[1, 2], 2)], &[0], 2),
            one(&[shared, block(&[5, 6, 7], 2)], &[0, 1], 6),
        ];
        let mut random = Random::new(104);
        for _ in 0..20 {
            given.extend(lives(&mut random));
        }
        given
    }

    /// What is asked while texts begin, fork, go on and end.
    fn lives(random: &mut Random) -> Vec<Given> {
        let mut room = vec![Block::default(); 7];
        let mut tables: Vec<Table> = Vec::new();
        let mut given = Vec::new();
        for token in 100..160 {
            let which = random.below(tables.len().max(1));
            match random.below(12) {
                0 => tables.push(Table::default()),
                1 | 2 if !tables.is_empty() => {
                    let length =
                        tables[which].length - random.below(3).min(tables[which].length);
                    let blocks = tables[which].blocks[..length.div_ceil(BLOCK)].to_vec();
                    blocks.iter().for_each(|block| room[*block].holders += 1);
                    tables.push(Table { blocks, length });
                }
                3 if !tables.is_empty() => {
                    let ended = tables.swap_remove(which);
                    ended.blocks.iter().for_each(|block| room[*block].holders -= 1);
                }
                _ if !tables.is_empty() => {
                    let asked =
                        Given { room: room.clone(), table: tables[which].clone(), token };
                    let (_, next, table) = after(&asked, RIGHT);
                    // What was in a free block stays in it.
                    for (old, new) in room.iter_mut().zip(next) {
                        if new.holders > 0 {
                            *old = new;
                        }
                    }
                    tables[which] = table;
                    given.push(asked);
                }
                _ => {}
            }
        }
        given
    }

    /// How a token is appended, in parts that a mistake replaces.
    #[derive(Clone, Copy)]
    struct Way {
        /// A block with so many tokens of this text is written as it is.
        writes: fn(&Block, usize) -> bool,
        copies_to_its_end: bool,
        stays_counted: bool,
        keeps_what_is_behind: bool,
        counts_before_it_looks: bool,
    }

    const RIGHT: Way = Way {
        writes: |block, _| block.holders == 1,
        copies_to_its_end: false,
        stays_counted: false,
        keeps_what_is_behind: false,
        counts_before_it_looks: false,
    };

    fn after(given: &Given, way: Way) -> After {
        let Given { mut room, mut table, token } = given.clone();
        let done = appended(&mut room, &mut table, token, way);
        (done, emptied(room), table)
    }

    fn appended(room: &mut [Block], table: &mut Table, token: u32, way: Way) -> bool {
        let begun = table.length % BLOCK;
        let last = table.blocks.last().copied().filter(|_| begun > 0);
        if let Some(last) = last
            && (way.writes)(&room[last], begun)
        {
            if !way.keeps_what_is_behind {
                room[last].tokens.truncate(begun);
            }
            room[last].tokens.push(token);
            table.length += 1;
            return true;
        }
        let free = room.iter().position(|block| block.holders == 0);
        if let Some(last) = last
            && (way.counts_before_it_looks || (free.is_some() && !way.stays_counted))
        {
            room[last].holders -= 1;
        }
        let Some(free) = free else { return false };
        room[free] = Block { tokens: Vec::new(), holders: 1 };
        if let Some(last) = last {
            let copied = if way.copies_to_its_end { room[last].tokens.len() } else { begun };
            room[free].tokens = room[last].tokens[..copied].to_vec();
            table.blocks.pop();
        }
        room[free].tokens.push(token);
        table.blocks.push(free);
        table.length += 1;
        true
    }

    fn mistakes() -> Vec<Mistake<Given, After>> {
        vec![
            ("a block that another text has was written", |g| {
                after(g, Way { writes: |_, _| true, ..RIGHT })
            }),
            ("the original still counts this text, which has a copy now", |g| {
                after(g, Way { stays_counted: true, ..RIGHT })
            }),
            ("what another text has written is in the copy", |g| {
                after(g, Way { copies_to_its_end: true, ..RIGHT })
            }),
            ("the block has tokens behind the text, and the new one came after them", |g| {
                after(g, Way { keeps_what_is_behind: true, ..RIGHT })
            }),
            ("the token was refused, and something has changed", |g| {
                after(g, Way { counts_before_it_looks: true, ..RIGHT })
            }),
            (
                "a shared block is not written either as long as nobody has written on in it",
                |g| {
                    let writes = |block: &Block, begun| {
                        block.holders == 1 || block.tokens.len() == begun
                    };
                    after(g, Way { writes, ..RIGHT })
                },
            ),
        ]
    }
}
