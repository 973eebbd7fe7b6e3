//! The order of the tiles in a product of many rows
//!
//! A product has `rows` rows of x and `columns` rows of the weight. Return the tiles in the order in which they are computed,
//! each as [its first row of x, its first row of the weight]. A tile has (m, n) outputs: m rows of x with n rows of the weight.
//!
//! The weight is cut into blocks of `block` rows, and a block is finished before the next one begins. In a block, m rows of x meet
//! all of its rows, n at a time, before the next m rows of x come. At the edges tiles are smaller, and no tile reaches from one
//! block into the next. `block`, m and n are at least 1; n need not divide `block`.
//! Example: 3 rows, 5 columns, blocks of 4, tiles of 2 × 2: [0, 0], [0, 2], [2, 0], [2, 2], then [0, 4], [2, 4].
//!
//! Level: core, about 25 minutes.
//! Read: "Cache blocking", in the book at ch03/tiles.html.
//! Run: `cargo run -- watch tile_order`, or once: `cargo test -p ch03-exercises tile_order`.
//! Stuck: `cargo run -- hint tile_order`. Done: `cargo run -- solution tile_order`. Start over: `cargo run -- reset tile_order`.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(tile_order) in "../../../../tests/exercises/answers/ch03/tile_order.rs");
