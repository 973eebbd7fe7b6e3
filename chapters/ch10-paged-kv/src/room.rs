use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ground::config::Config;

use ch08_f16_cache::cache::{CacheError, ContiguousCache, KvType};
use ch08_f16_cache::kernels::PIECE;
use ch08_f16_cache::roofline::kv_bytes_per_position;

/// How much memory the keys and values of all texts may take together.
pub struct Room {
    pub kv_type: KvType,
    pub layers: usize,
    pub heads: (usize, usize), // of keys, and how long each is
    pub blocks: usize,         // no more than these
    lent: AtomicUsize,
}

/// Keys and values of 64 positions of a text, in all layers. Dropping it gives it back.
///
/// Nobody writes into what is shared:
///
/// ```compile_fail
/// use std::sync::Arc;
/// use ch10_paged_kv::{cache::KvCache, room::Block};
///
/// fn forget(shared: Arc<Block>) {
///     shared.rows.truncate(0);
/// }
/// ```
///
/// And nobody gives back twice:
///
/// ```compile_fail
/// use ch10_paged_kv::room::Block;
///
/// fn give_back(block: Block) {
///     drop(block);
///     drop(block);
/// }
/// ```
pub struct Block {
    pub rows: ContiguousCache,
    room: Arc<Room>,
}

impl Room {
    /// With so many blocks for the rows of this model. None of them takes memory before it's used.
    pub fn new(config: &Config, kv_type: KvType, blocks: usize) -> Arc<Room> {
        let heads = (config.kv_heads, config.head_dim);
        let (layers, lent) = (config.layers, AtomicUsize::new(0));
        Arc::new(Room { kv_type, layers, heads, blocks, lent })
    }

    /// The memory that a block takes.
    pub fn block_bytes(config: &Config, kv_type: KvType) -> usize {
        kv_bytes_per_position(config, kv_type) * PIECE
    }

    /// An empty block, if there is one.
    pub fn block(self: &Arc<Room>) -> Result<Option<Block>, CacheError> {
        let rows = ContiguousCache::new(self.kv_type, self.layers, self.heads, Some(PIECE))?;
        let one_more = |lent| (lent < self.blocks).then_some(lent + 1);
        let is_free = self.lent.fetch_update(Relaxed, Relaxed, one_more).is_ok();
        Ok(is_free.then(|| Block { rows, room: self.clone() }))
    }

    /// How many blocks are in use.
    pub fn lent(&self) -> usize {
        self.lent.load(Relaxed)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.room.lent.fetch_sub(1, Relaxed);
    }
}
