use std::iter::repeat_n;

use crate::room::Room;
use crate::table::Table;

/// So many characters show a room.
const WIDTH: usize = 64;

/// Who has which part of the room: a letter for what one text has alone, * for what several share, a dot for what is free.
pub fn picture<'a>(room: &Room, texts: impl Iterator<Item = (char, &'a Table)>) -> String {
    let own: Vec<char> = texts.flat_map(|(name, table)| repeat_n(name, table.own())).collect();
    let lent = room.lent();
    let mut blocks: Vec<char> = repeat_n('*', lent.saturating_sub(own.len())).collect();
    blocks.extend(own);
    blocks.resize(room.blocks, '.');
    let width = room.blocks.min(WIDTH);
    let shown: String = (0..width).map(|cell| blocks[cell * room.blocks / width]).collect();
    format!("{shown} {lent} of {} blocks", room.blocks)
}
