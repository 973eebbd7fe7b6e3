//? recognised: rest of the hole
//? why: Gives a request the whole hole. What it doesn't need of it is lost until it leaves.

use exercise_kit::blocks::Event;

pub fn contiguous(memory: usize, events: &[Event]) -> Vec<usize> {
    let mut holes = vec![(0, memory)]; // where each begins and ends, in their order
    let (mut places, mut refused) = (Vec::new(), Vec::new());
    for event in events {
        match *event {
            Event::Arrives(length) => {
                let fits = |&(start, end): &(usize, usize)| end - start >= length;
                match holes.iter().position(fits) {
                    Some(hole) => {
                        places.push(Some(holes.remove(hole)));
                    }
                    None => {
                        refused.push(places.len());
                        places.push(None);
                    }
                }
            }
            Event::Leaves(number) => {
                if let Some(place) = places[number] {
                    holes.retain(|hole| hole.1 > hole.0);
                    holes.push(place);
                    holes.sort();
                    holes.dedup_by(|next, hole| {
                        let touches = hole.1 == next.0;
                        if touches {
                            hole.1 = next.1;
                        }
                        touches
                    });
                }
            }
        }
    }
    refused
}

pub fn in_blocks(memory: usize, block: usize, events: &[Event]) -> Vec<usize> {
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
}
