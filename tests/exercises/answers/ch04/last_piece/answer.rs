//? title: When is the last piece done?
//? page: ch04/heads.md
//? section: Cutting attention
//? level: warm-up
//? minutes: 15
//? call: check(answer::last_piece)
//? hint 1: Work the example out on paper, with a line for each thread. What do you have to know about a thread to say who takes the next piece?
//? hint 2: Only when it is free. Keep one time for each thread, all 0 at first. The next piece goes to the smallest of them.
//? hint 3: `let free = times.iter_mut().min().unwrap(); *free += cost;` for each piece, in order. At the end, the largest time is when the last piece is done.
//? why: A thread is described by the moment at which it becomes free. The next piece always goes to the thread that is free
//?   first, and moves that moment on by the piece's cost. No thread looks at what comes later, which is why the order of the pieces
//?   decides how long the others wait at the end.

//! Pieces of work are handed out in order: whichever thread is free first takes the next one. Piece `i` lasts `costs[i]`, and all
//! threads are free at time 0. When is the last piece done?
//!
//! - There may be more threads than pieces, and no pieces at all: then all is done at time 0.
//! - `threads` is from 1 to 256. The sum of the costs fits into a `u64`.
//!
//! Example: eight blocks of queries last 1, 2, 3, 4, 5, 6, 7, 8. In this order, two threads are done at 20; from the largest
//! to the smallest, at 18.

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
