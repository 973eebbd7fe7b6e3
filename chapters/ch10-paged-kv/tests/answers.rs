//! What the command line says about rooms and answers.

#[path = "../../../tests/shared/served.rs"]
mod served;

use serde_json::{Deserializer, Value};
use served::{program, said};

fn all(flags: &[&str]) -> Vec<Value> {
    let output = program().args(flags).arg("--json").output().expect("it starts");
    assert!(output.status.success(), "{flags:?}: {output:?}");
    let objects = Deserializer::from_slice(&output.stdout).into_iter();
    objects.map(|object| object.expect("JSON")).collect()
}

#[test]
fn answers_are_runs_with_the_next_seeds() {
    let flags = ["Once upon a time", "-n", "70", "--ignore-eos", "--temperature", "1"];
    let found = all(&[&flags[..], &["--answers", "3", "--seed", "5"]].concat());
    assert_eq!(found.len(), 3);
    for (seed, found) in (5..).zip(&found) {
        let seed = seed.to_string();
        for kv in [&[][..], &["--kv", "contiguous"]] {
            let lone = said(&[&flags[..], &["--seed", &seed], kv].concat());
            for name in ["prompt_ids", "generated_ids", "text", "finish_reason"] {
                assert_eq!(found[name], lone[name], "seed {seed}, {kv:?}: {name}");
            }
        }
    }
    assert_ne!(found[0]["text"], found[1]["text"]);
    // The prompt's rows are computed once.
    let computed = |answer: &Value| answer["metrics"]["forwards"][0]["tokens"].clone();
    let computed: Vec<Value> = found.iter().map(computed).collect();
    let prompt = found[0]["prompt_ids"].as_array().expect("ids").len();
    assert_eq!(computed, [prompt, 1, 1], "all but the last token is known");
}

#[test]
fn rooms_that_make_no_sense_are_refused_in_one_line() {
    let ids = vec!["1"; 65].join(",");
    for (flags, status, words) in [
        (&["a", "--kv-room", "294911"][..], 1, "--kv-room"),
        (&["a", "--kv-room", "0"], 1, "--kv-room"),
        (&["a", "--kv-room", "9000000GB"], 1, "more memory"),
        (&["--port", "0", "--kv-room", "1kB"], 1, "--kv-room"),
        (&["--port", "0", "--kv-room", "9000000GiB"], 1, "more memory"),
        (&["--token-ids", &ids, "-n", "1", "--kv-room", "294912"], 1, "65 tokens"),
        (&["a", "-n", "100", "--ignore-eos", "--kv-room", "294912"], 1, "--kv-room"),
        (&["a", "--kv-room", "2XB"], 2, "512MiB"),
        (&["a", "--kv-room", "GB"], 2, "whole number"),
        (&["a", "--kv-room", ""], 2, "whole number"),
        (&["a", "--kv-room", "2.5GB"], 2, "whole number"),
        (&["a", "--kv-room", "99999999999GiB"], 2, "64 bits"),
        (&["a", "--kv-room", "99999999999999999999"], 2, "64 bits"),
        (&["a", "--kv-room", "1GB", "--kv", "contiguous"], 2, "--kv"),
        (&["a", "--answers", "2", "--kv", "off"], 2, "--answers"),
        (&["a", "--answers", "0"], 2, "--answers"),
        (&["--port", "0", "--kv", "off"], 2, "--kv"),
    ] {
        let output = program().args(flags).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{flags:?}: {said}");
        assert!(output.stdout.is_empty(), "{flags:?}");
        assert!(said.starts_with("error: ") && said.contains(words), "{flags:?}: {said}");
        // A mistake in what was typed comes with a hint at what could be.
        assert!(status == 2 || said.lines().count() == 1, "{flags:?}: {said}");
    }
}

/// Without --kv-room a pool is as large as what's asked of it, but never takes all that the machine has left.
#[test]
fn a_pool_leaves_half_of_the_memory_to_others() {
    let answers = std::num::NonZeroUsize::MIN;
    let paged = ch10_paged_kv::paged::Paged { kv_room: None, answers };
    let (config, kv_type) = (test_support::qwen3_0_6b(), ch10_paged_kv::cache::KvType::F16);
    let blocks = |positions| paged.pool(&config, kv_type, positions).expect("a pool").blocks;
    // Half, when it was asked for; others may have taken some since.
    let most = ground::machine::available_memory().map_or(u64::MAX, |free| free / 4 * 3);
    let all = blocks(1 << 40);
    assert!(all > 0 && all as u64 * (7 << 20) <= most, "{all} blocks");
    assert_eq!(blocks(65), 2);
}
