use crate::block_table::BlockTable;
use ch08_f16_cache::cache::CacheError;

/// The next tokens of one text. The rows of all before them are in its table.
pub struct BatchItem<'a> {
    pub ids: &'a [u32],
    pub table: &'a mut BlockTable,
    pub wanted: usize, // so many of its last rows: their logits
    pub refused: Result<(), CacheError>, // once it is, the pass goes on without it
}

impl<'a> BatchItem<'a> {
    pub fn new(ids: &'a [u32], table: &'a mut BlockTable, wanted: usize) -> BatchItem<'a> {
        BatchItem { ids, table, wanted, refused: Ok(()) }
    }

    pub fn position(&self) -> usize {
        self.table.length()
    }
}
