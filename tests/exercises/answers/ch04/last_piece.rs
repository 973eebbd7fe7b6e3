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
    use exercise_kit::{Checked, Failure, Random, call, call_or};

    const LARGE: &str = "a time has to fit into a u64: it may not fit into 32 bits";

    pub fn check(answer: fn(&[u64], usize) -> u64) -> Checked {
        // In the first of these, every mistake that has a reason gives a time of its own.
        let cases: [(&[u64], usize); 12] = [
            (&[8, 7, 9, 6, 19, 5], 3),
            (&[1, 2, 3, 4, 5, 6, 7, 8], 2),
            (&[8, 7, 6, 5, 4, 3, 2, 1], 2),
            (&[3, 0, 0, 4, 1], 2),
            (&[5], 1),
            (&[2, 2, 2, 2], 1),
            (&[1, 1, 1, 1, 1, 1, 1], 4),
            (&[9, 1, 1, 1, 1, 1, 1, 1, 1, 1], 2),
            (&[], 1),
            (&[], 256),
            (&[7], 2),
            (&[4, 9], 256),
        ];
        for (costs, threads) in cases {
            let case = format!("{costs:?}, {threads} threads");
            let found = call(&case, || answer(costs, threads))?;
            compare(&case, costs, threads, found)?;
        }
        let minute = 60_000_000_000;
        let costs = [minute, 3 * minute, 2 * minute, minute];
        for (costs, threads) in [(&costs[..], 2), (&[u64::MAX][..], 3)] {
            let case = format!("{costs:?}, {threads} threads");
            let expected = last_of(costs, threads);
            let found = call_or(&case, expected, LARGE, || answer(costs, threads))?;
            compare(&case, costs, threads, found).map_err(|failure| failure.likely(LARGE))?;
        }
        let mut random = Random::new(4);
        for threads in [1, 2, 3, 5, 16, 255, 256] {
            let costs: Vec<u64> = (0..1000).map(|_| random.bits() >> 44).collect();
            let case = format!("1000 pieces, {threads} threads");
            let found = call(&case, || answer(&costs, threads))?;
            compare(&case, &costs, threads, found)?;
        }
        Ok(())
    }

    /// When each thread has done its last piece.
    fn ends(costs: &[u64], threads: usize) -> Vec<u64> {
        let mut ends = vec![0; threads];
        for cost in costs {
            *ends.iter_mut().min().expect("there is a thread") += cost;
        }
        ends
    }

    fn last_of(costs: &[u64], threads: usize) -> u64 {
        ends(costs, threads).into_iter().max().expect("there is a thread")
    }

    fn compare(case: &str, costs: &[u64], threads: usize, found: u64) -> Checked {
        let expected = last_of(costs, threads);
        if found == expected {
            return Ok(());
        }
        let failure = Failure::new(case, expected, found);
        Err(match reason(costs, threads, found) {
            Some(reason) => failure.likely(reason),
            None => failure,
        })
    }

    /// What else gives this time.
    fn reason(costs: &[u64], threads: usize, found: u64) -> Option<&'static str> {
        let longest = |shares: &[Vec<u64>]| shares.iter().map(|share| share.iter().sum()).max();
        let cards: Vec<Vec<u64>> = (0..threads)
            .map(|thread| costs.iter().copied().skip(thread).step_by(threads).collect())
            .collect();
        let length = costs.len().div_ceil(threads).max(1);
        let stretches: Vec<Vec<u64>> = costs.chunks(length).map(<[u64]>::to_vec).collect();
        let sum: u64 = costs.iter().sum();
        let even = sum.div_ceil(threads as u64);
        let mut sorted = costs.to_vec();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let mut times = ends(&costs[..costs.len().saturating_sub(1)], threads);
        let last = times.iter_mut().min().map(|free| *free + costs.last().unwrap_or(&0));
        let reasons = [
            (
                longest(&cards),
                "the pieces are dealt like cards: whether a thread is free matters",
            ),
            (longest(&stretches), "each thread has as many neighbouring pieces as any other"),
            (Some(even), "the work is divided evenly, but a piece can't be cut"),
            (Some(last_of(&sorted, threads)), "the pieces are handed out in the order given"),
            (last, "this is the end of the last piece of the list: a longer one may end later"),
        ];
        reasons.into_iter().find(|(time, _)| *time == Some(found)).map(|(_, reason)| reason)
    }
}
