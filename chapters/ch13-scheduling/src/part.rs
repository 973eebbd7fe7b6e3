use crate::table::Table;
use ch08_f16_cache::cache::CacheError;

/// The next tokens of one text. The rows of all before them are in its table.
pub struct Part<'a> {
    pub ids: &'a [u32],
    pub table: &'a mut Table,
    pub wants_logits: bool,              // those after its last token
    pub refused: Result<(), CacheError>, // once it is, the pass goes on without it
}

impl<'a> Part<'a> {
    pub fn new(ids: &'a [u32], table: &'a mut Table, wants_logits: bool) -> Part<'a> {
        Part { ids, table, wants_logits, refused: Ok(()) }
    }

    pub fn position(&self) -> usize {
        self.table.length()
    }
}
