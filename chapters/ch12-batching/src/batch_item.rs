use crate::block_table::BlockTable;
use ch08_f16_cache::cache::CacheError;

/// The next tokens of one text. The rows of all before them are in its table.
pub struct BatchItem<'a> {
    pub ids: &'a [u32],
    pub table: &'a mut BlockTable,
    pub wants_logits: bool,              // those after its last token
    pub refused: Result<(), CacheError>, // once it is, the pass goes on without it
}

impl<'a> BatchItem<'a> {
    pub fn new(ids: &'a [u32], table: &'a mut BlockTable, wants_logits: bool) -> BatchItem<'a> {
        BatchItem { ids, table, wants_logits, refused: Ok(()) }
    }

    pub fn position(&self) -> usize {
        self.table.length()
    }
}
