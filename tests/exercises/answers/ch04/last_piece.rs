//? title: When is the last piece done?
//? page: ch04/heads.md
//? section: Cutting attention
//? level: warm-up
//? minutes: 15
//? call: check(last_piece)
//? hint 1: Work the example out on paper, with a line for each thread. What do you have to know about a thread to say who takes the next piece?
//? hint 2: Only when it is free. Keep one time for each thread, all 0 at first. The next piece goes to the smallest of them.
//? hint 3: `let free = times.iter_mut().min().unwrap(); *free += cost;` for each piece, in order. At the end, the largest time is when the last piece is done.
//? why: A thread is described by the moment at which it becomes free. The next piece always goes to the thread that is free
//?   first, and moves that moment on by the piece's cost. No thread looks at what comes later, which is why the order of the pieces
//?   decides how long the others wait at the end.

// Pieces of work are handed out in order: whichever thread is free first takes the next one. Piece `i` lasts `costs[i]`, and all
// threads are free at time 0. When is the last piece done?
//
// - There may be more threads than pieces, and no pieces at all: then all is done at time 0.
// - `threads` is from 1 to 256. The sum of the costs fits into a `u64`.
//
// Example: eight blocks of queries last 1, 2, 3, 4, 5, 6, 7, 8. In this order, two threads are done at 20; from the largest
// to the smallest, at 18.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    let mut times = vec![0; threads];
    for cost in costs {
        let free = times.iter_mut().min().expect("at least one thread");
        *free += cost;
    }
    times.into_iter().max().expect("at least one thread")
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (Vec<u64>, usize);

    pub fn check(answer: fn(&[u64], usize) -> u64) -> Checked {
        let large = "a time has to fit into a u64: it may not fit into 32 bits";
        let minute = 60_000_000_000;
        // In each, one thing more can go wrong.
        let first: [(&str, &[u64], usize); 8] = [
            ("the work is divided evenly, but a piece can't be cut", &[4, 9], 256),
            (
                "this is the end of the last piece of the list: a longer one may end later",
                &[9, 1],
                2,
            ),
            ("each thread has as many neighbouring pieces as any other", &[2, 2, 1, 1], 2),
            (
                "the pieces are dealt like cards: whether a thread is free matters",
                &[4, 1, 1, 1],
                2,
            ),
            ("the pieces are handed out in the order given", &[1, 1, 4], 2),
            (large, &[minute, 3 * minute, 2 * minute, minute], 2),
            (large, &[u64::MAX], 3),
            ("", &[], 256),
        ];
        let first = first.map(|(likely, costs, threads)| (likely, (costs.to_vec(), threads)));
        let mut random = Random::new(4);
        let drawn = (0..200).map(|i| {
            let (count, bits) = (random.below([9, 40, 1000][i % 3]), 1 + random.below(44));
            let costs = (0..count).map(|_| random.bits() >> (64 - bits)).collect();
            ("", (costs, 1 + random.below(256) % (2 << (i % 8))))
        });
        let case = |(costs, threads): &Given| format!("{costs:?}, {threads} threads");
        let answer = |(costs, threads): &Given| answer(costs, *threads);
        let right = |(costs, threads): &Given| {
            // When each thread has done its last piece.
            let mut ends = vec![0; *threads];
            for cost in costs {
                *ends.iter_mut().min().expect("there is a thread") += cost;
            }
            ends.into_iter().max().expect("there is a thread")
        };
        ask_in_turn(first.into_iter().chain(drawn), case, answer, right, as_written)
    }
}
