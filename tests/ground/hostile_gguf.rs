//! Any bytes at all, given as a model, are a model or one clear line of error: never a panic, a
//! hang, or memory in proportion to a number read from the file.

use std::panic::catch_unwind;
use std::path::Path;

use ground::chat::{self, Message};
use ground::cli::open_model;
use ground::config::Config;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use proptest::prelude::*;
use test_support::memory::{Counting, most_memory};
use test_support::tiny::{TinyGguf, TinyTensor, Value, tiny_gguf};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Opens the file and reads its numbers and every tensor; `Err` is the message a user would see.
fn open(bytes: &[u8]) -> Result<Gguf, String> {
    let file = Gguf::from_vec(bytes.to_vec()).map_err(|error| error.to_string())?;
    for key in file.keys() {
        assert!(file.describe(key).len() < 4096, "the description of {key:?} is short");
    }
    for tensor in file.tensors() {
        let mut row = vec![0.0; tensor.columns];
        tensor.row_to_f32(0, &mut row);
        tensor.row_to_f32(tensor.rows - 1, &mut row);
    }
    Config::from_gguf(&file).map_err(|error| error.to_string())?;
    Ok(file)
}

/// As `open`, and builds the tokenizer and renders a chat.
fn open_all(bytes: &[u8]) -> Result<(), String> {
    let file = open(bytes)?;
    let tokenizer = Tokenizer::from_gguf(&file).map_err(|error| error.to_string())?;
    let template = file.text("tokenizer.chat_template").map_err(|error| error.to_string())?;
    let message = Message { role: "user".into(), content: "the thé".into() };
    let text = chat::render(template, &[message], false, true).map_err(|e| e.to_string())?;
    let ids = tokenizer.encode(&text).map_err(|error| error.to_string())?;
    tokenizer.decode(&ids).map_err(|error| error.to_string())?;
    Ok(())
}

/// Runs `work` on bytes that may be anything: it must return, with a message in one line, and
/// hold little memory meanwhile.
fn survive<T>(what: &str, bytes: &[u8], work: fn(&[u8]) -> Result<T, String>) -> bool {
    let limit = (1 << 20) + 24 * bytes.len();
    let (result, memory) = most_memory(|| catch_unwind(|| work(bytes).map(drop)));
    let result = result.unwrap_or_else(|_| panic!("{what}: a panic"));
    assert!(memory < limit, "{what}: held {memory} bytes for a file of {}", bytes.len());
    if let Err(message) = &result {
        assert!(!message.is_empty() && message.len() < 500, "{what}: {message:?}");
        assert!(!message.contains(char::is_control), "{what}: {message:?} is not one line");
    }
    result.is_ok()
}

#[test]
fn the_untouched_file_is_fine() {
    open_all(&tiny_gguf().to_bytes()).expect("a valid file");
}

#[test]
fn bytes_of_the_header_part_may_be_wrong() {
    wrong_bytes(7);
}

#[test]
#[ignore = "cargo prove: every byte of the header part"]
fn every_byte_of_the_header_part_may_be_wrong() {
    wrong_bytes(1);
}

fn wrong_bytes(every: usize) {
    let file = tiny_gguf();
    let (bytes, header_length) = (file.to_bytes(), file.header_bytes().len());
    assert!(header_length > 5_000);
    let mut refused = 0;
    for at in (0..header_length).step_by(every) {
        for change in [0x01, 0x80, 0xFF] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            refused += usize::from(!survive(&format!("byte {at} ^ {change:#x}"), &bytes, open));
        }
    }
    // Most bytes are part of some token, where another token is as good.
    assert!(refused > 2_000 / every, "only {refused} changes were refused");
}

/// Building a tokenizer takes milliseconds, so here every place gets its turn by chance.
#[test]
fn the_tokenizer_and_the_template_survive_wrong_bytes_too() {
    let file = tiny_gguf();
    let (bytes, header_length) = (file.to_bytes(), file.header_bytes().len());
    let mut random = SplitMix64::new(7);
    for _ in 0..200 {
        let mut bytes = bytes.clone();
        let at = random.below(header_length);
        bytes[at] ^= 1 + random.below(255) as u8;
        survive(&format!("byte {at} is {}", bytes[at]), &bytes, open_all);
    }
}

#[test]
fn the_file_may_end_anywhere() {
    let file = tiny_gguf();
    let (bytes, header_length) = (file.to_bytes(), file.header_bytes().len());
    let mut random = SplitMix64::new(8);
    let data = (0..500).map(|_| header_length + random.below(bytes.len() - header_length));
    for length in (0..=header_length).chain(data) {
        let fine = survive(&format!("{length} bytes"), &bytes[..length], open);
        assert!(!fine, "a file cut to {length} of {} bytes is not whole", bytes.len());
    }
}

#[test]
fn the_data_may_be_anything() {
    let file = tiny_gguf();
    let (bytes, header_length) = (file.to_bytes(), file.header_bytes().len());
    let mut random = SplitMix64::new(9);
    for round in 0..200 {
        let mut bytes = bytes.clone();
        for _ in 0..20 {
            let at = header_length.next_multiple_of(32)
                + random.below(bytes.len() - header_length - 32);
            bytes[at] = random.draw() as u8;
        }
        assert!(survive(&format!("round {round}"), &bytes, open), "numbers are all allowed");
    }
}

/// One change to the structure of a file.
#[derive(Clone, Debug)]
enum Change {
    DropKey(usize),
    SetNumber(usize, u32),
    SetNegative(usize),
    SetText(usize, String),
    SetTexts(usize, Vec<String>),
    SetNumbers(usize, Vec<i32>),
    SetRaw(usize, u32, Vec<u8>),
    RenameKey(usize, String),
    DropTensor(usize),
    RepeatTensor(usize),
    SetDims(usize, Vec<u64>),
    SetKind(usize, u32),
    SetOffset(usize, u64),
    RenameTensor(usize, String),
    Version(u32),
}

fn any_number() -> impl Strategy<Value = u64> {
    prop_oneof![
        0u64..40,
        (0u32..64).prop_map(|bits| 1u64 << bits),
        (0u32..64).prop_map(|bits| (1u64 << bits) - 1),
        any::<u64>(),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,12}", "[a-z{}% |<>_.]{0,40}", any::<String>()]
}

fn any_change() -> impl Strategy<Value = Change> {
    use Change::*;
    let at = || 0usize..64;
    prop_oneof![
        at().prop_map(DropKey),
        (at(), any_number()).prop_map(|(at, n)| SetNumber(at, n as u32)),
        at().prop_map(SetNegative),
        (at(), any_text()).prop_map(|(at, text)| SetText(at, text)),
        (at(), prop::collection::vec(any_text(), 0..300)).prop_map(|(at, t)| SetTexts(at, t)),
        (at(), prop::collection::vec(any::<i32>(), 0..300))
            .prop_map(|(at, n)| SetNumbers(at, n)),
        (at(), 0u32..20, prop::collection::vec(any::<u8>(), 0..64))
            .prop_map(|(at, kind, bytes)| SetRaw(at, kind, bytes)),
        (at(), any_text()).prop_map(|(at, text)| RenameKey(at, text)),
        at().prop_map(DropTensor),
        at().prop_map(RepeatTensor),
        (at(), prop::collection::vec(any_number(), 0..6))
            .prop_map(|(at, dims)| SetDims(at, dims)),
        (at(), prop_oneof![0u32..50, any::<u32>()]).prop_map(|(at, kind)| SetKind(at, kind)),
        (at(), any_number()).prop_map(|(at, offset)| SetOffset(at, offset)),
        (at(), any_text()).prop_map(|(at, name)| RenameTensor(at, name)),
        (0u32..6).prop_map(Version),
    ]
}

fn apply(file: &mut TinyGguf, change: Change) {
    use Change::*;
    let keys = file.metadata.len().max(1);
    let tensors = file.tensors.len().max(1);
    let mut set = |at: usize, value: Value| {
        if let Some((_, old)) = file.metadata.get_mut(at % keys) {
            *old = value;
        }
    };
    match change {
        SetNumber(at, n) => set(at, Value::U32(n)),
        SetNegative(at) => set(at, Value::I64(-1)),
        SetText(at, text) => set(at, Value::Text(text)),
        SetTexts(at, texts) => set(at, Value::Texts(texts)),
        SetNumbers(at, numbers) => set(at, Value::I32s(numbers)),
        SetRaw(at, kind, bytes) => set(at, Value::Raw(kind, bytes)),
        Version(version) => file.version = version,
        DropKey(at) => drop(file.metadata.remove(at % keys)),
        RenameKey(at, key) => file.metadata[at % keys].0 = key,
        DropTensor(at) => drop(file.tensors.remove(at % tensors)),
        RepeatTensor(at) => file.tensors.push(file.tensors[at % tensors].clone()),
        SetDims(at, dims) => file.tensors[at % tensors].dims = dims,
        SetKind(at, kind) => file.tensors[at % tensors].kind = kind,
        SetOffset(at, offset) => file.tensors[at % tensors].offset = offset,
        RenameTensor(at, name) => file.tensors[at % tensors].name = name,
    }
}

fn survive_changed(changes: Vec<Change>) {
    let mut file = tiny_gguf();
    for change in changes {
        apply(&mut file, change);
    }
    survive("changed structure", &file.to_bytes(), open_all);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn changes_of_structure(changes in prop::collection::vec(any_change(), 1..4)) {
        survive_changed(changes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    #[ignore = "cargo prove: four hundred changes of structure"]
    fn four_hundred_changes_of_structure(changes in prop::collection::vec(any_change(), 1..4)) {
        survive_changed(changes);
    }

    #[test]
    fn bytes_that_only_begin_well(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut file = b"GGUF\x03\0\0\0".to_vec();
        file.extend(bytes);
        survive("noise", &file, open_all);
    }
}

/// What a change to the miniature makes the user read.
fn message(change: impl FnOnce(&mut TinyGguf)) -> String {
    let mut file = tiny_gguf();
    change(&mut file);
    message_of(&file.to_bytes())
}

fn message_of(bytes: &[u8]) -> String {
    survive("a named case", bytes, open_all);
    open_all(bytes).expect_err("should be refused")
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{message:?} does not say {part:?}");
    }
}

#[test]
fn a_missing_file_a_folder_and_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    let message = Gguf::open(&path).err().unwrap().to_string();
    assert_says(&message, &["cannot open the file"]);
    let message = Gguf::open(folder.path()).err().unwrap().to_string();
    assert_says(&message, &["it is a folder", "expected a file"]);
    std::fs::write(&path, b"").unwrap();
    let message = Gguf::open(&path).err().unwrap().to_string();
    assert_says(&message, &["the file is empty", "download it again"]);
    assert_says(&message_of(b""), &["the file is empty"]);
}

/// Opening a pipe waits until somebody writes into it, which may be for ever.
#[cfg(unix)]
#[test]
fn a_pipe_and_a_device_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.gguf");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let (done, waits) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let message = |path: &Path| Gguf::open(path).err().unwrap().to_string();
        done.send([message(&path), message(Path::new("/dev/zero"))]).unwrap();
    });
    let messages =
        waits.recv_timeout(std::time::Duration::from_secs(60)).expect("it waits for the pipe");
    assert_says(&messages[0], &["it is a pipe", "expected a file"]);
    assert_says(&messages[1], &["it is a device", "expected a file"]);
}

/// A text that would clear the screen, begin a new line, turn letters round, and never end.
fn awful() -> String {
    format!("a\n\r\u{1b}[2J\u{202e}\u{7f}\u{9b}31m{}", "x".repeat(1_000_000))
}

#[test]
fn whatever_a_name_is_the_error_is_one_short_line() {
    let text = || Value::Text(awful());
    for key in [
        "general.architecture",
        "tokenizer.ggml.model",
        "tokenizer.ggml.pre",
        "qwen3.block_count",
        "qwen3.rope.scaling.type",
        "tokenizer.ggml.tokens",
        "general.alignment",
        "tokenizer.chat_template",
    ] {
        message(|file| file.set(key, text())); // `survive` looks at the line
    }
    let raise =
        "{{ raise_exception(messages[0].content ~ '\\x1b[2J\\n' ~ a) }}".replace('a', "'a'");
    message(|file| file.set("tokenizer.chat_template", Value::Text(raise)));
    message(|file| file.tensor_mut("blk.1.attn_k.weight").name = awful());
    message(|file| file.tensor_mut("blk.1.attn_k.weight").name = awful()[..50_000].into());
    message(|file| {
        file.metadata.push((awful(), Value::U32(1)));
        file.metadata.push((awful(), Value::U32(1)));
    });
    let change_texts = |key: &'static str, change: fn(&mut Vec<String>)| {
        message(move |file| {
            let list = file.metadata.iter_mut().find(|(name, _)| name == key);
            let Some((_, Value::Texts(texts))) = list else { panic!("{key} is no list") };
            change(texts);
        })
    };
    let doubled = change_texts("tokenizer.ggml.tokens", |tokens| {
        let last = tokens.len() - 1;
        tokens[last] = awful();
        tokens[last - 1] = awful();
    });
    assert_says(
        &doubled,
        &["two ids", r"a\n\r\u{1b}[2J\u{202e}\u{7f}\u{9b}31mxxx", "more bytes"],
    );
    let merge = change_texts("tokenizer.ggml.merges", |merges| merges.push(awful()));
    assert_says(&merge, &["does not join", r"\u{1b}[2J"]);
    let overlapping = message(|file| {
        file.tensors[4].offset = file.tensors[3].offset;
        file.tensors[3].name = awful()[..50].into();
        file.tensors[4].name = awful()[..51].into();
    });
    assert_says(&overlapping, &["begins at byte", r"\u{1b}"]);
    let path = format!("{}.gguf", awful().replace('/', "_"));
    let message = open_model(Some(Path::new(&path))).err().unwrap().to_string();
    assert!(message.len() < 500 && !message.contains(char::is_control), "{message:?}");
}

#[test]
fn what_a_file_calls_itself_is_shown_escaped_and_cut() {
    let mut file = tiny_gguf();
    file.set("general.name", Value::Text(awful()));
    file.set("test.floats", Value::Raw(12, f64::MAX.to_le_bytes().to_vec()));
    let file = Gguf::from_vec(file.to_bytes()).unwrap();
    let name = Config::from_gguf(&file).unwrap().name;
    assert!(name.starts_with(r"a\n\r\u{1b}[2J\u{202e}") && name.len() < 200, "{name:?}");
    for key in file.keys() {
        let shown = file.describe(key);
        assert!(shown.len() < 250 && !shown.contains(char::is_control), "{key}: {shown:?}");
    }
}

#[test]
fn special_tokens_take_no_multiple_of_the_file() {
    let with = |bytes: usize, length: usize| {
        let mut file = tiny_gguf();
        let mut add = |key: &str, names: Vec<String>| {
            let list = file.metadata.iter_mut().find(|(name, _)| name == key);
            match list {
                Some((_, Value::Texts(texts))) => texts.extend(names),
                Some((_, Value::I32s(kinds))) => kinds.extend(names.iter().map(|_| 3)),
                _ => panic!("{key} is no list"),
            }
        };
        let mut random = SplitMix64::new(11);
        let mut name =
            |_| (0..length).map(|_| char::from(b'a' + random.below(26) as u8)).collect();
        let names: Vec<String> = (0..bytes / length).map(&mut name).collect();
        add("tokenizer.ggml.tokens", names.clone());
        add("tokenizer.ggml.token_type", names);
        file.to_bytes()
    };
    let tokenizer = |bytes: &[u8]| {
        let file = Gguf::from_vec(bytes.to_vec()).map_err(|error| error.to_string())?;
        Tokenizer::from_gguf(&file).map(drop).map_err(|error| error.to_string())
    };
    for length in [10, 100, 10_000] {
        // Three times what the special tokens of a Qwen3 take, and what is refused.
        let few = with(1_200.max(length), length);
        assert!(survive("a few special tokens", &few, tokenizer));
        assert!(survive("as many as may be", &with(16_000.max(length), length), tokenizer));
        let many = with(1_000_000, length);
        assert!(!survive("a megabyte of special tokens", &many, tokenizer));
        assert_says(&tokenizer(&many).unwrap_err(), &["special tokens", "expected at most"]);
    }
}

#[test]
fn another_kind_of_file() {
    assert_says(&message_of(b"PK\x03\x04 and more"), &[r"begins with", r"PK\x03\x04", "GGUF"]);
    assert_says(&message_of(b"PK\x03\x04 and more"), &["an archive, as PyTorch writes them"]);
    assert_says(
        &message_of(b"<!doctype html>"),
        &["<!do", "not a GGUF file", "; it is a web page"],
    );
    assert_says(&message_of(b"\n <html>"), &["; it is a web page: download the file itself"]);
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 34\n";
    assert_says(&message_of(pointer), &["begins with \"vers\"", "`git lfs pull` gets it"]);
    assert_says(&message_of(b"\x28\x01\0\0\0\0\0\0{\"a\""), &["; it is a safetensors file"]);
    for other in [&b"\x28\x01\0\0\0\0\0\0a"[..], b"version 1", b"notes", b"\0"] {
        assert!(message_of(other).ends_with("not \"GGUF\""), "nothing is guessed");
    }
    assert_says(&message_of(b"GG"), &["ends after 2 bytes", "header", "download it again"]);
}

#[test]
fn a_folder_is_named_by_what_is_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let message = || Gguf::open(folder.path()).err().expect("refused").to_string();
    assert_eq!(message(), "it is a folder, expected a file");
    std::fs::write(folder.path().join("model.safetensors"), "").expect("a file");
    assert_says(&message(), &["a folder, expected a file: what is in it is safetensors"]);
    std::fs::write(folder.path().join("model.gguf"), "").expect("a file");
    assert_says(&message(), &["a folder, expected a file: name the GGUF file in it"]);
}

/// A file of another architecture may be larger than all memory.
#[test]
fn nothing_is_rewritten_before_it_is_asked_for() {
    let mut file = tiny_gguf();
    let blocks = 10_000; // 320,000 numbers, 340,000 bytes as Q8_0
    file.tensors = vec![TinyTensor {
        name: "token_embd.weight".into(),
        dims: vec![32, blocks],
        kind: 6,
        offset: 0,
        bytes: vec![0; 22 * blocks as usize],
    }];
    let bytes = file.to_bytes();
    let (file, memory) = most_memory(|| {
        let file = Gguf::from_vec(bytes).expect("a file");
        Config::from_gguf(&file).expect_err("it has no layer");
        file
    });
    assert!(memory < 200_000, "opened with {memory} bytes");
    let (_, memory) = most_memory(|| file.tensor("token_embd.weight").map(drop));
    assert!(memory >= 340_000, "rewritten with {memory} bytes");
}

#[test]
fn other_versions_and_byte_orders() {
    assert_says(&message(|file| file.version = 1), &["version 1, expected 3", "convert"]);
    assert_says(&message(|file| file.version = 2), &["version 2, expected 3", "convert"]);
    assert_says(&message(|file| file.version = 4), &["version 4, expected 3"]);
    assert_says(&message(|file| file.version = 3 << 24), &["big-endian", "convert"]);
}

#[test]
fn a_file_that_ends_early_says_where() {
    let file = tiny_gguf();
    let (bytes, header) = (file.to_bytes(), file.header_bytes().len());
    assert_says(&message_of(&bytes[..20]), &["20 bytes", "within its header", "download"]);
    assert_says(&message_of(&bytes[..500]), &["500 bytes", "within its metadata", "download"]);
    assert_says(&message_of(&bytes[..header - 5]), &["within its list of tensors", "download"]);
    let whole = bytes.len();
    let message = message_of(&bytes[..whole - 1]);
    let last = format!("to {whole}, but the file ends after {}", whole - 1);
    assert_says(&message, &["\"output_norm.weight\"", &last, "download it again"]);
}

#[test]
fn counts_that_promise_too_much() {
    for count in [1u64 << 20, 1 << 40, u64::MAX] {
        for at in [8, 16] {
            let mut bytes = tiny_gguf().to_bytes();
            bytes[at..at + 8].copy_from_slice(&count.to_le_bytes());
            message_of(&bytes); // `survive` inside bounds the memory
        }
        for kind in 0..13u32 {
            let mut list = kind.to_le_bytes().to_vec();
            list.extend(count.to_le_bytes());
            message(|file| file.set("test.list", Value::Raw(9, list)));
        }
        message(|file| file.set("test.text", Value::Raw(8, count.to_le_bytes().to_vec())));
    }
}

#[test]
fn lists_in_lists_in_lists() {
    let mut nested = Vec::new();
    for _ in 0..10_000 {
        nested.extend(9u32.to_le_bytes());
        nested.extend(1u64.to_le_bytes());
    }
    assert_says(&message(|file| file.set("test.deep", Value::Raw(9, nested))), &["nesting"]);
}

#[test]
fn another_architecture_is_named() {
    let message = message(|file| file.set("general.architecture", Value::Text("llama".into())));
    assert_says(&message, &["\"llama\", expected \"qwen3\": `cargo run -- download` gets"]);
    for (name, advice) in [
        ("qwen2", "`cargo run -- download` gets a Qwen3"),
        ("gemma3", "`cargo run -- download` gets a Qwen3"),
        ("qwen3moe", "take a dense one"),
        ("clip", "is another file"),
        ("qwen3vl", "take one for text"),
    ] {
        let found = Value::Text(name.into());
        assert_says(
            &self::message(|file| file.set("general.architecture", found)),
            &[name, advice],
        );
    }
}

#[test]
fn a_part_of_a_model_is_named() {
    let piece = message(|file| {
        // As the last pieces are: they say nothing else.
        file.remove("general.architecture");
        file.set("split.no", Value::Raw(2, 1u16.to_le_bytes().into()));
        file.set("split.count", Value::Raw(2, 3u16.to_le_bytes().into()));
    });
    assert_says(&piece, &["it is piece 2 of 3, expected a whole model", "--merge"]);
    let adapter = message(|file| file.set("general.type", Value::Text("adapter".into())));
    assert_says(&adapter, &["it is an adapter (LoRA)", "merge it into its model"]);
    // Whole ones say these things too.
    let mut file = tiny_gguf();
    file.set("split.count", Value::U32(1));
    file.set("general.type", Value::Text("model".into()));
    open_all(&file.to_bytes()).expect("it is whole");
}

#[test]
fn missing_doubled_and_overlapping_tensors() {
    assert_says(
        &message(|file| drop(file.tensors.remove(3))),
        &["no tensor \"blk.0.attn_k.weight\""],
    );
    let doubled = message(|file| {
        file.tensors.push(file.tensors[3].clone());
        file.lay_out();
    });
    assert_says(&doubled, &["\"blk.0.attn_k.weight\"", "in the file twice"]);
    let overlapping = message(|file| file.tensors[4].offset = file.tensors[3].offset);
    assert_says(&overlapping, &["blk.0.attn_k", "blk.0.attn_v", "begins at byte", "ends at"]);
}

/// What the user reads when one tensor is changed.
fn tensor_message(change: impl FnOnce(&mut TinyTensor)) -> String {
    message(|file| change(file.tensor_mut("blk.1.attn_k.weight")))
}

#[test]
fn tensors_that_are_described_wrongly() {
    let name = "\"blk.1.attn_k.weight\"";
    type Case<'a> = (fn(&mut TinyTensor), &'a [&'a str]);
    let cases: [Case; 11] = [
        (|tensor| tensor.dims = vec![32, 0], &[name, "[32, 0]", "expected no zero"]),
        (
            |tensor| tensor.dims = vec![64, 16],
            &[name, "found shape (16, 64)", "expected (32, 32)"],
        ),
        (
            |tensor| tensor.dims = vec![33, 32],
            &["list of tensors", "33", "divisible by 32 for Q8_0"],
        ),
        (|tensor| tensor.dims = vec![1 << 62, 1 << 62], &["list of tensors", "overflows"]),
        (
            |tensor| tensor.dims = vec![32, 1 << 40],
            &[name, "but the file ends after", "download it again"],
        ),
        (|tensor| tensor.dims = vec![1; 5], &["list of tensors", "Invalid dimension count: 5"]),
        (
            |tensor| tensor.kind = 7,
            &[name, "stored as Q5_1, expected one of F32, F16, BF16, Q8_0"],
        ),
        (|tensor| tensor.kind = 77, &["list of tensors", "Unknown GGUF tensor type: 77"]),
        (|tensor| tensor.offset += 1, &[name, "not a multiple of 32"]),
        (|tensor| tensor.offset = 1 << 40, &[name, "1099511", "but the file ends after"]),
        (|tensor| tensor.offset = u64::MAX - 31, &[name, "but the file ends after"]),
    ];
    for (change, says) in cases {
        assert_says(&tensor_message(change), says);
    }
    for (kind, found, advice) in [
        (7, "Q5_1", "Q5_K_M"),
        (9, "Q8_1", "Q8_0"),
        (10, "Q2_K", "Q4_K_M"),
        (23, "IQ4_XS", "Q4_K_M"),
    ] {
        let refused = tensor_message(|tensor| {
            (tensor.kind, tensor.dims) = (kind, vec![256, 4]);
        });
        assert_says(
            &refused,
            &[&format!("stored as {found}, "), &format!(": take the model as {advice}")],
        );
    }
    let another = message(|file| {
        file.set("general.architecture", Value::Text("gemma3".into()));
        let tensor = file.tensor_mut("blk.1.attn_k.weight");
        (tensor.kind, tensor.dims) = (10, vec![256, 4]);
    });
    assert_says(
        &another,
        &["stored as Q2_K, ", "it's no Qwen3 either, `cargo run -- download`"],
    );
}

#[test]
fn alignments_that_make_no_sense() {
    for (alignment, said) in [
        (0, "non-zero multiple of 8, got 0"),
        (7, "non-zero multiple of 8, got 7"),
        (24, "general.alignment is 24, expected a power of two"),
        (1 << 31, "but the file ends after"),
    ] {
        let message = message(|file| file.set("general.alignment", Value::U32(alignment)));
        assert_says(&message, &[said]);
    }
    let text = message(|file| file.set("general.alignment", Value::Text("32".into())));
    assert_says(&text, &["general.alignment must be u32, got string"]);
}

#[test]
fn metadata_that_breaks_the_format() {
    let doubled = message(|file| file.metadata.push(file.metadata[1].clone()));
    assert_says(&doubled, &["metadata cannot be read near byte", "general.name", "damaged"]);
    let kind = message(|file| file.set("test.value", Value::Raw(13, vec![0; 8])));
    assert_says(&kind, &["metadata cannot be read near byte", "Unknown GGUF value type: 13"]);
    let flag = message(|file| file.set("test.value", Value::Raw(7, vec![2])));
    assert_says(&flag, &["metadata cannot be read near byte", "boolean value: 2"]);
    let mut text = 2u64.to_le_bytes().to_vec();
    text.extend([0xFF, 0xFE]);
    let text = message(|file| file.set("test.value", Value::Raw(8, text)));
    assert_says(&text, &["metadata cannot be read near byte", "UTF-8"]);
    let escape = message(|file| {
        file.metadata.push(("a\nb\u{1b}[2J".into(), Value::U32(1)));
        file.metadata.push(("a\nb\u{1b}[2J".into(), Value::U32(1)));
    });
    assert_says(&escape, &["metadata cannot be read near byte"]); // and in one line
}
