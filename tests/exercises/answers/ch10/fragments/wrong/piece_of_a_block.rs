//? recognised: less than a block
//? why: Rounds up the number of blocks. What's left at the end of the memory isn't one.

use exercise_kit::blocks::Event;
use std::iter::once;
use std::ops::Range;

pub fn contiguous(memory: usize, events: &[Event]) -> Vec<usize> {
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
}

pub fn in_blocks(memory: usize, block: usize, events: &[Event]) -> Vec<usize> {
    let mut free = memory.div_ceil(block);
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
}
