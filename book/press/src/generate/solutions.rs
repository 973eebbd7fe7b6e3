//! The solutions of all exercises, and why other answers are wrong, from the exercises' annotated sources.

use super::Files;
use crate::fault::{Fault, PressError};
use crate::sources::Sources;

pub const ANSWERS: &str = "tests/exercises/answers";

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    let house = sources.house;
    let answers = house.root.join(ANSWERS);
    if !answers.is_dir() {
        return Ok(Vec::new());
    }
    let exercises = exercise_source::read_all(&house.root)
        .map_err(|reason| PressError::content(&answers, reason))?;
    let title = |short: &str| match house.chapter(short) {
        Some(chapter) => chapter.about.title.clone(),
        None => "The ground floor".to_string(),
    };
    files.insert("solutions.md".into(), exercise_source::solutions(&exercises, title));
    Ok(Vec::new())
}
