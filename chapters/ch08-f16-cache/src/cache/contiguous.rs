use bytemuck::{Zeroable, cast_slice_mut};

use super::check::{CacheError, check_layer, check_piece, check_write};
use super::{KvCache, KvType, Rows, Shape, round};
use crate::kernels::{Line, PIECE, Piece};

/// Rows are written in place, and if there is room for every position from the start, nothing ever moves.
#[derive(Clone)]
pub struct ContiguousCache {
    kv_type: KvType,
    heads: usize,
    head_dim: usize,
    capacity: Option<usize>,
    length: usize,
    layers: Vec<(usize, Vec<Line>)>, // rows, and room for them: [pieces, keys and values, heads, PIECE, head_dim]
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
        let room = |lines: u128| {
            let mut room: Vec<Line> = Vec::new();
            match usize::try_from(lines).map(|lines| room.try_reserve_exact(lines)) {
                Ok(Ok(())) => Ok(room),
                _ => Err(CacheError::Memory { positions, bytes: all.saturating_mul(64) }),
            }
        };
        // Once in one piece, given back at once: piece by piece the system may promise too much.
        room(all)?;
        let layers = (0..layers).map(|_| Ok((0, room(lines)?))).collect::<Result<_, _>>()?;
        Ok(ContiguousCache { kv_type, heads, head_dim, capacity, length: 0, layers })
    }
}

/// Memory for so many positions of a layer, in whole pieces.
fn lines_of(kv_type: KvType, heads: usize, head_dim: usize, positions: usize) -> u128 {
    let row = heads * head_dim.next_multiple_of(16) * kv_type.bytes();
    let pieces = positions.div_ceil(PIECE) as u128;
    pieces * (2 * PIECE * row / size_of::<Line>()) as u128
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
        let (rows, room) = &mut self.layers[layer];
        *rows = self.length; // what a pass that failed has written does not count
        let end = self.length + k.nrows();
        let lines = lines_of(self.kv_type, heads, head_dim, end);
        let more = usize::try_from(lines).map(|lines| lines.saturating_sub(room.len()));
        match more.map(|more| (more, room.try_reserve(more))) {
            Ok((more, Ok(()))) => room.resize(room.len() + more, Line::zeroed()),
            _ => return Err(CacheError::Memory { positions: end, bytes: layers * lines * 64 }),
        }
        for (part, new) in [k, v].into_iter().enumerate() {
            for (position, row) in (self.length..).zip(new.rows()) {
                let row = row.to_slice().expect("a row lies in one piece");
                for (head, numbers) in row.chunks(head_dim).enumerate() {
                    let block = (position / PIECE * 2 + part) * heads + head;
                    let to = (block * PIECE + position % PIECE) * head_dim.next_multiple_of(16);
                    let to = to..to + head_dim;
                    match self.kv_type {
                        KvType::F32 => cast_slice_mut(room)[to].copy_from_slice(numbers),
                        KvType::F16 => {
                            if !round(numbers, &mut cast_slice_mut(room)[to]) {
                                return Err(CacheError::TooLarge { position });
                            }
                        }
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

    fn piece(&self, layer: usize, index: usize) -> Result<Piece<'_>, CacheError> {
        check_layer(&self.shape(), layer)?;
        let (rows, room) = &self.layers[layer];
        let rows = check_piece(layer, index, *rows)?.len();
        let piece = lines_of(self.kv_type, self.heads, self.head_dim, PIECE) as usize;
        let (keys, values) = room[index * piece..][..piece].split_at(piece / 2);
        Ok(Piece { kv_type: self.kv_type, rows, keys, values })
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        for (rows, _) in &mut self.layers {
            *rows = self.length.min(*rows);
        }
    }
}
