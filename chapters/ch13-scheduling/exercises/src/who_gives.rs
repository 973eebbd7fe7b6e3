//! Who gives back
//!
//! Some texts are running, the oldest first; `blocks[text]` is how many blocks each would give back if it lost its rows. Text
//! `index` needs `wanted` more blocks, and `free` are free.
//!
//! Return the texts that lose their rows for it, in the order in which they do:
//!
//! - only those that are younger than it, the youngest first;
//! - none that has nothing to give;
//! - none that isn't needed any more.
//!
//! If even all of them together don't give enough, nobody loses anything, and the answer is `None`. If nobody needs to lose
//! anything, it's an empty list.
//!
//! Level: core, about 25 minutes.
//! Read: "Who gives", in the book at ch13/room.html.
//! Run: `cargo run -- watch who_gives`, or once: `cargo test -p ch13-exercises who_gives`.
//! Stuck: `cargo run -- hint who_gives`. Done: `cargo run -- solution who_gives`. Start over: `cargo run -- reset who_gives`.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(who_gives) in "../../../../tests/exercises/answers/ch13/who_gives.rs");
