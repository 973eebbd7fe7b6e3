use std::ops::Range;
use std::sync::Mutex;

use ndarray::{ArrayViewMut2, Axis};

use crate::backend::Backend;
use crate::pool::{Pool, PoolError};
use crate::profile;

/// The threads that compute, and the instructions that they use.
pub struct Team {
    pub backend: Backend,
    /// A thread goes through at least so many numbers for a piece: less is not worth handing out.
    pub small: usize,
    pool: Pool,
}

/// How many pieces each thread gets of work that is cut evenly: a slow one takes fewer of them.
const PIECES: usize = 4;

impl Team {
    pub fn new(backend: Backend, threads: usize) -> Result<Team, PoolError> {
        Ok(Team { backend, small: 64 * 1024, pool: Pool::new(threads)? })
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

    /// Shares out the rows of a matrix: `work` gets some that follow each other, and their numbers.
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
                // A statement of its own, so that the lock is free again before the work begins.
                let piece = pieces.lock().expect("no panic under the lock").next();
                let Some(piece) = piece else { break };
                work(piece);
            }
        });
        profile::waited(waited);
    }
}
