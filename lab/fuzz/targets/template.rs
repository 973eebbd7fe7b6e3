//! Any chat template and any messages: a text or one line, within two seconds, in 256 MB.
#![no_main]

use fuzz::{one_line, within};
use ground::chat::{Message, render};
use libfuzzer_sys::fuzz_target;

// The template, then roles and contents, with zeros between; in front of all a byte of choices.
fuzz_target!(|data: &[u8]| {
    let Some((choices, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let mut parts = text.split('\0');
    let template = parts.next().unwrap_or_default();
    let mut messages = Vec::new();
    while let (Some(role), Some(content)) = (parts.next(), parts.next()) {
        messages.push(Message { role: role.into(), content: content.into() });
    }
    within(256 << 20, || {
        if let Err(error) = render(template, &messages, choices & 1 == 1, choices & 2 == 2) {
            assert!(one_line(error).contains("chat template"));
        }
    });
});
