use std::iter::repeat_n;

use crate::block_pool::BlockPool;
use crate::block_table::BlockTable;

/// So many characters show a pool.
const WIDTH: usize = 64;

/// Who has which part of the pool: a letter for what one text has alone, * for what several share, a dot for what is free.
pub fn pool_map<'a>(
    pool: &BlockPool,
    texts: impl Iterator<Item = (char, &'a BlockTable)>,
) -> String {
    let own: Vec<char> = texts.flat_map(|(name, table)| repeat_n(name, table.own())).collect();
    let in_use = pool.in_use();
    let mut blocks: Vec<char> = repeat_n('*', in_use.saturating_sub(own.len())).collect();
    blocks.extend(own);
    blocks.resize(pool.blocks, '.');
    let width = pool.blocks.min(WIDTH);
    let shown: String = (0..width).map(|cell| blocks[cell * pool.blocks / width]).collect();
    format!("{shown} {in_use} of {} blocks", pool.blocks)
}
