//? recognised: as long as nobody has written on
//? why: Writes into a shared block if no text has gone on in it yet, since nobody's tokens are overwritten. Now the other text's block has a token that it knows nothing of, and whoever copies or continues it has to know.

use exercise_kit::blocks::BLOCK;
use exercise_kit::blocks::{Block, Table};

pub fn append(room: &mut [Block], table: &mut Table, token: u32) -> bool {
    let begun = table.length % BLOCK;
    let last = table.blocks.last().copied().filter(|_| begun > 0);
    let alone =
        last.filter(|&last| room[last].holders == 1 || room[last].tokens.len() == begun);
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
