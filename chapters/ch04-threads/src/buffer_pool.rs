use std::sync::Mutex;

use ndarray::Array2;

/// Memory to be used again and again. If we gave it back in between, the system would hand it out
/// anew, page by page.
#[derive(Default)]
pub struct BufferPool(Mutex<Vec<Vec<f32>>>);

impl BufferPool {
    /// A matrix with whatever its memory held before: the caller writes every number.
    pub fn take(&self, (rows, columns): (usize, usize)) -> Array2<f32> {
        let numbers = self.take_numbers(rows * columns);
        Array2::from_shape_vec((rows, columns), numbers).expect("rows times columns numbers")
    }

    pub fn put(&self, matrix: Array2<f32>) {
        self.put_numbers(matrix.into_raw_vec_and_offset().0);
    }

    /// The same without a shape.
    pub fn take_numbers(&self, count: usize) -> Vec<f32> {
        let mut buffers = self.0.lock().expect("no panic under the lock");
        // The smallest that is large enough; failing that, the largest, which has to grow.
        let fit = |numbers: &Vec<f32>| {
            let capacity = numbers.capacity();
            if capacity < count { (1, usize::MAX - capacity) } else { (0, capacity) }
        };
        let best = (0..buffers.len()).min_by_key(|&index| fit(&buffers[index]));
        let mut numbers = best.map_or_else(Vec::new, |index| buffers.swap_remove(index));
        drop(buffers);
        if numbers.capacity() < count {
            numbers = Vec::new(); // what it held need not move
        }
        numbers.resize(count, 0.0);
        numbers
    }

    pub fn put_numbers(&self, numbers: Vec<f32>) {
        self.0.lock().expect("no panic under the lock").push(numbers);
    }
}
