use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::progress_bar::Bar;
use ndarray::{Array1, Array2};

/// The weights of one layer; every matrix as [outputs, inputs].
pub struct Layer {
    pub attn_norm: Array1<f32>, // [hidden]
    pub q_proj: Array2<f32>,    // [heads * head_dim, hidden]
    pub k_proj: Array2<f32>,    // [kv_heads * head_dim, hidden]
    pub v_proj: Array2<f32>,    // [kv_heads * head_dim, hidden]
    pub q_norm: Array1<f32>,    // [head_dim]
    pub k_norm: Array1<f32>,    // [head_dim]
    pub o_proj: Array2<f32>,    // [hidden, heads * head_dim]
    pub ffn_norm: Array1<f32>,  // [hidden]
    pub gate_proj: Array2<f32>, // [ffn, hidden]
    pub up_proj: Array2<f32>,   // [ffn, hidden]
    pub down_proj: Array2<f32>, // [hidden, ffn]
}

/// All weights of a model, widened to f32.
pub struct Weights {
    pub embedding: Array2<f32>, // [vocab, hidden]
    pub layers: Vec<Layer>,
    pub final_norm: Array1<f32>,     // [hidden]
    pub output: Option<Array2<f32>>, // [vocab, hidden]; None: the embedding serves twice
    pub bytes: usize,                // in memory
}

impl Weights {
    pub fn load(file: &Gguf, config: &Config) -> Result<Weights, Error> {
        let bar = Bar::new("loading", file.places().len() as u64);
        let mut loader = Loader { file, bar, bytes: 0 };
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

    /// What one token reads of them: the embedding only where it is the output head as well.
    pub fn bytes_per_token(&self) -> usize {
        let unread = if self.output.is_some() { self.embedding.len() } else { 0 };
        self.bytes - unread * size_of::<f32>()
    }
}

/// Takes tensors out of the file and shows how far it is.
struct Loader<'a> {
    file: &'a Gguf,
    bar: Bar,
    bytes: usize, // taken so far, as f32
}

impl Loader<'_> {
    fn layer(&mut self, index: usize) -> Result<Layer, Error> {
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

    fn matrix(&mut self, name: &str) -> Result<Array2<f32>, Error> {
        let tensor = self.file.tensor(name)?;
        let matrix = Array2::from_shape_vec((tensor.rows, tensor.columns), tensor.to_f32())
            .expect("a tensor has rows times columns values");
        self.bar.advance(1);
        self.bytes += matrix.len() * size_of::<f32>();
        Ok(matrix)
    }

    fn vector(&mut self, name: &str) -> Result<Array1<f32>, Error> {
        Ok(self.matrix(name)?.flatten().into_owned())
    }
}
