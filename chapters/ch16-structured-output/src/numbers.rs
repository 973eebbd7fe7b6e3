/// So many digits a double tells apart, wherever the point is.
pub const DIGITS: usize = 15;

/// A pattern of the numbers from `least` to `most`, both in units of the last of their `decimals`: 150 of two decimals is 1.5.
/// Numbers of as many digits can be compared digit by digit, so each length has a part of its own.
pub fn between(least: i64, most: i64, decimals: usize) -> String {
    let mut all = Vec::new();
    for (sign, least, most) in [("-", (-most).max(1), -least), ("", least.max(0), most)] {
        for length in decimals + 1..=DIGITS {
            let is_shortest = length == decimals + 1; // 0 has a digit, too
            let smallest = if is_shortest { 0 } else { 10i64.pow(length as u32 - 1) };
            let (least, most) = (least.max(smallest), most.min(10i64.pow(length as u32) - 1));
            if least <= most {
                let [least, most] = [least, most].map(|number| format!("{number:0length$}"));
                all.push(sign.to_owned() + &digits(&least, &most, decimals));
            }
        }
    }
    all.join("|")
}

/// The last digits of a number, from these to these. Where the first of them is neither the least nor the most there can be,
/// the others are free. Decimals that aren't written are zeros.
fn digits(least: &str, most: &str, decimals: usize) -> String {
    let (Some(&first), Some(&last)) = (least.as_bytes().first(), most.as_bytes().first())
    else {
        return String::new();
    };
    let (low, high) = (&least[1..], &most[1..]);
    let (zeros, nines) = ("0".repeat(low.len()), "9".repeat(low.len()));
    let (mut from, mut to, mut all) = (first, last, Vec::new());
    let mut begin = |digit: u8, low: &str, high: &str| {
        all.push(format!("{}{}", digit as char, digits(low, high, decimals)));
    };
    if first == last {
        begin(first, low, high);
        from += 1;
    } else {
        if low != zeros {
            begin(first, low, &nines);
            from += 1;
        }
        if high != nines {
            begin(last, &zeros, high);
            to -= 1;
        }
    }
    if from <= to {
        all.push(format!("[{}-{}]{}", from as char, to as char, free(low.len(), decimals)));
    }
    let point = if least.len() == decimals { r"\." } else { "" };
    let optional =
        if least.len() <= decimals && first == b'0' && low == zeros { "?" } else { "" };
    format!("({point}({})){optional}", all.join("|"))
}

/// So many digits of any kind.
fn free(digits: usize, decimals: usize) -> String {
    match digits.checked_sub(decimals) {
        None => format!("[0-9]{{0,{digits}}}"),
        Some(whole) if decimals == 0 => format!("[0-9]{{{whole}}}"),
        Some(whole) => format!(r"[0-9]{{{whole}}}(\.[0-9]{{1,{decimals}}})?"),
    }
}
