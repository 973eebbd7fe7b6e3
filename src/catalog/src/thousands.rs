//! How the book writes large numbers.

/// `25,267`
pub fn thousands(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let digits = whole.trim_start_matches('-');
    let mut out = whole[..whole.len() - digits.len()].to_string();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_a_comma() {
        let all = ["7", "999", "1000", "25267", "1234567.5", "-19499"].map(thousands);
        assert_eq!(all, ["7", "999", "1,000", "25,267", "1,234,567.5", "-19,499"]);
    }
}
