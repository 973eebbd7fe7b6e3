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
    use exercise_kit::explained::{Answered, Mistake, explained};
    use exercise_kit::{Checked, Failure, Random, call};

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
        let case = |g: &Given| format!("contiguous: {} positions; {:?}", g.memory, g.events);
        let all = ask(case, right_in_one_piece, |g| contiguous(g.memory, &g.events))?;
        explained(&all, right_in_one_piece, &mistakes_of_one_piece(), show)?;
        let case = |Given { memory, block, events }: &Given| {
            format!("in_blocks: {memory} positions in blocks of {block}; {events:?}")
        };
        let all = ask(case, right_in_blocks, |g| in_blocks(g.memory, g.block, &g.events))?;
        explained(&all, right_in_blocks, &mistakes_of_blocks(), show)
    }

    fn ask(
        case: impl Fn(&Given) -> String,
        right: fn(&Given) -> Refused,
        answer: impl Fn(&Given) -> Refused,
    ) -> Result<Vec<Answered<Given, Refused>>, Failure> {
        let answered = |given: Given| {
            let case = case(&given);
            let found = call(&case, || answer(&given))
                .map_err(|failure| Failure { expected: told(&right(&given)), ..failure })?;
            Ok(Answered { case, given, found })
        };
        given().into_iter().map(answered).collect()
    }

    fn show(expected: &Refused, found: &Refused) -> (String, String) {
        (told(expected), told(found))
    }

    fn told(refused: &Refused) -> String {
        match &refused[..] {
            [] => "none is refused".into(),
            all => format!("refused: {all:?}"),
        }
    }

    /// The first ones can be drawn.
    fn given() -> Vec<Given> {
        let ten = |events: &[Event]| Given { memory: 10, block: 2, events: events.to_vec() };
        let mut given = vec![
            ten(&[]),
            ten(&[Arrives(10)]),
            ten(&[Arrives(11)]),
            ten(&[Arrives(4), Arrives(6), Arrives(1)]),
            ten(&[Arrives(4), Arrives(2), Arrives(4), Leaves(0), Leaves(2), Arrives(5)]),
            ten(&[Arrives(4), Arrives(2), Arrives(4), Leaves(0), Leaves(1), Arrives(5)]),
            ten(&[Arrives(4), Arrives(2), Arrives(4), Leaves(1), Leaves(0), Arrives(6)]),
            ten(&[
                Arrives(3),
                Arrives(3),
                Arrives(3),
                Leaves(0),
                Leaves(2),
                Leaves(1),
                Arrives(10),
            ]),
            // The first hole is not the best, nor the last.
            ten(&[
                Arrives(5),
                Arrives(1),
                Arrives(2),
                Leaves(0),
                Leaves(2),
                Arrives(4),
                Arrives(5),
            ]),
            ten(&[
                Arrives(5),
                Arrives(1),
                Arrives(3),
                Leaves(0),
                Leaves(2),
                Arrives(4),
                Arrives(4),
                Arrives(1),
            ]),
            ten(&[Arrives(8), Arrives(5), Arrives(2), Leaves(1), Leaves(2), Arrives(2)]),
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
            given.push(any(&mut random));
        }
        given
    }

    /// Requests of many lengths that leave in any order, each once.
    fn any(random: &mut Random) -> Given {
        let (memory, block) = (40 + random.below(60), 1 + random.below(8));
        let (mut events, mut there, mut arrived) = (Vec::new(), Vec::new(), 0);
        for _ in 0..60 {
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

    /// Position by position: whose it is.
    fn right_in_one_piece(given: &Given) -> Refused {
        let mut owners: Vec<Option<usize>> = vec![None; given.memory];
        let (mut arrived, mut refused) = (0, Vec::new());
        for event in &given.events {
            match *event {
                Arrives(length) => {
                    let place =
                        owners.windows(length).position(|it| it.iter().all(Option::is_none));
                    match place {
                        Some(start) => owners[start..start + length].fill(Some(arrived)),
                        None => refused.push(arrived),
                    }
                    arrived += 1;
                }
                Leaves(number) => {
                    owners
                        .iter_mut()
                        .filter(|owner| **owner == Some(number))
                        .for_each(|it| *it = None);
                }
            }
        }
        refused
    }

    fn right_in_blocks(given: &Given) -> Refused {
        counted(given, BLOCKS)
    }

    /// How blocks are counted, in parts that a mistake replaces.
    #[derive(Clone, Copy)]
    struct Count {
        room: fn(&Given) -> usize,
        needed: fn(usize, usize) -> usize,
        refused_gives_back: bool,
        numbers_refused: bool,
    }

    const BLOCKS: Count = Count {
        room: |g| g.memory / g.block,
        needed: usize::div_ceil,
        refused_gives_back: false,
        numbers_refused: true,
    };

    fn counted(given: &Given, count: Count) -> Refused {
        let mut free = (count.room)(given);
        let (mut arrived, mut taken, mut refused) = (0, Vec::new(), Vec::new());
        for event in &given.events {
            match *event {
                Arrives(length) => {
                    let needed = (count.needed)(length, given.block);
                    if needed <= free {
                        free -= needed;
                        taken.push(needed);
                    } else {
                        refused.push(arrived);
                        if count.numbers_refused {
                            taken.push(if count.refused_gives_back { needed } else { 0 });
                        }
                    }
                    arrived += 1;
                }
                Leaves(number) => {
                    // A number that means another request may come twice.
                    if let Some(taken) = taken.get_mut(number) {
                        free += std::mem::take(taken);
                    }
                }
            }
        }
        refused
    }

    /// How a list of holes is used, in parts that a mistake replaces.
    #[derive(Clone, Copy)]
    struct Holes {
        fits: fn(usize, usize) -> bool,
        /// Which of the holes that fit, each with its place in the list and its length.
        which: fn(&[(usize, usize)]) -> Option<usize>,
        takes_all: bool,
        joins_before: bool,
        joins_behind: bool,
        uses_again: bool,
        numbers_refused: bool,
    }

    const HOLES: Holes = Holes {
        fits: |hole, length| hole >= length,
        which: |fitting| fitting.first().map(|(place, _)| *place),
        takes_all: false,
        joins_before: true,
        joins_behind: true,
        uses_again: true,
        numbers_refused: true,
    };

    fn with_holes(given: &Given, way: Holes) -> Refused {
        let mut holes = vec![(0, given.memory)];
        let (mut arrived, mut places, mut refused) = (0, Vec::new(), Vec::new());
        for event in &given.events {
            match *event {
                Arrives(length) => {
                    let lengths = holes.iter().map(|(start, end)| end - start).enumerate();
                    let fitting: Vec<(usize, usize)> =
                        lengths.filter(|(_, hole)| (way.fits)(*hole, length)).collect();
                    if let Some(hole) = (way.which)(&fitting) {
                        let (start, end) = holes[hole];
                        let end = if way.takes_all { end } else { start + length };
                        holes[hole].0 = end;
                        places.push(Some((start, end)));
                    } else {
                        refused.push(arrived);
                        if way.numbers_refused {
                            places.push(None);
                        }
                    }
                    arrived += 1;
                }
                Leaves(number) => {
                    if let Some(place) = places.get_mut(number).and_then(Option::take)
                        && way.uses_again
                    {
                        give_back(&mut holes, place, way);
                    }
                }
            }
        }
        refused
    }

    fn give_back(
        holes: &mut Vec<(usize, usize)>,
        (mut start, mut end): (usize, usize),
        way: Holes,
    ) {
        holes.retain(|(start, end)| end > start);
        if way.joins_before
            && let Some(at) = holes.iter().position(|hole| hole.1 == start)
        {
            start = holes.remove(at).0;
        }
        if way.joins_behind
            && let Some(at) = holes.iter().position(|hole| hole.0 == end)
        {
            end = holes.remove(at).1;
        }
        holes.push((start, end));
        holes.sort();
    }

    const NUMBERED: &str =
        "refused requests are not counted: another one leaves than the one that is meant";

    fn mistakes_of_one_piece() -> Vec<Mistake<Given, Refused>> {
        vec![
            ("there is as much free as it needs, but not in one piece", |g| {
                let needed = |length, _| length;
                counted(g, Count { room: |g| g.memory, needed, ..BLOCKS })
            }),
            (
                "this takes the smallest hole that is large enough, and the first one is asked for",
                |g| {
                    let which = |fitting: &[(usize, usize)]| {
                        fitting.iter().min_by_key(|(_, hole)| *hole).map(|(place, _)| *place)
                    };
                    with_holes(g, Holes { which, ..HOLES })
                },
            ),
            (
                "this takes the largest hole, and the first one that is large enough is asked for",
                |g| {
                    let which = |fitting: &[(usize, usize)]| {
                        fitting
                            .iter()
                            .rev()
                            .max_by_key(|(_, hole)| *hole)
                            .map(|(place, _)| *place)
                    };
                    with_holes(g, Holes { which, ..HOLES })
                },
            ),
            (
                "this takes the last hole that is large enough, and the first one is asked for",
                |g| {
                    let which =
                        |fitting: &[(usize, usize)]| fitting.last().map(|(place, _)| *place);
                    with_holes(g, Holes { which, ..HOLES })
                },
            ),
            ("what has become free is never used once more", |g| {
                with_holes(g, Holes { uses_again: false, ..HOLES })
            }),
            ("two holes side by side are one hole", |g| {
                with_holes(g, Holes { joins_before: false, joins_behind: false, ..HOLES })
            }),
            ("what becomes free is not joined with the hole before it", |g| {
                with_holes(g, Holes { joins_before: false, ..HOLES })
            }),
            ("what becomes free is not joined with the hole behind it", |g| {
                with_holes(g, Holes { joins_behind: false, ..HOLES })
            }),
            ("a hole that is exactly as long as the request is large enough", |g| {
                with_holes(g, Holes { fits: |hole, length| hole > length, ..HOLES })
            }),
            ("a request takes the rest of the hole as well, which it does not need", |g| {
                with_holes(g, Holes { takes_all: true, ..HOLES })
            }),
            (NUMBERED, |g| with_holes(g, Holes { numbers_refused: false, ..HOLES })),
            ("this is what `in_blocks` gives", right_in_blocks),
        ]
    }

    fn mistakes_of_blocks() -> Vec<Mistake<Given, Refused>> {
        vec![
            ("a request that needs a part of a block takes all of it", |g| {
                let room = |g: &Given| g.memory / g.block * g.block;
                counted(g, Count { room, needed: |length, _| length, ..BLOCKS })
            }),
            ("a request that needs a part of a block takes all of it", |g| {
                let needed = |length, _| length;
                counted(g, Count { room: |g| g.memory, needed, ..BLOCKS })
            }),
            ("the last tokens of a request have no block", |g| {
                counted(g, Count { needed: |length, block| length / block, ..BLOCKS })
            }),
            ("a request that ends where a block ends takes one more", |g| {
                counted(g, Count { needed: |length, block| length / block + 1, ..BLOCKS })
            }),
            ("what is left at the end of the memory is less than a block", |g| {
                counted(g, Count { room: |g| g.memory.div_ceil(g.block), ..BLOCKS })
            }),
            ("the blocks of a request need not be side by side", |g| {
                let memory = g.memory / g.block;
                let whole = |event: &Event| match *event {
                    Arrives(length) => Arrives(length.div_ceil(g.block)),
                    leaves => leaves,
                };
                let events = g.events.iter().map(whole).collect();
                right_in_one_piece(&Given { memory, block: 1, events })
            }),
            ("a request that was refused gave back what it never had", |g| {
                counted(g, Count { refused_gives_back: true, ..BLOCKS })
            }),
            (NUMBERED, |g| counted(g, Count { numbers_refused: false, ..BLOCKS })),
            ("this is what `contiguous` gives", right_in_one_piece),
        ]
    }
}
