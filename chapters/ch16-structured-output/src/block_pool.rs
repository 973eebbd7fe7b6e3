use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ground::config::Config;

use ch08_f16_cache::cache::{CacheError, ContiguousCache, KvType};
use ch08_f16_cache::kernels::BLOCK_SIZE;
use ch08_f16_cache::memory::kv_bytes_per_position;

/// How much memory the keys and values of all texts may take together.
pub struct BlockPool {
    pub kv_type: KvType,
    pub layers: usize,
    pub heads: (usize, usize), // of keys, and how long each is
    pub blocks: usize,         // no more than these
    pub block_bytes: usize,    // the memory of each
    in_use: AtomicUsize,
}

/// Keys and values of 64 positions of a text, in all layers. Dropping it gives it back.
///
/// Nobody writes into what is shared:
///
/// ```compile_fail
/// use std::sync::Arc;
/// use ch16_structured_output::{block_pool::Block, cache::KvCache};
///
/// fn forget(shared: Arc<Block>) {
///     shared.rows.truncate(0);
/// }
/// ```
///
/// And nobody gives back twice:
///
/// ```compile_fail
/// use ch16_structured_output::block_pool::Block;
///
/// fn give_back(block: Block) {
///     drop(block);
///     drop(block);
/// }
/// ```
pub struct Block {
    pub rows: ContiguousCache,
    pool: Arc<BlockPool>,
}

impl BlockPool {
    /// With so many blocks for the rows of this model. None of them takes memory before it's used.
    pub fn new(config: &Config, kv_type: KvType, blocks: usize) -> Arc<BlockPool> {
        let heads = (config.kv_heads, config.head_dim);
        let (layers, in_use) = (config.layers, AtomicUsize::new(0));
        let block_bytes = BlockPool::block_bytes(config, kv_type);
        Arc::new(BlockPool { kv_type, layers, heads, blocks, block_bytes, in_use })
    }

    /// The memory that a block takes.
    pub fn block_bytes(config: &Config, kv_type: KvType) -> usize {
        kv_bytes_per_position(config, kv_type) * BLOCK_SIZE
    }

    /// An empty block, if there is one.
    pub fn allocate(self: &Arc<BlockPool>) -> Result<Option<Block>, CacheError> {
        let one_more = |in_use| (in_use < self.blocks).then_some(in_use + 1);
        if self.in_use.fetch_update(Relaxed, Relaxed, one_more).is_err() {
            return Ok(None);
        }
        let rows =
            ContiguousCache::new(self.kv_type, self.layers, self.heads, Some(BLOCK_SIZE));
        if rows.is_err() {
            self.in_use.fetch_sub(1, Relaxed);
        }
        Ok(Some(Block { rows: rows?, pool: self.clone() }))
    }

    /// How many blocks are in use.
    pub fn in_use(&self) -> usize {
        self.in_use.load(Relaxed)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.pool.in_use.fetch_sub(1, Relaxed);
    }
}
