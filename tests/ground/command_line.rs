//! The arguments that all chapters share: what would be ignored is refused.

use std::path::Path;

use clap::Parser;
use ground::cli::{CommonArgs, find_model, open_model};
use ground::config::Config;
use ground::error::Error;
use ground::sample::Sampling;
use ground::tokenizer::Tokenizer;
use test_support::tiny::{Value, tiny_gguf};

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    common: CommonArgs,
}

fn refused(arguments: &[&str]) -> String {
    let all = std::iter::once(&"program").chain(arguments);
    let error = Args::try_parse_from(all).expect_err("this cannot be meant");
    assert_eq!(error.exit_code(), 2, "{arguments:?}");
    error.to_string()
}

#[test]
fn a_flag_that_would_be_ignored_is_refused() {
    for (arguments, named) in [
        (&["--token-ids", "1,2", "a prompt"][..], "[PROMPT]"),
        (&["--token-ids", "1,2", "--chat"], "--chat"),
        (&["--top-logits", "3"], "--json"),
        (&["--layer-states"], "--json"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(named), "{arguments:?}: {message}");
    }
}

/// A chapter may mean a chat without saying so: only a single prompt needs the flag.
#[test]
fn thinking_about_a_text_that_is_no_chat_is_refused() {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its config is sound");
    let tokenizer = Tokenizer::from_gguf(&file).expect("its tokenizer is sound");
    let request = |arguments: &[&str]| {
        let all = std::iter::once(&"program").chain(arguments);
        let args = Args::try_parse_from(all).expect("it is understood");
        args.common.request(&file, &config, &tokenizer)
    };
    let Err(Error::Usage(error)) = request(&["--think", "on"]) else {
        panic!("this cannot be meant");
    };
    assert!(error.exit_code() == 2 && error.to_string().contains("--chat"), "{error}");
    request(&["--think", "on", "--chat"]).expect("a chat may think");
    request(&["--think", "off"]).expect("nothing is asked for");
}

#[test]
fn what_is_chosen_arrives() {
    let given = "program --temperature 0.5 --top-k 7 --top-p 0.25 --repetition-penalty 1.5 --seed 9 \
                 --stop end --stop fin --ignore-eos --json --top-logits 3";
    let common = |arguments: &str| {
        Args::try_parse_from(arguments.split_whitespace()).expect("it is understood").common
    };
    let options = common(given).options(33);
    let sampling =
        Sampling { temperature: 0.5, top_k: 7, top_p: 0.25, repetition_penalty: 1.5, seed: 9 };
    assert_eq!(options.sampling, sampling);
    assert_eq!(options.stop, ["end", "fin"]);
    assert!(options.ignore_eos);
    assert_eq!((options.max_new_tokens, options.top_logits), (33, 3));
    assert_eq!(common("program -n 5").options(33).max_new_tokens, 5);
}

#[test]
fn a_minus_sign_is_answered_with_what_was_expected() {
    for flag in ["-n", "--top-k", "--seed", "--top-logits", "--token-ids"] {
        let message = refused(&["--json", flag, "-1"]);
        let first = message.lines().next().expect("a message");
        assert!(first.contains("'-1'"), "{flag}: {message}");
        assert!(!message.contains("tip:"), "{flag}: {message}");
    }
    let message = refused(&["-n", "-1"]);
    assert!(message.contains("-n takes a number of tokens, 0 or more"), "{message}");
}

#[test]
fn the_name_of_a_downloaded_model_is_enough() {
    let folder = tempfile::tempdir().expect("there is a disk");
    let path = |name: &str| folder.path().join(name);
    for file in ["Qwen3-0.6B-Q8_0.gguf", "without"] {
        std::fs::write(path(file), "").expect("it can be written");
    }
    let folders = [path("none"), folder.path().to_path_buf()];
    let find = |name: &str| find_model(Path::new(name), &folders);
    for name in ["Qwen3-0.6B-Q8_0", "Qwen3-0.6B-Q8_0.gguf"] {
        assert_eq!(find(name), Some(path("Qwen3-0.6B-Q8_0.gguf")));
    }
    assert_eq!(find("without"), Some(path("without")));
    assert_eq!(find("Qwen3-0.6B"), None);
    // A file here goes first, and a path is nothing but a path.
    for taken in ["Cargo.toml", "./without", "a/without", "/without", "..", ""] {
        assert_eq!(find(taken), Some(taken.into()), "{taken}");
    }
}

#[test]
fn a_name_that_is_not_there_says_how_to_get_it() {
    let Err(error) = open_model(Some(Path::new("no\u{7}such"))) else {
        panic!("there is none")
    };
    let line = r"no\u{7}such: no such file, here or in models/: `cargo run -- download no\u{7}such` gets it";
    assert_eq!(error.to_string(), line);
    let Err(error) = open_model(Some(Path::new("no/such"))) else { panic!("there is none") };
    assert!(error.to_string().starts_with("no/such: cannot open the file: "), "{error}");
}

/// Their tokenizers are others as well, or they have none.
#[test]
fn another_model_is_named_before_its_tokenizer_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.gguf");
    let refused = |key: &str, found: &str| {
        let mut file = tiny_gguf();
        file.set(key, Value::Text(found.into()));
        file.remove("tokenizer.ggml.model");
        std::fs::write(&path, file.to_bytes()).expect("it is written");
        let named = path.to_str().expect("plain letters");
        let args = Args::parse_from(["program", "--model", named]);
        let Err(error) = args.common.open_model() else { panic!("it is another model") };
        error.to_string()
    };
    for found in ["llama", "qwen2", "gemma3", "qwen3moe", "qwen3vl", "clip"] {
        let line = refused("general.architecture", found);
        assert!(line.starts_with(&format!("a model of architecture \"{found}\"")), "{line}");
    }
    let adapter = refused("general.type", "adapter");
    assert!(adapter.starts_with("it is an adapter (LoRA)"), "{adapter}");
}
