//! Chapter 3's model, file by file as the book prints it, on the vector registers of WebAssembly.

#[path = "../../../../chapters/ch03-simd-matmul/src/attention.rs"]
pub mod attention;
#[path = "../../../../chapters/ch03-simd-matmul/src/cache/mod.rs"]
pub mod cache;
#[path = "../../../../chapters/ch03-simd-matmul/src/exp.rs"]
pub mod exp;
#[path = "../../../../chapters/ch03-simd-matmul/src/kernels/mod.rs"]
pub mod kernels;
#[path = "../../../../chapters/ch03-simd-matmul/src/matmul.rs"]
pub mod matmul;
#[path = "../../../../chapters/ch03-simd-matmul/src/mlp.rs"]
pub mod mlp;
#[path = "../../../../chapters/ch03-simd-matmul/src/model.rs"]
pub mod model;
#[path = "../../../../chapters/ch03-simd-matmul/src/norm.rs"]
pub mod norm;
#[path = "../../../../src/ground/timing/src/profile.rs"]
pub mod profile;
#[path = "../../../../chapters/ch03-simd-matmul/src/rope.rs"]
pub mod rope;
#[path = "../../../../chapters/ch03-simd-matmul/src/softmax.rs"]
pub mod softmax;
#[path = "../../../../chapters/ch03-simd-matmul/src/weights.rs"]
pub mod weights;

// The two that differ.
pub mod backend;
pub mod simd;
