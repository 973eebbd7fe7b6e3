//! How fast each backend goes through weights of each type that lie in the cache, where memory does not matter.
//!
//! `cargo run --release -p ch05-quantized-weights --example blocks`

use std::time::Instant;

use ch05_quantized_weights::backend::Backend;
use ch05_quantized_weights::kernels::{
    PackedProduct, Q4_0, Q4K, Q5K, Q6K, Q8_0, QuantBlock, Round, Rounded,
};
use ground::random::SplitMix64;
use ndarray::{Array2, ArrayView2};

const INNER: usize = 1024;
const COLUMNS: usize = 256;

fn main() {
    println!("{:>12} {:>6} {:>14} {:>20}", "backend", "type", "1 row, GB/s", "32 rows, Gop/s");
    for backend in Backend::available() {
        time::<Q8_0>(backend, "Q8_0");
        time::<Q4_0>(backend, "Q4_0");
        time::<Q4K>(backend, "Q4_K");
        time::<Q5K>(backend, "Q5_K");
        time::<Q6K>(backend, "Q6_K");
    }
}

fn time<B: QuantBlock>(backend: Backend, name: &str) {
    let mut noise = SplitMix64::new(5);
    let of_row = INNER / 32 / B::GROUPS_PER_STEP / B::STEPS;
    let blocks = COLUMNS * of_row;
    let mut weight = vec![B::zeroed(); blocks];
    bytemuck::cast_slice_mut(&mut weight).fill_with(|| noise.below(256) as u8);
    let weight = ArrayView2::from_shape((COLUMNS, of_row), &weight).expect("rows");
    let bytes = (blocks * size_of::<B>()) as f64;
    let speed = |rows: usize| {
        let x = Array2::from_shape_fn((rows, INNER), |(_, i)| (i as f32 * 0.7).sin());
        let mut rounded = Rounded::new(rows, INNER);
        for out in rounded.chunks_mut(rows) {
            backend.run(Round { x: x.view(), out });
        }
        let mut out = Array2::zeros((rows, COLUMNS));
        let mut best = f64::MAX;
        for _ in 0..200 {
            let start = Instant::now();
            backend.run(PackedProduct { x: &rounded, weight, out: out.view_mut() });
            best = best.min(start.elapsed().as_secs_f64());
            std::hint::black_box(&mut out);
        }
        best
    };
    let ops = 2.0 * 32.0 * (COLUMNS * INNER) as f64;
    println!(
        "{:>12} {name:>6} {:>14.1} {:>20.1}",
        backend.name(),
        bytes / speed(1) / 1e9,
        ops / speed(32) / 1e9
    );
}
