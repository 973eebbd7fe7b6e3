//! What the pages of chapter 0 work out with pencil and paper. The book shows these tests one at a time, so each
//! brings its own imports.

// ANCHOR: products
#[test]
fn rows_times_rows() {
    use ch00_naive_forward::matmul::matmul;

    let x = ndarray::array![[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, -1.0]];
    let weight =
        ndarray::array![[0.5, -1.0, 2.0, 0.25], [1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0]];
    assert_eq!(
        matmul(x.view(), weight.view()),
        ndarray::array![[5.5, 10.0, 3.0], [-1.25, 0.0, 0.0]]
    );
}
// ANCHOR_END: products

// ANCHOR: norm
#[test]
fn the_norm_of_four_numbers() {
    use ch00_naive_forward::norm::rms_norm;

    let mut x = [1.0, -1.0, 3.0, 5.0];
    rms_norm(&mut x, ndarray::aview1(&[1.0, 1.0, 2.0, 0.0]), 1e-6);
    assert_eq!(x.map(|x| (x * 1000.0).round() / 1000.0), [0.333, -0.333, 2.0, 0.0]);
}
// ANCHOR_END: norm

// ANCHOR: attention
#[test]
fn three_tokens_of_two_numbers() {
    use ch00_naive_forward::attention::attend;
    use ground::config::Config;
    use ground::embedded::tiny_qwen3;

    let file = tiny_qwen3().expect("the embedded model opens");
    let tiny = Config::from_gguf(&file).expect("its numbers are sound");
    let config = Config { heads: 1, kv_heads: 1, head_dim: 2, ..tiny };

    let q = ndarray::array![[1.0, 0.0], [1.0, 1.0], [2.0, 1.0]];
    let k = ndarray::array![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    let v = ndarray::array![[5.0, 5.0], [10.0, 0.0], [0.0, 10.0]];
    let mixed = attend(q.view(), k.view(), v.view(), &config);
    assert_eq!(
        mixed.mapv(|x| (x * 100.0).round() / 100.0),
        ndarray::array![[5.0, 5.0], [8.35, 1.65], [6.46, 3.54]]
    );
}
// ANCHOR_END: attention

// ANCHOR: positions
#[test]
fn only_the_distance_counts() {
    use ch00_naive_forward::matmul::dot;
    use ch00_naive_forward::rope::rope;

    let turned = |x: [f32; 2], position| {
        let mut x = ndarray::array![x];
        rope(&mut x, 2, 1e6, position);
        x.into_raw_vec_and_offset().0
    };
    let score = |p, j| dot(&turned([2.0, 1.0], p), &turned([1.0, 1.0], j));
    assert_eq!((score(0, 0) * 1000.0).round(), 3000.0);
    assert_eq!((score(3, 1) * 1000.0).round(), (score(1003, 1001) * 1000.0).round());
    assert_ne!((score(3, 1) * 1000.0).round(), (score(3, 2) * 1000.0).round());
}
// ANCHOR_END: positions

// ANCHOR: embedding
#[test]
fn a_token_is_a_row() {
    use ch00_naive_forward::model::Model;
    use ground::config::Config;
    use ground::embedded::tiny_qwen3;

    let file = tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its numbers are sound");
    let model = Model::load(&file, config).expect("its weights are all there");
    let x = model.embed(&[520, 540, 520]); // "Once", " upon", "Once"
    println!("{:?}", x.slice(ndarray::s![.., ..4]));
    assert_eq!(x.dim(), (3, 192));
    assert_eq!(x.row(0), x.row(2));
}
// ANCHOR_END: embedding

// ANCHOR: logits
#[test]
fn once_upon_a_time() {
    use ch00_naive_forward::model::Model;
    use ground::config::Config;
    use ground::embedded::tiny_qwen3;
    use ground::request::best;

    let file = tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its numbers are sound");
    let model = Model::load(&file, config).expect("its weights are all there");
    let logits = model.forward(&[520, 540, 258]); // "Once", " upon", " a"
    println!("{:?}", best(&logits, 5));
    assert_eq!(best(&logits, 1)[0].0, 474); // " time"
}
// ANCHOR_END: logits
