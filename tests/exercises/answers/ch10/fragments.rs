//? title: Which requests find no place, in one piece and in blocks
//? page: ch10/result.md
//? section: What a request takes
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
    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, Random};

    struct Given {
        memory: usize,
        block: usize,
        events: Vec<Event>,
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
        let case = |g: &Given| format!("contiguous: {} positions; {}", g.memory, events(g));
        let answer = |g: &Given| contiguous(g.memory, &g.events);
        ask_all(given(), case, answer, first_fit, &mistakes_of_one_piece(), told)?;
        let case = |g: &Given| {
            format!("in_blocks: {} positions in blocks of {}; {}", g.memory, g.block, events(g))
        };
        let answer = |g: &Given| in_blocks(g.memory, g.block, &g.events);
        let right = |g: &Given| counted(g, g.memory / g.block, g.block, false);
        ask_all(given(), case, answer, right, &mistakes_of_blocks(), told)
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

    /// The first ones can be drawn.
    fn given() -> Vec<Given> {
        let ten = |events: &[Event]| Given { memory: 10, block: 2, events: events.to_vec() };
        let mut given = vec![
            ten(&[Arrives(10)]),
            ten(&[Arrives(11)]),
            ten(&[Arrives(4), Arrives(6), Arrives(1)]),
            ten(&[Arrives(4), Arrives(2), Arrives(4), Leaves(0), Leaves(2), Arrives(5)]),
            ten(&[Arrives(4), Arrives(2), Arrives(4), Leaves(1), Leaves(0), Arrives(6)]),
            // The first hole is not the best, nor the last.
            ten(&[
                Arrives(5),
                Arrives(1),
                Arrives(3),
                Leaves(0),
                Leaves(2),
                Arrives(3),
                Arrives(3),
            ]),
            ten(&[Arrives(8), Arrives(5), Leaves(1), Arrives(3)]),
            // In one piece there is a place, and in blocks there is none.
            ten(&[Arrives(1), Arrives(1), Arrives(1), Arrives(1), Arrives(1), Arrives(1)]),
            Given {
                memory: 11,
                block: 4,
                events: vec![Arrives(4), Arrives(4), Arrives(3), Leaves(0), Arrives(3)],
            },
            Given { memory: 3, block: 4, events: vec![Arrives(3)] },
            Given { memory: 0, block: 1, events: vec![Arrives(1), Leaves(0)] },
        ];
        let mut random = Random::new(105);
        for _ in 0..60 {
            let (memory, block) = (40 + random.below(60), 1 + random.below(8));
            given.push(any(&mut random, memory, block, 60));
        }
        given.push(any(&mut random, 400, 7, 2_000));
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
        Given { memory, block, events }
    }

    /// Position by position: whose it is. `place` finds so many free ones, and `number` is what a request is called.
    fn in_one_piece(
        given: &Given,
        place: impl Fn(&[Option<usize>], usize) -> Option<usize>,
        number: impl Fn(usize) -> usize,
    ) -> Refused {
        let mut owners: Vec<Option<usize>> = vec![None; given.memory];
        let (mut arrived, mut refused) = (0, Vec::new());
        for event in &given.events {
            match *event {
                Arrives(length) => {
                    match place(&owners, length) {
                        Some(start) => {
                            owners[start..start + length].fill(Some(number(arrived)))
                        }
                        None => refused.push(arrived),
                    }
                    arrived += 1;
                }
                Leaves(left) => {
                    let is_it = |owner: &&mut Option<usize>| **owner == Some(number(left));
                    owners.iter_mut().filter(is_it).for_each(|owner| *owner = None);
                }
            }
        }
        refused
    }

    fn first_free(owners: &[Option<usize>], length: usize) -> Option<usize> {
        owners.windows(length).position(|place| place.iter().all(Option::is_none))
    }

    fn first_fit(given: &Given) -> Refused {
        in_one_piece(given, first_free, |number| number)
    }

    fn best_fit(given: &Given) -> Refused {
        let place = |owners: &[Option<usize>], length: usize| {
            let mut start = 0;
            let holes = owners.split(Option::is_some).map(|hole| {
                let begin = start;
                start += hole.len() + 1;
                (hole.len(), begin)
            });
            holes.filter(|(hole, _)| *hole >= length).min().map(|(_, begin)| begin)
        };
        in_one_piece(given, place, |number| number)
    }

    /// Of so many blocks, which are all alike.
    fn counted(
        given: &Given,
        blocks: usize,
        block: usize,
        refused_gives_back: bool,
    ) -> Refused {
        let (mut free, mut taken, mut refused) = (blocks, Vec::new(), Vec::new());
        for event in &given.events {
            match *event {
                Arrives(length) => {
                    let needed = length.div_ceil(block);
                    let fits = needed <= free;
                    if fits {
                        free -= needed;
                    } else {
                        refused.push(taken.len());
                    }
                    taken.push(if fits || refused_gives_back { needed } else { 0 });
                }
                Leaves(number) => free += taken[number],
            }
        }
        refused
    }

    fn mistakes_of_one_piece() -> Vec<Mistake<Given, Refused>> {
        vec![
            ("there is as much free as it needs, but not in one piece", |g| {
                counted(g, g.memory, 1, false)
            }),
            (
                "this takes the smallest hole that is large enough, and the first one is asked for",
                best_fit,
            ),
            ("more requests than a byte can count: two of them have one number", |g| {
                in_one_piece(g, first_free, |number| number % 256)
            }),
        ]
    }

    fn mistakes_of_blocks() -> Vec<Mistake<Given, Refused>> {
        vec![
            ("what is left at the end of the memory is less than a block", |g| {
                counted(g, g.memory.div_ceil(g.block), g.block, false)
            }),
            ("the blocks of a request need not be side by side", |g| {
                let whole = |event: &Event| match *event {
                    Arrives(length) => Arrives(length.div_ceil(g.block)),
                    leaves => leaves,
                };
                let events = g.events.iter().map(whole).collect();
                first_fit(&Given { memory: g.memory / g.block, block: 1, events })
            }),
            ("a request that was refused gave back what it never had", |g| {
                counted(g, g.memory / g.block, g.block, true)
            }),
        ]
    }
}
