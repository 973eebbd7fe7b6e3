//! Conversations on disk: what is loaded is what was saved, to the bit; anything else is refused in one line.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use ch07_chat::backend::Backend;
use ch07_chat::cache::Mode;
use ch07_chat::compute::ComputeContext;
use ch07_chat::conversation::{Conversation, OnFull, Settings};
use ch07_chat::how::{How, PREFILL_CHUNK};
use ch07_chat::recorder::system_clock;
use ch07_chat::session::Session;
use ground::checksummed_file::Reason;
use ground::embedded::tiny_qwen3;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::request::Options;
use sha2::{Digest, Sha256};
use tempfile::tempdir;
use test_support::memory::{Counting, most_memory};
use test_support::tiny::{TinyShape, tiny_gguf, tiny_gguf_of};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn open(file: &Gguf) -> Session<'_> {
    let compute = ComputeContext::new(Backend::available()[0], 1).expect("a thread starts");
    Session::open(file, system_clock(), compute).expect("the model loads")
}

/// A miniature: a file of some thousand bytes is a whole conversation.
fn miniature() -> Gguf {
    Gguf::from_vec(tiny_gguf().to_bytes()).expect("it opens")
}

fn start<'a>(session: &'a Session<'a>, kv: Mode, positions: Option<usize>) -> Conversation<'a> {
    let options = Options { max_new_tokens: 4, ..Options::default() };
    let settings = Settings { options, think: false, on_full: OnFull::Stop };
    let how = How { kv, prefill_chunk: PREFILL_CHUNK };
    Conversation::new(session, &how, positions, Some("Be kind.".into()), settings)
        .expect("there is memory")
}

fn ask(talk: &mut Conversation, question: &str) {
    talk.ask(question, &mut |_| true, |_| Ok(())).expect("there is room");
}

/// All that there is of a conversation: its messages, its tokens, the bits of its rows.
fn all_of(session: &Session, talk: &Conversation) -> (String, Vec<u32>, Vec<u32>) {
    let rows = (0..session.model.config.layers).flat_map(|layer| talk.context.blocks(layer));
    let bits = rows.flat_map(|(k, v)| k.into_iter().chain(v).map(|number| number.to_bits()));
    (format!("{} {:?}", talk.drawn, talk.messages), talk.context.ids().to_vec(), bits.collect())
}

/// The logits after the tokens that are there and one more.
fn next(session: &Session, talk: &mut Conversation) -> Vec<u32> {
    let logits = talk.context.forward(&session.model, &[7], &mut |_| true);
    logits
        .expect("there is room")
        .expect("nothing ends it")
        .into_iter()
        .map(f32::to_bits)
        .collect()
}

fn reason(error: &Error) -> &Reason {
    let line = error.to_string();
    assert!(line.len() < 600 && !line.contains(char::is_control), "{line}");
    let Error::Sealed(error) = error else { panic!("{error}") };
    &error.reason
}

#[test]
fn what_is_loaded_goes_on_as_what_was_saved() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("talk");
    let file = tiny_qwen3().expect("it opens");
    let session = open(&file);
    let mut talk = start(&session, Mode::Contiguous, None);
    talk.save(&path).expect("nothing was said yet: that can be saved too");
    ask(&mut talk, "What is the capital of France?");
    ask(&mut talk, "Count to ten. \u{e9}\u{1f98a}\n\"\\");
    talk.save(&path).expect("the old file gives way");
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        1,
        "nothing is left over"
    );
    let saved = all_of(&session, &talk);
    assert!(!saved.1.is_empty() && !saved.2.is_empty());
    let logits = next(&session, &mut talk);

    for kv in [Mode::Contiguous, Mode::Basic] {
        // What was there before goes.
        let mut loaded = start(&session, kv, None);
        ask(&mut loaded, "What is my name?");
        loaded.load(&path).expect("it is whole");
        assert_eq!(all_of(&session, &loaded), saved);
        assert_eq!(next(&session, &mut loaded), logits);
        loaded.load(&path).expect("once more");
        let turn = loaded.ask("And now?", &mut |_| true, |_| Ok(())).expect("there is room");
        assert!(turn.kept > saved.1.len() / 2, "{turn:?}");
    }
    // Without a cache the messages are all there is.
    let mut loaded = start(&session, Mode::Off, None);
    loaded.load(&path).expect("it is whole");
    assert_eq!(all_of(&session, &loaded).0, saved.0);
    loaded.save(&path).expect("there is room");
    let mut loaded = start(&session, Mode::Contiguous, None);
    loaded.load(&path).expect("it is whole");
    assert_eq!((all_of(&session, &loaded).0, loaded.context.ids()), (saved.0, &[][..]));
}

/// A saved conversation of the miniature.
fn sound(session: &'static Session<'static>, path: &Path) -> Vec<u8> {
    let mut talk = start(session, Mode::Contiguous, None);
    ask(&mut talk, "Hi");
    talk.save(path).expect("it can be written");
    fs::read(path).expect("it was written")
}

/// Makes the checksum right again.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let at = bytes.len().saturating_sub(32);
    bytes.truncate(at);
    let hash = Sha256::digest(&bytes);
    bytes.extend_from_slice(&hash);
    bytes
}

fn leaked() -> &'static Session<'static> {
    Box::leak(Box::new(open(Box::leak(Box::new(miniature())))))
}

#[test]
fn what_does_not_fit_is_refused_in_one_line() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("talk");
    let session = leaked();
    let bytes = sound(session, &path);
    let messages = u64::from_le_bytes(bytes[44..52].try_into().expect("8 bytes")) as usize;
    let changed = |at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        bytes
    };
    let text = |old: &str, new: &str| {
        let json = String::from_utf8(bytes[60..60 + messages].to_vec()).expect("it is text");
        assert!(json.contains(old) && old.len() == new.len(), "{json}");
        sealed(changed(60, json.replacen(old, new, 1).as_bytes()))
    };
    let mut flipped = bytes.clone();
    flipped[bytes.len() - 40] ^= 1;
    let mut longer = bytes.clone();
    longer.push(0);
    // One byte more, and the header says so.
    let mut odd = longer.clone();
    let numbers = u64::from_le_bytes(odd[52..60].try_into().expect("8 bytes"));
    odd[52..60].copy_from_slice(&(numbers + 1).to_le_bytes());
    type Is = fn(&Reason) -> bool;
    let cases: [(&str, Vec<u8>, Is); 17] = [
        ("no saved conversation", Vec::new(), |r| matches!(r, Reason::Magic { .. })),
        ("no saved conversation", b"GGUF and more".to_vec(), |r| {
            matches!(r, Reason::Magic { .. })
        }),
        ("version 3, expected 2", changed(8, &[3]), |r| {
            matches!(r, Reason::Version { found: 3, .. })
        }),
        ("another model", changed(12, &[!bytes[12]]), |r| matches!(r, Reason::Model { .. })),
        ("damaged", bytes[..30].to_vec(), |r| matches!(r, Reason::Length { .. })),
        ("damaged", bytes[..bytes.len() - 1].to_vec(), |r| matches!(r, Reason::Length { .. })),
        ("damaged", longer, |r| matches!(r, Reason::Length { .. })),
        ("damaged", changed(44, &[255; 8]), |r| matches!(r, Reason::Length { .. })),
        ("damaged", changed(52, &[255; 8]), |r| matches!(r, Reason::Length { .. })),
        ("damaged", changed(52, &[1]), |r| matches!(r, Reason::Length { .. })),
        ("half a token", odd, |r| matches!(r, Reason::Content(_))),
        ("checksum", flipped, |r| matches!(r, Reason::Checksum)),
        ("token id", sealed(changed(60 + messages, &[255; 4])), |r| {
            matches!(r, Reason::Content(_))
        }),
        ("cannot be read", sealed(changed(60, b"x")), |r| matches!(r, Reason::Content(_))),
        ("in turn", text("system", "sistem"), |r| matches!(r, Reason::Content(_))),
        ("in turn", text("\"user\"", "\"uses\""), |r| matches!(r, Reason::Content(_))),
        ("cannot be read", text("content", "kontent"), |r| matches!(r, Reason::Content(_))),
    ];
    let mut talk = start(session, Mode::Contiguous, None);
    ask(&mut talk, "Before");
    let before = all_of(session, &talk);
    for (words, bytes, is) in cases {
        fs::write(&path, bytes).expect("it can be written");
        let error = talk.load(&path).expect_err(words);
        assert!(error.to_string().contains(words) && is(reason(&error)), "{words}: {error}");
        assert_eq!(all_of(session, &talk), before, "{words}: all is as it was");
    }
    let error = talk.load(folder.path()).expect_err("a folder");
    assert!(matches!(reason(&error), Reason::NotAFile), "{error}");
    let error = talk.save(folder.path()).expect_err("a folder");
    assert!(matches!(reason(&error), Reason::NotAFile), "{error}");
    for path in [folder.path().join("no such"), folder.path().join("no/such")] {
        assert!(matches!(reason(&talk.load(&path).expect_err("nothing")), Reason::Io(_)));
    }
    assert!(talk.save(&folder.path().join("no/such")).is_err());

    // The same tokens in a smaller context, and other models: other weights, other shape, other numbers.
    fs::write(&path, &bytes).expect("it can be written");
    let error = start(session, Mode::Contiguous, Some(9)).load(&path);
    assert!(matches!(reason(&error.expect_err("small")), Reason::Content(_)));
    let mut weights = tiny_gguf();
    weights.tensor_mut("blk.1.ffn_up.weight").bytes[2] ^= 1;
    let mut theta = tiny_gguf();
    theta.set("qwen3.rope.freq_base", test_support::tiny::Value::F32(1e4));
    let deeper = tiny_gguf_of(TinyShape { layers: 3, ..TinyShape::default() });
    for other in [weights, theta, deeper] {
        let other = Gguf::from_vec(other.to_bytes()).expect("it opens");
        let other = open(&other);
        let error = start(&other, Mode::Contiguous, None).load(&path);
        let error = error.expect_err("another model");
        assert!(matches!(reason(&error), Reason::Model { .. }), "{error}");
    }
}

/// The library quotes what it did not expect, however long it is.
#[test]
fn what_a_file_says_is_cut_in_the_error() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("talk");
    let session = leaked();
    let sound = sound(session, &path);
    let json = format!("[\"{}\"]", "x\\n".repeat(100_000));
    let lengths = [json.len() as u64, 0].map(u64::to_le_bytes).concat();
    let bytes = [&sound[..44], &lengths, json.as_bytes(), &[0; 32]].concat();
    fs::write(&path, sealed(bytes)).expect("it can be written");
    let mut talk = start(session, Mode::Contiguous, None);
    let error = talk.load(&path).expect_err("a text is no message");
    assert!(matches!(reason(&error), Reason::Content(_)), "{error}");
    assert!(error.to_string().contains("cannot be read"), "{error}");
    assert!(error.to_string().ends_with("it is damaged"), "{error}");
}

/// A length is a number in the file. The bytes may be a hole, which takes no room on the disk and all of it in memory.
#[test]
fn a_hole_is_no_conversation() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("talk");
    let session = leaked();
    let sound = sound(session, &path);
    let mut talk = start(session, Mode::Contiguous, None);
    for lengths in [[1 << 41, 0], [4 << 30, 0], [17 << 20, 0], [2, 1 << 40], [2, 516_000_000]] {
        let header = [&sound[..44], lengths.map(u64::to_le_bytes).as_flattened()].concat();
        fs::write(&path, &header).expect("it can be written");
        let file = fs::File::options().write(true).open(&path).expect("it is there");
        let size = header.len() as u64 + lengths[0] + lengths[1] + 32;
        if file.set_len(size).is_err() {
            continue; // not every disk takes a file of that size, and then there is none to load
        }
        let (loaded, most) = most_memory(|| talk.load(&path));
        let error = loaded.expect_err("a hole");
        assert!(most < 64 << 10, "{lengths:?}: {most} bytes of memory");
        assert!(matches!(reason(&error), Reason::Content(_)), "{lengths:?}: {error}");
    }
}

/// A program that is killed leaves its unfinished file, and the next one may have the same number.
#[test]
fn what_a_killed_program_left_is_in_nobodys_way() {
    let folder = tempdir().expect("a folder");
    let left = ["", "-0", "-1"].map(|number| {
        let left = folder.path().join(format!(".saving-{}{number}", std::process::id()));
        fs::write(&left, "half").expect("a file");
        left
    });
    sound(leaked(), &folder.path().join("talk"));
    for left in &left {
        assert_eq!(fs::read(left).expect("it is still there"), b"half");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1 + left.len());
}

#[test]
fn damaged_files_are_refused_or_equal() {
    damaged(1000);
}

#[test]
#[ignore = "cargo prove: three thousand files"]
fn three_thousand_damaged_files_are_refused_or_equal() {
    damaged(3_000);
}

/// Where the checksum was made right again, what is loaded is what the file says.
fn damaged(cases: usize) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("talk");
    let session = leaked();
    let sound = sound(session, &path);
    let mut random = SplitMix64::new(7);
    let mut loaded = 0;
    let mut talk = start(session, Mode::Contiguous, None);
    for case in 0..cases {
        let mut bytes = sound.clone();
        // Half of them where the lengths, the messages and the tokens are.
        let end = if case % 2 == 0 { bytes.len() } else { 400 };
        for _ in 0..1 + random.below(3) {
            let at = random.below(end.min(bytes.len()));
            match random.below(6) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = [0, 255, b'"', b'['][random.below(4)],
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        if case % 4 < 2 {
            bytes = sealed(bytes);
        }
        fs::write(&path, &bytes).expect("it can be written");
        let load = AssertUnwindSafe(|| talk.load(&path));
        let (result, most) = most_memory(|| catch_unwind(load));
        assert!(most < 3 * bytes.len() + (64 << 10), "case {case}: {most} bytes of memory");
        match result.expect("no panic") {
            Err(error) => drop(reason(&error)),
            Ok(()) => {
                loaded += 1;
                let first = all_of(session, &talk);
                talk.save(&path).expect("it can be written");
                talk.load(&path).expect("it can be read");
                assert_eq!(all_of(session, &talk), first, "case {case}");
                let again = fs::read(&path).expect("it was written");
                let said = u64::from_le_bytes(bytes[44..52].try_into().expect("8")) as usize;
                let said_again =
                    u64::from_le_bytes(again[44..52].try_into().expect("8")) as usize;
                // The same text may be written in more than one way; numbers may not.
                assert_eq!(
                    bytes[60 + said..bytes.len() - 32],
                    again[60 + said_again..again.len() - 32]
                );
                if bytes == sound {
                    assert_eq!(again, sound);
                }
            }
        }
    }
    println!("{loaded} of 10,000 were loaded");
    assert!(loaded > 100, "changed rows with a right checksum are rows");
}

/// The test runs itself again, with a limit on the size of files: a disk that is full.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one() {
    use std::path::PathBuf;
    use std::process::Command;

    const SAVE: &str = "SAVE_HERE";
    let session = leaked();
    if let Some(path) = std::env::var_os(SAVE).map(PathBuf::from) {
        let mut talk = start(session, Mode::Contiguous, None);
        ask(&mut talk, "Hello!");
        let error = talk.save(&path).expect_err("the disk is full");
        assert!(matches!(reason(&error), Reason::Io(_)), "{error}");
        return;
    }
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("talk");
    let old = sound(session, &path);
    assert!(old.len() > 4096);
    let name = "a_file_that_cannot_be_written_leaves_the_old_one";
    // Files of at most one or eight blocks of 512 bytes; the signal is ignored, or ends the program half-way.
    for (signal, succeeds) in [("trap '' XFSZ;", true), ("", false)] {
        for blocks in [1, 8] {
            let program = std::env::current_exe().expect("it has a name");
            let script =
                format!("{signal} ulimit -f {blocks}; ulimit -c 0; exec \"$0\" --exact {name}");
            let ended =
                Command::new("sh").arg("-c").arg(script).arg(program).env(SAVE, &path).output();
            let ended = ended.expect("it starts");
            assert_eq!(ended.status.success(), succeeds, "{ended:?}");
            assert_eq!(fs::read(&path).expect("it is there"), old, "the old one is whole");
            let left = fs::read_dir(folder.path()).expect("a folder").count();
            assert!(left == 1 || !succeeds, "nothing is left over after an error");
        }
    }
}
