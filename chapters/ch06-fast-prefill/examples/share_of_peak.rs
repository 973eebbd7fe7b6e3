//! How fast each backend goes through weights of each type that lie in the cache, where memory does not matter,
//! and how fast it could go if nothing but the products had to be computed.
//!
//! `cargo run --release -p ch06-fast-prefill --example share_of_peak`

use std::hint::black_box;
use std::time::Instant;

use ch06_fast_prefill::backend::Backend;
use ch06_fast_prefill::kernels::{
    Group, PackedProduct, Q4_0, Q4K, Q5K, Q6K, Q8_0, QuantBlock, Round, Rounded,
};
use ch06_fast_prefill::simd::{Kernel, Simd, Unpacked};
use ground::machine::Machine;
use ground::random::SplitMix64;
use ndarray::{Array2, ArrayView2};
use serde_json::{Map, Value, json};

const COMMAND: &str = "cargo run --release -p ch06-fast-prefill --example share_of_peak";
const INNER: usize = 1024;
const COLUMNS: usize = 256;
const ROWS: usize = 512;

fn main() {
    let mut told = Map::new();
    told.insert("machine".into(), json!(Machine::describe()));
    told.insert("command".into(), COMMAND.into());
    let mut peaks = Value::Null;
    for backend in Backend::available() {
        // As many totals as the registers hold: few for some CPUs, many for others.
        let peak = peak::<6>(backend).max(peak::<12>(backend));
        // The last one is the widest: as `plot --kind roofline` reads them.
        peaks = json!({ "products of bytes": peak, "products of floats": floats::<6>(backend).max(floats::<12>(backend)) });
        let types = json!({
            "peak": peak,
            "q8_0": time::<Q8_0>(backend, peak),
            "q4_0": time::<Q4_0>(backend, peak),
            "q4_k": time::<Q4K>(backend, peak),
            "q5_k": time::<Q5K>(backend, peak),
            "q6_k": time::<Q6K>(backend, peak),
        });
        told.insert(backend.name().replace('-', "_"), types);
    }
    told.insert("peaks".into(), peaks);
    println!("{:#}", Value::from(told));
}

/// Billions of operations a second, if there is nothing but products, with everything in registers. (Without the
/// instruction for four products, some of the work leaves the loop: then it is no peak.)
fn peak<const TOTALS: usize>(backend: Backend) -> f64 {
    2.0 * (STEPS * TOTALS * 64) as f64 / best(|| backend.run(Peak::<TOTALS>([1; 4]))) / 1e9
}

/// The same with products of floats.
fn floats<const SUMS: usize>(backend: Backend) -> f64 {
    2.0 * (STEPS * SUMS * 16) as f64 / best(|| backend.run(Floats::<SUMS>)) / 1e9
}

const STEPS: usize = 100_000;

struct Peak<const TOTALS: usize>([u8; 4]);

impl<const TOTALS: usize> Kernel for Peak<TOTALS> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let column = simd.load_column(black_box(&[3; 64]));
        let mut totals = [simd.splat(&0); TOTALS];
        for _ in 0..STEPS {
            for total in &mut totals {
                *total = simd.add_column(column, &self.0, *total);
            }
        }
        for total in totals {
            let mut numbers = [0.0; 16];
            simd.store(simd.to_f32(total, 0), &mut numbers);
            black_box(numbers);
        }
    }
}

struct Floats<const SUMS: usize>;

impl<const SUMS: usize> Kernel for Floats<SUMS> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let factor = simd.load(black_box(&[1.0; 16]));
        let mut sums = [simd.load(&[0.0; 16]); SUMS];
        for _ in 0..STEPS {
            for sum in &mut sums {
                *sum = simd.mul_add(factor, factor, *sum);
            }
        }
        for sum in sums {
            black_box(simd.sum(sum));
        }
    }
}

/// The shortest of some runs, in seconds.
fn best(mut run: impl FnMut()) -> f64 {
    let times = (0..20).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::MAX, f64::min)
}

fn time<B: QuantBlock>(backend: Backend, peak: f64) -> Value {
    let mut noise = SplitMix64::new(5);
    let of_row = INNER / 32 / B::GROUPS_PER_STEP / B::STEPS;
    let blocks = COLUMNS * of_row;
    let mut weight = vec![B::zeroed(); blocks];
    bytemuck::cast_slice_mut(&mut weight).fill_with(|| noise.below(256) as u8);
    let weight = ArrayView2::from_shape((COLUMNS, of_row), &weight).expect("rows");
    let seconds = |rows: usize| {
        let x = Array2::from_shape_fn((rows, INNER), |(_, i)| (i as f32 * 0.7).sin());
        let groups = vec![Group::default(); Rounded::scratch_len(rows, INNER)];
        let mut rounded = Rounded::within(groups, INNER);
        for out in rounded.chunks_mut(rows) {
            backend.run(Round { x: x.view(), out });
        }
        let mut out = Array2::zeros((rows, COLUMNS));
        let mut scratch =
            vec![Unpacked::default(); PackedProduct::<B>::scratch_len(rows, of_row)];
        best(|| {
            let (x, out, scratch) = (&rounded, out.view_mut(), &mut scratch[..]);
            backend.run(PackedProduct { x, weight, out, scratch });
        })
    };
    let bytes = (blocks * size_of::<B>()) as f64;
    let gops = 2.0 * (ROWS * COLUMNS * INNER) as f64 / seconds(ROWS) / 1e9;
    json!({ "one_row": bytes / seconds(1) / 1e9, "many_rows": gops, "share": 100.0 * gops / peak })
}
