//! Any bytes as the body of a request: a valid request within its ranges, or a refusal of one line.
#![no_main]

use fuzz::{one_line, within};
use ground::request::Options;
use libfuzzer_sys::fuzz_target;
use openai::ValidatedRequest;

// In front of the body a byte: whether it is a chat.
fuzz_target!(|data: &[u8]| {
    let Some((choice, body)) = data.split_first() else { return };
    within((1 << 20) + 100 * body.len(), || {
        match ValidatedRequest::parse(body, choice & 1 == 1, Options::default()) {
            Ok(validated) => {
                assert!((1..=16).contains(&validated.prompts.len()));
                assert!(
                    validated.options.max_new_tokens >= 1 && validated.options.stop.len() <= 16
                );
                assert!((0.0..=2.0).contains(&validated.options.sampling.temperature));
                assert!(validated.likely.is_none_or(|count| count <= 20));
                assert!(validated.bias.iter().all(|(_, more)| more.abs() <= 100.0));
            }
            Err(refusal) => {
                assert!((400..500).contains(&refusal.status));
                let body: serde_json::Value =
                    serde_json::from_str(&refusal.body()).expect("a refusal is JSON");
                assert_eq!(body["error"]["code"], refusal.code);
                one_line(refusal.message);
            }
        }
    });
});
