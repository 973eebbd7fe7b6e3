//! The embedding and each layer alone, from the state that the judge had before it.

use ch00_naive_forward::model::Model;
use ground::config::Config;
use ndarray::Array2;
use test_support::judged;
use test_support::parts::assert_within;

#[test]
fn every_layer_makes_of_the_judges_state_what_the_judge_made() {
    for name in ["tiny-qwen3", "untied-one-kv", "three-to-one-odd-vocab"] {
        let (judgement, file) = judged(name);
        let hidden = &judgement.hidden;
        let config = Config::from_gguf(file).expect("its config is sound");
        let model = Model::load(file, config).expect("it loads");
        let near = |found: &Array2<f32>, wanted: &[Vec<f32>], stage: &str| {
            assert_eq!(found.nrows(), wanted.len(), "{name}, {stage}: the number of rows");
            for (row, (found, wanted)) in found.rows().into_iter().zip(wanted).enumerate() {
                let largest = wanted.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
                let place = format!("{name}, {stage}, row {row}");
                assert_within(1e-4 * largest, &found.to_vec(), wanted, &place);
            }
        };
        near(&model.embed(&hidden.prompt_ids), &hidden.embedding, "the embedding");
        let mut before = &hidden.embedding;
        for (layer, after) in hidden.layers.iter().enumerate() {
            let x = Array2::from_shape_vec((before.len(), before[0].len()), before.concat());
            let found = model.layer(layer, x.expect("rows of one width"));
            near(&found, after, &format!("layer {layer}, from the judge's state before it"));
            before = after;
        }
    }
}
