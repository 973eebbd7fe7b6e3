//? recognised: side by side
//? why: Wants the blocks of a request side by side. Then there are holes again, only coarser ones.

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
    let whole = |event: &Event| match *event {
        Event::Arrives(length) => Event::Arrives(length.div_ceil(block)),
        leaves => leaves,
    };
    contiguous(memory / block, &events.iter().map(whole).collect::<Vec<Event>>())
}
