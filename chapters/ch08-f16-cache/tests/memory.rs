//! What a run takes is known before, in either type and with every kind of cache.

use std::process::Command;
use std::thread;

use serde_json::Value;

fn metrics(tokens: usize, flags: &[&str]) -> Value {
    let ids: Vec<String> = (0..tokens).map(|i| ((i * 7919 + 13) % 1500).to_string()).collect();
    let fixed =
        ["--token-ids", &ids.join(","), "-n", "2", "--ignore-eos", "--json", "--threads=1"];
    let mut engine = Command::new(env!("CARGO_BIN_EXE_ch08-f16-cache"));
    let output = engine.args(fixed).args(flags).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let whole: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    whole["metrics"].clone()
}

#[test]
#[ignore = "cargo prove: whole runs, long ones"]
fn memory_is_what_was_said() {
    let bytes = |value: &Value| value.as_u64().expect("a number of bytes");
    // Of a number in a cache, how many of it there are for a moment, and in how many layers.
    let cases: [(&[&str], u64, u64, u64); 6] = [
        (&["--kv=contiguous"], 2, 1, 6),
        (&["--kv=basic"], 2, 2, 6),
        (&["--kv=off"], 2, 2, 1),
        (&["--kv=contiguous", "--kv-type=f32"], 4, 1, 6),
        (&["--kv=basic", "--kv-type=f32"], 4, 2, 6),
        (&["--kv=off", "--kv-type=f32"], 4, 2, 1),
    ];
    let holds = move |(flags, number, copies, layers): (&[&str], u64, u64, u64)| {
        // With the answer's first token 1,001 positions and 1,801: 16 blocks, and 29.
        let said = [1000, 1800].map(|tokens| {
            let metrics = metrics(tokens, flags);
            let said = metrics["memory_in_advance_bytes"].clone();
            let found = metrics["peak_memory_bytes"].as_u64();
            assert_eq!(found.is_some(), cfg!(target_os = "linux"));
            assert!(
                found < Some(bytes(&said["total"])),
                "{flags:?}: {found:?} bytes, but {said}"
            );
            said
        });
        let grown = bytes(&said[1]["cache"]) - bytes(&said[0]["cache"]);
        assert_eq!(grown, 13 * 64 * 2 * layers * 3 * 64 * number * copies, "{flags:?}");
    };
    // Each run by itself has one thread.
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || holds(case));
        }
    });
}
