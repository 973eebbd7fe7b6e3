//! Addresses on a page.

/// Where a relative address on a page leads, relative to `book/src`; nothing when it leaves the book's folder.
pub fn resolve(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The way from a page to a file of the book, both relative to `book/src`.
pub fn way(page: &str, target: &str) -> String {
    format!("{}{target}", "../".repeat(page.matches('/').count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_where_they_say() {
        assert_eq!(
            resolve("ch02/a.md", "../generated/x.md").as_deref(),
            Some("generated/x.md")
        );
        assert_eq!(resolve("a.md", "./b.md").as_deref(), Some("b.md"));
        assert_eq!(resolve("a.md", "../b.md"), None);
        assert_eq!(way("ch02/a.md", "generated/x.html"), "../generated/x.html");
    }
}
