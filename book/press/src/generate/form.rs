//! Measurements have one form, whatever recorded them: [`course::tidy`].

use course::tidy::tidy;

use crate::fault::{Fault, PressError, files_under, read, write};
use crate::house::House;

/// Each file with its text as it is, and as it should be.
fn all(house: &House) -> Result<Vec<(String, String, String)>, PressError> {
    let folder = house.root.join("book/measurements");
    let mut all = Vec::new();
    for file in files_under(&folder)?.into_iter().filter(|file| file.ends_with(".json")) {
        let path = folder.join(&file);
        let text = read(&path)?;
        let tidied = tidy(&text).map_err(|error| PressError::content(&path, error))?;
        all.push((format!("book/measurements/{file}"), text, tidied));
    }
    Ok(all)
}

pub fn stale(house: &House) -> Result<Vec<Fault>, PressError> {
    let all = all(house)?.into_iter();
    Ok(all
        .filter_map(|(file, found, tidied)| super::difference(&file, &found, &tidied))
        .collect())
}

/// Writes those that are not, and says which.
pub fn update(house: &House) -> Result<Vec<String>, PressError> {
    let mut done = Vec::new();
    for (file, _, tidied) in
        all(house)?.into_iter().filter(|(_, found, tidied)| found != tidied)
    {
        write(&house.root.join(&file), &tidied)?;
        done.push(format!("wrote   {file}"));
    }
    Ok(done)
}
