//? recognised: never be written again
//? why: Makes the whole text its own before it writes. Full blocks are never written again: sharing them costs nothing and is what it is for.

use exercise_kit::blocks::BLOCK;
use exercise_kit::blocks::{Block, Table};

pub fn append(room: &mut [Block], table: &mut Table, token: u32) -> bool {
    let begun = table.length % BLOCK;
    let shared: Vec<usize> =
        (0..table.blocks.len()).filter(|&at| room[table.blocks[at]].holders > 1).collect();
    let needed = shared.len() + usize::from(begun == 0);
    if room.iter().filter(|block| block.holders == 0).count() < needed {
        return false;
    }
    for at in shared {
        let old = table.blocks[at];
        let free = room.iter().position(|block| block.holders == 0).unwrap();
        room[free] = Block { tokens: room[old].tokens.clone(), holders: 1 };
        room[old].holders -= 1;
        table.blocks[at] = free;
    }
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
