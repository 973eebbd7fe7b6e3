//? recognised: another text has was written
//? why: Writes into the last block, whoever else has it. The other text finds a token that isn't its own, and the next of its own goes somewhere else than it should.

use exercise_kit::blocks::BLOCK;
use exercise_kit::blocks::{Block, Table};

pub fn append(room: &mut [Block], table: &mut Table, token: u32) -> bool {
    let begun = table.length % BLOCK;
    let last = table.blocks.last().copied().filter(|_| begun > 0);
    let alone = last;
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
}
