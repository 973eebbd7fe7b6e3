//! The kernels of chapter 5 against their definition, bit for bit, in every backend of this CPU, and the definition
//! against what others say such weights are.

mod floats;
mod rounding;

// What chapters 5 and 6 must do alike.
#[path = "../../../../tests/packed/definition.rs"]
mod definition;
#[path = "../../../../tests/packed/exact.rs"]
mod exact;
#[path = "../../../../tests/packed/hostile.rs"]
mod hostile;
#[path = "../../../../tests/packed/products.rs"]
mod products;

use ch06_fast_prefill as engine;

use engine::backend::Backend;
use engine::kernels::{
    Block, Group, PackedProduct, Q4_0, Q4K, Q5K, Q6K, Q8_0, Round, Rounded, Unpacked,
};
use engine::simd::Scalar;
use ground::random::SplitMix64;
use ground::stored::StoredType;
use half::f16;
use ndarray::{Array2, ArrayView2};

/// The types whose blocks are multiplied as they are.
const TYPES: [StoredType; 5] =
    [StoredType::Q8_0, StoredType::Q4_0, StoredType::Q4_K, StoredType::Q5_K, StoredType::Q6_K];

/// Where in a block the 16-bit scales are.
fn places_of_scales(stored: StoredType) -> &'static [usize] {
    match stored {
        StoredType::Q8_0 | StoredType::Q4_0 => &[0],
        StoredType::Q4_K | StoredType::Q5_K => &[0, 2],
        _ => &[208],
    }
}

/// All backends of this CPU, and plain Rust as on a CPU without fused multiply-add.
fn backends() -> Vec<Backend> {
    let mut backends = Backend::available();
    backends.push(Backend::Scalar(Scalar::without_fma()));
    backends
}

/// The rows of x, rounded by this backend.
fn rounded(backend: Backend, x: ArrayView2<f32>) -> Rounded {
    // In memory that holds something else, as a shelf gives it.
    let junk = Group {
        ints: [[77; 16]; 2],
        scale: 7.0,
        sums: [7; 2],
        starts: [7; 2],
        start: 7,
        minus_sum: 7.0,
    };
    let groups = vec![junk; Rounded::room(x.nrows(), x.ncols())];
    let mut rounded = Rounded::within(groups, x.ncols());
    for out in rounded.pieces_mut(x.nrows()) {
        backend.run(Round { x, out });
    }
    rounded
}

/// What the engine makes of x and of the blocks in `bytes`. x: [rows, inner] -> [rows, columns]
fn product(
    backend: Backend,
    x: ArrayView2<f32>,
    stored: StoredType,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    match stored {
        StoredType::Q8_0 => product_of::<Q8_0>(backend, x, bytes, columns),
        StoredType::Q4_0 => product_of::<Q4_0>(backend, x, bytes, columns),
        StoredType::Q4_K => product_of::<Q4K>(backend, x, bytes, columns),
        StoredType::Q5_K => product_of::<Q5K>(backend, x, bytes, columns),
        StoredType::Q6_K => product_of::<Q6K>(backend, x, bytes, columns),
        other => unreachable!("{} has no blocks", other.name()),
    }
}

fn product_of<B: Block>(
    backend: Backend,
    x: ArrayView2<f32>,
    bytes: &[u8],
    columns: usize,
) -> Array2<f32> {
    let blocks: &[B] = bytemuck::cast_slice(bytes);
    let shape = (columns, blocks.len() / columns.max(1));
    let weight = ArrayView2::from_shape(shape, blocks).expect("rows of whole blocks");
    // Every output is written, whatever was there.
    let mut out = Array2::from_elem((x.nrows(), columns), f32::NAN);
    let junk = Unpacked { ints: [[[77; 64]; 4]; 2], factors: [[7.0; 16]; 2] };
    let mut room = vec![junk; PackedProduct::<B>::room(x.nrows(), shape.1)];
    let x = &rounded(backend, x);
    backend.run(PackedProduct { x, weight, out: out.view_mut(), room: &mut room });
    out
}

/// Every backend gives what the definition says.
fn assert_product(x: ArrayView2<f32>, stored: StoredType, bytes: &[u8], columns: usize) {
    let expected = definition::product(x, stored, bytes, columns);
    for backend in backends() {
        let found = product(backend, x, stored, bytes, columns);
        let what = format!("{backend:?}, {:?} x {columns} of {}", x.dim(), stored.name());
        assert_same(found.view(), expected.view(), &what);
    }
}

/// Equal bits; which of the many NaNs it is may differ.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn assert_same(found: ArrayView2<f32>, expected: ArrayView2<f32>, what: &str) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    for ((place, &found), &expected) in found.indexed_iter().zip(&expected) {
        assert!(
            same(found, expected),
            "{what}, output {place:?}: {found:e} instead of {expected:e}"
        );
    }
}

/// Between -1 and 1.
fn number(noise: &mut SplitMix64) -> f32 {
    noise.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
}

fn numbers(noise: &mut SplitMix64, rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |_| number(noise))
}

/// Blocks of random bytes, with scales between -1 and 1.
fn random_blocks(noise: &mut SplitMix64, stored: StoredType, blocks: usize) -> Vec<u8> {
    let mut bytes = vec![0; blocks * stored.block_bytes()];
    for block in bytes.chunks_exact_mut(stored.block_bytes()) {
        block.fill_with(|| noise.below(256) as u8);
        for &at in places_of_scales(stored) {
            set_scale(block, at, f16::from_f32(number(noise)));
        }
    }
    bytes
}

fn set_scale(block: &mut [u8], at: usize, scale: f16) {
    block[at..at + 2].copy_from_slice(&scale.to_le_bytes());
}
