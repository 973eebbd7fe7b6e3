//! Three chats with the tiny model, one after the other, and the tree after each of them.

use std::error::Error;

use ch11_prefix_cache::backend::Backend;
use ch11_prefix_cache::block_pool::BlockPool;
use ch11_prefix_cache::cache::KvType;
use ch11_prefix_cache::compute::ComputeContext;
use ch11_prefix_cache::how::PREFILL_CHUNK;
use ch11_prefix_cache::model::Model;
use ch11_prefix_cache::prefix_cache::PrefixCache;
use ground::config::Config;
use ground::embedded;
use ground::tokenizer::Tokenizer;

const SYSTEM: &str = "You are a helpful robot. You live in a village by the sea, where you have a garden full of \
     flowers and a small boat. You know many stories of foxes, birds and dogs, and you love to tell them. Be kind, and answer in \
     short sentences. ";

const QUESTIONS: [&str; 3] = [
    "What is the capital of France?",
    "What is the capital of Italy?",
    "Tell me a story about a fox.",
];

fn main() -> Result<(), Box<dyn Error>> {
    let file = embedded::tiny_qwen3()?;
    let tokenizer = Tokenizer::from_gguf(&file)?;
    let (config, kv_type) = (Config::from_gguf(&file)?, KvType::F16);
    let pool = BlockPool::new(&config, kv_type, 100);
    let model =
        Model::load(&file, config, ComputeContext::new(Backend::choose("auto")?, 1)?, kv_type)?;
    let mut prefix_cache = PrefixCache::new(&pool, 1);
    for question in QUESTIONS {
        let ids = tokenizer.encode(&format!("{SYSTEM}{question}"))?;
        let mut table = prefix_cache.match_prefix(0, &ids[..ids.len() - 1]);
        let found = table.length();
        let in_use = Some(&mut table as _);
        model.forward_in_chunks(&ids[found..], found, in_use, PREFILL_CHUNK, &mut |_| true)?;
        prefix_cache.insert(0, &ids, &mut table);
        drop(table);
        println!("{question} {found} of {} tokens found, {} blocks", ids.len(), pool.in_use());
        print!("{}", prefix_cache.draw(0, &tokenizer));
    }
    Ok(())
}
