//! Draws how two heads of the tiny model share out their weights over a sentence, as the book shows it:
//! `cargo run -p ch00-naive-forward --example attention_weights > book/src/figures/attention-weights.svg`

use std::fmt::Write;

use ch00_naive_forward::attention::attend;
use ch00_naive_forward::matmul::matmul;
use ch00_naive_forward::model::Model;
use ch00_naive_forward::norm::{rms_norm_heads, rms_norm_rows};
use ch00_naive_forward::rope::rope;
use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::error::Error;
use ground::tokenizer::Tokenizer;
use ndarray::{Array2, ArrayView2, s};

const TEXT: &str = "Once upon a time there was a little girl. She had a red kite";
const LAYER: usize = 4;
/// Two heads of that layer, and the colour of each.
const HEADS: [(usize, &str); 2] = [(0, "one"), (5, "two")];

#[allow(dead_code)] // the test that includes this file needs the drawing only
fn main() -> Result<(), Error> {
    print!("{}", drawing()?);
    Ok(())
}

/// The whole figure, with its caption.
pub fn drawing() -> Result<String, Error> {
    let file = tiny_qwen3()?;
    let tokenizer = Tokenizer::from_gguf(&file)?;
    let model = Model::load(&file, Config::from_gguf(&file)?)?;
    let ids = tokenizer.encode(TEXT)?;
    let tokens =
        ids.iter().map(|&id| tokenizer.token_text(id)).collect::<Result<Vec<_>, _>>()?;
    let weights = weights(&model, &ids);
    let mut out = String::from(
        "<figure>\n<div class=\"parts\" role=\"img\" aria-label=\"Attention weights of two heads over one sentence, \
         one row for each token. In head 0 most of the weight is one place to the left: each token reads the token \
         before it. In head 5 the weight gathers in the columns of the verbs was and had.\">\n",
    );
    for (head, colour) in HEADS {
        let first = head * model.config.head_dim;
        let weights = weights.slice(s![.., first..first + ids.len()]);
        panel(&mut out, &format!("layer {LAYER}, head {head}"), &tokens, weights, colour);
    }
    let _ = writeln!(
        out,
        "</div>\n<figcaption>Row by row, what each token of a sentence reads: the stronger the colour, the larger the \
         weight of that column's token. Each row sums to 1. Two of the 36 heads of the tiny model, with layers and \
         heads counted from 0, drawn by the engine of this chapter.</figcaption>\n</figure>"
    );
    Ok(out)
}

/// The weights of all heads of one layer, one row for each token. They come from the engine's own attention, which is
/// given for the value of token i a vector with a single 1 at place i: the mean of such values is the weights.
fn weights(model: &Model, ids: &[u32]) -> Array2<f32> {
    let (layer, config) = (&model.weights.layers[LAYER], &model.config);
    let x = (0..LAYER).fold(model.embed(ids), |x, index| model.layer(index, x));
    let normed = rms_norm_rows(x.view(), layer.attn_norm.view(), config.rms_eps);
    let mut q = matmul(normed.view(), layer.q_proj.view());
    let mut k = matmul(normed.view(), layer.k_proj.view());
    rms_norm_heads(&mut q, layer.q_norm.view(), config.rms_eps);
    rms_norm_heads(&mut k, layer.k_norm.view(), config.rms_eps);
    rope(&mut q, config.head_dim, config.rope_theta, 0);
    rope(&mut k, config.head_dim, config.rope_theta, 0);
    assert!(ids.len() <= config.head_dim, "a place for each token");
    let v =
        Array2::from_shape_fn(
            k.dim(),
            |(row, column)| {
                if column % config.head_dim == row { 1.0 } else { 0.0 }
            },
        );
    attend(q.view(), k.view(), v.view(), config)
}

const CELL: usize = 22;
const LEFT: usize = 70;
const TOP: usize = 84;

fn panel(
    out: &mut String,
    title: &str,
    tokens: &[String],
    weights: ArrayView2<f32>,
    colour: &str,
) {
    let side = tokens.len() * CELL;
    let (width, height) = (LEFT + side + 8, TOP + side + 8);
    let _ = write!(
        out,
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{}\">\n\
         <g font-family=\"var(--sans-font)\" font-size=\"14\" fill=\"var(--figure-ink)\">\n\
         <text x=\"{LEFT}\" y=\"20\" font-weight=\"600\" font-size=\"15\">{title}</text>\n",
        width * 21 / 20
    );
    for (row, token) in tokens.iter().enumerate() {
        let (x, y) = (LEFT + row * CELL, TOP + row * CELL);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{token}</text><text transform=\"translate({} {}) rotate(-90)\" \
             font-size=\"13\" fill=\"var(--figure-quiet)\">{}</text>",
            LEFT - 6,
            y + 16,
            x + 16,
            y - 5,
            token.trim_start()
        );
        for key in 0..=row {
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"var(--figure-{colour})\" \
                 fill-opacity=\"{:.2}\" stroke=\"var(--figure-quiet)\" stroke-width=\".5\"/>",
                LEFT + key * CELL,
                weights[[row, key]]
            );
        }
        out.push('\n');
    }
    out.push_str("</g>\n</svg>\n");
}
