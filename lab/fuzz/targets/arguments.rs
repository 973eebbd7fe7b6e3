//! Any list of arguments to a chapter's program, up to a few tokens of the reply: as cached as not.
#![no_main]

use ch07_chat::Args;
use ch07_chat::backend::Backend;
use ch07_chat::cache::Mode;
use ch07_chat::how::{How, PREFILL_CHUNK};
use clap::Parser;
use fuzz::{miniature, one_line, within};
use ground::error::Error;
use libfuzzer_sys::fuzz_target;

// One argument a line.
fuzz_target!(|data: &[u8]| {
    let session = miniature();
    let text = String::from_utf8_lossy(data);
    let arguments =
        std::iter::once("program").chain(text.split('\n').filter(|line| !line.is_empty()));
    within(64 << 20, || {
        let args = match Args::try_parse_from(arguments) {
            Ok(args) => args,
            // Its text has more than one line, with what was typed in it.
            Err(error) => return drop(error.to_string()),
        };
        let _ = Backend::choose(&args.backend).map_err(one_line);
        let request = match args.common.request(
            session.file,
            &session.model.config,
            &session.tokenizer,
        ) {
            Ok(request) => request.shortened(4),
            Err(Error::Usage(error)) => return drop(error.to_string()),
            Err(error) => return drop(one_line(error)),
        };
        let prefill_chunk = args.prefill_chunk.unwrap_or(PREFILL_CHUNK);
        let reply = |kv| {
            let mut printed = String::new();
            let how = How { kv, prefill_chunk };
            let result = session.generate(&request, &how, &mut |_| true, |piece| {
                printed.push_str(piece);
                Ok(())
            });
            let (generation, report) = result.map_err(one_line).expect("it was checked");
            assert_eq!(printed, generation.text);
            report.json().expect("it is JSON");
            report.print(&mut std::io::sink(), args.report.timings).expect("there is room");
            generation
        };
        assert_eq!(reply(args.kv.unwrap_or(Mode::Contiguous)), reply(Mode::Off));
    });
});
