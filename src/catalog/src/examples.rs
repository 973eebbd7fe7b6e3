//! What a page tells readers to run.

/// The examples that a text lets readers run on code of their own: it says `cargo run --example NAME`, without a package.
pub fn named_in(text: &str) -> impl Iterator<Item = String> {
    text.split("cargo run ").skip(1).filter_map(|rest| {
        let rest =
            rest.strip_prefix("--release ").unwrap_or(rest).strip_prefix("--example ")?;
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        name.map(String::from)
    })
}
