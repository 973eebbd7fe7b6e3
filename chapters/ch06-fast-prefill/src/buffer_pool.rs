use std::sync::Mutex;

use ndarray::Array2;

/// Memory to be used again and again. If we gave it back in between, the system would hand it out
/// anew, page by page.
#[derive(Default)]
pub struct BufferPool<T>(Mutex<Vec<Vec<T>>>);

impl BufferPool<f32> {
    /// A matrix with whatever its memory held before: the caller writes every number.
    pub fn take(&self, (rows, columns): (usize, usize)) -> Array2<f32> {
        let numbers = self.take_many(rows * columns);
        Array2::from_shape_vec((rows, columns), numbers).expect("rows times columns numbers")
    }

    pub fn put(&self, matrix: Array2<f32>) {
        self.put_many(matrix.into_raw_vec_and_offset().0);
    }
}

impl<T: Clone + Default> BufferPool<T> {
    /// The same without a shape.
    pub fn take_many(&self, count: usize) -> Vec<T> {
        if count == 0 {
            return Vec::new();
        }
        let mut buffers = self.0.lock().expect("no panic under the lock");
        // The smallest that is large enough; failing that, the largest, which has to grow.
        let fit = |things: &Vec<T>| {
            let capacity = things.capacity();
            if capacity < count { (1, usize::MAX - capacity) } else { (0, capacity) }
        };
        let best = (0..buffers.len()).min_by_key(|&index| fit(&buffers[index]));
        let mut things = best.map_or_else(Vec::new, |index| buffers.swap_remove(index));
        drop(buffers);
        if things.capacity() < count {
            things = Vec::new(); // what it held need not move
        }
        things.resize(count, T::default());
        things
    }

    pub fn put_many(&self, things: Vec<T>) {
        if !things.is_empty() {
            self.0.lock().expect("no panic under the lock").push(things);
        }
    }
}
