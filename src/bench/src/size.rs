//! A number of bytes as people read it.

/// With one digit after the point, in the largest unit of which there is one at least.
pub fn size(bytes: u128) -> String {
    let mut value = bytes as f64;
    let mut unit = "B";
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, larger);
    }
    let digits = if unit == "B" { 0 } else { 1 };
    format!("{value:.digits$} {unit}")
}
