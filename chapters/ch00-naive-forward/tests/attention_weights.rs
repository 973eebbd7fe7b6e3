//! The book's picture of attention weights is what this engine computes.

use test_support::root;

#[path = "../examples/attention_weights.rs"]
mod example;

#[test]
fn the_book_shows_the_weights_that_the_engine_computes() {
    let committed =
        std::fs::read_to_string(root().join("book/src/figures/attention-weights.svg"));
    assert!(
        committed.expect("the figure is there") == example::drawing().expect("the model runs"),
        "draw it anew: cargo run -p ch00-naive-forward --example attention_weights > \
         book/src/figures/attention-weights.svg"
    );
}
