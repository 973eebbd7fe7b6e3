//! A chapter's title with its number: in the summary, which is the sidebar, and at the top of its first page.

/// `2` of `ch02`.
pub fn number(short: &str) -> usize {
    short.trim_start_matches("ch").parse().unwrap_or_default()
}

/// `2. Keep what was computed`
pub fn in_summary(short: &str, title: &str) -> String {
    format!("{}. {title}", number(short))
}

/// `Chapter 2: Keep what was computed`
pub fn on_page(short: &str, title: &str) -> String {
    format!("Chapter {}: {title}", number(short))
}
