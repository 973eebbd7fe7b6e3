//? recognised: a lone \n was taken
//? why: Ends a line at a newline, with or without a carriage return before it, as one does with text files. Whoever insists on both finds the end of that line elsewhere.

/// The data, and the rest.
type Apart<'a> = (Vec<u8>, &'a [u8]);

pub fn chunked(body: &[u8]) -> Result<Apart<'_>, &'static str> {
    let (mut data, mut rest) = (Vec::new(), body);
    loop {
        let (line, behind) = cut_line(rest)?;
        let size = size_of(line)?;
        rest = behind;
        if size == 0 {
            break;
        }
        let (chunk, behind) = rest.split_at_checked(size).ok_or("a chunk isn't whole")?;
        data.extend_from_slice(chunk);
        rest = behind.strip_prefix(b"\r\n").ok_or("no CRLF behind a chunk")?;
    }
    loop {
        let (trailer, behind) = cut_line(rest)?;
        rest = behind;
        if trailer.is_empty() {
            return Ok((data, rest));
        }
    }
}

// The first of either byte is the end of the line, so it has to begin a CRLF.
fn cut_line(text: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    let end = text.iter().position(|&byte| byte == b'\n').ok_or("a line isn't whole")?;
    let (line, behind) = (&text[..end], &text[end + 1..]);
    Ok((line.strip_suffix(b"\r").unwrap_or(line), behind))
}

fn size_of(line: &[u8]) -> Result<usize, &'static str> {
    let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
    if !(1..=8).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err("a size is 1 to 8 hexadecimal digits");
    }
    let digits = str::from_utf8(digits).map_err(|_| "digits are ASCII")?;
    let size = u32::from_str_radix(digits, 16).map_err(|_| "eight digits are 32 bits")?;
    usize::try_from(size).map_err(|_| "more than this machine has")
}
