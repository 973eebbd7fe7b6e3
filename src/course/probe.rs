//! Which layer differs: a small program that is built against the reader's library and prints the state after each layer.

use std::fs;
use std::path::Path;

use ground::error::Error;
use serde::Deserialize;

use crate::check::Judgement;
use course::chapters::{self, Chapter};

/// The judge's state of every token after each part of the model, each [rows, hidden].
#[derive(Deserialize)]
pub struct Hidden {
    pub prompt_ids: Vec<u32>,
    pub embedding: Vec<Vec<f32>>,
    pub layers: Vec<Vec<Vec<f32>>>,
}

const TOLERANCE: f32 = 1e-4;

/// How the chapters' libraries are asked for one layer: the newest form that the reader's library has is used.
const FORMS: [(&str, &str); 3] = [
    (
        "let model = Model::load(file, library::backend::Backend::choose(\"auto\").unwrap()).unwrap();",
        "model.layer(index, x.clone(), 0, None).unwrap()",
    ),
    (
        "let model = Model::load(file).unwrap();",
        "model.layer(index, x.clone(), 0, None).unwrap()",
    ),
    ("let model = Model::load(file).unwrap();", "model.layer(index, x.clone())"),
];

/// One or two lines about the first layer that differs from the judge.
pub fn first_layer(
    root: &Path,
    chapter: &Chapter,
    own: &Path,
    model: &str,
    judgement: &Judgement,
) -> Result<String, Error> {
    let Some(states) = states(root, chapter, own, judgement)? else {
        return Ok("  layers:   cannot be told: your library has no `Model::layer` as the chapter has it".into());
    };
    let expected = std::iter::once(&judgement.hidden.embedding).chain(&judgement.hidden.layers);
    for (stage, (expected, found)) in expected.zip(&states).enumerate() {
        for (row, (expected, found)) in expected.iter().zip(found).enumerate() {
            let largest = expected.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
            let differs = |(e, f): (&f32, &f32)| {
                let near = (e - f).abs() <= TOLERANCE * largest;
                !near
            };
            if let Some(column) = expected.iter().zip(found).position(differs) {
                let place = match stage {
                    0 => "the embedding".to_string(),
                    layer => format!("the state after layer {}", layer - 1),
                };
                return Ok(format!(
                    "  layers:   {place} is the first that differs (model {model}, row {row}, column {column}): expected {}, found {}",
                    expected[column], found[column]
                ));
            }
        }
    }
    Ok("  layers:   all agree: look at the final norm, the head, or the loop".into())
}

/// The embedding, then the state after each layer; `None` when no form fits the reader's library.
fn states(
    root: &Path,
    chapter: &Chapter,
    own: &Path,
    judgement: &Judgement,
) -> Result<Option<Vec<Vec<Vec<f32>>>>, Error> {
    let folder = root.join("my").join("ch-probe");
    fs::create_dir_all(folder.join("src"))?;
    let library = chapter.name.as_str();
    let own = own.display();
    fs::write(
        folder.join("Cargo.toml"),
        format!(
            "[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             library = {{ package = {library:?}, path = {:?} }}\nground.workspace = true\nserde_json.workspace = true\n",
            own.to_string()
        ),
    )?;
    let mut found = None;
    for (load, layer) in FORMS {
        fs::write(folder.join("src/main.rs"), program(load, layer))?;
        let output = chapters::cargo(&folder)
            .args(["run", "--quiet", "--"])
            .arg(root.join(&judgement.model_file))
            .args(judgement.hidden.prompt_ids.iter().map(u32::to_string))
            .output()?;
        if output.status.success() {
            found = serde_json::from_slice(&output.stdout).ok();
            break;
        }
    }
    fs::remove_dir_all(folder)?;
    Ok(found)
}

fn program(load: &str, layer: &str) -> String {
    format!(
        "use library::model::Model;
fn main() {{
    let path = std::env::args().nth(1).unwrap();
    let ids: Vec<u32> = std::env::args().skip(2).map(|id| id.parse().unwrap()).collect();
    let file = Box::leak(Box::new(ground::gguf::Gguf::open(path.as_ref()).unwrap()));
    {load}
    let mut x = model.embed(&ids);
    let mut states = Vec::new();
    for index in 0..=model.config.layers {{
        states.push(x.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>());
        if index < model.config.layers {{
            x = {layer};
        }}
    }}
    println!(\"{{}}\", serde_json::to_string(&states).unwrap());
}}
"
    )
}
