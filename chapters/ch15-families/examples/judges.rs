//! Which texts have the reference's logits, on a small model of each family: `cargo run --example judges`.

use std::error::Error;
use std::fs;
use std::path::Path;

use ch15_families::backend::Backend;
use ch15_families::cache::KvType;
use ch15_families::compute::ComputeContext;
use ch15_families::layers::Layers;
use ground::gguf::Gguf;
use serde_json::Value;

/// As much as `tests/families.rs` allows.
const TOLERANCE: f32 = 2e-5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let fixtures = above.find_map(|folder| {
        let fixtures = folder.join("tests/fixtures/families");
        fixtures.is_dir().then_some(fixtures)
    });
    let fixtures = fixtures.ok_or("this isn't inside the course's folder")?;
    for name in ["smollm2", "llama3", "qwen2", "gemma3"] {
        let verdict = judge(&fixtures.join(name)).unwrap_or_else(|error| error.to_string());
        println!("{name}: {verdict}");
    }
    Ok(())
}

fn judge(fixture: &Path) -> Result<String, Box<dyn Error>> {
    let file = Gguf::open(&fixture.with_extension("gguf"))?;
    let compute = ComputeContext::new(Backend::choose("auto")?, 1)?;
    let (_, model) = Layers::load(&file, compute, KvType::F32)?;
    let told: Value =
        serde_json::from_str(&fs::read_to_string(fixture.with_extension("json"))?)?;
    let (mut right, mut wrong, mut most) = (Vec::new(), Vec::new(), 0.0);
    for case in told["cases"].as_array().ok_or("no list of texts")? {
        let ids: Vec<u32> = serde_json::from_value(case["ids"].clone())?;
        let expected: Vec<f32> = serde_json::from_value(case["logits"].clone())?;
        let found = model.forward(&ids, 0, None, &mut |_| true)?.ok_or("nothing ends it")?;
        let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        let verdict = if off <= TOLERANCE { &mut right } else { &mut wrong };
        verdict.push(ids.len().to_string());
        most = off.max(most);
    }
    let (right, wrong) = (right.join(", "), wrong.join(", "));
    Ok(match (right.as_str(), wrong.as_str()) {
        (_, "") => format!("right at lengths {right}"),
        ("", _) => format!("wrong at all lengths, logits off by up to {most:.2}"),
        _ => {
            format!("right at lengths {right}; wrong at {wrong}, logits off by up to {most:.2}")
        }
    })
}
