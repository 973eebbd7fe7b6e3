use std::ops::Range;
use std::sync::Mutex;

use ndarray::{ArrayViewMut2, Axis};

use crate::backend::Backend;
use crate::pool::{Pool, PoolError};
use crate::profile;
use crate::shelf::Shelf;
use crate::simd::Unpacked;

/// The threads that compute, and the instructions that they use.
pub struct Team {
    pub backend: Backend,
    pub shelf: Shelf<f32>,
    pub unpacked: Shelf<Unpacked>,
    /// The least work in a share, in numbers gone through: less isn't worth handing out.
    pub small: usize,
    pool: Pool,
}

/// Into how many pieces per thread even work is cut, so that a slow thread can take fewer.
const PIECES: usize = 4;

impl Team {
    pub fn new(backend: Backend, threads: usize) -> Result<Team, PoolError> {
        Ok(Team {
            backend,
            shelf: Shelf::default(),
            unpacked: Shelf::default(),
            small: 64 * 1024,
            pool: Pool::new(threads)?,
        })
    }

    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// How many items make a piece, at least 1, when `length` of them are shared out. For each item a thread goes
    /// through `numbers` numbers.
    pub fn piece(&self, length: usize, numbers: usize) -> usize {
        let even = length.div_ceil(self.threads() * PIECES);
        let worth = self.small.div_ceil(numbers.max(1)).max(1);
        if self.threads() == 1 { length.max(1) } else { even.max(worth) }
    }

    /// Shares out the rows of a matrix. `work` gets some consecutive rows and their row indices.
    pub fn share_rows(
        &self,
        mut rows: ArrayViewMut2<f32>,
        work: impl Fn(Range<usize>, ArrayViewMut2<f32>) + Sync,
    ) {
        let length = self.piece(rows.nrows(), 8 * rows.ncols());
        let pieces = rows.axis_chunks_iter_mut(Axis(0), length).enumerate();
        self.share(pieces, |(piece, rows)| {
            let first = piece * length;
            work(first..first + rows.nrows(), rows);
        });
    }

    /// Does work piece by piece. Each is handed to whichever thread is free.
    pub fn share<T: Send>(&self, pieces: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
        let pieces: Vec<T> = pieces.collect();
        if pieces.len() <= 1 {
            return pieces.into_iter().for_each(work);
        }
        let pieces = Mutex::new(pieces.into_iter());
        let waited = self.pool.run(&|| {
            loop {
                // A statement of its own, so that the lock is released before the work begins.
                let piece = pieces.lock().expect("no panic under the lock").next();
                let Some(piece) = piece else { break };
                work(piece);
            }
        });
        profile::waited(waited);
    }
}
