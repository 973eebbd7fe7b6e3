//! Parts of the chapter, each in a file of its own. `cargo run -- check ch04 --part NAME` tries one on a reader's chapter, so
//! none needs more than the chapter has when the book has come to it. And one test of the whole program.

mod pool;
mod rows;

/// Where the system has no memory for the stacks of so many threads.
#[cfg(target_os = "linux")]
#[test]
fn more_threads_than_the_system_gives_are_one_line() {
    // Large stacks: when there is no room for another one, there still is for everything that is small.
    let program = env!("CARGO_BIN_EXE_ch04-threads");
    let command =
        format!("ulimit -v 2000000; RUST_MIN_STACK=100000000 {program} --threads 256");
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .output()
        .expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("of 256 cannot be started") && said.contains("--threads"), "{said}");
}
