//! A request is checked once, when it is made: none that a model cannot serve exists.

use clap::Parser;
use ground::cli::CommonArgs;
use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::error::Error;
use ground::request::{FinishReason, Options, Request, RequestError, best};
use ground::sample::{SampleError, Sampling};
use ground::stream::Stops;
use ground::tokenizer::Tokenizer;

use test_support::memory::most_memory;

fn config() -> Config {
    let file = tiny_qwen3().expect("the embedded model opens");
    Config::from_gguf(&file).expect("its config is sound")
}

fn refused(prompt_ids: Vec<u32>, options: Options) -> RequestError {
    Request::new(prompt_ids, options, &config()).expect_err("no model can serve this")
}

#[test]
fn each_bad_request_is_refused_in_one_line_that_names_the_numbers() {
    let Config { vocab, context_length: holds, .. } = config();
    let sampling = |sampling| Options { sampling, ..Options::default() };
    let stop =
        |stop: &str| Options { stop: vec!["x".into(), stop.into()], ..Options::default() };
    let cold = Sampling { temperature: -1.0, ..Sampling::default() };
    let nan = Sampling { temperature: f32::NAN, ..Sampling::default() };
    let none = Sampling { top_p: 1.5, ..Sampling::default() };
    let free = Sampling { repetition_penalty: 0.0, ..Sampling::default() };
    for (prompt_ids, options, expected) in [
        (vec![], Options::default(), RequestError::Empty),
        (
            vec![0, vocab as u32, 1],
            Options::default(),
            RequestError::UnknownId { id: vocab as u32, last: vocab - 1 },
        ),
        (
            vec![u32::MAX],
            Options::default(),
            RequestError::UnknownId { id: u32::MAX, last: vocab - 1 },
        ),
        (
            vec![1; holds + 1],
            Options::default(),
            RequestError::TooLong { found: holds + 1, holds },
        ),
        (vec![1], stop(""), RequestError::EmptyStop),
        (vec![1], sampling(cold), SampleError::Temperature(-1.0).into()),
        (vec![1], sampling(none), SampleError::TopP(1.5).into()),
        (vec![1], sampling(free), SampleError::RepetitionPenalty(0.0).into()),
    ] {
        let found = refused(prompt_ids, options);
        assert_eq!(found, expected);
        assert_eq!(found.to_string().lines().count(), 1, "{found}");
    }
    let found = refused(vec![1], sampling(nan));
    assert!(found.to_string().starts_with("the temperature is NaN"), "{found}");
}

#[test]
fn a_reply_never_leaves_the_context() {
    let mut config = config();
    for (context, prompt, asked, expected, full) in [
        (10, 4, 6, 6, false),
        (10, 4, 7, 7, false), // the last one is never fed back
        (10, 4, 8, 7, true),
        (10, 10, 1, 1, false),
        (10, 10, usize::MAX, 1, true),
        (10, 1, 0, 0, false),
        (usize::MAX, 1, usize::MAX, usize::MAX, false),
    ] {
        config.context_length = context;
        let options = Options { max_new_tokens: asked, ..Options::default() };
        let request = Request::new(vec![1; prompt], options, &config).expect("it fits");
        assert_eq!(request.max_new_tokens(), expected, "{asked} after {prompt} of {context}");
        let said = request.ending(FinishReason::Length);
        assert_eq!(said.contains("context is full"), full, "{said}");
        // A shorter reply ends where it was told to.
        let shorter = request.shortened(expected.saturating_sub(1));
        assert_eq!(shorter.max_new_tokens(), expected.saturating_sub(1));
        assert_eq!(request.shortened(usize::MAX).max_new_tokens(), expected);
        if expected > 0 {
            assert!(!shorter.ending(FinishReason::Length).contains("context"));
        }
    }
}

#[test]
fn a_request_gives_back_what_was_asked() {
    let config = config();
    let sampling = Sampling { temperature: 0.5, seed: 3, ..Sampling::default() };
    let options = Options {
        max_new_tokens: 5,
        ignore_eos: false,
        stop: vec!["a".into()],
        sampling: sampling.clone(),
        top_logits: 2,
    };
    let request = Request::new(vec![7, 8], options.clone(), &config).expect("it is sound");
    assert_eq!((request.prompt_ids(), request.max_new_tokens()), (&[7, 8][..], 5));
    assert_eq!(
        (request.eos_ids(), request.stop()),
        (&config.eos_ids[..], &Stops::new(&["a".into()]))
    );
    assert_eq!((request.sampling(), request.top_logits()), (&sampling, 2));
    let endless = Options { ignore_eos: true, ..options };
    let endless = Request::new(vec![7], endless, &config).expect("it is sound");
    assert!(endless.eos_ids().is_empty());
}

fn tokenizer() -> Tokenizer {
    let file = tiny_qwen3().expect("the embedded model opens");
    Tokenizer::from_gguf(&file).expect("its tokenizer")
}

/// What the command line makes of a prompt, and how much memory that takes.
fn of_prompt(tokenizer: &Tokenizer, prompt: &str) -> (Result<Request, Error>, usize) {
    #[derive(clap::Parser)]
    struct Args {
        #[command(flatten)]
        common: CommonArgs,
    }
    let (file, config) = (tiny_qwen3().expect("the embedded model opens"), config());
    let args = Args::try_parse_from(["program", prompt]).expect("a prompt").common;
    most_memory(|| args.request(&file, &config, tokenizer))
}

#[test]
fn a_text_far_beyond_the_context_is_refused_before_its_tokens_are_made() {
    let tokenizer = tokenizer();
    for text in ["a", "word and 12 more\n", "e\u{301}\u{1F600}"] {
        let prompt = text.repeat(2_000_000 / text.len());
        let (request, memory) = of_prompt(&tokenizer, &prompt);
        let error = request.expect_err("too long");
        assert!(error.to_string().contains("shorten the prompt"), "{error}");
        assert!(memory < 4 << 20, "{text:?}: {memory} bytes for 2 MB");
    }
}

/// Letters that are composed before they are counted.
#[test]
fn what_fits_is_never_taken_for_too_long() {
    never_taken_for_too_long("e\u{301}", usize::MAX);
}

#[test]
#[ignore = "cargo prove: seven texts, up to twice as long as the context"]
fn no_text_that_fits_is_taken_for_too_long() {
    let tokenizer = tokenizer();
    let longest = (0..tokenizer.vocab_size() as u32)
        .map(|id| tokenizer.token_text(id).expect("a token"))
        .max_by_key(String::len)
        .expect("a vocabulary");
    for text in
        [&longest, "a", " ", "<|im_start|>", "\u{1112}\u{1161}\u{11ab}", "\n", "e\u{301}"]
    {
        never_taken_for_too_long(text, 37);
    }
}

/// Repeated up to forty times, about as often as the context has positions, and between these at multiples of `every`.
fn never_taken_for_too_long(text: &str, every: usize) {
    let tokenizer = tokenizer();
    let holds = config().context_length;
    let (mut fits, mut refused) = (0, 0);
    for times in 1..=2 * holds {
        if times > 40 && !times.is_multiple_of(every) && times.abs_diff(holds) > 2 {
            continue;
        }
        let prompt = text.repeat(times);
        let tokens = tokenizer.encode(&prompt).expect("tokens").len();
        match of_prompt(&tokenizer, &prompt).0 {
            Ok(_) => {
                assert!(tokens <= holds, "{text:?} x {times}");
                fits += 1;
            }
            Err(_) => {
                assert!(tokens > holds, "{text:?} x {times}: only {tokens} tokens");
                refused += 1;
            }
        }
    }
    assert!(fits > 0 && (refused > 0 || text.len() < 4), "{text:?}: {fits}, {refused}");
}

#[test]
fn an_option_is_changed_by_its_name_or_not_at_all() {
    let usual =
        "temperature 0, top-k 0, top-p 1, repetition-penalty 1, seed 0, max-new-tokens 160";
    for (name, value, old, new) in [
        ("temperature", "0.8", "temperature 0", "temperature 0.8"),
        ("top-k", "40", "top-k 0", "top-k 40"),
        ("top-p", "0.5", "top-p 1", "top-p 0.5"),
        ("repetition-penalty", "1.5", "repetition-penalty 1", "repetition-penalty 1.5"),
        ("seed", "18446744073709551615", "seed 0", "seed 18446744073709551615"),
        ("max-new-tokens", "7", "tokens 160", "tokens 7"),
        ("max-new-tokens", "none", "tokens 160", "tokens none"),
    ] {
        let mut options = Options::default();
        assert_eq!(options.to_string(), usual);
        options.set(name, value).expect("it makes sense");
        assert_eq!(options.to_string(), usual.replace(old, new));
    }
    for (name, value, words) in [
        ("temperature", "-1", "the temperature is -1"),
        ("top-p", "NaN", "top-p is NaN"),
        ("top-k", "-1", "and a number, found top-k -1"),
        ("seed", "none", "and a number, found seed none"),
        ("heat", "\n", r"and a number, found heat \n"),
    ] {
        let mut options = Options::default();
        let error = options.set(name, value).expect_err("it makes no sense").to_string();
        assert!(error.contains(words) && error.lines().count() == 1, "{error}");
        assert_eq!(options.to_string(), usual, "nothing changes");
    }
}

/// Which sign a NaN has depends on the instructions that made it.
#[test]
fn the_best_logits_are_the_same_whatever_the_sign_of_a_nan() {
    let (plus, minus) = (f32::NAN.copysign(1.0), f32::NAN.copysign(-1.0));
    let ids = |logits: &[f32]| -> Vec<u32> {
        best(logits, logits.len()).into_iter().map(|(id, _)| id).collect()
    };
    assert_eq!(ids(&[plus, minus, plus, minus]), [0, 1, 2, 3]);
    for nan in [plus, minus] {
        let logits = [nan, 1.0, f32::NEG_INFINITY, minus, 2.0, plus, 1.0, f32::INFINITY];
        assert_eq!(ids(&logits), [7, 4, 1, 6, 2, 0, 3, 5]);
    }
}

#[test]
fn how_a_reply_ended_names_no_flag_that_only_a_command_line_has() {
    let request = Request::new(vec![7], Options::default(), &config()).expect("it is sound");
    for reason in [FinishReason::Eos, FinishReason::Stop, FinishReason::Length] {
        let words = request.ending(reason);
        assert!(!words.split(' ').any(|word| word.starts_with('-')), "{words}");
    }
}
