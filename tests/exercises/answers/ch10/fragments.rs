//? title: Which requests find no place, in one piece and in blocks
//? page: ch10/result.md
//? section: Memory and speed with blocks
//? level: core
//? minutes: 40
//? call: check(contiguous, in_blocks)
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

// A server has memory for the rows of `memory` positions. Requests arrive, each for so many tokens (at least one), and
// leave, in any order. A request that finds no place is refused: it's gone for good and takes nothing. Return the
// numbers of all requests that are refused, in their order, in two such servers:
//
// - `contiguous`: a request's rows are in one piece, as they've been up to chapter 9. It gets the first hole that is large
//   enough, the one with the smallest position, and lies at that hole's beginning. Nothing is ever moved.
// - `in_blocks`: the memory is cut into blocks of `block` positions. What's left over at its end is of no use. A request
//   takes as many blocks as it needs, wherever they are, and no two requests share one.
//
// Requests are numbered as they arrive, from 0, the refused ones too. `Leaves(number)` says that one is over. That may
// be said of a refused one as well. It is said at most once, and never of one that hasn't arrived.

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

//-- check
pub mod check {
    use exercise_kit::blocks::Event::{self, Arrives, Leaves};
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, Random};

    struct Given {
        memory: usize,
        block: usize,
        events: Vec<Event>,
        /// Why the answer is likely to be wrong here, if it was right before.
        likely: &'static str,
    }

    type Refused = Vec<usize>;

    pub fn check(
        contiguous: fn(usize, &[Event]) -> Vec<usize>,
        in_blocks: fn(usize, usize, &[Event]) -> Vec<usize>,
    ) -> Checked {
        let events = |g: &Given| match g.events.len() {
            0..100 => format!("{:?}", g.events),
            many => format!("{many} events that begin with {:?}", &g.events[..20]),
        };
        let likely = |g: &Given, _: &Refused, _: Option<&Refused>| g.likely;
        let mut random = Random::new(105);
        // The first hole is not the best in the second one, nor the last.
        let begin = [
            ten(
                "there is as much free as it needs, but not in one piece",
                &[4, 2, 4],
                &[0, 2],
                &[5],
            ),
            ten(
                "this takes the smallest hole that is large enough, and the first one is asked for",
                &[5, 1, 3],
                &[0, 2],
                &[3, 5],
            ),
        ];
        let case = |g: &Given| format!("contiguous: {} positions; {}", g.memory, events(g));
        let answer = |g: &Given| contiguous(g.memory, &g.events);
        let many = "more requests than a byte can count: two of them have one number";
        let last = Given { likely: many, ..any(&mut random, 60, 7, 120_000) };
        let all = begin.into_iter().chain(drawn(&mut random)).chain([last, large(&mut random)]);
        ask_each(all, case, answer, first_fit, likely, told)?;

        let less = "what is left at the end of the memory is less than a block";
        let begin = [
            Given { memory: 3, block: 4, ..ten(less, &[3], &[], &[]) },
            ten("the blocks of a request need not be side by side", &[4, 2, 4], &[0, 2], &[5]),
            ten("a request that was refused gave back what it never had", &[8, 5], &[1], &[3]),
        ];
        let case = |g: &Given| {
            format!("in_blocks: {} positions in blocks of {}; {}", g.memory, g.block, events(g))
        };
        let answer = |g: &Given| in_blocks(g.memory, g.block, &g.events);
        let all = begin.into_iter().chain(drawn(&mut random)).chain([large(&mut random)]);
        ask_each(all, case, answer, counted, likely, told)
    }

    /// Requests of these lengths arrive, some leave, and others arrive.
    fn ten(likely: &'static str, first: &[usize], leave: &[usize], then: &[usize]) -> Given {
        let (first, then) =
            (first.iter().copied().map(Arrives), then.iter().copied().map(Arrives));
        let events = first.chain(leave.iter().copied().map(Leaves)).chain(then).collect();
        Given { memory: 10, block: 2, events, likely }
    }

    fn told(expected: &Refused, found: &Refused) -> (String, String) {
        // Of many, those from the first difference on.
        let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
        let told = |all: &Refused| match &all[same.min(all.len())..] {
            [] => format!("refused: {same} requests and no more"),
            more => {
                format!("refused: {same} requests, and then {:?}", &more[..more.len().min(8)])
            }
        };
        (told(expected), told(found))
    }

    fn drawn(random: &mut Random) -> Vec<Given> {
        let one = |i: usize| {
            let (memory, block) = (random.below(2 + i), 1 + random.below(8));
            any(random, memory, block, i)
        };
        (0..100).map(one).collect()
    }

    /// In more memory than sixteen bits count.
    fn large(random: &mut Random) -> Given {
        let mut given = any(random, 1 << 20, 2, 3_000);
        given.events.iter_mut().for_each(|event| match event {
            Arrives(length) => *length *= 10_000,
            Leaves(_) => {}
        });
        given
    }

    /// Requests of many lengths that leave in any order, each once.
    fn any(random: &mut Random, memory: usize, block: usize, count: usize) -> Given {
        let (mut events, mut there, mut arrived) = (Vec::new(), Vec::new(), 0);
        for _ in 0..count {
            if random.below(5) < 2 && !there.is_empty() {
                events.push(Leaves(there.swap_remove(random.below(there.len()))));
            } else {
                let most = if random.below(4) == 0 { 40 } else { 12 };
                events.push(Arrives(1 + random.below(most)));
                there.push(arrived);
                arrived += 1;
            }
        }
        Given { memory, block, events, likely: "" }
    }

    /// The pieces in their order, each with its number: the first hole is the first gap between two of them.
    fn first_fit(given: &Given) -> Refused {
        let mut pieces: Vec<(usize, usize, usize)> = Vec::new();
        let (mut arrived, mut refused) = (0, Vec::new());
        for event in &given.events {
            match *event {
                Arrives(length) => {
                    let (mut at, mut start) = (0, 0);
                    while pieces.get(at).is_some_and(|piece| piece.0 < start + length) {
                        (at, start) = (at + 1, pieces[at].1);
                    }
                    match start + length <= given.memory {
                        true => pieces.insert(at, (start, start + length, arrived)),
                        false => refused.push(arrived),
                    }
                    arrived += 1;
                }
                Leaves(left) => pieces.retain(|(_, _, number)| *number != left),
            }
        }
        refused
    }

    /// Of blocks that are all alike.
    fn counted(given: &Given) -> Refused {
        let (mut free, mut taken, mut refused) =
            (given.memory / given.block, Vec::new(), Vec::new());
        for event in &given.events {
            match *event {
                Arrives(length) => {
                    let needed = length.div_ceil(given.block);
                    if needed > free {
                        refused.push(taken.len());
                    }
                    taken.push(if needed > free { 0 } else { needed });
                    free -= taken[taken.len() - 1];
                }
                Leaves(number) => free += taken[number],
            }
        }
        refused
    }
}
