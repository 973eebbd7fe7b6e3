//! Sixteen rows in columns of four bytes
//!
//! A product of many rows of x reads each weight many times. So the weights are put in the order in which they are needed,
//! once. Here are sixteen bytes from each of sixteen rows. They become four columns of 64 bytes:
//!
//! - `pack(rows)`: column c holds bytes 4c to 4c + 3 of row 0, then bytes 4c to 4c + 3 of row 1, and so on. The instruction
//!   for the product wants bytes without a sign, so each is stored 128 too large: -128 as 0, and 127 as 255.
//! - `add_column(column, x, totals)`: to the total of each row, add the sum of its four stored bytes times the four integers
//!   of x.
//! - `start(x)`: what all totals begin with. Stored bytes are 128 too large, so the products are too. `start` makes up for
//!   all of that: a total that begins with `start(x)` and goes through all four columns is row . x, exactly.
//!
//! Each function is checked by itself, and then all together. Weights are any bytes, and x goes from -127 to 127.
//!
//! Level: core, about 30 minutes.
//! Read: "What is computed once for x", in the book at ch06/unpacked.html.
//! Run: `cargo run -- watch packing`, or once: `cargo test -p ch06-exercises packing`.
//! Stuck: `cargo run -- hint packing`. Done: `cargo run -- solution packing`. Start over: `cargo run -- reset packing`.

// rows: [16][16] -> [4][64]
pub fn pack(rows: &[[i8; 16]; 16]) -> [[u8; 64]; 4] {
    todo!()
}

pub fn start(x: &[i8; 16]) -> i32 {
    todo!()
}

// x: the four integers that belong to the column
pub fn add_column(column: &[u8; 64], x: &[i8; 4], totals: &mut [i32; 16]) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(pack, start, add_column) in "../../../../tests/exercises/answers/ch06/packing.rs");
