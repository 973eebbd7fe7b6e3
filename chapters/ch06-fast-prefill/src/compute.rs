use std::ops::Range;
use std::sync::Mutex;

use ndarray::{ArrayViewMut2, Axis};

use crate::backend::Backend;
use crate::buffer_pool::BufferPool;
use crate::kernels::Group;
use crate::pool::{Pool, PoolError};
use crate::profile;
use crate::simd::Unpacked;

/// The threads that compute, and the instructions that they use.
pub struct ComputeContext {
    pub backend: Backend,
    pub buffers: BufferPool<f32>,
    pub groups: BufferPool<Group>,
    pub unpacked: BufferPool<Unpacked>,
    /// Whether packed weights are put into the order of the kernels when a model is loaded.
    pub repack: bool,
    /// The least work in a chunk, in numbers gone through: less isn't worth handing out.
    pub small: usize,
    pool: Pool,
}

/// Into how many chunks per thread even work is cut, so that a slow thread can take fewer.
const CHUNKS_PER_THREAD: usize = 4;

impl ComputeContext {
    pub fn new(backend: Backend, threads: usize) -> Result<ComputeContext, PoolError> {
        Ok(ComputeContext {
            backend,
            buffers: BufferPool::default(),
            groups: BufferPool::default(),
            unpacked: BufferPool::default(),
            repack: false,
            small: 64 * 1024,
            pool: Pool::new(threads)?,
        })
    }

    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// How many items make a chunk, at least 1, when `length` of them are shared out. For each item a thread goes
    /// through `numbers` numbers.
    pub fn chunk_len(&self, length: usize, numbers: usize) -> usize {
        let even = length.div_ceil(self.threads() * CHUNKS_PER_THREAD);
        let worth = self.small.div_ceil(numbers.max(1)).max(1);
        if self.threads() == 1 { length.max(1) } else { even.max(worth) }
    }

    /// Shares out the rows of a matrix. `work` gets some consecutive rows and their row indices.
    pub fn par_rows(
        &self,
        mut rows: ArrayViewMut2<f32>,
        work: impl Fn(Range<usize>, ArrayViewMut2<f32>) + Sync,
    ) {
        let length = self.chunk_len(rows.nrows(), 8 * rows.ncols());
        let chunks = rows.axis_chunks_iter_mut(Axis(0), length).enumerate();
        self.par_for(chunks, |(chunk, rows)| {
            let first = chunk * length;
            work(first..first + rows.nrows(), rows);
        });
    }

    /// Does work chunk by chunk. Each is handed to whichever thread is free.
    pub fn par_for<T: Send>(&self, chunks: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
        let chunks: Vec<T> = chunks.collect();
        if chunks.len() <= 1 {
            return chunks.into_iter().for_each(work);
        }
        let chunks = Mutex::new(chunks.into_iter());
        let waited = self.pool.run(&|| {
            loop {
                // A statement of its own, so that the lock is released before the work begins.
                let chunk = chunks.lock().expect("no panic under the lock").next();
                let Some(chunk) = chunk else { break };
                work(chunk);
            }
        });
        profile::waited(waited);
    }
}
