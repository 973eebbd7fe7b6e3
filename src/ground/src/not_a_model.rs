//! Files that people have in place of a model that runs here: what each is, and what to take instead.

use std::path::Path;

/// What a file may be that does not begin as GGUF does: the rest of a sentence, or nothing.
pub(crate) fn of_bytes(bytes: &[u8]) -> &'static str {
    // A count of eight bytes, then JSON of that length.
    let safetensors = bytes.get(8) == Some(&b'{') && bytes[5..8] == [0; 3];
    if bytes.starts_with(b"version https://git-lfs") {
        "; it only says where Git LFS keeps the file: `git lfs pull` gets it"
    } else if bytes.trim_ascii_start().starts_with(b"<") {
        "; it is a web page: download the file itself"
    } else if bytes.starts_with(b"PK\x03\x04") {
        "; it is an archive, as PyTorch writes them: download a GGUF file of the model"
    } else if safetensors {
        "; it is a safetensors file: download a GGUF file of the model"
    } else {
        ""
    }
}

/// What to do with a folder where a file was expected: the rest of a sentence, or nothing.
pub(crate) fn of_folder(path: &Path) -> &'static str {
    let has = |ending: &str| {
        let mut files = path.read_dir().into_iter().flatten().flatten();
        files.any(|file| file.path().extension().is_some_and(|found| found == ending))
    };
    if has("gguf") {
        ": name the GGUF file in it"
    } else if has("safetensors") {
        ": what is in it is safetensors, download a GGUF file of the model"
    } else {
        ""
    }
}

/// What to take in place of a file of a type that cannot be read: the usual one that is as large, or a little larger.
pub(crate) fn of_type(stored: &str, architecture: &str) -> String {
    let name = match stored.as_bytes() {
        // In another type it would still be refused, and after a second download.
        _ if architecture != "qwen3" => {
            return format!("it's no Qwen3 either, {}", of_architecture(architecture));
        }
        [b'Q', b'5', ..] => "Q5_K_M",
        [b'Q', b'8', ..] => "Q8_0",
        _ => "Q4_K_M",
    };
    format!("take the model as {name}")
}

/// Why a model of another architecture is none for us.
pub(crate) fn of_architecture(found: &str) -> &'static str {
    match found {
        "qwen3moe" => "it is a Qwen3 with experts: take a dense one, such as Qwen3-4B",
        "clip" => "it is the part of a model that sees: its language model is another file",
        name if name.contains("vl") => {
            "it is made for pictures too: take one for text, such as Qwen3-4B"
        }
        _ => "`cargo run -- download` gets a Qwen3",
    }
}

/// What is only a part of a model, whatever its architecture, and what to do with it.
/// `kind`: what the file says of itself, if it says anything.
pub(crate) fn of_parts(piece: u64, pieces: u64, kind: &str) -> Option<(String, &'static str)> {
    if pieces > 1 {
        let found = format!("piece {} of {pieces}", piece.saturating_add(1));
        return Some((
            found,
            "join them with `llama-gguf-split --merge`, or download one file",
        ));
    }
    let adapter = "an adapter (LoRA)".to_string();
    (kind == "adapter").then_some((adapter, "merge it into its model, and convert that"))
}
