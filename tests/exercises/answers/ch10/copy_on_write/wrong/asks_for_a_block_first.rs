//? recognised: needs no free block
//? why: Looks for a free block before it knows whether it needs one. A text with room in its own last block is refused when everything else is in use.

use exercise_kit::blocks::BLOCK;
use exercise_kit::blocks::{Block, Table};

pub fn append(room: &mut [Block], table: &mut Table, token: u32) -> bool {
    if room.iter().all(|block| block.holders > 0) {
        return false;
    }
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
}
