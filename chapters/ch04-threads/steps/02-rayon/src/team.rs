use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::backend::Backend;

/// The threads that compute, and the instructions that they use.
pub struct Team {
    pub backend: Backend,
    pool: ThreadPool,
}

/// Into how many pieces per thread even work is cut, so that a slow thread can take fewer.
const PIECES: usize = 4;

impl Team {
    pub fn new(backend: Backend, threads: usize) -> Team {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Team { backend, pool: pool.expect("the system starts the threads") }
    }

    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
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
        self.pool.install(|| pieces.into_par_iter().for_each(&work));
    }
}
