//! A workspace beside the course's: for what a reader types, and for the states of a chapter that the bookmaker compiles.
//!
//! The lines that the book adds to a chapter's Cargo.toml work in it as they stand.

use std::collections::BTreeSet;
use std::path::Path;

use toml_edit::{DocumentMut, Item, TableLike, value};

use crate::manifest::document;

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
    // A reader's chapter may be beside the course's of the same name: a lock file tells them apart by this.
    if let Some(package) = workspace.get_mut("package").and_then(Item::as_table_like_mut)
        && let Some(version) = package.get_mut("version")
    {
        *version = value("0.0.0");
    }
    if let Some(packages) = workspace.get_mut("dependencies").and_then(Item::as_table_like_mut)
    {
        for (_, package) in packages.iter_mut() {
            if let Some(package) = package.as_table_like_mut() {
                lead(package, course);
            }
        }
        if packages.contains_key("ground") {
            like_a_member(&mut document, "ground");
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

/// A workspace with profiles for its own packages only: Cargo warns about every other. They are what these manifests
/// depend on, and what that depends on in turn, as the course's lock file says. A dependency by path is a chapter, whose
/// manifest is one of these too.
pub fn with_profiles_for(
    workspace: &str,
    lock: &str,
    manifests: &[String],
) -> Result<String, String> {
    let mut document = document(workspace)?;
    let (mut chapters, mut open) = (BTreeSet::new(), Vec::new());
    for manifest in manifests {
        let manifest = self::document(manifest)?;
        let platforms = manifest.get("target").and_then(Item::as_table_like);
        let platforms = platforms.into_iter().flat_map(|all| all.iter().map(|(_, one)| one));
        for part in [manifest.as_item()].into_iter().chain(platforms) {
            for kind in ["dependencies", "dev-dependencies"] {
                let packages = part.get(kind).and_then(Item::as_table_like);
                for (name, package) in packages.into_iter().flat_map(|all| all.iter()) {
                    match package.get("path") {
                        Some(_) => _ = chapters.insert(name.to_string()),
                        None => open.push(name.to_string()),
                    }
                }
            }
        }
    }
    for chapter in &chapters {
        like_a_member(&mut document, chapter);
    }
    let lock = self::document(lock)?;
    let locked = lock.get("package").and_then(Item::as_array_of_tables);
    let mut packages = chapters;
    packages.insert("*".into());
    while let Some(name) = open.pop() {
        if !packages.insert(name.clone()) {
            continue;
        }
        let its = |package: &&toml_edit::Table| {
            package.get("name").and_then(Item::as_str) == Some(name.as_str())
        };
        let found = locked.into_iter().flat_map(|all| all.iter()).filter(its);
        let needed = found.filter_map(|package| package.get("dependencies")?.as_array());
        // With its version where there are two of them.
        let name =
            |needed: &toml_edit::Value| needed.as_str()?.split(' ').next().map(String::from);
        open.extend(needed.flat_map(|needed| needed.iter().filter_map(name)));
    }
    let profiles = document.get_mut("profile").and_then(Item::as_table_like_mut);
    for (_, profile) in profiles.into_iter().flat_map(|all| all.iter_mut()) {
        let named = profile.get_mut("package").and_then(Item::as_table_like_mut);
        let Some(named) = named else { continue };
        let others = named.iter().map(|(name, _)| name.to_string());
        for other in others.filter(|name| !packages.contains(name)).collect::<Vec<_>>() {
            named.remove(&other);
        }
    }
    Ok(document.to_string())
}

/// A package of the course that is no member of the new workspace, where dependencies are neither optimised nor check
/// themselves. A level that the course has for it stays.
fn like_a_member(document: &mut DocumentMut, package: &str) {
    let mut profiles = document.as_table_mut() as &mut dyn TableLike;
    let path = ["profile", "dev", "package", package];
    for key in path {
        let table = profiles.entry(key).or_insert_with(toml_edit::table);
        if let Some(table) = table.as_table_mut() {
            table.set_implicit(key != package);
        }
        let Some(table) = table.as_table_like_mut() else { return };
        profiles = table;
    }
    profiles.entry("opt-level").or_insert(value(2));
    for checks in ["debug-assertions", "overflow-checks"] {
        profiles.entry(checks).or_insert(value(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSE: &str = "[workspace]\nresolver = \"3\"\n# All of them.\nmembers = [\"chapters/*\"]\n\
         default-members = [\".\"]\n\n[workspace.package]\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [workspace.dependencies]\ncourse = { path = \".\" }\nground = { path = \"src/ground\" } # the floor\nhalf = \"=2.7.1\"\n\n\
         [workspace.lints.rust]\nunsafe_code = \"deny\"\n\n# Why.\n[profile.dev]\nopt-level = 2\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 0\n\n[package]\nname = \"course\"\n\n[dependencies]\nground.workspace = true\n";

    #[test]
    fn what_packages_inherit_stays_and_paths_hold() {
        let expected = "[workspace]\nresolver = \"3\"\nmembers = [\"ch*\"]\n\n[workspace.package]\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [workspace.dependencies]\ncourse = { path = \"..\" }\nground = { path = \"../src/ground\" } # the floor\nhalf = \"=2.7.1\"\n\n\
             [workspace.lints.rust]\nunsafe_code = \"deny\"\n\n# Why.\n[profile.dev]\nopt-level = 2\n\n\
             [profile.dev.package.\"*\"]\nopt-level = 0\n\n[profile.dev.package.ground]\nopt-level = 2\n\
             debug-assertions = true\noverflow-checks = true\n";
        assert_eq!(beside(COURSE, "ch*", "..").as_deref(), Ok(expected));
        let far = beside(COURSE, "state", "/course").expect("a workspace");
        assert!(far.contains("{ path = \"/course/src/ground\" }"), "{far}");
        assert!(far.contains("course = { path = \"/course\" }"), "{far}");
        // A level that the course has for it.
        let own = "[profile.dev.package.ground]\nopt-level = 1\n\n[package]\n";
        let own = beside(&COURSE.replace("[package]\n", own), "ch*", "..");
        let own = own.expect("a workspace");
        assert!(own.contains("[profile.dev.package.ground]\nopt-level = 1\ndebug-"), "{own}");
    }

    #[test]
    fn profiles_are_those_of_packages_that_are_there() {
        let workspace = "[workspace]\n\n[profile.dev.package.\"*\"]\nopt-level = 0\n\n\
             # Deep down.\n[profile.dev.package.half]\nopt-level = 2\n\n\
             # For tools.\n[profile.dev.package.wasmi]\nopt-level = 3\n";
        let lock = "version = 4\n\n[[package]]\nname = \"ground\"\ndependencies = [\"half 2.7.1\", \"a\"]\n\n\
             [[package]]\nname = \"half\"\ndependencies = [\"ground\"]\n\n[[package]]\nname = \"wasmi\"\n";
        let manifest = "[target.'cfg(unix)'.dependencies]\nground.workspace = true\nch07-chat = { path = \"a\" }\n";
        let expected = workspace.split("\n# For tools").next().unwrap_or_default();
        let expected = format!(
            "{expected}\n[profile.dev.package.ch07-chat]\nopt-level = 2\n\
             debug-assertions = true\noverflow-checks = true\n"
        );
        let found = with_profiles_for(workspace, lock, &[manifest.into()]);
        assert_eq!(found.as_deref(), Ok(expected.as_str()));
        let none = with_profiles_for(workspace, lock, &[]).expect("a workspace");
        assert!(!none.contains("half") && none.contains("\"*\""), "{none}");
        assert!(with_profiles_for(workspace, "[", &[]).is_err());
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
