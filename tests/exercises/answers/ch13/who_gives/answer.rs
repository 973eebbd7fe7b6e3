//? title: Who gives back
//? page: ch13/room.md
//? section: Who gives
//? level: core
//? minutes: 25
//? call: check(answer::who_gives)
//? hint 1: Write the texts in a row, the oldest on the left, and put a finger on the one that needs blocks. On which side of the finger may anybody lose something, and at which end do you begin?
//? hint 2: Count what there is: what's free, then what each one gives back, from the right. Stop as soon as it's enough, also if that is at once. A text that has nothing can't give.
//? hint 3: `for text in (index + 1..blocks.len()).rev()`, with `have` beginning at `free`. In the end `have >= wanted` says whether it was any use, and if not, the list mustn't be returned.
//? why: The order is what makes a full room safe. Whoever is older gets on at the cost of whoever is younger, never the other way round, so the oldest always gets to
//?   its end, and then there's a new oldest. If two texts could take from each other, they might do so for ever, each computing the rows again that the other one
//?   has just thrown away. That's called a livelock: everybody is busy and nothing is done. Taking from the youngest first also loses the least, for it has the
//?   least to compute again. And taking in vain would be the worst: two have lost their rows and none has got on. (Our engine does take in vain, now and then, when it finds out too late that
//?   it isn't enough. What was taken stays in the tree, so it costs little.)

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

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let (mut have, mut gives) = (free, Vec::new());
    for text in (index + 1..blocks.len()).rev() {
        if have >= wanted {
            break;
        }
        if blocks[text] > 0 {
            have += blocks[text];
            gives.push(text);
        }
    }
    (have >= wanted).then_some(gives)
    //-- end
}
