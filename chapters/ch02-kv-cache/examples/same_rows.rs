//! Does a token at the end change the keys and values of those before it? Three passes, each with a
//! cache of its own that starts empty, and a look at what they left there.

use ch02_kv_cache::cache::*; // on the first pages without a trait
use ch02_kv_cache::model::Model;
use ground::config::Config;
use ground::error::Error;
use ground::tokenizer::Tokenizer;
use ndarray::ArrayView1;

/// The layer that is printed. All of them are compared.
const LAYER: usize = 3;

fn main() -> Result<(), Error> {
    let file = ground::embedded::tiny_qwen3()?;
    let model = Model::load(&file, Config::from_gguf(&file)?)?;
    let tokenizer = Tokenizer::from_gguf(&file)?;

    let mut ids = tokenizer.encode("Once upon a time")?;
    let short = one_pass(&model, &ids)?;
    ids.extend(tokenizer.encode(" there")?);
    let long = one_pass(&model, &ids)?;
    ids[1] = ids[0];
    let changed = one_pass(&model, &ids)?;

    let (rows, longer) = (short.shape().length, long.shape().length);
    println!("layer {LAYER}, the first numbers of K: after {rows} tokens, after {longer}");
    let (before, _) = short.view(LAYER, rows)?;
    let (after, _) = long.view(LAYER, longer)?;
    for (row, k) in after.rows().into_iter().enumerate() {
        let old = before.rows().into_iter().nth(row).map_or(String::new(), some);
        println!("row {row}  {old:23}   {}", some(k));
    }

    println!(
        "\nnumbers that differ in some bit, K and V of all layers, rows 0 to {}",
        rows - 1
    );
    println!("one token more:       {}", differences(&short, &long, rows)?);
    println!("token 1 different:    {}", differences(&short, &changed, rows)?);
    Ok(())
}

fn one_pass(model: &Model, ids: &[u32]) -> Result<ContiguousCache, Error> {
    let width = model.config.kv_heads * model.config.head_dim;
    let mut cache = ContiguousCache::new(model.config.layers, width, ids.len())?;
    model.forward(ids, 0, Some(&mut cache))?;
    Ok(cache)
}

fn some(row: ArrayView1<f32>) -> String {
    row.iter().take(3).map(|number| format!("{number:7.3}")).collect::<Vec<_>>().join(" ")
}

/// How many numbers of each row are not the same to the bit, and of how many.
fn differences(a: &ContiguousCache, b: &ContiguousCache, rows: usize) -> Result<String, Error> {
    let (mut compared, mut differ) = (0, vec![0; rows]);
    for layer in 0..a.shape().layers {
        let ((a_k, a_v), (b_k, b_v)) = (a.view(layer, rows)?, b.view(layer, rows)?);
        for (a, b) in [(a_k, b_k), (a_v, b_v)] {
            for ((row, column), number) in a.indexed_iter() {
                compared += 1;
                differ[row] += usize::from(number.to_bits() != b[[row, column]].to_bits());
            }
        }
    }
    let told: Vec<String> = differ.iter().map(ToString::to_string).collect();
    Ok(format!("{} of {} each", told.join(", "), compared / rows))
}
