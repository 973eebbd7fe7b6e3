//! The solutions of all exercises, and why other answers are wrong, from the exercises' annotated sources.

use super::Files;
use crate::fault::{BookError, Fault};
use crate::sources::Sources;

pub const ANSWERS: &str = "tests/exercises/answers";

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let repository = sources.repository;
    let answers = repository.root.join(ANSWERS);
    if !answers.is_dir() {
        return Ok(Vec::new());
    }
    let exercises = exercise_source::read_all(&repository.root)
        .map_err(|reason| BookError::content(&answers, reason))?;
    let title = |short: &str| match repository.chapter(short) {
        Some(chapter) => chapter.about.title.clone(),
        None => "The ground floor".to_string(),
    };
    files.insert("solutions.md".into(), exercise_source::solutions(&exercises, title));
    Ok(Vec::new())
}
