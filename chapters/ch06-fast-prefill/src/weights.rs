use ground::config::Config;
use ground::dtype::StoredType;
use ground::error::Error;
use ground::gguf::{Gguf, Tensor};
use ground::progress_bar::Bar;
use half::{bf16, f16};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut1, CowArray, Ix2};

use crate::compute::ComputeContext;
use crate::kernels::{Q4_0, Q4_1, Q4K, Q5K, Q6K, Q8_0, QuantBlock};
use crate::repack::{RepackedMatrix, RepackedWeights};

/// A matrix in a form that the kernels take. Numbers that the file has in such a form are used where they are.
pub enum Matrix<'a> {
    F32(CowArray<'a, f32, Ix2>), // what the file stores in another way is widened when it is loaded
    F16(ArrayView2<'a, f16>),
    BF16(ArrayView2<'a, bf16>),
    Packed(Tensor<'a>, Blocks<'a>),       // integers in blocks
    Repacked(Tensor<'a>, RepackedMatrix), // a copy in another order; rows are looked up in the file
}

/// The blocks of a tensor, in the type that its kernel takes. Each: [outputs, blocks of a row]
pub enum Blocks<'a> {
    Q8_0(ArrayView2<'a, Q8_0>),
    Q4_0(ArrayView2<'a, Q4_0>),
    Q4K(ArrayView2<'a, Q4K>),
    Q5K(ArrayView2<'a, Q5K>),
    Q6K(ArrayView2<'a, Q6K>),
    Q4_1(ArrayView2<'a, Q4_1>),
}

impl<'a> Blocks<'a> {
    /// `None` where each number stands alone.
    pub fn of(tensor: &Tensor<'a>) -> Option<Blocks<'a>> {
        Some(match tensor.stored {
            StoredType::Q8_0 => Blocks::Q8_0(blocks_of(tensor)),
            StoredType::Q4_0 => Blocks::Q4_0(blocks_of(tensor)),
            StoredType::Q4_K => Blocks::Q4K(blocks_of(tensor)),
            StoredType::Q5_K => Blocks::Q5K(blocks_of(tensor)),
            StoredType::Q6_K => Blocks::Q6K(blocks_of(tensor)),
            StoredType::Q4_1 => Blocks::Q4_1(blocks_of(tensor)),
            StoredType::F32 | StoredType::F16 | StoredType::BF16 => return None,
        })
    }
}

/// The blocks of a tensor where the file has them.
pub fn blocks_of<'a, B: QuantBlock>(tensor: &Tensor<'a>) -> ArrayView2<'a, B> {
    let blocks = bytemuck::cast_slice(tensor.bytes);
    let shape = (tensor.rows, blocks.len() / tensor.rows);
    ArrayView2::from_shape(shape, blocks).expect("rows of whole blocks")
}

impl Matrix<'_> {
    /// [outputs, inputs]
    pub fn dim(&self) -> (usize, usize) {
        match self {
            Matrix::F32(numbers) => numbers.dim(),
            Matrix::F16(numbers) => numbers.dim(),
            Matrix::BF16(numbers) => numbers.dim(),
            Matrix::Packed(tensor, _) | Matrix::Repacked(tensor, _) => {
                (tensor.rows, tensor.columns)
            }
        }
    }

    /// How many numbers it has.
    pub fn numbers(&self) -> usize {
        self.dim().0 * self.dim().1
    }

    pub fn bytes(&self) -> usize {
        match self {
            Matrix::F32(numbers) => 4 * numbers.len(),
            Matrix::F16(_) | Matrix::BF16(_) => 2 * self.numbers(),
            Matrix::Packed(tensor, _) => tensor.bytes.len(),
            Matrix::Repacked(_, panels) => panels.bytes(),
        }
    }

    /// One row, widened. out: [columns]
    pub fn copy_row(&self, row: usize, mut out: ArrayViewMut1<f32>) {
        match self {
            Matrix::F32(numbers) => out.assign(&numbers.row(row)),
            Matrix::F16(numbers) => {
                out.zip_mut_with(&numbers.row(row), |out, n| *out = n.to_f32())
            }
            Matrix::BF16(numbers) => {
                out.zip_mut_with(&numbers.row(row), |out, n| *out = n.to_f32())
            }
            Matrix::Packed(tensor, _) | Matrix::Repacked(tensor, _) => {
                tensor.row_to_f32(row, out.as_slice_mut().expect("a row lies in one piece"));
            }
        }
    }
}

/// The weights of one layer; every matrix as [outputs, inputs].
pub struct Layer<'a> {
    pub attn_norm: Array1<f32>, // [hidden]
    pub q_proj: Matrix<'a>,     // [heads * head_dim, hidden]
    pub k_proj: Matrix<'a>,     // [kv_heads * head_dim, hidden]
    pub v_proj: Matrix<'a>,     // [kv_heads * head_dim, hidden]
    pub q_norm: Array1<f32>,    // [head_dim]
    pub k_norm: Array1<f32>,    // [head_dim]
    pub o_proj: Matrix<'a>,     // [hidden, heads * head_dim]
    pub ffn_norm: Array1<f32>,  // [hidden]
    pub gate_proj: Matrix<'a>,  // [ffn, hidden]
    pub up_proj: Matrix<'a>,    // [ffn, hidden]
    pub down_proj: Matrix<'a>,  // [hidden, ffn]
}

/// All weights of a model, most of them still in the file.
pub struct Weights<'a> {
    pub embedding: Matrix<'a>, // [vocab, hidden]
    pub layers: Vec<Layer<'a>>,
    pub final_norm: Array1<f32>,    // [hidden]
    pub output: Option<Matrix<'a>>, // [vocab, hidden]; None: the embedding serves twice
    pub bytes: usize,               // in memory
}

impl<'a> Weights<'a> {
    pub fn load(
        file: &'a Gguf,
        config: &Config,
        compute: &ComputeContext,
    ) -> Result<Weights<'a>, Error> {
        let mut loader = Loader::new(file, compute);
        let layers =
            (0..config.layers).map(|index| loader.layer(index)).collect::<Result<_, _>>()?;
        Ok(Weights {
            layers,
            embedding: loader.matrix("token_embd.weight")?,
            final_norm: loader.vector("output_norm.weight")?,
            output: if config.tied { None } else { Some(loader.matrix("output.weight")?) },
            bytes: loader.bytes,
        })
    }

    /// What all of them take. Of a repacked embedding, rows are looked up in the file, which is in memory then as well.
    pub fn in_memory(&self) -> usize {
        let twice = matches!(self.embedding, Matrix::Repacked(..));
        self.bytes + if twice { self.embedding.bytes() } else { 0 }
    }

    /// What one token reads of them: the embedding only where it is the output head as well.
    pub fn bytes_per_token(&self) -> usize {
        let unread = if self.output.is_some() { self.embedding.bytes() } else { 0 };
        self.bytes - unread
    }
}

/// Takes tensors out of the file and shows how far it is.
pub struct Loader<'a> {
    file: &'a Gguf,
    repacked: Option<RepackedWeights>,
    bar: Bar,
    pub bytes: usize, // taken so far
}

impl<'a> Loader<'a> {
    pub fn new(file: &'a Gguf, compute: &ComputeContext) -> Loader<'a> {
        let repacked = RepackedWeights::of(file, compute);
        let bar = Bar::new("loading", file.places().len() as u64);
        Loader { file, repacked, bar, bytes: 0 }
    }

    fn layer(&mut self, index: usize) -> Result<Layer<'a>, Error> {
        let name = |part: &str| format!("blk.{index}.{part}.weight");
        Ok(Layer {
            attn_norm: self.vector(&name("attn_norm"))?,
            q_proj: self.matrix(&name("attn_q"))?,
            k_proj: self.matrix(&name("attn_k"))?,
            v_proj: self.matrix(&name("attn_v"))?,
            q_norm: self.vector(&name("attn_q_norm"))?,
            k_norm: self.vector(&name("attn_k_norm"))?,
            o_proj: self.matrix(&name("attn_output"))?,
            ffn_norm: self.vector(&name("ffn_norm"))?,
            gate_proj: self.matrix(&name("ffn_gate"))?,
            up_proj: self.matrix(&name("ffn_up"))?,
            down_proj: self.matrix(&name("ffn_down"))?,
        })
    }

    pub fn matrix(&mut self, name: &str) -> Result<Matrix<'a>, Error> {
        let tensor = self.file.tensor(name)?;
        let shape = (tensor.rows, tensor.columns);
        let fits = "a tensor has rows times columns values";
        let matrix = if let Some(numbers) = tensor.as_f32() {
            Matrix::F32(ArrayView2::from_shape(shape, numbers).expect(fits).into())
        } else if let Some(numbers) = tensor.as_f16() {
            Matrix::F16(ArrayView2::from_shape(shape, numbers).expect(fits))
        } else if let Some(numbers) = tensor.as_bf16() {
            Matrix::BF16(ArrayView2::from_shape(shape, numbers).expect(fits))
        } else if let Some(matrix) = self.repacked.as_ref().and_then(|all| all.matrix(&tensor))
        {
            Matrix::Repacked(tensor, matrix)
        } else if let Some(blocks) = Blocks::of(&tensor) {
            Matrix::Packed(tensor, blocks)
        } else {
            Matrix::F32(Array2::from_shape_vec(shape, tensor.to_f32()).expect(fits).into())
        };
        self.bytes += matrix.bytes();
        self.bar.advance(1);
        Ok(matrix)
    }

    pub fn vector(&mut self, name: &str) -> Result<Array1<f32>, Error> {
        let vector = Array1::from(self.file.tensor(name)?.to_f32());
        self.bytes += vector.len() * size_of::<f32>();
        self.bar.advance(1);
        Ok(vector)
    }
}
