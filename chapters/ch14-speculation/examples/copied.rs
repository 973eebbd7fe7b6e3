//! A function comes back with one name changed: what the drafter had right is green. With `html` it's for a page.

use std::env;
use std::error::Error;

use ch14_speculation::ngram_drafter::NgramDrafter;
use ground::embedded;
use ground::tokenizer::Tokenizer;

const FUNCTION: &str = "\
fn sum(rows: &[Row]) -> f32 {
    let mut sum = 0.0;
    for row in rows {
        sum += row.weight * row.value;
    }
    sum
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let [opens, closes, begins, ends] = match env::args().nth(1).as_deref() {
        Some("html") => ["<b>", "</b>", "<pre><code class=\"nohighlight\">", "</code></pre>"],
        _ => ["\x1b[32m", "\x1b[0m", "", ""],
    };
    print!("{begins}");
    let tokenizer = Tokenizer::from_gguf(&embedded::tiny_qwen3()?)?;
    let mut ids = tokenizer.encode(&format!("Say total for sum.\n\n{FUNCTION}"))?;
    let answer = tokenizer.encode(&FUNCTION.replace("sum", "total"))?;
    let (mut drafter, mut passes, mut written) = (NgramDrafter::default(), 0, 0);
    while written < answer.len() {
        let rest = &answer[written..];
        // A pass always brings one token of its own.
        let draft = drafter.draft(&ids, rest.len() - 1);
        let accepted =
            draft.iter().zip(rest).take_while(|(guessed, right)| guessed == right).count();
        if !draft.is_empty() {
            drafter.learn(draft.len(), accepted);
        }
        let (right, new) = (
            tokenizer.decode(&rest[..accepted])?,
            tokenizer.decode(&rest[accepted..=accepted])?,
        );
        match right.is_empty() {
            true => print!("{new}"),
            false => print!("{opens}{right}{closes}{new}"),
        }
        ids.extend(&rest[..=accepted]);
        (passes, written) = (passes + 1, written + accepted + 1);
    }
    println!("// {written} tokens in {passes} passes{ends}");
    Ok(())
}
