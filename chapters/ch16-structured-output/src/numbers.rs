/// So many digits a double tells apart, wherever the point is.
pub const DIGITS: usize = 15;

/// A pattern of the numbers from `least` to `most`, both in units of the last of their `decimals`: 150 of two decimals is 1.5.
/// Each of its parts is a stretch of them in which one digit goes from here to there, and all after it are free.
pub fn between(least: i64, most: i64, decimals: usize) -> String {
    let mut all = Vec::new();
    let fraction = format!(r"(\.[0-9]{{1,{decimals}}})?");
    let fraction = if decimals > 0 { &*fraction } else { "" };
    for (sign, mut from, to) in [("-", (-most).max(1), -least), ("", least.max(0), most)] {
        while from <= to {
            let digits = format!("{from:00$}", decimals + 1); // 0 has a digit before the point, too
            let is_free = |free: &usize| {
                let all = 10i64.pow(*free as u32);
                *free < digits.len() && from % all == 0 && from + all - 1 <= to
            };
            let free = (1..).take_while(is_free).last().unwrap_or(0);
            let unit = 10i64.pow(free as u32);
            let digit = from / unit % 10;
            let last = (digit + (to + 1 - from) / unit - 1).min(9);
            let (whole, rest) = digits.split_at(digits.len() - decimals);
            if free >= decimals {
                let (head, free) = (&whole[..digits.len() - free - 1], free - decimals);
                all.push(format!("{sign}{head}[{digit}-{last}][0-9]{{{free}}}{fraction}"));
            } else {
                let head = &rest[..decimals - free - 1];
                all.push(format!(r"{sign}{whole}\.{head}[{digit}-{last}][0-9]{{0,{free}}}"));
                // Zeros at the end need not be written, nor a point without decimals.
                let least = rest.trim_end_matches('0').len();
                for end in least..decimals - free {
                    let text = format!(r"{sign}{whole}\.{}", &rest[..end]);
                    all.push(text.trim_end_matches(r"\.").into());
                }
            }
            from += (last - digit + 1) * unit;
        }
    }
    all.join("|")
}
