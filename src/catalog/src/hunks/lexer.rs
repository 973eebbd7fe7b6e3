//! Cuts Rust source into coloured pieces. Nothing is dropped: the pieces joined again are the source.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Space,
    Comment,
    Text,
    Number,
    Keyword,
    Type,
    Constant,
    Function,
    Macro,
    Lifetime,
    Attribute,
    Name,
    Punctuation,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
}

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
    "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
    "true", "type", "union", "unsafe", "use", "where", "while",
];

const PRIMITIVES: &[&str] = &[
    "bool", "char", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str",
    "u8", "u16", "u32", "u64", "u128", "usize",
];

pub fn lex(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = piece(rest, first);
        tokens.push(Token { kind, text: &rest[..length] });
        rest = &rest[length..];
    }
    tokens
}

fn piece(rest: &str, first: char) -> (Kind, usize) {
    if first.is_whitespace() {
        return (Kind::Space, span(rest, char::is_whitespace));
    }
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment(rest));
    }
    if rest.starts_with("#[") || rest.starts_with("#![") {
        return (Kind::Attribute, attribute(rest));
    }
    if let Some(length) = text_literal(rest) {
        return (Kind::Text, length);
    }
    if first == '\'' {
        return quote(rest);
    }
    if first.is_ascii_digit() {
        return (Kind::Number, number(rest));
    }
    if first == '_' || first.is_alphabetic() {
        let length = span(rest, |c| c == '_' || c.is_alphanumeric());
        return (word(&rest[..length], &rest[length..]), length);
    }
    (Kind::Punctuation, first.len_utf8())
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn word(word: &str, after: &str) -> Kind {
    if KEYWORDS.contains(&word) {
        return Kind::Keyword;
    }
    if after.starts_with('!') && !after.starts_with("!=") {
        return Kind::Macro;
    }
    if PRIMITIVES.contains(&word) {
        return Kind::Type;
    }
    if word.starts_with(|c: char| c.is_uppercase()) {
        let shouting = word.len() > 1 && !word.contains(|c: char| c.is_lowercase());
        return if shouting { Kind::Constant } else { Kind::Type };
    }
    if after.starts_with('(') || after.starts_with("::<") { Kind::Function } else { Kind::Name }
}

fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hex = text.starts_with("0x");
    let mut end = 1;
    while end < bytes.len() {
        let after_exponent = !hex && matches!(bytes[end - 1], b'e' | b'E');
        let fraction = bytes[end] == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        let sign = after_exponent && matches!(bytes[end], b'+' | b'-');
        if !(bytes[end].is_ascii_alphanumeric() || bytes[end] == b'_' || fraction || sign) {
            break;
        }
        end += 1;
    }
    end
}

/// A character or a lifetime: both begin with a quote.
fn quote(text: &str) -> (Kind, usize) {
    let mut inside = text.char_indices().skip(1);
    match inside.next() {
        Some((_, '\\')) => {
            (Kind::Text, inside.skip(1).find(|c| c.1 == '\'').map_or(text.len(), |c| c.0 + 1))
        }
        Some(_) => match inside.next() {
            Some((at, '\'')) => (Kind::Text, at + 1),
            _ => (Kind::Lifetime, 1 + span(&text[1..], |c| c == '_' || c.is_alphanumeric())),
        },
        None => (Kind::Punctuation, 1),
    }
}

/// The length of a string or byte literal, raw or not, if one begins here.
fn text_literal(text: &str) -> Option<usize> {
    if text.starts_with("b'") {
        return Some(1 + quote(&text[1..]).1);
    }
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|p| {
        text.strip_prefix(p)
            .is_some_and(|t| t.starts_with('"') || (p.ends_with('r') && raw_opens(t)))
    })?;
    let body = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = span(body, |c| c == '#');
        let close = format!("\"{}", "#".repeat(hashes));
        let start = hashes + 1;
        let end = body[start..].find(&close).map_or(body.len(), |at| start + at + close.len());
        return Some(prefix.len() + end);
    }
    let mut escaped = false;
    for (at, c) in body.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(prefix.len() + at + 1),
            _ => {}
        }
    }
    Some(text.len())
}

fn raw_opens(text: &str) -> bool {
    text.starts_with('#') && text.trim_start_matches('#').starts_with('"')
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn attribute(text: &str) -> usize {
    let mut depth = 0;
    let mut at = text.find('[').unwrap_or(0);
    while at < text.len() {
        if let Some(length) = text_literal(&text[at..]).filter(|_| text[at..].starts_with('"'))
        {
            at += length;
            continue;
        }
        match text.as_bytes()[at] {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => {}
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(Kind, &str)> {
        let tokens = lex(source);
        assert_eq!(tokens.iter().map(|t| t.text).collect::<String>(), source);
        tokens.into_iter().filter(|t| t.kind != Kind::Space).map(|t| (t.kind, t.text)).collect()
    }

    #[test]
    fn lifetimes_are_not_characters() {
        let found = kinds("&'a str 'x' '\\'' '\\u{1F600}' b'\\n'");
        assert_eq!(found[1], (Kind::Lifetime, "'a"));
        assert!(found[3..].iter().all(|(kind, _)| *kind == Kind::Text), "{found:?}");
        assert_eq!(found.len(), 7);
    }

    #[test]
    fn strings_hide_what_is_in_them() {
        assert_eq!(kinds(r##"r#"a " // b"# "c\"{" b"x""##).len(), 3);
        assert_eq!(kinds("/* a /* b */ c */ x").len(), 2);
    }

    #[test]
    fn numbers_keep_their_dots_and_ranges_do_not() {
        assert_eq!(
            kinds("1e-6 0..n 1.5_f32 0xFFE-1").iter().filter(|t| t.0 == Kind::Number).count(),
            5
        );
    }

    #[test]
    fn words_by_what_they_are() {
        let found = kinds("#[test]\nfn run(x: f32) -> Model { println!(); EPS }");
        let has =
            |kind, text| assert!(found.contains(&(kind, text)), "{kind:?} {text}: {found:?}");
        has(Kind::Attribute, "#[test]");
        has(Kind::Keyword, "fn");
        has(Kind::Function, "run");
        has(Kind::Type, "f32");
        has(Kind::Type, "Model");
        has(Kind::Macro, "println");
        has(Kind::Constant, "EPS");
    }

    #[test]
    fn any_text_is_cut_without_loss() {
        for odd in
            ["'", "\"", "r#\"", "/*", "#[", "b'", "'\\", "é'é'", "#![a", "'é", "0x", "1."]
        {
            kinds(odd);
        }
    }
}
