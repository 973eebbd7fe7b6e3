use std::ops::Range;
use std::sync::Arc;

use ndarray::s;

use crate::block_pool::{Block, BlockPool};
use ch08_f16_cache::cache::{CacheError, ContiguousCache, KvCache, Rows, Shape};
use ch08_f16_cache::cache::{check_block, check_layer, check_write};
use ch08_f16_cache::kernels::{BLOCK_SIZE, BlockView};

/// The rows of one text, in blocks of 64 positions. Another text that begins alike may share them.
pub struct BlockTable {
    pool: Arc<BlockPool>,
    blocks: Vec<Arc<Block>>,
    rows: Vec<usize>, // written, in each layer
    length: usize,
}

impl BlockTable {
    pub fn new(pool: &Arc<BlockPool>) -> BlockTable {
        let rows = vec![0; pool.layers];
        BlockTable { pool: pool.clone(), blocks: Vec::new(), rows, length: 0 }
    }

    /// How many rows it holds, in all layers.
    pub fn length(&self) -> usize {
        self.length
    }

    /// A table with rows that others have computed. Nothing is copied until it's written to.
    pub fn with(pool: &Arc<BlockPool>, blocks: Vec<Arc<Block>>, length: usize) -> BlockTable {
        BlockTable { pool: pool.clone(), blocks, rows: vec![length; pool.layers], length }
    }

    pub fn blocks_mut(&mut self) -> &mut [Arc<Block>] {
        &mut self.blocks
    }

    /// Makes sure that so many rows can be written: that there are blocks for them, and that nobody else sees these.
    /// If there's no room for all of them, none is taken.
    pub fn reserve(&mut self, rows: usize) -> Result<(), CacheError> {
        let (length, begun) = (self.length, self.length % BLOCK_SIZE);
        let blocks = self.blocks.len();
        let capacity = (blocks + self.pool.blocks - self.pool.in_use()) * BLOCK_SIZE;
        let full = CacheError::Full { length, rows, capacity };
        if self.lacks(rows) > 0 {
            return Err(full);
        }
        let more = blocks..(length + rows).div_ceil(BLOCK_SIZE);
        let more = more.map(|_| Ok(Arc::new(self.pool.allocate()?.ok_or(full)?)));
        let more: Vec<Arc<Block>> = more.collect::<Result<_, CacheError>>()?;
        if begun > 0 {
            let last = &mut self.blocks[length / BLOCK_SIZE];
            match Arc::get_mut(last) {
                Some(own) if own.rows.shape().length == begun => {}
                Some(own) => own.rows.truncate(begun),
                None => {
                    let mut own = self.pool.allocate()?.ok_or(full)?;
                    own.rows.copy_from(&last.rows);
                    own.rows.truncate(begun);
                    *last = Arc::new(own);
                }
            }
        }
        self.blocks.extend(more);
        Ok(())
    }

    /// How many blocks the pool is short of for so many more rows.
    pub fn lacks(&self, rows: usize) -> usize {
        let (begun, blocks) = (self.length % BLOCK_SIZE, self.blocks.len());
        let new = (self.length + rows).div_ceil(BLOCK_SIZE).saturating_sub(blocks);
        let is_shared = |block| Arc::strong_count(block) > 1;
        let copied = begun > 0 && is_shared(&self.blocks[self.length / BLOCK_SIZE]);
        (new + usize::from(copied)).saturating_sub(self.pool.blocks - self.pool.in_use())
    }

    /// How many of its blocks are in no other table.
    pub fn own(&self) -> usize {
        self.blocks.iter().filter(|block| Arc::strong_count(block) == 1).count()
    }

    /// The blocks that the next rows go into, each with those that do.
    fn parts(
        &mut self,
        rows: usize,
    ) -> impl Iterator<Item = (&mut ContiguousCache, Range<usize>)> {
        let (start, end) = (self.length, self.length + rows);
        let blocks = start / BLOCK_SIZE..end.div_ceil(BLOCK_SIZE);
        blocks.clone().zip(&mut self.blocks[blocks]).map(move |(index, block)| {
            let first = index * BLOCK_SIZE;
            let these = first.max(start) - start..end.min(first + BLOCK_SIZE) - start;
            (&mut Arc::get_mut(block).expect("it is reserved").rows, these)
        })
    }
}

impl KvCache for BlockTable {
    fn shape(&self) -> Shape {
        let BlockPool { kv_type, layers, heads: (heads, head_dim), .. } = *self.pool;
        Shape {
            kind: "paged",
            kv_type,
            layers,
            width: heads * head_dim,
            head_dim,
            length: self.length,
            capacity: None,
            memory_bytes: self.blocks.len() * self.pool.block_bytes,
        }
    }

    fn write(&mut self, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
        check_write(&self.shape(), layer, (k, v))?;
        self.reserve(k.nrows())?; // by the first layer, for all of them
        let start = self.length;
        self.rows[layer] = start; // what a pass that failed has written does not count
        for (block, these) in self.parts(k.nrows()) {
            let first = (start + these.start) / BLOCK_SIZE * BLOCK_SIZE;
            let rows = (k.slice(s![these.clone(), ..]), v.slice(s![these, ..]));
            block.write(layer, rows).map_err(|error| match error {
                CacheError::TooLarge { position } => {
                    CacheError::TooLarge { position: first + position }
                }
                error => error,
            })?;
        }
        self.rows[layer] += k.nrows();
        Ok(())
    }

    fn advance(&mut self, rows: usize) {
        self.parts(rows).for_each(|(block, these)| block.advance(these.len()));
        self.length += rows;
    }

    fn block(&self, layer: usize, index: usize) -> Result<BlockView<'_>, CacheError> {
        check_layer(&self.shape(), layer)?;
        let rows = check_block(layer, index, self.rows[layer])?.len();
        // Another text may have written further.
        Ok(BlockView { rows, ..self.blocks[index].rows.block(layer, 0)? })
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.rows.iter_mut().for_each(|rows| *rows = self.length.min(*rows));
        self.blocks.truncate(self.length.div_ceil(BLOCK_SIZE));
    }
}
