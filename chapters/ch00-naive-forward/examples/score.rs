//! How well your program guesses the next token of two stories: `cargo run --example score`. With `-- layers` it does so
//! with the first layer alone, with the first two, and so on, and writes a text with each.

use ch00_naive_forward::model::Model;
use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::error::Error;
use ground::sample::argmax;
use ground::states;
use ground::tokenizer::Tokenizer;
use ndarray::{Axis, aview1};

/// The finished model writes these two by itself.
const STORIES: [&str; 2] = [
    "Once upon a time, there was a careful girl named Mia. Mia lived in a small village by the sea. One windy morning, \
     Mia took her red kite to the top of the hill. The kite went up, up, up into the sky. But then the wind turned, and \
     the kite got stuck in a tall tree. Mia pulled the string, but the kite did not come down. Marie the turtle came by. \
     \"Do not be sad,\" said Marie. \"I can climb.\" Marie climbed slowly and set the kite free. Soon the red kite was \
     dancing in the wind again, and Mia and Marie held the string together. That night, Mia went to bed with a smile.",
    "One day, a careful girl named Mia went for a walk near a small village by the sea. One day, Mia could not find her \
     silver bell. She looked behind the door and under the table. She found only an old sock. \"Have you seen my silver \
     bell?\" Mia asked Oliver the turtle. \"No,\" said Oliver, \"but I will help you look.\" They walked back along the \
     path, step by step. At last, Oliver saw something shine in the grass. It was the silver bell! \"Thank you!\" said Mia, \
     and she gave Oliver a big hug. That night, Mia went to bed with a smile.",
];

fn main() -> Result<(), Error> {
    let file = tiny_qwen3()?;
    let tokenizer = Tokenizer::from_gguf(&file)?;
    let mut model = Model::load(&file, Config::from_gguf(&file)?)?;
    if std::env::args().nth(1).as_deref() != Some("layers") {
        println!("{}", score(&model, &tokenizer)?);
        return Ok(());
    }
    let all = model.config.layers;
    for count in 0..=all {
        model.config.layers = count;
        let (score, text) = (score(&model, &tokenizer)?, text(&model, &tokenizer)?);
        println!("{count} of {all} layers: {score}\n  {text}");
    }
    Ok(())
}

/// `288 of 290 right, loss 0.18`
fn score(model: &Model, tokenizer: &Tokenizer) -> Result<String, Error> {
    let (mut right, mut all, mut loss) = (0, 0, 0.0);
    for story in STORIES {
        let ids = tokenizer.encode(story)?;
        // `forward` gives the logits of the last row alone. The others come through the window for tests, all in one pass.
        states::start();
        model.forward(&ids);
        let rows = states::take().and_then(|mut stages| stages.pop()).unwrap_or_default();
        for (row, &next) in rows.iter().zip(&ids[1..]) {
            let logits = model.logits(aview1(row).insert_axis(Axis(0)));
            let logits = logits.as_slice().expect("one row");
            right += usize::from(argmax(logits) == next);
            loss += surprise(logits, next as usize);
            all += 1;
        }
    }
    Ok(format!("{right} of {all} right, loss {:.2}", loss / f64::from(all)))
}

/// Minus the logarithm of the probability that these logits give to a token.
fn surprise(logits: &[f32], token: usize) -> f64 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|logit| f64::from(logit - largest).exp()).sum();
    sum.ln() - f64::from(logits[token] - largest)
}

/// What the model makes of the beginning of a story.
fn text(model: &Model, tokenizer: &Tokenizer) -> Result<String, Error> {
    let mut ids = tokenizer.encode("Once upon a time")?;
    for _ in 0..16 {
        ids.push(argmax(&model.forward(&ids)));
    }
    Ok(tokenizer.decode(&ids)?)
}
