//? title: A pool that counts by hand, with a fault
//? page: ch10/room.md
//? section: A room
//? level: core
//? minutes: 20
//? call: check(answer::Pool::new, answer::Pool::take, answer::Pool::share, answer::Pool::end, answer::Pool::free)
//? hint 1: In which of the stories do texts end, and in which of these does it go wrong? Take the one that the check names, with a pencil: write down `free` and `holders` after each line of `end`.
//? hint 2: Two texts have the same block and end in the same step. How often does the second loop come to that block, and what does it find in `holders` each time?
//? hint 3: A count that is 0 says that nobody has the block. It doesn't say who was the last. Only the step from 1 to 0 says that, and it happens once: ask right after counting down, in the same loop.
//? why: "Is it 0?" is true for everybody who asks after the last one has gone, and "did I make it 0?" is true once. The given
//?   function asked the first question, and only after all counts had been taken down, so each of the texts that ended
//?   together gave the block back. Nothing is wrong at that moment. Two steps later, two strangers have the same block, and
//?   each writes over the other's keys and values; the room has become larger on paper by a block. Searching `free` before
//?   each push would mend the symptom, at a price that grows with the room. In this chapter's room there's no count of ours to
//?   ask about: `Arc` drops what it holds when its own count goes from 1 to 0, and giving a block back is what dropping it does.

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
            //-- starter
            // }
            // for &block in texts.iter().flatten() {
            //-- end
            if self.holders[block] == 0 {
                self.free.push(block);
            }
        }
    }

    pub fn free(&self) -> usize {
        self.free.len()
    }
}
