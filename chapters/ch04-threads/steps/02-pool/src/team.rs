use std::sync::Mutex;

use crate::backend::Backend;
use crate::pool::{Pool, PoolError};

/// The threads that compute, and the instructions that they use.
pub struct Team {
    pub backend: Backend,
    pool: Pool,
}

/// Into how many pieces per thread even work is cut, so that a slow thread can take fewer.
const PIECES: usize = 4;

impl Team {
    pub fn new(backend: Backend, threads: usize) -> Result<Team, PoolError> {
        Ok(Team { backend, pool: Pool::new(threads)? })
    }

    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Into how long pieces to cut `length` things: at least 1.
    pub fn piece(&self, length: usize) -> usize {
        let pieces = if self.threads() == 1 { 1 } else { self.threads() * PIECES };
        length.div_ceil(pieces).max(1)
    }

    /// Does work piece by piece. Each is handed to whichever thread is free.
    pub fn share<T: Send>(&self, pieces: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
        let pieces: Vec<T> = pieces.collect();
        if pieces.len() <= 1 {
            return pieces.into_iter().for_each(work);
        }
        let pieces = Mutex::new(pieces.into_iter());
        self.pool.run(&|| {
            loop {
                // A statement of its own, so that the lock is released before the work begins.
                let piece = pieces.lock().expect("no panic under the lock").next();
                let Some(piece) = piece else { break };
                work(piece);
            }
        });
    }
}
