//! A wrong cache does not crash. Four caches help with the same reply: one is right, three spoil what they are given.
//! Prints the four stories; with the word `verdicts`, which cache wrote each.

use ch02_kv_cache::cache::{BasicCache, CacheError, KvCache, Rows, Shape};
use ch02_kv_cache::model::Model;
use ground::config::Config;
use ground::error::Error;
use ground::request::best;
use ground::tokenizer::Tokenizer;
use ndarray::Array2;

const NEW_TOKENS: usize = 40;

/// What happens to the rows of a layer before they are kept.
type Fault = fn(&mut Array2<f32>, &mut Array2<f32>);

const RIGHT: Fault = |_, _| {};

const CACHES: [(&str, Fault); 4] = [
    ("swaps two rows of the prompt", |k, v| {
        for rows in [k, v].into_iter().filter(|rows| rows.nrows() > 1) {
            let (one, two) = (rows.row(1).to_owned(), rows.row(2).to_owned());
            rows.row_mut(1).assign(&two);
            rows.row_mut(2).assign(&one);
        }
    }),
    ("right", RIGHT),
    ("keeps 16 bits of each number", |k, v| {
        for number in k.iter_mut().chain(v) {
            *number = f32::from_bits(number.to_bits() & 0xffff_0000);
        }
    }),
    ("loses the last token of the prompt", |k, v| {
        for rows in [k, v].into_iter().filter(|rows| rows.nrows() > 1) {
            rows.row_mut(3).fill(0.0);
        }
    }),
];

fn main() -> Result<(), Error> {
    let verdicts = std::env::args().nth(1).is_some_and(|word| word == "verdicts");
    let file = ground::embedded::tiny_qwen3()?;
    let model = Model::load(&file, Config::from_gguf(&file)?)?;
    let tokenizer = Tokenizer::from_gguf(&file)?;
    let prompt = tokenizer.encode("Once upon a time")?;

    let (right, first) = reply(&model, &prompt, RIGHT)?;
    for (letter, (name, fault)) in ('A'..).zip(CACHES) {
        let (ids, logits) = reply(&model, &prompt, fault)?;
        if !verdicts {
            println!(
                "{letter}: Once upon a time{}\n",
                tokenizer.decode(&ids)?.replace('\n', " ")
            );
            continue;
        }
        let same = ids.iter().zip(&right).take_while(|(a, b)| a == b).count();
        let pairs = || logits.iter().zip(&first);
        let wrong = pairs().filter(|(a, b)| a.to_bits() != b.to_bits()).count();
        let off = pairs().map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        println!("{letter} {name}: right up to token {same} of {NEW_TOKENS},");
        let all = first.len();
        println!("  second token: {wrong} of {all} logits are wrong, by up to {off:.4}");
    }
    Ok(())
}

/// The most likely token, again and again; and the logits of the first decode step.
fn reply(model: &Model, prompt: &[u32], fault: Fault) -> Result<(Vec<u32>, Vec<f32>), Error> {
    let width = model.config.kv_heads * model.config.head_dim;
    let mut cache = Spoiled { inner: BasicCache::new(model.config.layers, width), fault };
    let (mut ids, mut step) = (prompt.to_vec(), Vec::new());
    for count in 0..NEW_TOKENS {
        let position = cache.shape().length;
        let logits = model.forward(&ids[position..], position, Some(&mut cache))?;
        ids.push(best(&logits, 1)[0].0);
        if count == 1 {
            step = logits;
        }
    }
    Ok((ids.split_off(prompt.len()), step))
}

struct Spoiled {
    inner: BasicCache,
    fault: Fault,
}

impl KvCache for Spoiled {
    fn shape(&self) -> Shape {
        self.inner.shape()
    }

    fn write(&mut self, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
        let (mut k, mut v) = (k.to_owned(), v.to_owned());
        (self.fault)(&mut k, &mut v);
        self.inner.write(layer, (k.view(), v.view()))
    }

    fn advance(&mut self, rows: usize) {
        self.inner.advance(rows);
    }

    fn view(&self, layer: usize, count: usize) -> Result<Rows<'_>, CacheError> {
        self.inner.view(layer, count)
    }

    fn truncate(&mut self, length: usize) {
        self.inner.truncate(length);
    }
}
