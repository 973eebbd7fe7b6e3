//? title: Which requests find no place, in one piece and in blocks
//? page: ch10/result.md
//? section: What a request takes
//? level: core
//? minutes: 40
//? call: check(answer::contiguous, answer::in_blocks)
//? hint 1: Draw a memory of 10 positions. Requests of 4, 2 and 4 arrive, and the first and the last of them leave. How many positions are free, and for how long a request? Then the one of 2 leaves too. What has to be known about the free positions, and what follows from where the pieces are?
//? hint 2: A hole begins at 0 or where a piece ends; nowhere else can a first fit begin. So it's enough to remember the pieces: try 0 and each end, and ask whether the new piece would be outside of all others and inside the memory. Then there are no holes to join. With blocks it's a single number that has to be remembered, and what each request has taken.
//? hint 3: Keep `pieces: Vec<(usize, Range<usize>)>`, a request's number and its place. On `Arrives(length)`: of 0 and all `place.end`, keep each `start` with `start + length <= memory` for which every place has `start + length <= place.start || place.end <= start`, and take the `min()`. On `Leaves(number)`: `pieces.retain(|(other, _)| *other != number)`. For the blocks, keep a `Vec` of what each request has taken, 0 if it was refused.
//? why: A hole is used only by what fits into it, so what's free in many small holes is as good as full: *external fragmentation*. It comes
//?   from requests of different lengths that leave in another order than they came, and no rule for choosing a hole prevents it;
//?   only moving pieces would. Blocks are all of one size, so any free block is as good as any other, and a request is refused
//?   only if there really are too few. What is lost instead is at the end of each text, less than a block:
//?   *internal fragmentation*. With long blocks and short texts that can be worse, and the check has a case in which a
//?   request finds a place in one piece and none in blocks. Here the requests said how long they'd be, which real ones
//?   can't. In one piece they'd have to reserve the most that they may need, and blocks are taken as the text grows.

//! A server has memory for the rows of `memory` positions. Requests arrive, each for so many tokens (at least one), and
//! leave, in any order. A request that finds no place is refused: it's gone for good and takes nothing. Return the
//! numbers of all requests that are refused, in their order, in two such servers:
//!
//! - `contiguous`: a request's rows are in one piece, as they've been up to chapter 9. It gets the first hole that is large
//!   enough, the one with the smallest position, and lies at that hole's beginning. Nothing is ever moved.
//! - `in_blocks`: the memory is cut into blocks of `block` positions. What's left over at its end is of no use. A request
//!   takes as many blocks as it needs, wherever they are, and no two requests share one.
//!
//! Requests are numbered as they arrive, from 0, the refused ones too. `Leaves(number)` says that one is over. That may
//! be said of a refused one as well. It is said at most once, and never of one that hasn't arrived.

use exercise_kit::blocks::Event;
//-- solution
use std::iter::once;
use std::ops::Range;
//-- end

pub fn contiguous(memory: usize, events: &[Event]) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    let mut pieces: Vec<(usize, Range<usize>)> = Vec::new();
    let (mut arrived, mut refused) = (0, Vec::new());
    for event in events {
        match *event {
            Event::Arrives(length) => {
                let fits = |start: &usize| {
                    let end = start + length;
                    let is_apart = |(_, place): &(usize, Range<usize>)| {
                        end <= place.start || place.end <= *start
                    };
                    end <= memory && pieces.iter().all(is_apart)
                };
                let starts = once(0).chain(pieces.iter().map(|(_, place)| place.end));
                match starts.filter(fits).min() {
                    Some(start) => pieces.push((arrived, start..start + length)),
                    None => refused.push(arrived),
                }
                arrived += 1;
            }
            Event::Leaves(number) => pieces.retain(|(other, _)| *other != number),
        }
    }
    refused
    //-- end
}

pub fn in_blocks(memory: usize, block: usize, events: &[Event]) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    let mut free = memory / block;
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    for event in events {
        match *event {
            Event::Arrives(length) => {
                let mut needed = length.div_ceil(block);
                if needed > free {
                    refused.push(taken.len());
                    needed = 0;
                }
                free -= needed;
                taken.push(needed);
            }
            Event::Leaves(number) => free += taken[number],
        }
    }
    refused
    //-- end
}
