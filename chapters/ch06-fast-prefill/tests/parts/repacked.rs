//! Repacked weights: every backend gives the bits that it gives with those of the file.

use ch06_fast_prefill as engine;

use std::path::Path;

use bytemuck::{Zeroable, bytes_of_mut};
use engine::backend::Backend;
use engine::compute::ComputeContext;
use engine::kernels::{
    PackedProduct, Panels, Q4_0, Q4_1, Q4K, Q5_0, Q5K, Q6K, Q8_0, QuantBlock, Repack, Repacked,
    RepackedProduct, Round, Rounded,
};
use engine::model::Model;
use engine::simd::Unpacked;
use engine::weights::Matrix;
use ground::config::Config;
use ground::dtype::StoredType;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ndarray::{Array2, ArrayView2};
use test_support::tiny::{TinyShape, tiny_gguf_in};

#[path = "../../../../tests/shared/common.rs"]
mod common;

const INNER: usize = 512;

fn of_both<B: QuantBlock>(stored: StoredType) {
    of_two::<B, B>(stored, |block| *block);
}

/// Blocks in the order of the file, and what they are when they are repacked.
fn of_two<B: QuantBlock, R: QuantBlock>(stored: StoredType, other: impl Fn(&mut B) -> R) {
    let mut noise = SplitMix64::new(6);
    for backend in common::backends() {
        for (rows, columns) in [(1, 1), (1, 16), (1, 50), (2, 33), (7, 160), (17, 300)] {
            let mut bytes =
                common::random_blocks(&mut noise, stored, columns * INNER / stored.block_len());
            let blocks: &mut [B] = bytemuck::cast_slice_mut(&mut bytes);
            let others: Vec<R> = blocks.iter_mut().map(&other).collect();
            let shape = (columns, blocks.len() / columns);
            let weight = ArrayView2::from_shape(shape, &*blocks).expect("rows of blocks");
            let x = rounded(backend, common::numbers(&mut noise, rows, INNER).view());
            let [mut expected, mut found] = [(); 2].map(|()| Array2::zeros((rows, columns)));
            let length = PackedProduct::<B>::scratch_len(rows, weight.ncols());
            let scratch = &mut vec![Unpacked::default(); length][..];
            let out = expected.view_mut();
            backend.run(PackedProduct { x: &x, weight, out, scratch });
            let others = ArrayView2::from_shape(shape, &others).expect("as many blocks");
            let all = repacked(backend, others);
            let weight = Panels { all: &all, blocks: weight.ncols() };
            backend.run(RepackedProduct { x: &x, weight, out: found.view_mut(), scratch });
            let what =
                format!("{} of {}, {rows} rows of {columns}", stored.name(), backend.name());
            common::assert_same(found.view(), expected.view(), &what);
        }
    }
}

fn repacked<B: QuantBlock>(backend: Backend, weight: ArrayView2<B>) -> Vec<Repacked<B>> {
    let mut all = vec![Repacked::zeroed(); weight.nrows().div_ceil(16) * weight.ncols()];
    for (panel, out) in all.chunks_exact_mut(weight.ncols()).enumerate() {
        backend.run(Repack { weight, first: 16 * panel, out });
    }
    all
}

fn rounded(backend: Backend, x: ArrayView2<f32>) -> Rounded {
    let groups = vec![Default::default(); Rounded::scratch_len(x.nrows(), x.ncols())];
    let mut rounded = Rounded::within(groups, x.ncols());
    for out in rounded.chunks_mut(x.nrows()) {
        backend.run(Round { x, out });
    }
    rounded
}

#[test]
fn repacked_weights_give_the_same_bits() {
    of_both::<Q8_0>(StoredType::Q8_0);
    of_both::<Q4_0>(StoredType::Q4_0);
    of_both::<Q4K>(StoredType::Q4_K);
    of_both::<Q5K>(StoredType::Q5_K);
    of_both::<Q6K>(StoredType::Q6_K);
    of_both::<Q4_1>(StoredType::Q4_1);
    of_two::<Q8_0, Q5_0>(StoredType::Q8_0, |block| {
        bytes_of_mut(block)[2..].iter_mut().for_each(|int| *int = (*int as i8 >> 3) as u8);
        Q5_0::of(block)
    });
}

/// From a file to logits, with more threads than some matrices have panels.
#[test]
fn a_model_of_repacked_weights_gives_the_same_bits() {
    let models = &*test_support::root().join("tests/fixtures/models");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")); // only a file can be repacked
    let q4_1 = tiny_gguf_in(TinyShape::default(), |_| StoredType::Q4_1).to_bytes();
    std::fs::write(made.join("q4_1.gguf"), q4_1).expect("there is room");
    let mut q5_0 = tiny_gguf_in(TinyShape::default(), |_| StoredType::Q8_0);
    for tensor in q5_0.tensors.iter_mut().filter(|tensor| tensor.kind == 8) {
        tensor.kind = 6; // Q5_0, which the ground floor makes a Q8_0 again
        let blocks = tensor.bytes.as_chunks::<34>().0;
        tensor.bytes = blocks.iter().flat_map(|block| block[..22].to_vec()).collect();
    }
    q5_0.lay_out();
    std::fs::write(made.join("q5_0.gguf"), q5_0.to_bytes()).expect("there is room");
    for (folder, name) in [
        (models, "q4_0"),
        (models, "q4_k_m"),
        (models, "q5_k"),
        (models, "three-to-one-odd-vocab"),
        (made, "q4_1"),
        (made, "q5_0"),
    ] {
        let file = Gguf::open(&folder.join(format!("{name}.gguf"))).expect("it opens");
        let logits = |repack, threads, ids: &[u32]| {
            let backend = *Backend::available().last().expect("there is always one");
            let mut compute = ComputeContext::new(backend, threads).expect("threads start");
            (compute.repack, compute.small) = (repack, 1);
            let config = Config::from_gguf(&file).expect("its config is sound");
            let model = Model::load(&file, config, compute).expect("the model loads");
            let layer = &model.weights.layers[0];
            let is_repacked =
                [&layer.q_proj, &layer.o_proj, &layer.gate_proj, &layer.down_proj]
                    .map(|matrix| matches!(matrix, Matrix::Repacked(..)));
            assert_eq!(is_repacked.contains(&true), repack, "{name}");
            if let Matrix::Repacked(tensor, panels) = &layer.gate_proj {
                let is_less = panels.bytes() < tensor.bytes.len();
                assert_eq!(is_less, name == "q5_0", "{name}");
            }
            model.forward(ids, 0, None).expect("no cache")
        };
        for ids in [&[7][..], &[7, 8, 9], &[65; 40]] {
            let expected = logits(false, 1, ids);
            assert!(expected.iter().all(|logit| logit.is_finite()), "it says nothing");
            for threads in [1, 3, 8] {
                assert!(expected == logits(true, threads, ids), "{name}, {threads} threads");
            }
        }
    }
}
