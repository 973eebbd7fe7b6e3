//! Helpers shared by the tests of the course.

use std::path::PathBuf;

use course::suite::judge::Judgement;
use ground::gguf::Gguf;

pub mod tiny;

/// The root of the repository.
pub fn root() -> PathBuf {
    course::chapters::root()
}

/// What was judged of `model`, and the model itself: it stays open until the test ends, because from chapter 3 on a
/// loaded model borrows its file.
pub fn judged(model: &str) -> (Judgement, &'static Gguf) {
    let judgement = Judgement::read(&root(), model).expect("the judgement can be read");
    let file = Gguf::open(&judgement.model_file).expect("the judged model opens");
    (judgement, Box::leak(Box::new(file)))
}
