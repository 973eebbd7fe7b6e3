//! A pool that counts by hand, with a fault
//!
//! A pool that knows by its own counts which blocks are in use. A text takes blocks one by one. Another text that begins
//! like it shares some of them. Texts end, several of them in one step of the server, and blocks that nobody has any more
//! are handed out again:
//!
//! - `new(blocks)`: a pool of so many blocks. All of them are free.
//! - `take()`: the number of a free block, for one text. `None` if there is none.
//! - `share(blocks)`: one text more has these blocks.
//! - `end(texts)`: these texts have ended. Each entry is one of them, with all its blocks, and a text has a block once.
//! - `free()`: how many blocks can be taken.
//!
//! Someone has written it with care and tested it with one text after the other. Since the server answers several at a
//! time, now and then two conversations get mixed up. Find the fault with the help of the test, and mend it where it is.
//! Which of the free blocks is taken next doesn't matter. `free()` has to be right after every call.
//!
//! Level: core, about 20 minutes.
//! Read: "A pool of blocks", in the book at ch10/room.html.
//! Run: `cargo run -- watch given_back`, or once: `cargo test -p ch10-exercises given_back`.
//! Stuck: `cargo run -- hint given_back`. Done: `cargo run -- solution given_back`. Start over: `cargo run -- reset given_back`.

pub struct Pool {
    free: Vec<usize>,
    holders: Vec<usize>, // how many texts have this block
}

impl Pool {
    pub fn new(blocks: usize) -> Pool {
        Pool { free: (0..blocks).rev().collect(), holders: vec![0; blocks] }
    }

    pub fn take(&mut self) -> Option<usize> {
        let block = self.free.pop()?;
        self.holders[block] = 1;
        Some(block)
    }

    pub fn share(&mut self, blocks: &[usize]) {
        for &block in blocks {
            self.holders[block] += 1;
        }
    }

    pub fn end(&mut self, texts: &[Vec<usize>]) {
        for &block in texts.iter().flatten() {
            self.holders[block] -= 1;
        }
        for &block in texts.iter().flatten() {
            if self.holders[block] == 0 {
                self.free.push(block);
            }
        }
    }

    pub fn free(&self) -> usize {
        self.free.len()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(Pool::new, Pool::take, Pool::share, Pool::end, Pool::free) in "../../../../tests/exercises/answers/ch10/given_back.rs");
