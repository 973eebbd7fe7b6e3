//! How fast each backend goes through weights of each type that lie in the cache, where memory does not matter.
//!
//! `cargo run --release -p ch06-fast-prefill --example blocks`

use std::array::from_fn;
use std::time::Instant;

use ch06_fast_prefill::backend::Backend;
use ch06_fast_prefill::kernels::{Block, PackedProduct, Round, Rounded, room};
use ground::random::SplitMix64;
use ndarray::{Array2, ArrayView2};

const INNER: usize = 1024;
const COLUMNS: usize = 256;

fn main() {
    println!("{:>12} {:>6} {:>14} {:>20}", "backend", "type", "1 row, GB/s", "512 rows, Gop/s");
    for backend in Backend::available() {
        time::<34>(backend, "Q8_0");
        time::<18>(backend, "Q4_0");
        time::<144>(backend, "Q4_K");
        time::<176>(backend, "Q5_K");
        time::<210>(backend, "Q6_K");
    }
}

fn time<const BYTES: usize>(backend: Backend, name: &str)
where
    [u8; BYTES]: Block,
{
    let mut noise = SplitMix64::new(5);
    let of_row = INNER / 32 / <[u8; BYTES]>::GROUPS / <[u8; BYTES]>::STEPS;
    let blocks = COLUMNS * of_row;
    let weight: Vec<[u8; BYTES]> =
        (0..blocks).map(|_| from_fn(|_| noise.below(256) as u8)).collect();
    let weight = ArrayView2::from_shape((COLUMNS, of_row), &weight).expect("rows");
    let bytes = (blocks * BYTES) as f64;
    let speed = |rows: usize| {
        let x = Array2::from_shape_fn((rows, INNER), |(_, i)| (i as f32 * 0.7).sin());
        let groups = vec![Default::default(); Rounded::room(rows, INNER)];
        let mut rounded = Rounded::within(groups, INNER);
        for out in rounded.pieces_mut(rows) {
            backend.run(Round { x: x.view(), out });
        }
        let mut out = Array2::zeros((rows, COLUMNS));
        let mut room = vec![Default::default(); room::<[u8; BYTES]>(rows, of_row)];
        let mut best = f64::MAX;
        for _ in 0..20 {
            let start = Instant::now();
            let (x, room) = (&rounded, &mut room[..]);
            backend.run(PackedProduct { x, weight, out: out.view_mut(), room });
            best = best.min(start.elapsed().as_secs_f64());
            std::hint::black_box(&mut out);
        }
        best
    };
    let ops = 2.0 * 512.0 * (COLUMNS * INNER) as f64;
    println!(
        "{:>12} {name:>6} {:>14.1} {:>20.1}",
        backend.name(),
        bytes / speed(1) / 1e9,
        ops / speed(512) / 1e9
    );
}
