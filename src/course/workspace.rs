//! A workspace beside the course's: for what a reader types, and for the states of a chapter that the press compiles.
//!
//! The lines that the book adds to a chapter's Cargo.toml work in it as they stand.

use std::path::Path;

use toml_edit::{DocumentMut, Item, TableLike, value};

use crate::about::document;

/// The course's own Cargo.toml as a workspace of these members: what packages inherit and the profiles stay, its package
/// goes. `course` is the way from the new workspace to the course's folder.
pub fn beside(manifest: &str, members: &str, course: &str) -> Result<String, String> {
    let mut document = document(manifest)?;
    document.retain(|key, _| matches!(key, "workspace" | "profile"));
    document.set_trailing("");
    let table = document.get_mut("workspace").and_then(Item::as_table_like_mut);
    let workspace = table.ok_or("expected a table [workspace]")?;
    workspace.remove("default-members");
    // Anew, and not in place: the comments beside the course's members are about those.
    workspace.remove("members");
    workspace.insert("members", value(toml_edit::Array::from_iter([members])));
    if let Some(packages) = workspace.get_mut("dependencies").and_then(Item::as_table_like_mut)
    {
        for (_, package) in packages.iter_mut() {
            if let Some(package) = package.as_table_like_mut() {
                lead(package, course);
            }
        }
        if packages.contains_key("ground") {
            as_fast_as_a_member(&mut document);
        }
    }
    Ok(document.to_string())
}

/// The way to a package of the course holds from the new workspace.
fn lead(package: &mut dyn TableLike, course: &str) {
    let Some(path) = package.get_mut("path") else { return };
    let Some(old) = path.as_str().filter(|path| !Path::new(path).is_absolute()) else { return };
    *path = value(if old == "." { course.to_string() } else { format!("{course}/{old}") });
}

/// The ground floor is a member of the course and not of the new workspace, where dependencies are not optimised.
fn as_fast_as_a_member(document: &mut DocumentMut) {
    let mut profiles = document.as_table_mut() as &mut dyn TableLike;
    let path = ["profile", "dev", "package", "ground"];
    for key in path {
        let table = profiles.entry(key).or_insert_with(toml_edit::table);
        if let Some(table) = table.as_table_mut() {
            table.set_implicit(key != "ground");
        }
        let Some(table) = table.as_table_like_mut() else { return };
        profiles = table;
    }
    profiles.insert("opt-level", value(2));
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSE: &str = "[workspace]\nresolver = \"3\"\n# All of them.\nmembers = [\"chapters/*\"]\n\
         default-members = [\".\"]\n\n[workspace.package]\nedition = \"2024\"\n\n\
         [workspace.dependencies]\ncourse = { path = \".\" }\nground = { path = \"src/ground\" } # the floor\nhalf = \"=2.7.1\"\n\n\
         [workspace.lints.rust]\nunsafe_code = \"deny\"\n\n# Why.\n[profile.dev]\nopt-level = 2\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 0\n\n[package]\nname = \"course\"\n\n[dependencies]\nground.workspace = true\n";

    #[test]
    fn what_packages_inherit_stays_and_paths_hold() {
        let expected = "[workspace]\nresolver = \"3\"\nmembers = [\"ch*\"]\n\n[workspace.package]\nedition = \"2024\"\n\n\
             [workspace.dependencies]\ncourse = { path = \"..\" }\nground = { path = \"../src/ground\" } # the floor\nhalf = \"=2.7.1\"\n\n\
             [workspace.lints.rust]\nunsafe_code = \"deny\"\n\n# Why.\n[profile.dev]\nopt-level = 2\n\n\
             [profile.dev.package.\"*\"]\nopt-level = 0\n\n[profile.dev.package.ground]\nopt-level = 2\n";
        assert_eq!(beside(COURSE, "ch*", "..").as_deref(), Ok(expected));
        let far = beside(COURSE, "state", "/course").expect("a workspace");
        assert!(far.contains("{ path = \"/course/src/ground\" }"), "{far}");
        assert!(far.contains("course = { path = \"/course\" }"), "{far}");
    }

    #[test]
    fn a_workspace_that_names_less_is_one_too() {
        let small = beside("[workspace]\n", "ch*", "..");
        assert_eq!(small.as_deref(), Ok("[workspace]\nmembers = [\"ch*\"]\n"));
        let other =
            beside("[workspace]\n[workspace.dependencies]\nground = \"1\"\n", "a", "..");
        assert!(other.is_ok_and(|text| text.contains("[profile.dev.package.ground]")));
        assert!(beside("[package]\n", "ch*", "..").is_err());
        assert!(beside("[package", "ch*", "..").is_err());
    }
}
