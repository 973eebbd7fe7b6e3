//! Any bytes as a saved conversation. Most would fail at the checksum: so there are inputs that get the right one, and
//! others of which the whole frame is right.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use ch07_chat::cache::Mode;
use ch07_chat::conversation::{Conversation, OnFull, Settings};
use ch07_chat::how::{How, PREFILL_CHUNK};
use fuzz::{miniature, one_line, within};
use ground::request::Options;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};

/// What a file of the miniature begins with: what it is, its version, its model.
const SAME: usize = 44;
/// The bytes of a token's id and rows.
const OF_TOKEN: usize = 4 + 8 * 2 * 32;

struct Place {
    path: PathBuf,
    beginning: Vec<u8>,
}

static PLACE: LazyLock<Place> = LazyLock::new(|| {
    let path = std::env::temp_dir().join(format!("fuzz-saved-{}", std::process::id()));
    start().save(&path).expect("it can be written");
    let beginning = fs::read(&path).expect("it was written")[..SAME].to_vec();
    Place { path, beginning }
});

fn start() -> Conversation<'static> {
    let settings = Settings {
        options: Options { max_new_tokens: 2, ..Options::default() },
        think: false,
        on_full: OnFull::Forget,
    };
    let how = How { kv: Mode::Contiguous, prefill_chunk: PREFILL_CHUNK };
    Conversation::new(miniature(), &how, None, None, settings).expect("there is memory")
}

// A byte that says how much is made right, then the file or what is in it.
fuzz_target!(|data: &[u8]| {
    let Place { path, beginning } = &*PLACE;
    let Some((choice, data)) = data.split_first() else { return };
    let mut bytes = Vec::new();
    match choice % 3 {
        0 => bytes.extend(data),
        1 => {
            bytes.extend(beginning);
            bytes.extend(data);
            seal(&mut bytes);
        }
        _ => {
            // The messages up to a zero, then as many bytes as whole tokens and their rows take.
            let said = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
            let (messages, numbers) = data.split_at(said);
            let numbers = &numbers[..numbers.len() / OF_TOKEN * OF_TOKEN];
            bytes.extend(beginning);
            bytes.extend((messages.len() as u64).to_le_bytes());
            bytes.extend((numbers.len() as u64).to_le_bytes());
            bytes.extend(messages);
            bytes.extend(numbers);
            seal(&mut bytes);
        }
    }
    fs::write(path, &bytes).expect("there is room");
    let mut talk = start();
    // As `damaged_files_are_refused_or_equal` of the chapter allows.
    let result = within(3 * bytes.len() + (64 << 10), || talk.load(path).map_err(one_line));
    if result.is_ok() {
        within(64 << 20, || go_on(talk, path));
    }
});

fn seal(bytes: &mut Vec<u8>) {
    let hash = Sha256::digest(&*bytes);
    bytes.extend_from_slice(&hash);
}

/// What was loaded can be saved, loaded and continued.
fn go_on(mut talk: Conversation, path: &Path) {
    let (messages, ids) = (talk.messages.clone(), talk.context.ids().to_vec());
    let vocab = miniature().model.config.vocab;
    assert!(
        ids.iter().all(|&id| (id as usize) < vocab) && ids.len() <= talk.context.positions()
    );
    let roles: Vec<&str> = messages.iter().map(|message| message.role.as_str()).collect();
    let turns = roles.strip_prefix(&["system"]).unwrap_or(&roles);
    assert!(turns.chunks(2).all(|turn| turn == ["user", "assistant"]), "{roles:?}");
    talk.save(path).expect("there is room");
    talk.load(path).map_err(one_line).expect("it was written");
    assert_eq!((&talk.messages, talk.context.ids()), (&messages, &ids[..]));
    talk.undo();
    let _ = talk.ask("And now?", &mut |_| true, |_| Ok(())).map_err(one_line);
}
