//! Which tokens has training put beside each other?

use std::error::Error;

use ground::embedded;
use ground::tokenizer::Tokenizer;

fn main() -> Result<(), Box<dyn Error>> {
    let model = embedded::tiny_qwen3()?;
    let tokenizer = Tokenizer::from_gguf(&model)?;
    let text = std::env::args().nth(1).unwrap_or(" dog".into());

    // The embedding: one row of numbers for every token.
    let table = model.tensor("token_embd.weight")?;
    let numbers = table.to_f32();
    let row = |id: u32| &numbers[id as usize * table.columns..][..table.columns];
    let nearest = |id: u32| {
        let mut others: Vec<(u32, f32)> =
            (0..table.rows as u32).map(|other| (other, cosine(row(id), row(other)))).collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        others.split_off(1) // the first is the token itself
    };

    let mut ids = tokenizer.encode(&text)?;
    for &id in &ids {
        println!("token {id}, {:?}, is nearest to", tokenizer.token_text(id)?);
        for (other, nearness) in &nearest(id)[..5] {
            println!("  {nearness:.2}  {:?}", tokenizer.token_text(*other)?);
        }
    }

    // A text: append whatever is nearest to the last token, and again.
    for _ in 0..6 {
        ids.push(nearest(ids[ids.len() - 1])[0].0);
    }
    println!("and so:{}", tokenizer.decode(&ids)?);
    Ok(())
}

/// 1 when two rows point the same way, 0 when they have nothing in common.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}
