//! Products with weights that are numbers: every output is the dot product of its definition, wherever it is in a tile.

use ch06_fast_prefill::matmul::matmul;
use ch06_fast_prefill::weights::Matrix;
use ground::random::SplitMix64;
use half::{bf16, f16};

use super::blocks::*;
use super::shared::eager;
use super::*;

/// Sixteen lanes, each a chain of fused multiply-adds; then lanes 8 apart, 4, 2, 1.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for i in 0..a.len().next_multiple_of(16) {
        let at = |row: &[f32]| row.get(i).copied().unwrap_or(0.0);
        lanes[i % 16] = at(a).mul_add(at(b), lanes[i % 16]);
    }
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}

fn defined(x: ArrayView2<f32>, weight: ArrayView2<f32>) -> Array2<f32> {
    let row = |rows: ArrayView2<f32>, index: usize| rows.row(index).to_vec();
    Array2::from_shape_fn((x.nrows(), weight.nrows()), |(m, n)| {
        dot(&row(x, m), &row(weight, n))
    })
}

#[test]
fn every_number_of_rows_and_columns_and_places() {
    let mut noise = SplitMix64::new(56);
    for backend in backends() {
        let compute = eager(backend, 1);
        for inner in [1, 15, 16, 17, 40, 64, 95] {
            for (rows, columns) in [(1, 1), (1, 50), (2, 3), (5, 4), (6, 97), (7, 49), (13, 6)]
            {
                let (x, weight) =
                    (numbers(&mut noise, rows, inner), numbers(&mut noise, columns, inner));
                let (half, brain) = (weight.mapv(f16::from_f32), weight.mapv(bf16::from_f32));
                let matrices = [
                    &Matrix::F32(weight.view().into()),
                    &Matrix::F16(half.view()),
                    &Matrix::BF16(brain.view()),
                ];
                let wide = [weight.clone(), half.mapv(f16::to_f32), brain.mapv(bf16::to_f32)];
                for (mut found, weight) in
                    matmul(&compute, x.view(), matrices).into_iter().zip(&wide)
                {
                    let what = format!("{backend:?}, {rows} x {columns} of {inner}");
                    assert_same(found.view(), defined(x.view(), weight.view()).view(), &what);
                    found.fill(f32::NAN); // what the next product finds in the buffer pool
                    compute.buffers.put(found);
                }
            }
        }
    }
}
