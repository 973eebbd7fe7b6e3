//! Four texts in one batch, and each of them alone as in chapter 8: are the logits the same?

use std::error::Error;

use ch12_batching::backend::Backend;
use ch12_batching::batch::forward;
use ch12_batching::batch_item::BatchItem;
use ch12_batching::block_pool::BlockPool;
use ch12_batching::block_table::BlockTable;
use ch12_batching::cache::KvType;
use ch12_batching::compute::ComputeContext;
use ch12_batching::model::Model;
use ground::config::Config;
use ground::embedded;
use ground::tokenizer::Tokenizer;

const BEGINNINGS: [&str; 4] =
    ["Once upon a time", "The capital of France is", "A brave fox", "What is 8 plus 9?"];
const NEW: usize = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let file = embedded::tiny_qwen3()?;
    let tokenizer = Tokenizer::from_gguf(&file)?;
    let (config, kv_type) = (Config::from_gguf(&file)?, KvType::F16);
    let pool = BlockPool::new(&config, kv_type, 100);
    let model =
        Model::load(&file, config, ComputeContext::new(Backend::choose("auto")?, 1)?, kv_type)?;
    let mut texts = Vec::new();
    for text in BEGINNINGS {
        texts.push((tokenizer.encode(text)?, BlockTable::new(&pool), Vec::new()));
    }
    for _ in 0..NEW {
        let mut items = Vec::new();
        for (ids, table, _) in &mut texts {
            items.push(BatchItem::new(&ids[table.length()..], table, true));
        }
        let all = forward(&model, &mut items);
        for ((ids, _, rows), logits) in texts.iter_mut().zip(all) {
            let logits = logits?.expect("it was wanted");
            ids.push(best(&logits));
            rows.push(logits);
        }
    }
    println!("together: {NEW} passes over all weights");

    let mut equal = 0;
    for (text, (.., rows)) in BEGINNINGS.into_iter().zip(&texts) {
        let (mut ids, mut table) = (tokenizer.encode(text)?, BlockTable::new(&pool));
        for row in rows {
            let position = table.length();
            let in_use = Some(&mut table as _);
            let logits = model.forward(&ids[position..], position, in_use, &mut |_| true)?;
            let logits = logits.expect("nothing ends it");
            equal +=
                usize::from(logits.iter().zip(row).all(|(a, b)| a.to_bits() == b.to_bits()));
            ids.push(best(&logits));
        }
        println!("{:?}", tokenizer.decode(&ids)?);
    }
    let passes = NEW * BEGINNINGS.len();
    println!(
        "alone: {passes} passes, and {equal} of {passes} rows of logits are the same to the bit"
    );
    Ok(())
}

fn best(logits: &[f32]) -> u32 {
    let best = logits.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
    best.expect("a vocabulary is never empty").0 as u32
}
