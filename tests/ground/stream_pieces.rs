//! Text as it comes: whole characters, nothing of a stop string, nothing lost and nothing held back too long.

use ground::embedded::tiny_qwen3;
use ground::gguf::Gguf;
use ground::stream::{Stops, TextStream};
use ground::tokenizer::Tokenizer;
use proptest::prelude::*;
use std::sync::LazyLock;
use test_support::tiny::tiny_gguf;

/// A vocabulary whose first 256 ids are the bytes: ids can cut a text anywhere.
static BYTES: LazyLock<Tokenizer> = LazyLock::new(|| {
    let file = Gguf::from_vec(tiny_gguf().to_bytes()).expect("a valid file");
    Tokenizer::from_gguf(&file).expect("its tokenizer")
});

static TINY: LazyLock<Tokenizer> = LazyLock::new(|| {
    Tokenizer::from_gguf(&tiny_qwen3().expect("the embedded model")).expect("its tokenizer")
});

fn stream(stops: &[&str]) -> TextStream<'static> {
    let stops: Vec<String> = stops.iter().map(|stop| stop.to_string()).collect();
    TextStream::new(&BYTES, &Stops::new(&stops))
}

/// Every delta, and what was held back to the end.
fn deltas(stops: &[&str], text: &[u8]) -> (Vec<String>, String) {
    let mut stream = stream(stops);
    let push = |&byte: &u8| stream.push(u32::from(byte)).expect("a known id").text;
    let deltas = text.iter().map(push).collect();
    (deltas, stream.finish())
}

/// What is printed in all, and whether a stop string ended it.
fn printed(tokenizer: &Tokenizer, stops: &[String], ids: &[u32]) -> (String, bool) {
    let mut stream = TextStream::new(tokenizer, &Stops::new(stops));
    let mut text = String::new();
    for &id in ids {
        let delta = stream.push(id).expect("a known id");
        text.push_str(&delta.text);
        if delta.stopped {
            assert_eq!(stream.finish(), "", "nothing follows a stop");
            return (text, true);
        }
    }
    text.push_str(&stream.finish());
    (text, false)
}

#[test]
fn a_character_is_printed_when_it_is_whole() {
    let (deltas, rest) = deltas(&[], "aé€😀".as_bytes());
    assert_eq!(deltas, ["a", "", "é", "", "", "€", "", "", "", "😀"]);
    assert_eq!(rest, "");
}

#[test]
fn half_a_character_at_the_end_is_flushed_as_replaced() {
    let (deltas, rest) = deltas(&[], &"a😀".as_bytes()[..3]);
    assert_eq!(deltas, ["a", "", ""]);
    assert_eq!(rest, "\u{FFFD}");
}

#[test]
fn bytes_that_can_never_be_a_character_do_not_block_what_follows() {
    let (deltas, rest) = deltas(&[], b"\xffa\xe2\x82b");
    assert_eq!(deltas, ["\u{FFFD}", "a", "", "", "\u{FFFD}b"]);
    assert_eq!(rest, "");
}

#[test]
fn text_is_held_back_only_while_it_could_begin_a_stop_string() {
    let (deltas, rest) = deltas(&["aab"], b"caaac");
    assert_eq!(deltas, ["c", "", "", "a", "aac"]);
    assert_eq!(rest, "");
}

#[test]
fn held_back_text_is_flushed() {
    let (deltas, rest) = deltas(&["stop"], b"I sto");
    assert_eq!(deltas.concat(), "I ");
    assert_eq!(rest, "sto");
}

#[test]
fn half_a_character_waits_behind_held_back_text() {
    let (deltas, rest) = deltas(&["ab"], "a€".as_bytes());
    assert_eq!(deltas, ["", "", "", "a€"]);
    assert_eq!(rest, "");
}

#[test]
fn the_stop_string_that_is_complete_first_counts() {
    // Whether the ids cut the text or not.
    let stops = ["abcd".to_string(), "bc".to_string()];
    assert_eq!(printed(&BYTES, &stops, &ids("abcd")).0, "a");
    let the = [BYTES.id_of("Ġthe").expect("a token")];
    let stops = [" the".to_string(), "h".to_string()];
    assert_eq!(printed(&BYTES, &stops, &the).0, " t");
    assert_eq!(printed(&BYTES, &stops, &ids(" the")).0, " t");
}

#[test]
fn nothing_comes_after_a_stop() {
    let mut stream = stream(&["b"]);
    assert!(!stream.push(u32::from(b'a')).expect("a known id").stopped);
    for byte in *b"bcd" {
        let delta = stream.push(u32::from(byte)).expect("a known id");
        assert_eq!((delta.text.as_str(), delta.stopped), ("", true));
    }
    assert_eq!(stream.finish(), "");
}

#[test]
fn an_empty_stop_string_stops_nothing() {
    assert_eq!(printed(&BYTES, &[String::new()], &ids("abc")), ("abc".to_string(), false));
}

#[test]
fn control_tokens_print_nothing_and_unknown_ids_are_errors() {
    let mut stream = stream(&[]);
    let end = BYTES.id_of("<|im_end|>").expect("a token");
    assert_eq!(stream.push(end).expect("a known id").text, "");
    assert!(stream.push(265).is_err());
    assert!(stream.push(u32::MAX).is_err());
}

fn ids(text: &str) -> Vec<u32> {
    text.bytes().map(u32::from).collect()
}

/// The same, slowly: one byte after another, looking at everything so far.
fn expected(stops: &[String], bytes: &[u8]) -> (String, bool) {
    let whole = String::from_utf8_lossy(bytes);
    for (end, _) in whole.char_indices().chain([(whole.len(), ' ')]) {
        let found = stops.iter().filter(|stop| whole[..end].ends_with(stop.as_str()));
        if let Some(longest) = found.map(String::len).max() {
            return (whole[..end - longest].to_string(), true);
        }
    }
    (whole.into_owned(), false)
}

proptest! {
    #[test]
    fn pieces_make_the_decoded_text(ids in proptest::collection::vec(any::<u32>(), 0..40)) {
        let ids: Vec<u32> = ids.iter().map(|id| id % TINY.vocab_size() as u32).collect();
        let whole = TINY.decode(&ids).expect("known ids");
        prop_assert_eq!(printed(&TINY, &[], &ids), (whole, false));
    }

    #[test]
    fn random_texts_stream_as_they_decode(written in "\\PC*") {
        let ids = TINY.encode(&written).expect("ids");
        let whole = TINY.decode(&ids).expect("known ids");
        prop_assert_eq!(printed(&TINY, &[], &ids), (whole, false));
    }

    #[test]
    fn stops_cut_where_a_slow_search_cuts(
        bytes in proptest::collection::vec(prop_oneof![Just(b'a'), Just(b'b'), Just(0xC3), Just(0xA9)], 0..24),
        stops in proptest::collection::vec("[abé]{1,4}", 0..4),
    ) {
        let ids: Vec<u32> = bytes.iter().map(|&byte| u32::from(byte)).collect();
        prop_assert_eq!(printed(&BYTES, &stops, &ids), expected(&stops, &bytes));
    }

    #[test]
    fn all_that_is_certain_is_printed(
        text in "[ab]{0,16}",
        stop in "[ab]{2,4}",
    ) {
        let mut stream = stream(&[&stop]);
        let mut shown = String::new();
        for (at, byte) in text.bytes().enumerate() {
            let delta = stream.push(u32::from(byte)).expect("a known id");
            shown.push_str(&delta.text);
            if delta.stopped {
                break;
            }
            let so_far = &text[..=at];
            let held = (0..stop.len()).rev().find(|&n| so_far.ends_with(&stop[..n]));
            prop_assert_eq!(&shown, &so_far[..so_far.len() - held.unwrap_or(0)]);
        }
    }
}
