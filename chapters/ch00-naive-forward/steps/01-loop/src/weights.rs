use ground::error::Error;
use ground::gguf::Gguf;
use ndarray::Array2;

/// All weights of a model, widened to f32.
pub struct Weights {
    pub embedding: Array2<f32>, // [vocab, hidden]
}

impl Weights {
    pub fn load(file: &Gguf) -> Result<Weights, Error> {
        let loader = Loader { file };
        Ok(Weights { embedding: loader.matrix("token_embd.weight")? })
    }
}

/// Takes tensors out of the file.
struct Loader<'a> {
    file: &'a Gguf,
}

impl Loader<'_> {
    fn matrix(&self, name: &str) -> Result<Array2<f32>, Error> {
        let tensor = self.file.tensor(name)?;
        let matrix = Array2::from_shape_vec((tensor.rows, tensor.columns), tensor.to_f32())
            .expect("a tensor has rows times columns values");
        Ok(matrix)
    }
}
