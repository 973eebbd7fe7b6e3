//! How a run ends, played from a script: a model that was not trained but written, so that after each token there is
//! one that must come. `lab/reference/script_model.py` wrote it and says what follows what.

use std::path::{Path, PathBuf};

use crate::engine::{Engine, Question, Tried};

/// How many positions the script's context holds.
pub const CONTEXT: usize = 64;

pub fn model(root: &Path) -> PathBuf {
    root.join("tests/fixtures/models/script.gguf")
}

/// One run and what must come of it.
struct Scene {
    what: &'static str,
    prompt: &'static str,
    tokens: usize,
    flags: &'static [&'static str],
    ids: &'static [u32],
    text: &'static str,
    ended: &'static str,
}

const END: u32 = 258; // <|im_end|>
const END_OF_TEXT: u32 = 256; // <|endoftext|>

/// In the script `a` is followed by b, c, d and the end; e to z follow each other in a circle; `1` is followed by
/// the four bytes of an emoji, 2, 3 and the end of text; `A` by <think>, B, </think>, C and the end; after `P`
/// the tokens Q and R are equally likely.
#[rustfmt::skip]
const SCENES: &[Scene] = &[
    Scene { what: "an end token ends the ids and is no text", prompt: "a", tokens: 10, flags: &[],
            ids: &[98, 99, 100, END], text: "bcd", ended: "eos" },
    Scene { what: "both end tokens end a reply; a character of four tokens comes whole", prompt: "1", tokens: 20, flags: &[],
            ids: &[240, 159, 152, 128, 50, 51, END_OF_TEXT], text: "😀23", ended: "eos" },
    Scene { what: "an end token straight away", prompt: "d", tokens: 10, flags: &[], ids: &[END], text: "", ended: "eos" },
    Scene { what: "with --ignore-eos an end token is a token like any other", prompt: "c", tokens: 4, flags: &["--ignore-eos"],
            ids: &[100, END, 97, 98], text: "dab", ended: "length" },
    Scene { what: "the end token as the last that is allowed is still an end", prompt: "a", tokens: 4, flags: &[],
            ids: &[98, 99, 100, END], text: "bcd", ended: "eos" },
    Scene { what: "the limit", prompt: "e", tokens: 3, flags: &[], ids: &[102, 103, 104], text: "fgh", ended: "length" },
    Scene { what: "no token at all", prompt: "e", tokens: 0, flags: &[], ids: &[], text: "", ended: "length" },
    Scene { what: "one token", prompt: "e", tokens: 1, flags: &[], ids: &[102], text: "f", ended: "length" },
    Scene { what: "a stop string cuts the text and not the ids", prompt: "e", tokens: 10, flags: &["--stop=ij"],
            ids: &[102, 103, 104, 105, 106], text: "fgh", ended: "stop" },
    Scene { what: "the stop string that comes first", prompt: "e", tokens: 10, flags: &["--stop=jk", "--stop=h"],
            ids: &[102, 103, 104], text: "fg", ended: "stop" },
    Scene { what: "text before a stop string, in the same piece", prompt: "e", tokens: 10, flags: &["--stop=fgx", "--stop=gh"],
            ids: &[102, 103, 104], text: "f", ended: "stop" },
    Scene { what: "a stop string in the prompt stops nothing", prompt: "ef", tokens: 2, flags: &["--stop=ef"],
            ids: &[103, 104], text: "gh", ended: "length" },
    Scene { what: "text held back for a stop string that never came", prompt: "e", tokens: 2, flags: &["--stop=fgx"],
            ids: &[102, 103], text: "fg", ended: "length" },
    Scene { what: "text held back for a stop string when the end token comes", prompt: "a", tokens: 9, flags: &["--stop=cde"],
            ids: &[98, 99, 100, END], text: "bcd", ended: "eos" },
    Scene { what: "a character that is cut in the middle", prompt: "1", tokens: 2, flags: &[],
            ids: &[240, 159], text: "\u{fffd}", ended: "length" },
    Scene { what: "the marks of thinking are text", prompt: "A", tokens: 9, flags: &[],
            ids: &[259, 66, 260, 67, END], text: "<think>B</think>C", ended: "eos" },
    Scene { what: "of equally likely tokens the first", prompt: "P", tokens: 1, flags: &[], ids: &[81], text: "Q", ended: "length" },
    Scene { what: "each token is drawn anew, from one sequence of random numbers", prompt: "P", tokens: 6,
            flags: &["--temperature=1", "--seed=1"], ids: &[82, 80, 82, 80, 81, 80], text: "RPRPQP", ended: "length" },
    Scene { what: "the repetition penalty sees the prompt and the reply", prompt: "P", tokens: 5,
            flags: &["--repetition-penalty=1.5"], ids: &[81, 80, 82, 80, 81], text: "QPRPQ", ended: "length" },
    Scene { what: "a full context ends a reply", prompt: "efghijklmnopqrstuvwxyzefghijklmnopqrstuvwxyzefghijklmnopqrstuv", tokens: 9, flags: &[],
            ids: &[119, 120, 121], text: "wxy", ended: "length" },
];

pub fn as_scripted(engine: &Engine, root: &Path) -> Tried {
    for way in engine.ways_here() {
        for scene in SCENES {
            let prompt: Vec<u32> = scene.prompt.bytes().map(u32::from).collect();
            let question = Question::of(&model(root), &prompt, scene.tokens).with(scene.flags);
            let answer = engine.ask(way, &question)?;
            let wrong = |what: &str, wanted: String, found: String| {
                let place = format!("{what} ({})", scene.what);
                Err(engine.mistake(way, &question, &place, wanted, found).look(&way.look()))
            };
            if answer.generated_ids != scene.ids {
                let found = format!("{:?}", answer.generated_ids);
                return wrong("generated_ids", format!("{:?}", scene.ids), found);
            }
            if answer.text != scene.text {
                return wrong(
                    "text",
                    format!("{:?}", scene.text),
                    format!("{:?}", answer.text),
                );
            }
            if answer.finish_reason != scene.ended {
                return wrong("finish_reason", scene.ended.into(), answer.finish_reason);
            }
        }
    }
    Ok(())
}
