use bytemuck::Zeroable;

use super::check::{CacheError, check_block, check_layer, check_write};
use super::{KvCache, KvType, Rows, Shape};
use crate::kernels::{BLOCK_SIZE, BlockView, Line};

/// Rows are written in place, and if there is room for every position from the start, nothing ever moves.
pub struct ContiguousCache {
    kv_type: KvType,
    heads: usize,
    head_dim: usize,
    capacity: Option<usize>,
    length: usize,
    layers: Vec<(usize, Vec<Line>)>, // rows, and room for them: [blocks, keys and values, heads, BLOCK_SIZE, head_dim]
}

impl ContiguousCache {
    /// Without a capacity it grows as rows come.
    pub fn new(
        kv_type: KvType,
        layers: usize,
        (heads, head_dim): (usize, usize),
        capacity: Option<usize>,
    ) -> Result<ContiguousCache, CacheError> {
        let positions = capacity.unwrap_or(0);
        let lines = lines_of(kv_type, heads, head_dim, positions);
        let all = lines.saturating_mul(layers as u128);
        let memory = |lines: u128| {
            let mut memory: Vec<Line> = Vec::new();
            match usize::try_from(lines).map(|lines| memory.try_reserve_exact(lines)) {
                Ok(Ok(())) => Ok(memory),
                _ => Err(CacheError::Memory { positions, bytes: all.saturating_mul(64) }),
            }
        };
        // Once as a whole, given back at once: vector by vector the system may promise too much.
        memory(all)?;
        let layers = (0..layers).map(|_| Ok((0, memory(lines)?))).collect::<Result<_, _>>()?;
        Ok(ContiguousCache { kv_type, heads, head_dim, capacity, length: 0, layers })
    }

    /// Takes over another's rows. Where they fit into the memory that it has, none is asked for.
    pub fn copy_from(&mut self, other: &ContiguousCache) {
        self.length = other.length;
        for ((rows, memory), (theirs, lines)) in self.layers.iter_mut().zip(&other.layers) {
            *rows = *theirs;
            memory.clone_from(lines);
        }
    }
}

/// Memory for so many positions of a layer, in whole blocks.
fn lines_of(kv_type: KvType, heads: usize, head_dim: usize, positions: usize) -> u128 {
    let row = heads * kv_type.row_bytes(head_dim);
    let blocks = positions.div_ceil(BLOCK_SIZE) as u128;
    blocks * (2 * BLOCK_SIZE * row / size_of::<Line>()) as u128
}

impl KvCache for ContiguousCache {
    fn shape(&self) -> Shape {
        let lines: usize = self.layers.iter().map(|(_, lines)| lines.capacity()).sum();
        Shape {
            kind: if self.capacity.is_some() { "contiguous" } else { "basic" },
            kv_type: self.kv_type,
            layers: self.layers.len(),
            width: self.heads * self.head_dim,
            head_dim: self.head_dim,
            length: self.length,
            capacity: self.capacity,
            memory_bytes: lines * size_of::<Line>(),
        }
    }

    fn write(&mut self, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
        check_write(&self.shape(), layer, (k, v))?;
        let (heads, head_dim, layers) = (self.heads, self.head_dim, self.layers.len() as u128);
        let (rows, memory) = &mut self.layers[layer];
        *rows = self.length; // what a pass that failed has written does not count
        let end = self.length + k.nrows();
        let lines = lines_of(self.kv_type, heads, head_dim, end);
        let more = usize::try_from(lines).map(|lines| lines.saturating_sub(memory.len()));
        match more.map(|more| (more, memory.try_reserve(more))) {
            Ok((more, Ok(()))) => memory.resize(memory.len() + more, Line::zeroed()),
            _ => return Err(CacheError::Memory { positions: end, bytes: layers * lines * 64 }),
        }
        let (kv_type, of_head) = (self.kv_type, self.kv_type.row_bytes(head_dim));
        for (part, new) in [k, v].into_iter().enumerate() {
            for (position, row) in (self.length..).zip(new.rows()) {
                let row = row.to_slice().expect("a row lies in one piece");
                for (head, numbers) in row.chunks(head_dim).enumerate() {
                    let stretch = (position / BLOCK_SIZE * 2 + part) * heads + head;
                    let lines = &mut memory[stretch * of_head..][..of_head];
                    if !kv_type.write(lines, part == 1, position % BLOCK_SIZE, numbers) {
                        return Err(CacheError::TooLarge { position });
                    }
                }
            }
        }
        *rows = end;
        Ok(())
    }

    fn advance(&mut self, rows: usize) {
        self.length += rows;
        let complete = self.layers.iter().all(|(rows, _)| *rows == self.length);
        assert!(complete, "every layer writes before the cache advances");
    }

    fn block(&self, layer: usize, index: usize) -> Result<BlockView<'_>, CacheError> {
        check_layer(&self.shape(), layer)?;
        let (rows, memory) = &self.layers[layer];
        let rows = check_block(layer, index, *rows)?.len();
        let block = lines_of(self.kv_type, self.heads, self.head_dim, BLOCK_SIZE) as usize;
        let (keys, values) = memory[index * block..][..block].split_at(block / 2);
        Ok(BlockView { kv_type: self.kv_type, rows, keys, values })
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        for (rows, _) in &mut self.layers {
            *rows = self.length.min(*rows);
        }
    }
}
