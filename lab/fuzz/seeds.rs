//! What the fuzzer in lab/fuzz begins with: the fixtures, in the form that each of its targets reads.
//!
//! `cargo run -p test-support --example fuzz_seeds FOLDER`

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ground::dtype::StoredType;
use serde_json::{Value, json};
use test_support::root;
use test_support::tiny::{TEMPLATE, TinyShape, tiny_gguf_in, tiny_gguf_of};

const SMALL: TinyShape = TinyShape {
    layers: 1,
    hidden: 32,
    heads: 2,
    kv_heads: 1,
    head_dim: 16,
    ffn: 32,
    tied: true,
};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).expect("a folder"));
    let write = |target: &str, seeds: Vec<Vec<u8>>| write(&folder.join(target), &seeds);
    write("file", files())?;
    write("tokenizer", texts())?;
    write("template", templates())?;
    write("sampler", logits())?;
    write("arguments", arguments())?;
    write("talk", talks())?;
    write("saved", saved())?;
    write("body", bodies())
}

fn write(folder: &Path, seeds: &[Vec<u8>]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (seed, index) in seeds.iter().zip(0..) {
        fs::write(folder.join(format!("seed-{index:03}")), seed)?;
    }
    Ok(())
}

fn fixture(name: &str) -> PathBuf {
    root().join("tests/fixtures").join(name)
}

fn json(name: &str) -> Value {
    let text = fs::read_to_string(fixture(name)).expect("a fixture");
    serde_json::from_str(&text).expect("it is JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A whole model in some thousand bytes, one matrix of each stored type.
fn files() -> Vec<Vec<u8>> {
    let known = StoredType::ALL.into_iter().filter(|stored| *stored != StoredType::BF16);
    let of = |stored: StoredType| {
        let shape = TinyShape { ffn: 256, ..SMALL };
        let ours =
            |name: &str| if name.contains("ffn_down") { stored } else { StoredType::Q4_0 };
        tiny_gguf_in(shape, ours).to_bytes()
    };
    let mut files: Vec<Vec<u8>> = known.map(of).collect();
    files.push(tiny_gguf_of(TinyShape { tied: false, ..SMALL }).to_bytes());
    files
}

/// Texts alone, and texts with a file that has the vocabulary.
fn texts() -> Vec<Vec<u8>> {
    let with = |text: &str, file: &[u8]| {
        [&(text.len() as u16).to_le_bytes(), text.as_bytes(), file].concat()
    };
    let file = tiny_gguf_of(SMALL).to_bytes();
    let said = [
        "Once upon a time\0time\0end",
        "<|im_start|>user\nHi<|im_end|>\0<|im_end|>",
        "I'm 12,345 e\u{301} \u{1f98a}\r\n\n  x\u{a0}\u{200d}!?\0\u{301}",
        "<think>\n\n</think>\n\nthe th\u{e9}",
        "Once upon a time, there was a\0\x01\x0b\x06\0\x01\x14\x05\0\x01\x02\x04",
    ];
    said.iter().flat_map(|text| [with(text, b""), with(text, &file)]).collect()
}

/// The conversations that are compared with the reference, and the hostile templates.
fn templates() -> Vec<Vec<u8>> {
    let seed = |choices: u8, template: &str, messages: &[Value]| {
        let said = messages.iter().flat_map(|message| [&message["role"], &message["content"]]);
        let parts: Vec<&str> =
            [template].into_iter().chain(said.filter_map(Value::as_str)).collect();
        [&[choices], parts.join("\0").as_bytes()].concat()
    };
    let embedded = ground::embedded::tiny_qwen3().expect("it opens");
    let embedded = embedded.text("tokenizer.chat_template").expect("it has one");
    let cases = json("chat/cases.json");
    let messages: Vec<&Vec<Value>> = cases["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .filter_map(|case| case["messages"].as_array())
        .collect();
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for (&messages, choices) in messages.iter().zip(0..) {
        seeds.push(seed(choices % 4, embedded, messages));
        seeds.push(seed(choices % 4, TEMPLATE, messages));
    }
    for case in json("chat/hostile.json").as_array().expect("cases") {
        let part = |part: &Value| match part.as_array() {
            Some(often) => {
                text(&often[0]).repeat(often[1].as_u64().expect("a number") as usize)
            }
            None => text(part).to_owned(),
        };
        let template: String =
            case["template"].as_array().expect("parts").iter().map(part).collect();
        // A template of more than 64 KB is refused at once: it teaches nothing.
        if template.len() < 8000 {
            seeds.push(seed(2, &template, messages[2]));
        }
    }
    seeds
}

/// Settings, tokens that were seen, and logits.
fn logits() -> Vec<Vec<u8>> {
    let seed = |temperature: f32, top_k: u64, top_p: f32, penalty: f32, logits: &[f32]| {
        let mut bytes = temperature.to_le_bytes().to_vec();
        bytes.extend(top_k.to_le_bytes());
        bytes.extend(top_p.to_le_bytes());
        bytes.extend(penalty.to_le_bytes());
        bytes.extend(42u64.to_le_bytes());
        bytes.extend([2, 1, 0, 3, 0]);
        bytes.extend(logits.iter().flat_map(|logit| logit.to_le_bytes()));
        bytes
    };
    let plain: Vec<f32> = (0..40).map(|i| (i * 37 % 40) as f32 / 8.0 - 2.0).collect();
    let awkward =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -0.0, 0.0, f32::MIN, 1e-45];
    vec![
        seed(0.0, 0, 1.0, 1.0, &plain),
        seed(0.75, 8, 0.9, 1.25, &plain),
        seed(1.0, 0, 0.5, 1.0, &plain),
        seed(1e-45, 3, 0.0, 1e30, &awkward),
        seed(f32::MAX, 0, 1.0, 0.5, &awkward),
    ]
}

fn arguments() -> Vec<Vec<u8>> {
    [
        "Hello\n-n\n3\n--kv\nbasic",
        "--token-ids\n1,2,3\n--json\n--top-logits\n2\n--layer-states",
        "--chat\n--think\non\n--stop\nend\n--ignore-eos\nWhat is 2 + 3?",
        "--temperature=0.7\n--top-k\n5\n--top-p\n0.9\n--repetition-penalty=1.1\n--seed\n7\nOnce",
        "--model\nno/such\n--backend\navx2\n--threads\n2\n--prefill-chunk\n3\n--kv=contiguous\nx",
        "--system\nBe kind.\n--context\n64\n--on-full\nforget",
        "--compare\n--runs\n2\n--timings\n--profile\n--bandwidth\n--log\n--help\n--version",
    ]
    .map(|list| list.as_bytes().to_vec())
    .to_vec()
}

fn talks() -> Vec<Vec<u8>> {
    [
        "\0\u{7f}Hi\nWhat is 2 + 3?\n/undo\nAnd now?\n/reset\nAgain",
        "\x1f\u{20}Hi\nHello\nHow are you?\n/set temperature 0.7\n/set seed 3\nMore\n/think on\nMore",
        "\x08\u{40}One\n/save\nTwo\n/load\nThree\n/set max-new-tokens 2\n/set top-p 0.5\nFour",
        "\x02\u{7e}/set top-k 3\n/set repetition-penalty 1.5\n<think>\n</think>\n<|im_end|>\n/undo\n/undo",
    ]
    .map(|lines| lines.as_bytes().to_vec())
    .to_vec()
}

/// Conversations as JSON, in a frame that the target makes right, or with a frame of their own.
fn saved() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for talk in json("chat/turns.json").as_array().expect("conversations").iter().take(20) {
        // The last question has no answer yet: such a conversation is never saved.
        let messages = talk["messages"].as_array().expect("messages");
        let messages = json!(messages[..messages.len() - 1]).to_string();
        let rows = vec![0; 2 * (4 + 8 * 2 * 32)];
        seeds.push([b"\x02", messages.as_bytes(), b"\0", &rows].concat());
        let lengths =
            [messages.len() as u64, rows.len() as u64 / 2].map(u64::to_le_bytes).concat();
        seeds.push(
            [b"\x01", &lengths[..], messages.as_bytes(), &rows[..rows.len() / 2]].concat(),
        );
        seeds.push([b"\0ch07chat\x01\0\0\0", messages.as_bytes()].concat());
    }
    seeds
}

/// Requests to a server, each with the byte that says whether it is a chat.
fn bodies() -> Vec<Vec<u8>> {
    let said = json!([{ "role": "user", "content": [{ "type": "text", "text": "Where?" }] }]);
    let all = [
        (
            1,
            json!({ "messages": said, "logprobs": true, "top_logprobs": 5, "stop": ["a", "b"] }),
        ),
        (1, json!({ "messages": said, "chat_template_kwargs": { "enable_thinking": true } })),
        (
            0,
            json!({ "prompt": "Once", "max_tokens": 3, "logit_bias": { "5": -100 }, "seed": -1 }),
        ),
        (
            0,
            json!({ "prompt": [[1, 2], [3]], "stream": true, "stream_options": { "include_usage": true } }),
        ),
        (
            0,
            json!({ "prompt": [1, 2], "temperature": 0.5, "top_p": 0.9, "n": 1, "user": null }),
        ),
    ];
    all.map(|(chat, body)| [vec![chat], body.to_string().into_bytes()].concat()).to_vec()
}
