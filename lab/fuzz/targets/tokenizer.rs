//! Any text through a tokenizer and back, whole and in pieces. The tokenizer is that of the model in this program, or
//! of a file that comes with the text.
#![no_main]

use std::sync::LazyLock;

use fuzz::{of_file, one_line, take_bytes, within};
use ground::embedded::tiny_qwen3;
use ground::gguf::Gguf;
use ground::stream::{Stops, TextStream};
use ground::tokenizer::Tokenizer;
use libfuzzer_sys::fuzz_target;

static EMBEDDED: LazyLock<Tokenizer> = LazyLock::new(|| {
    Tokenizer::from_gguf(&tiny_qwen3().expect("it opens")).expect("its tokenizer is sound")
});

// How long the text is, in two bytes, the text and its stop strings with zeros between, then perhaps the file.
fuzz_target!(|data: &[u8]| {
    LazyLock::force(&EMBEDDED);
    within(of_file(data.len()) + 200 * data.len(), || {
        let mut file = data;
        let length = usize::from(u16::from_le_bytes(take_bytes(&mut file)));
        let (said, file) = file.split_at(length.min(file.len()));
        let all = String::from_utf8_lossy(said);
        let mut parts = all.split('\0').map(str::to_owned);
        let text = parts.next().unwrap_or_default();
        // Each token is compared with all their beginnings: hundreds of them, or long ones, would only be slow.
        let short = |part: String| part.chars().take(100).collect::<String>();
        let stops: Vec<String> =
            parts.take(16).map(|part| cut_from(&text, short(part))).collect();
        if file.is_empty() {
            talk(&EMBEDDED, &text, &stops, said);
            // In its vocabulary no byte is missing.
            let plain = EMBEDDED.encode_plain(&text).expect("any text has tokens");
            let back = EMBEDDED.decode(&plain).expect("they are known");
            assert!(!text.is_ascii() || back == text, "{text:?} came back as {back:?}");
            let again = EMBEDDED.encode_plain(&back).expect("any text has tokens");
            assert_eq!(EMBEDDED.decode(&again).expect("they are known"), back);
            return;
        }
        let file = match Gguf::from_vec(file.to_vec()) {
            Ok(file) => file,
            Err(error) => return drop(one_line(error)),
        };
        match Tokenizer::from_gguf(&file) {
            Ok(tokenizer) => talk(&tokenizer, &text, &stops, said),
            Err(error) => drop(one_line(error)),
        }
    });
});

/// Few stop strings that are drawn by chance are in the text. One that begins with a control character is cut from it:
/// the characters after it say where, and how long.
fn cut_from(text: &str, stop: String) -> String {
    match stop.as_bytes() {
        [b'\x01', at, length, ..] => {
            text.chars().skip(usize::from(*at)).take(usize::from(length % 16)).collect()
        }
        _ => stop,
    }
}

fn talk(tokenizer: &Tokenizer, text: &str, stops: &[String], bytes: &[u8]) {
    let ids = match tokenizer.encode(text) {
        Ok(ids) => ids,
        Err(error) => return drop(one_line(error)),
    };
    stream(tokenizer, &ids, stops);
    let _ = tokenizer
        .encode_plain(text)
        .map(|ids| stream(tokenizer, &ids, stops))
        .map_err(one_line);
    // As a model could write them: in any order, and one that there is not.
    let end = tokenizer.vocab_size() as u32 + 1;
    let ids: Vec<u32> = bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|two| u32::from(u16::from_le_bytes(*two)) % end)
        .collect();
    stream(tokenizer, &ids, stops);
    for &id in &ids {
        let _ = tokenizer.token_text(id).map_err(one_line);
    }
}

/// What comes out in pieces is what comes out at once, up to the first stop string.
fn stream(tokenizer: &Tokenizer, ids: &[u32], stops: &[String]) {
    let whole = match tokenizer.decode(ids) {
        Ok(whole) => whole,
        Err(error) => return drop(one_line(error)),
    };
    let pieces = |stops: &[String]| {
        let mut stream = TextStream::new(tokenizer, &Stops::new(stops));
        let (mut text, mut stopped) = (String::new(), false);
        for &id in ids {
            let piece = stream.push(id).expect("they are known");
            text.push_str(&piece.text);
            stopped = piece.stopped;
        }
        (text + &stream.finish(), stopped)
    };
    assert_eq!(pieces(&[]), (whole.clone(), false));
    let (text, stopped) = pieces(stops);
    let ends = stops.iter().filter(|stop| !stop.is_empty());
    let first = ends.filter_map(|stop| whole.find(stop).map(|at| (at + stop.len(), at))).min();
    // The character for half a character may come only at the end, after the search for stop strings.
    if stops.iter().any(|stop| stop.contains(char::REPLACEMENT_CHARACTER)) {
        return assert!(whole.starts_with(&text));
    }
    match first {
        Some((_, at)) => assert_eq!((text.as_str(), stopped), (&whole[..at], true)),
        None => assert_eq!((text, stopped), (whole, false)),
    }
}
