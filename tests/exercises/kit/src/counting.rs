//! A small engine that counts: it decodes one token and notes which numbers of its memory it has read.

use std::cell::RefCell;

/// The shape of a model.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub layers: u64,
    pub hidden: u64,
    pub ffn: u64,
    pub heads: u64,
    pub kv_heads: u64,
    pub head_dim: u64,
    pub vocab: u64,
    /// The head, which makes the logits, is the embedding once more. If not, it is a matrix of its own.
    pub tied: bool,
}

/// A matrix of `f32` in the memory that is counted.
struct Matrix {
    columns: usize,
    numbers: Vec<f32>,
    touched: RefCell<Vec<bool>>, // by row
}

impl Matrix {
    /// Any numbers will do, if they are small.
    fn new(rows: u64, columns: u64) -> Matrix {
        let (rows, columns) = (rows as usize, columns as usize);
        let number = |i: usize| (i * 37 % 101) as f32 / 500.0 - 0.1;
        Matrix {
            columns,
            numbers: (0..rows * columns).map(number).collect(),
            touched: RefCell::new(vec![false; rows]),
        }
    }

    fn row(&self, row: usize) -> &[f32] {
        self.touched.borrow_mut()[row] = true;
        &self.numbers[row * self.columns..][..self.columns]
    }

    /// The product of every row with x.
    fn times(&self, x: &[f32]) -> Vec<f32> {
        let rows = self.touched.borrow().len();
        (0..rows).map(|row| dot(self.row(row), x)).collect()
    }

    fn bytes_read(&self) -> u64 {
        let rows = self.touched.borrow().iter().filter(|touched| **touched).count();
        (rows * self.columns * size_of::<f32>()) as u64
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(x: &mut [f32], more: &[f32]) {
    x.iter_mut().zip(more).for_each(|(x, more)| *x += more);
}

struct Layer {
    attention_norm: Matrix,
    query: Matrix,
    key: Matrix,
    value: Matrix,
    query_norm: Matrix,
    key_norm: Matrix,
    output: Matrix,
    mlp_norm: Matrix,
    gate: Matrix,
    up: Matrix,
    down: Matrix,
    /// Of the earlier tokens: [depth, kv_heads * head_dim].
    keys: Matrix,
    values: Matrix,
}

impl Layer {
    fn new(shape: &Shape, depth: u64) -> Layer {
        let (hidden, ffn) = (shape.hidden, shape.ffn);
        let (wide, narrow) = (shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim);
        Layer {
            attention_norm: Matrix::new(1, hidden),
            query: Matrix::new(wide, hidden),
            key: Matrix::new(narrow, hidden),
            value: Matrix::new(narrow, hidden),
            query_norm: Matrix::new(1, shape.head_dim),
            key_norm: Matrix::new(1, shape.head_dim),
            output: Matrix::new(hidden, wide),
            mlp_norm: Matrix::new(1, hidden),
            gate: Matrix::new(ffn, hidden),
            up: Matrix::new(ffn, hidden),
            down: Matrix::new(hidden, ffn),
            keys: Matrix::new(depth, narrow),
            values: Matrix::new(depth, narrow),
        }
    }

    fn memory(&self) -> [&Matrix; 13] {
        let Layer { attention_norm, query, key, value, query_norm, key_norm, .. } = self;
        let Layer { output, mlp_norm, gate, up, down, keys, values, .. } = self;
        [
            attention_norm,
            query,
            key,
            value,
            query_norm,
            key_norm,
            output,
            mlp_norm,
            gate,
            up,
            down,
            keys,
            values,
        ]
    }
}

/// Decodes one token that has `depth` tokens before it, and returns the bytes of the numbers that were read: weights, and
/// the keys and values of the earlier tokens. A number that is read twice counts once.
pub fn decode_and_count(shape: &Shape, depth: u64) -> u64 {
    let embedding = Matrix::new(shape.vocab, shape.hidden);
    let head = (!shape.tied).then(|| Matrix::new(shape.vocab, shape.hidden));
    let final_norm = Matrix::new(1, shape.hidden);
    let layers: Vec<Layer> = (0..shape.layers).map(|_| Layer::new(shape, depth)).collect();

    let mut x = embedding.row(shape.vocab as usize / 2).to_vec();
    for layer in &layers {
        attend(shape, layer, &mut x);
        let normed = norm(&x, &layer.mlp_norm);
        let (mut gate, up) = (layer.gate.times(&normed), layer.up.times(&normed));
        gate.iter_mut().zip(up).for_each(|(g, u)| *g = *g / (1.0 + (-*g).exp()) * u);
        add(&mut x, &layer.down.times(&gate));
    }
    head.as_ref().unwrap_or(&embedding).times(&norm(&x, &final_norm));

    let rest = [Some(&embedding), head.as_ref(), Some(&final_norm)];
    let all = layers.iter().flat_map(Layer::memory).chain(rest.into_iter().flatten());
    all.map(Matrix::bytes_read).sum()
}

/// Each of x's pieces, as long as the weight, divided by the root of its mean square. There is no rotation: it reads nothing.
fn norm(x: &[f32], weight: &Matrix) -> Vec<f32> {
    let weight = weight.row(0);
    let pieces = x.chunks_exact(weight.len()).flat_map(|piece| {
        let scale = 1.0 / (dot(piece, piece) / piece.len() as f32 + 1e-6).sqrt();
        piece.iter().zip(weight).map(move |(x, w)| x * scale * w)
    });
    pieces.collect()
}

fn attend(shape: &Shape, layer: &Layer, x: &mut [f32]) {
    let (heads, kv_heads) = (shape.heads as usize, shape.kv_heads as usize);
    let head_dim = shape.head_dim as usize;
    let normed = norm(x, &layer.attention_norm);
    let query = norm(&layer.query.times(&normed), &layer.query_norm);
    // The token's own key and value have just been computed; they are not read from the memory of earlier tokens.
    let own_key = norm(&layer.key.times(&normed), &layer.key_norm);
    let own_value = layer.value.times(&normed);
    let depth = layer.keys.touched.borrow().len();
    let mut out = vec![0.0; query.len()];
    for head in 0..heads {
        let part = head * head_dim..(head + 1) * head_dim;
        let group = head / (heads / kv_heads);
        let shared = group * head_dim..(group + 1) * head_dim;
        let mut sum = 0.0;
        for token in 0..=depth {
            let (key, value) = match token < depth {
                true => (layer.keys.row(token), layer.values.row(token)),
                false => (&own_key[..], &own_value[..]),
            };
            let weight = dot(&query[part.clone()], &key[shared.clone()]).exp();
            sum += weight;
            let mixed = out[part.clone()].iter_mut().zip(&value[shared.clone()]);
            mixed.for_each(|(out, value)| *out += weight * value);
        }
        out[part].iter_mut().for_each(|out| *out /= sum);
    }
    add(x, &layer.output.times(&out));
}
