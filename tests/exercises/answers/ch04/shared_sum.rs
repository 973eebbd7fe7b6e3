//? title: A sum by several threads, with a fault
//? page: ch04/index.md
//? section: What must not change
//? level: core
//? minutes: 25
//? call: check(shared_sum)
//? hint 1: The check names the block that took longest. No number is lost, and none is added twice. What else can change a sum of floats?
//? hint 2: Each block's own sum is always the same. The threads add these sums to `total` as they finish, and who finishes first is different in every run.
//? hint 3: Let the threads write each sum to its own place: `let sums = Mutex::new(vec![0.0; blocks.len()]);` and `sums[block] = sum`. When all threads have ended, add the places in order.
//? why: A float addition rounds, so the order of the additions is a part of the result. In the given function the order is that in
//?   which threads finish. The mutex keeps two additions apart, and it does not say which comes first. Now a thread writes only
//?   to the place of its block. The additions come after the last thread has ended, in an order that no thread has a say in.

// The sum of many numbers, by `threads` threads. The numbers are cut into blocks of `BLOCK`, the last of which may be
// shorter. `sum_block` returns the sum of one block. The result is defined, to the bit: begin with 0.0, and add the
// sums of the blocks in `f32`, in the order of the blocks.
//
// - The result has the same bits for any number of threads, and in every run.
// - `sum_block` is called once for each block. Where there are two threads or more, several of them work at the same time.
// - `threads` is at least 1 and may be larger than the number of blocks. No numbers give 0.0.
//
// This function compiles and is often right. Find its fault, and mend it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Numbers in a block.
pub const BLOCK: usize = 64;

// numbers: [n]
pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    let blocks: Vec<&[f32]> = numbers.chunks(BLOCK).collect();
    let next = AtomicUsize::new(0);
    //-- starter
    // let total = Mutex::new(0.0);
    //-- solution
    let sums = Mutex::new(vec![0.0; blocks.len()]);
    //-- end
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let Some(numbers) = blocks.get(block) else { break };
                    let sum = sum_block(numbers);
                    //-- starter
                    // let mut total = total.lock().expect("no thread panics while it holds this");
                    // *total += sum;
                    //-- solution
                    let mut sums = sums.lock().expect("no thread panics while it holds this");
                    sums[block] = sum;
                    //-- end
                }
            });
        }
    });
    //-- starter
    // total.into_inner().expect("all threads have ended")
    //-- solution
    let sums = sums.into_inner().expect("all threads have ended");
    sums.into_iter().fold(0.0, |total, sum| total + sum)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, GIVEN, Near, Random, call, same_numbers};
    use std::sync::Mutex;
    use std::thread::{self, ThreadId};
    use std::time::Duration;

    /// As in the task.
    const BLOCK: usize = 64;

    /// What one call of the answer was asked, and what came of it.
    struct Run {
        case: String,
        threads: usize,
        numbers: Vec<f32>,
        /// The block that is held back until the others are done.
        late: Option<usize>,
        found: f32,
        seen: Seen,
    }

    /// What the answer did with `sum_block`.
    #[derive(Default)]
    struct Seen {
        /// How often each block was summed.
        times: Vec<usize>,
        /// How many sums are done.
        done: usize,
        first: Option<ThreadId>,
        /// Another thread than the first has worked too.
        others: bool,
        /// While a block was held back no other thread had worked yet, or could.
        alone: bool,
        /// The length of a slice that is no block.
        strange: Option<usize>,
    }

    pub fn check(answer: fn(&[f32], usize, &(dyn Fn(&[f32]) -> f32 + Sync)) -> f32) -> Checked {
        let long = 19 * BLOCK + 17;
        let held = [(2, 0), (2, 0), (2, 1), (2, 5), (1, 0)];
        let held = held.map(|(threads, late)| (long, threads, Some(late)));
        let free =
            [(long, 1), (long, 2), (long, 3), (long, 4), (long, 64), (5 * BLOCK, 3), (7, 2)];
        let free = free.map(|(length, threads)| (length, threads, None));
        let mut runs = Vec::new();
        for (length, threads, late) in held.into_iter().chain(free) {
            let held =
                late.map_or(String::new(), |late| format!(", block {late} takes longest"));
            let case = format!("{length} numbers, {threads} threads{held}");
            let numbers = numbers(length);
            let seen = Mutex::new(Seen::default());
            let sum_block = |block: &[f32]| watched(&numbers, threads, late, &seen, block);
            let found = call(&case, || answer(&numbers, threads, &sum_block))?;
            let seen = seen.into_inner().unwrap_or_default();
            let alone = seen.alone;
            runs.push(Run { case, threads, numbers, late, found, seen });
            if alone {
                break; // Nobody comes in the next run either, and each waits for it.
            }
        }
        for part in [whole_blocks, side_by_side, same_bits] {
            runs.iter().try_for_each(part)?;
        }
        let case = "no numbers, 4 threads";
        let found = call(case, || answer(&[], 4, &in_order))?;
        let begin = "the sum begins with 0.0; that of the library, `sum()`, begins with -0.0";
        same_numbers(case, &[], Near::Bits, &[0.0], &[found], &[(begin, vec![-0.0])])?;
        strange_sums(answer)
    }

    /// Blocks whose sums are given, and are all added, whatever they are: the first number of a block says which.
    fn strange_sums(
        answer: fn(&[f32], usize, &(dyn Fn(&[f32]) -> f32 + Sync)) -> f32,
    ) -> Checked {
        let inf = f32::INFINITY;
        for sums in
            [&[-0.0][..], &[-0.0, -0.0], &[1.0, f32::NAN], &[1e-45, 1e-45], &[inf, 1.0, -inf]]
        {
            let case = format!("blocks with the sums {sums:?}, 2 threads");
            let numbers: Vec<f32> =
                (0..sums.len()).flat_map(|block| [block as f32; BLOCK]).collect();
            let found =
                call(&case, || answer(&numbers, 2, &|block: &[f32]| sums[block[0] as usize]))?;
            same_numbers(&case, &[], Near::Bits, &[in_order(sums)], &[found], &[])?;
        }
        Ok(())
    }

    /// They nearly cancel: so another order of the blocks shows in the bits of the total, with this seed in every order that a
    /// known mistake takes.
    fn numbers(length: usize) -> Vec<f32> {
        let scales = [1.0, -30.0, 0.2, -70.0, 90.0, -0.5, 20.0];
        let mut random = Random::new(147);
        let mut numbers: Vec<f32> = (0..length)
            .map(|i| (random.number() + 0.3) * scales[i / BLOCK % scales.len()])
            .collect();
        let total: f64 = numbers.iter().map(|&x| f64::from(x)).sum();
        if let Some(last) = numbers.last_mut() {
            *last -= (total - 1.5) as f32;
        }
        numbers
    }

    fn in_order(block: &[f32]) -> f32 {
        block.iter().fold(0.0, |sum, x| sum + x)
    }

    /// The sum of a block. One block may be held back.
    fn watched(
        numbers: &[f32],
        threads: usize,
        late: Option<usize>,
        seen: &Mutex<Seen>,
        block: &[f32],
    ) -> f32 {
        let look = || seen.lock().unwrap_or_else(|broken| broken.into_inner());
        // Known by what is in it: a copy is a block too.
        let place = numbers.chunks(BLOCK).position(|one| one == block);
        {
            let mut seen = look();
            seen.times.resize(numbers.len().div_ceil(BLOCK), 0);
            match place {
                Some(place) => seen.times[place] += 1,
                None => seen.strange = Some(block.len()),
            }
            let this = thread::current().id();
            seen.others |= *seen.first.get_or_insert(this) != this;
        }
        if late.is_some() && late == place {
            let blocks = numbers.len().div_ceil(BLOCK);
            let (mut before, mut silent) = (0, 0);
            while look().done + 1 < blocks {
                thread::sleep(Duration::from_millis(5));
                let done = look().done;
                silent = if done == before { silent + 1 } else { 0 };
                before = done;
                let others = look().others;
                // The others may have no more to do than what they have done, and a thread may need time to start.
                if silent > if others || threads == 1 { 40 } else { 200 } {
                    look().alone |= !others && threads > 1;
                    break;
                }
            }
            // The last of the others still has to put its sum down.
            thread::sleep(Duration::from_millis(20));
        }
        look().done += 1;
        in_order(block)
    }

    fn whole_blocks(run: &Run) -> Checked {
        let expected = "sum_block is called once for each block";
        if let Some(length) = run.seen.strange {
            let found = format!("it was called with {length} numbers that are no block");
            return Err(Failure::new(&run.case, expected, found).likely(
                "sum_block takes blocks of 64 numbers, cut from the front, whatever the number of threads",
            ));
        }
        let mut times = run.seen.times.iter();
        times.position(|times| *times != 1).map_or(Ok(()), |block| {
            let found = format!("{} times for block {block}", run.seen.times[block]);
            Err(Failure::new(&run.case, expected, found))
        })
    }

    fn side_by_side(run: &Run) -> Checked {
        if !run.seen.alone {
            return Ok(());
        }
        let expected = "other threads sum blocks while one thread is busy";
        Err(Failure::new(&run.case, expected, "no other thread summed any").likely(
            "one thread at a time works: when does the next one start, and what is held meanwhile?",
        ))
    }

    fn same_bits(run: &Run) -> Checked {
        let sums: Vec<f32> = run.numbers.chunks(BLOCK).map(in_order).collect();
        let wide: f64 = sums.iter().map(|&sum| f64::from(sum)).sum();
        let share = sums.len().div_ceil(run.threads).max(1);
        let shares: Vec<f32> = sums.chunks(share).map(in_order).collect();
        let mut sorted = sums.clone();
        sorted.sort_by(f32::total_cmp);
        let mut mistakes = vec![
            ("the sums are added in f64: the task adds them in f32", vec![wide as f32]),
            (
                "the order of the additions depends on the number of threads",
                vec![in_order(&shares)],
            ),
            (
                "the sums are sorted before they are added: the task adds them in the order of the blocks",
                vec![in_order(&sorted)],
            ),
        ];
        if let Some(late) = run.late {
            // In the order in which they finish: the late one comes after some of the others.
            mistakes.extend((late + 1..sums.len()).map(|place| {
                let mut order = sums.clone();
                order[late..=place].rotate_left(1);
                (GIVEN, vec![in_order(&order)])
            }));
        }
        let (expected, found) = (in_order(&sums), run.found);
        same_numbers(&run.case, &[], Near::Bits, &[expected], &[found], &mistakes)
    }
}
