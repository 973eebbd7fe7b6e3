use std::sync::Mutex;
use std::thread;

use crate::backend::Backend;

/// The threads that compute, and the instructions that they use.
pub struct ComputeContext {
    pub backend: Backend,
    threads: usize,
}

/// Into how many chunks per thread even work is cut, so that a slow thread can take fewer.
const CHUNKS_PER_THREAD: usize = 4;

impl ComputeContext {
    pub fn new(backend: Backend, threads: usize) -> ComputeContext {
        ComputeContext { backend, threads }
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Into how long chunks to cut `length` things: at least 1.
    pub fn chunk_len(&self, length: usize) -> usize {
        let chunks = if self.threads() == 1 { 1 } else { self.threads() * CHUNKS_PER_THREAD };
        length.div_ceil(chunks).max(1)
    }

    /// Does work chunk by chunk. Each is handed to whichever thread is free.
    pub fn par_for<T: Send>(&self, chunks: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
        let chunks: Vec<T> = chunks.collect();
        if chunks.len() <= 1 {
            return chunks.into_iter().for_each(work);
        }
        let chunks = Mutex::new(chunks.into_iter());
        let work_off = || {
            loop {
                // A statement of its own, so that the lock is released before the work begins.
                let chunk = chunks.lock().expect("no panic under the lock").next();
                let Some(chunk) = chunk else { break };
                work(chunk);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work_off);
            }
            work_off();
        });
    }
}
