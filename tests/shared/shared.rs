//! Matrices of the file: rows that are looked up, and products of several at once, shared by threads.

use crate::engine::backend::Backend;
use crate::engine::compute::ComputeContext;
use crate::engine::matmul::matmul;
use crate::engine::weights::{Blocks, Matrix};
use ground::dtype::StoredType;
use ground::gguf::Tensor;
use ground::random::SplitMix64;
use half::{bf16, f16};
use ndarray::{Array2, ArrayView2};

use super::blocks::{assert_same, definition, numbers, random_blocks};

/// All types whose blocks are multiplied as they are.
const ALL: [StoredType; 5] =
    [StoredType::Q8_0, StoredType::Q4_0, StoredType::Q4_K, StoredType::Q5_K, StoredType::Q6_K];

/// A matrix of the file.
fn matrix(stored: StoredType, bytes: &[u8], rows: usize, columns: usize) -> Matrix<'_> {
    let tensor = Tensor { name: "some.weight", rows, columns, stored, bytes };
    Matrix::Packed(tensor, Blocks::of(&tensor).expect("a type with blocks"))
}

/// A team that shares even the smallest work.
pub fn eager(backend: Backend, threads: usize) -> ComputeContext {
    let mut compute = ComputeContext::new(backend, threads).expect("a few threads start");
    compute.small = 1;
    compute
}

/// Pieces of a product that several threads compute, and several weights at once: some of them want x rounded, others
/// not.
#[test]
fn shared_products_are_those_of_the_definition() {
    let mut noise = SplitMix64::new(54);
    for threads in [1, 2, 3, 8] {
        for backend in Backend::available() {
            let compute = eager(backend, threads);
            for (rows, columns) in [(1, 1), (1, 50), (2, 7), (7, 16), (9, 33), (50, 97)] {
                let x = numbers(&mut noise, rows, 256);
                let mut weights = ALL.map(|stored| {
                    let bytes =
                        random_blocks(&mut noise, stored, columns * 256 / stored.block_len());
                    (stored, bytes, columns)
                });
                // One of another height.
                let longer = random_blocks(&mut noise, StoredType::Q8_0, (columns + 3) * 8);
                weights[0] = (StoredType::Q8_0, longer, columns + 3);
                let float = numbers(&mut noise, columns, 256);
                let (half, brain) = (float.mapv(f16::from_f32), float.mapv(bf16::from_f32));
                let matrices = weights
                    .each_ref()
                    .map(|(stored, bytes, columns)| matrix(*stored, bytes, *columns, 256));
                let [a, b, c, d, e] = &matrices;
                let (f32s, f16s, bf16s) = (
                    Matrix::F32(float.view().into()),
                    Matrix::F16(half.view()),
                    Matrix::BF16(brain.view()),
                );
                let all = [&f32s, a, b, c, &f16s, d, e, &bf16s];
                let found = matmul(&compute, x.view(), all);
                let expected = |index: usize| {
                    let (stored, bytes, columns): &(StoredType, Vec<u8>, usize) =
                        &weights[index];
                    definition::product(x.view(), *stored, bytes, *columns)
                };
                let of_floats = |matrix| {
                    let [out] = matmul(&eager(Backend::available()[0], 1), x.view(), [matrix]);
                    out
                };
                let expected = [
                    of_floats(&f32s),
                    expected(0),
                    expected(1),
                    expected(2),
                    of_floats(&f16s),
                    expected(3),
                    expected(4),
                    of_floats(&bf16s),
                ];
                for (index, (mut found, expected)) in
                    found.into_iter().zip(expected).enumerate()
                {
                    let what = format!(
                        "{threads} threads, {backend:?}, {rows} x {columns}, weight {index}"
                    );
                    assert_same(found.view(), expected.view(), &what);
                    found.fill(f32::NAN); // what the next product finds on the shelf
                    compute.buffers.put(found);
                }
            }
        }
    }
}

/// One row, as an embedding has it, is widened to what the format says: no product, no rounding of x.
#[test]
fn a_row_that_is_looked_up_is_widened() {
    let mut noise = SplitMix64::new(55);
    for stored in ALL {
        let columns = 2 * stored.block_len();
        let bytes = random_blocks(&mut noise, stored, 2 * 5);
        let matrix = matrix(stored, &bytes, 5, columns);
        let expected = definition::rows(stored, &bytes, 5);
        for (row, expected) in expected.iter().enumerate() {
            let mut found = Array2::from_elem((1, columns), f32::NAN);
            matrix.copy_row(row, found.row_mut(0));
            let expected: Vec<f32> =
                expected.iter().flat_map(definition::Group::widened).collect();
            let expected = ArrayView2::from_shape((1, columns), &expected).expect("one row");
            assert_same(found.view(), expected, stored.name());
        }
    }
}
