//! The real checkpoint, or any other file of its size. Takes minutes and gigabytes, so it runs only when asked:
//!
//!     QWEN3_GGUF=Qwen3-0.6B-Q8_0.gguf cargo test --release -p course-tests --test real_checkpoint -- --ignored --nocapture
//!
//! On the official file the tokens are pinned too. Any other file (a synthetic one, another type) must be equal
//! to itself: cached and uncached, chapter by chapter, backend by backend.

use std::io::Read;
use std::path::PathBuf;
use std::sync::OnceLock;

use ch02_kv_cache::cache::Mode;
use course_tests::engines::{Ch00, Ch02, Ch03, Engine, request};
use ground::chat::{Message, render};
use ground::gguf::Gguf;
use ground::request::{Request, best};

use ground::tokenizer::Tokenizer;
use ndarray::s;
use sha2::{Digest, Sha256};

/// `Qwen3-0.6B-Q8_0.gguf` of `Qwen/Qwen3-0.6B-GGUF`: 639,446,688 bytes.
const OFFICIAL: &str = "9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031";
/// How many positions are compared bit by bit.
const POSITIONS: usize = 64;

fn path() -> PathBuf {
    let Some(path) = std::env::var_os("QWEN3_GGUF") else {
        panic!(
            "set QWEN3_GGUF to a Qwen3 model file: the official Qwen3-0.6B-Q8_0.gguf (README.md says \
             where it is), or one that `cargo run --release -- synth` wrote"
        );
    };
    // A relative path means the folder of the repository, where the command was typed.
    course_tests::judge::root().join(path)
}

fn file() -> &'static Gguf {
    static FILE: OnceLock<Gguf> = OnceLock::new();
    FILE.get_or_init(|| {
        Gguf::open(&path()).unwrap_or_else(|error| panic!("{}: {error}", path().display()))
    })
}

fn is_official() -> bool {
    let mut hash = Sha256::new();
    let mut file = std::fs::File::open(path()).expect("it was opened before");
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer).expect("the file can be read") {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    let found: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    println!("sha256 {found}");
    found == OFFICIAL
}

/// The first positions of a text that is long enough, or ids that any vocabulary has.
fn some_ids(tokenizer: &Tokenizer) -> Vec<u32> {
    let text =
        "The cache keeps what was computed, so that it is never computed again. ".repeat(8);
    let ids = tokenizer.encode(&text).expect("it is text");
    ids[..POSITIONS].to_vec()
}

fn same_bits<'a>(
    a: impl IntoIterator<Item = &'a f32>,
    b: impl IntoIterator<Item = &'a f32>,
) -> bool {
    a.into_iter().map(|a| a.to_bits()).eq(b.into_iter().map(|b| b.to_bits()))
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn ch02_cached_is_uncached_bit_for_bit() {
    let tokenizer = Tokenizer::from_gguf(file()).expect("the vocabulary is sound");
    let ids = some_ids(&tokenizer);
    let Ch02(model) = Ch02::load(file());
    let uncached = model.forward_all(&ids, 0, None).expect("no cache, no refusal");
    for mode in [Mode::Basic, Mode::Contiguous] {
        let mut cache = mode.cache(&model.config, ids.len());
        // A prompt at once, then token by token.
        for (from, to) in std::iter::once((0, 16)).chain((16..ids.len()).map(|at| (at, at + 1)))
        {
            let rows = model.forward_all(&ids[from..to], from, Some(&mut *cache));
            let rows = rows.expect("there is room");
            let expected = uncached.slice(s![from..to, ..]);
            assert!(
                same_bits(&rows, expected.iter()),
                "{mode:?}: positions {from} to {to} differ"
            );
        }
    }
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn ch03_is_the_same_on_every_backend_cached_and_uncached() {
    use ch03_simd_matmul::backend::Backend;
    use ch03_simd_matmul::cache::Mode;
    use ch03_simd_matmul::model::Model;
    let tokenizer = Tokenizer::from_gguf(file()).expect("the vocabulary is sound");
    let ids = some_ids(&tokenizer);
    let mut first: Option<ndarray::Array2<f32>> = None;
    for backend in Backend::available().into_iter().rev() {
        let model = Model::load(file(), backend).expect("the model loads");
        let uncached = model.forward_all(&ids, 0, None).expect("no cache, no refusal");
        let mut cache = Mode::Contiguous.cache(&model.config, ids.len());
        for at in 0..ids.len() {
            let row = model.forward(&ids[at..at + 1], at, Some(&mut *cache)).expect("room");
            assert!(same_bits(&row, uncached.row(at)), "{}: position {at}", backend.name());
        }
        let first = first.get_or_insert_with(|| uncached.clone());
        assert!(same_bits(&*first, &uncached), "{} differs from the others", backend.name());
    }
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn the_chapters_agree_on_tokens_or_it_was_a_near_tie() {
    let tokenizer = Tokenizer::from_gguf(file()).expect("the vocabulary is sound");
    let prompt = tokenizer.encode("Once upon a time").expect("it is text");
    let steps = 12;
    let ch02 = Ch02::load(file())
        .generate(&Request { top_logits: 2, ..request(&prompt, steps) }, &tokenizer);
    let ch02 = ch02.expect("it runs");
    let short = 4;
    let ch00 = Ch00::load(file()).greedy(&prompt, short);
    assert_eq!(
        ch00,
        ch02.generated_ids[..short],
        "chapter 0 sums in the same order as chapter 2"
    );
    let ch03 = Ch03::load(file()).greedy(&prompt, steps);
    let same = ch03.iter().zip(&ch02.generated_ids).take_while(|(a, b)| a == b).count();
    if same < steps {
        let margin = ch02.top_logits[same][0].1 - ch02.top_logits[same][1].1;
        assert!(margin < 1e-3, "chapter 3 parts at step {same} with a margin of {margin}");
    }
}

/// What can be said of any model: finite logits, and one of them is the best.
fn assert_sane(tokenizer: &Tokenizer) {
    let logits = Ch03::load(file()).forward_all(&some_ids(tokenizer)[..16]);
    assert!(logits.iter().all(|logit| logit.is_finite()), "a logit is not a number");
    let top = best(&logits.row(15).to_vec(), 2);
    println!("best two logits: {top:?}");
    assert!(top[0].1 > top[1].1 && top[0].1.abs() < 1e3, "{top:?}");
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn the_official_file_says_what_is_pinned_and_any_other_is_sane() {
    let tokenizer = Tokenizer::from_gguf(file()).expect("the vocabulary is sound");
    assert_sane(&tokenizer);
    if !is_official() {
        println!("not the official file: nothing is pinned for it");
        return;
    }
    let engine = Ch03::load(file());
    let template = file().text("tokenizer.chat_template").expect("it has a chat template");
    let message =
        Message { role: "user".into(), content: "What is the capital of France?".into() };
    let text = render(template, &[message], false, true).expect("the template renders");
    let request = Request {
        prompt_ids: tokenizer.encode(&text).expect("it is text"),
        max_new_tokens: 32,
        eos_ids: engine.config().eos_ids.clone(),
        ..Request::default()
    };
    let generation = engine.generate(&request, &tokenizer).expect("it runs");
    assert!(generation.text.contains("Paris"), "{}", generation.text);
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_json_snapshot!("official-qwen3-0.6b-q8_0", generation));
}
