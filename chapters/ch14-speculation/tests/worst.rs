//! Sixteen texts are written while somebody else sends the worst that's allowed.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use served::{CHAT, COMPLETIONS, Served, long, post, serve, with};

const TIME: Duration = Duration::from_millis(500);

/// (path, body): each as large in some way as it's taken.
fn attacks() -> [(&'static str, Value); 7] {
    let short = json!({ "prompt": "a", "max_tokens": 60, "n": 8, "ignore_eos": true });
    let stops: Vec<String> = (0..16).map(|at| format!("{}{at:02}", "a".repeat(1022))).collect();
    let bias: Map<_, _> = (0..1500).map(|id: u32| (id.to_string(), json!(id % 3))).collect();
    let said = |count, text: &str| vec![json!({ "role": "user", "content": text }); count];
    let likely = json!({
        "messages": said(1, "Tell"), "n": 8, "max_tokens": 200, "ignore_eos": true,
        "logprobs": true, "top_logprobs": 20,
    });
    [
        (COMPLETIONS, with(&short, "user", vec![json!([[]]); 800_000])),
        (COMPLETIONS, with(&short, "stop", stops)),
        (COMPLETIONS, with(&short, "logit_bias", bias)),
        (COMPLETIONS, with(&short, "prompt", vec!["a"; 8])),
        (CHAT, json!({ "messages": said(4096, &"a".repeat(900)) })),
        (CHAT, likely),
        ("/tokenize", json!({ "content": "qzx ".repeat(2_000), "with_pieces": true })),
    ]
}

/// One stream after another, and all gaps between their tokens.
fn write(server: &Served, gaps: &Mutex<Vec<Duration>>, end: Instant) {
    let request = post(COMPLETIONS, &long(900, true));
    while Instant::now() < end {
        let (mut client, mut last) = (server.client(), None::<Instant>);
        client.send(&request);
        while let Ok(line) = client.line()
            && !line.starts_with("data: [DONE]")
            && Instant::now() < end
        {
            if line.starts_with("data: ") {
                let gap = last.replace(Instant::now()).map(|before| before.elapsed());
                gaps.lock().expect("nobody panics").extend(gap);
            }
        }
    }
}

#[test]
#[ignore = "cargo prove: twelve seconds; with CROWD=long and --release it tells exactly, where nothing else runs"]
fn the_worst_that_one_sends_at_most_doubles_the_others_gap() {
    // The others have places, too.
    let server = serve(&["--max-num-seqs", "24", "--context", "1024", "--kv-room", "200MB"]);
    let gaps = Mutex::new(Vec::new());
    let p99 = || {
        gaps.lock().expect("nobody panics").clear();
        let start = Instant::now();
        let health = server.longest_wait(|| start.elapsed() < TIME);
        let mut gaps = gaps.lock().expect("nobody panics").split_off(0);
        gaps.sort();
        (gaps[gaps.len() * 99 / 100], health)
    };
    // The quietest counts. What isn't optimised reads JSON ten times as slowly, on the same cores.
    let is_long = std::env::var_os("CROWD").is_some();
    let (count, most) = match (is_long, cfg!(debug_assertions)) {
        (false, _) => (1, 12),
        (true, true) => (4, 6),
        (true, false) => (4, 2),
    };
    let attacks = attacks();
    let end = Instant::now() + TIME * (3 + attacks.len() as u32 * count * 3);
    let all = thread::scope(|scope| {
        (0..16).for_each(|_| drop(scope.spawn(|| write(&server, &gaps, end))));
        thread::sleep(3 * TIME); // until all write
        let attacked = attacks.iter().map(|(path, body)| {
            let request = post(path, body);
            let rounds = (0..count).map(|_| {
                let ((alone, _), end) = (p99(), Instant::now() + TIME);
                let attack = || {
                    while Instant::now() < end {
                        let mut client = server.client();
                        client.waits(TIME);
                        let _ = client.ask(&request); // or leaves
                    }
                };
                let (beside, health) = thread::scope(|scope| {
                    (0..4).for_each(|_| drop(scope.spawn(attack)));
                    p99()
                });
                [alone, beside, health]
            });
            rounds.reduce(|a, b| [0, 1, 2].map(|at| a[at].min(b[at]))).expect("a round")
        });
        attacked.collect::<Vec<_>>()
    });
    println!("the gap alone and beside, the longest wait for /health: {all:#?}");
    for [alone, beside, health] in all {
        assert!(beside <= alone * most + Duration::from_millis(2), "{beside:?}");
        assert!(health < Duration::from_millis(500), "/health waited {health:?}");
    }
}
