//! Any lines of a conversation: with a cache that lives on they get the answers that they get without one.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use ch07_chat::cache::Mode;
use ch07_chat::conversation::{Conversation, OnFull, Settings};
use ch07_chat::how::{How, PREFILL_CHUNK};
use fuzz::{miniature, one_line, take_bytes, within};
use ground::request::Options;
use ground::think_split::Thought;
use libfuzzer_sys::fuzz_target;

static SAVED: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("fuzz-talk-{}", std::process::id())));

// Two bytes of choices, then one line after the other. A file has one name here, and an empty line asks the last question
// again: that is where a cache has all that is asked for.
fuzz_target!(|data: &[u8]| {
    miniature();
    let _ = fs::remove_file(&*SAVED); // what an earlier input saved is none of this one's business
    within(64 << 20, || {
        let mut data = data;
        let [choices, positions] = take_bytes(&mut data);
        let text = String::from_utf8_lossy(data);
        let start = |kv| start(kv, choices, usize::from(positions) % 128 + 1);
        let (Ok(mut cached), Ok(mut plain)) = (start(Mode::Contiguous), start(Mode::Off))
        else {
            return;
        };
        let mut question = "Hi";
        for line in text.lines().take(12) {
            let line = if line.trim().is_empty() { question } else { line };
            if !line.starts_with('/') {
                question = line;
            }
            assert_eq!(follow(&mut cached, line, true), follow(&mut plain, line, false));
            assert_eq!(cached.messages, plain.messages);
            let (tokens, rows) = cached.fill().map_err(one_line).unwrap_or_default();
            assert!(rows <= tokens && rows <= cached.context.positions());
        }
    });
});

fn start(kv: Mode, choices: u8, positions: usize) -> Result<Conversation<'static>, String> {
    let options = Options {
        max_new_tokens: 3,
        stop: if choices & 1 == 1 { vec!["e".into()] } else { Vec::new() },
        ignore_eos: choices & 2 == 2,
        ..Options::default()
    };
    let settings = Settings {
        options,
        think: choices & 4 == 4,
        on_full: if choices & 8 == 8 { OnFull::Forget } else { OnFull::Stop },
    };
    let how = How { kv, prefill_chunk: PREFILL_CHUNK };
    let system = (choices & 16 == 16).then(|| "Be kind.".to_owned());
    Conversation::new(miniature(), &how, Some(positions), system, settings).map_err(one_line)
}

/// As `talk.rs` of the chapter does it, without its terminal.
fn follow(conversation: &mut Conversation, line: &str, save: bool) -> Result<String, String> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["/reset"] => {
            conversation.reset();
            Ok(String::new())
        }
        ["/undo"] => Ok(conversation.undo().unwrap_or_default()),
        ["/think", switch] => {
            conversation.settings.think = switch == "on";
            Ok(String::new())
        }
        ["/set", name, value] => {
            let options = &mut conversation.settings.options;
            options.set(name, value).map_err(one_line)?;
            let shown = options.to_string();
            options.max_new_tokens = options.max_new_tokens.min(9); // more would take long
            Ok(shown)
        }
        ["/save"] => {
            if save {
                conversation.save(&SAVED).map_err(one_line)?;
            }
            Ok(String::new())
        }
        ["/load"] => {
            conversation.load(&SAVED).map_err(one_line)?;
            Ok(String::new())
        }
        _ => {
            let (mut thought, mut shown, mut text) =
                (Thought::default(), String::new(), String::new());
            let turn = conversation.ask(line, &mut |_| true, |piece| {
                text.push_str(piece);
                shown.extend(thought.push(piece).into_iter().map(|(part, _)| part));
                Ok(())
            });
            let turn = turn.map_err(one_line)?;
            assert_eq!(shown + &thought.finish().0, text);
            assert!(turn.kept < turn.tokens.max(1) && turn.text == text);
            Ok(text)
        }
    }
}
