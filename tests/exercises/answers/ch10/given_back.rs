//? title: A pool that counts by hand, with a fault
//? page: ch10/room.md
//? section: A pool of blocks
//? level: core
//? minutes: 20
//? call: check(Pool::new, Pool::take, Pool::share, Pool::end, Pool::free)
//? hint 1: In which of the stories do texts end, and in which of these does it go wrong? Take the one that the check names, with a pencil: write down `free` and `holders` after each line of `end`.
//? hint 2: Two texts have the same block and end in the same step. How often does the second loop come to that block, and what does it find in `holders` each time?
//? hint 3: A count that is 0 says that nobody has the block. It doesn't say who was the last. Only the step from 1 to 0 says that, and it happens once: ask right after counting down, in the same loop.
//? why: "Is it 0?" is true for everybody who asks after the last one has gone, and "did I make it 0?" is true once. The given
//?   function asked the first question, and only after all counts had been taken down, so each of the texts that ended
//?   together gave the block back. Nothing is wrong at that moment. Two steps later, two strangers have the same block, and
//?   each writes over the other's keys and values; the room has become larger on paper by a block. Searching `free` before
//?   each push would mend the symptom, at a price that grows with the room. In this chapter's room there's no count of ours to
//?   ask about: `Arc` drops what it holds when its own count goes from 1 to 0, and giving a block back is what dropping it does.

// A pool that knows by its own counts which blocks are in use. A text takes blocks one by one. Another text that begins
// like it shares some of them. Texts end, several of them in one step of the server, and blocks that nobody has any more
// are handed out again:
//
// - `new(blocks)`: a pool of so many blocks. All of them are free.
// - `take()`: the number of a free block, for one text. `None` if there is none.
// - `share(blocks)`: one text more has these blocks.
// - `end(texts)`: these texts have ended. Each entry is one of them, with all its blocks, and a text has a block once.
// - `free()`: how many blocks can be taken.
//
// Someone has written it with care and tested it with one text after the other. Since the server answers several at a
// time, now and then two conversations get mixed up. Find the fault with the help of the test, and mend it where it is.
// Which of the free blocks is taken next doesn't matter. `free()` has to be right after every call.

pub struct Pool {
    free: Vec<usize>,
    holders: Vec<usize>, // how many texts have this block
}

impl Pool {
    pub fn new(blocks: usize) -> Pool {
        Pool { free: (0..blocks).rev().collect(), holders: vec![0; blocks] }
    }

    pub fn take(&mut self) -> Option<usize> {
        let block = self.free.pop()?;
        self.holders[block] = 1;
        Some(block)
    }

    pub fn share(&mut self, blocks: &[usize]) {
        for &block in blocks {
            self.holders[block] += 1;
        }
    }

    pub fn end(&mut self, texts: &[Vec<usize>]) {
        for &block in texts.iter().flatten() {
            self.holders[block] -= 1;
            //-- starter
            // }
            // for &block in texts.iter().flatten() {
            //-- end
            if self.holders[block] == 0 {
                self.free.push(block);
            }
        }
    }

    pub fn free(&self) -> usize {
        self.free.len()
    }
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, GIVEN, Random, call};

    /// The functions of a pool.
    struct Pool<P> {
        new: fn(usize) -> P,
        take: fn(&mut P) -> Option<usize>,
        share: fn(&mut P, &[usize]),
        end: fn(&mut P, &[Vec<usize>]),
        free: fn(&P) -> usize,
    }

    /// Texts are called by their numbers.
    #[derive(Clone, Debug)]
    enum Step {
        Take(usize),
        /// A new text, which has so many of the first blocks of another.
        Share(usize, usize, usize),
        End(Vec<usize>),
    }

    use Step::{End, Share, Take};

    /// Whether a block was taken that a text has, or none though one is free, and how many are free then.
    type Seen = (bool, usize);

    const BLOCKS: usize = 6;

    pub fn check<P>(
        new: fn(usize) -> P,
        take: fn(&mut P) -> Option<usize>,
        share: fn(&mut P, &[usize]),
        end: fn(&mut P, &[Vec<usize>]),
        free: fn(&P) -> usize,
    ) -> Checked {
        let pool = Pool { new, take, share, end, free };
        for (number, mut steps) in stories().into_iter().enumerate() {
            let shown: Vec<Step> = steps.iter().take(12).cloned().collect();
            let case = format!("a pool of {BLOCKS} blocks, {} steps: {shown:?}", steps.len());
            // In the end what is left is handed out.
            steps.extend(vec![Take(usize::MAX); BLOCKS + 3]);
            let is_long = steps.len() > 200;
            let seen = call(&case, || play(&pool, &steps))
                .map_err(|failure| failure.likely(if is_long { MANY } else { "" }))?;
            let Some(at) = seen.iter().position(|[right, found]| right != found) else {
                continue;
            };
            let told = |(twice, free): Seen| {
                let taken = if twice { "a wrong block is taken, and " } else { "" };
                format!("after {:?}, {taken}{free} blocks are free", steps[at])
            };
            let [right, found] = seen[at];
            let failure = Failure::new(&case, told(right), told(found));
            let is_twice = seen.iter().any(|[_, (wrong, _)]| *wrong);
            let reason = match (&steps[at], found.1 > right.1) {
                _ if is_long => MANY,
                (End(texts), false) if texts.len() > 1 => {
                    "a block is lost when the texts that share it end in the same step"
                }
                (End(_), false) => {
                    "a block is lost when the texts that share it end one after the other"
                }
                (End(texts), true) if texts.len() == 1 => {
                    "a block is given back while another text has it"
                }
                (End(_), true) if !is_twice => {
                    "`free` counts blocks twice, although none is handed out twice: they are in the list twice"
                }
                // With one block the given function goes wrong, and who looks at the end of the list does not.
                (End(_), true) if number > 1 => {
                    "the list of free blocks has a block more than once"
                }
                (End(_), true) => GIVEN,
                _ => "",
            };
            return Err(failure.likely(reason));
        }
        Ok(())
    }

    const MANY: &str = "a block may be shared by more texts than a byte can count, or two: by all of a server's, say";

    fn stories() -> Vec<Vec<Step>> {
        let mut stories = vec![
            vec![Take(0), Share(1, 0, 1), End(vec![0]), End(vec![1])],
            vec![Take(0), Share(1, 0, 1), End(vec![0, 1])],
            vec![Take(0), Take(0), Share(1, 0, 2), End(vec![0, 1])],
        ];
        let mut random = Random::new(103);
        stories.extend((0..60).map(|_| {
            let mut any = |_| match random.below(5) {
                0 | 1 => Share(random.below(5), random.below(5), 1 + random.below(3)),
                2 => {
                    let first = random.below(5);
                    End((first..5).take(1 + random.below(4)).collect())
                }
                _ => Take(random.below(5)),
            };
            (0..60).map(&mut any).collect()
        }));
        // One more than a byte counts, and than two bytes do: then one ends, and what counts in so many bits is at 0.
        stories.extend([1 << 8, 1 << 16].map(|count| {
            let mut many = vec![Take(0)];
            many.extend((1..=count).map(|text| Share(text, 0, 1)));
            many.extend([End(vec![1]), End((2..=count).collect()), End(vec![0])]);
            many
        }));
        stories
    }

    /// What each step should have made of the pool, and what it has. A text that is there already isn't begun anew.
    fn play<P>(pool: &Pool<P>, steps: &[Step]) -> Vec<[Seen; 2]> {
        let mut state = (pool.new)(BLOCKS);
        let mut texts: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut counts = [0; BLOCKS];
        let mut seen = Vec::new();
        for step in steps {
            let mut is_wrong = false;
            let place = |text: usize| move |(other, _): &(usize, _)| *other == text;
            match step {
                Take(text) => {
                    let taken = (pool.take)(&mut state);
                    is_wrong = match taken {
                        Some(block) => counts.get(block) != Some(&0),
                        None => counts.contains(&0),
                    };
                    if let Some(block) = taken.filter(|_| !is_wrong) {
                        counts[block] = 1;
                        match texts.iter().position(place(*text)) {
                            Some(at) => texts[at].1.push(block),
                            None => texts.push((*text, vec![block])),
                        }
                    }
                }
                Share(text, other, count) => {
                    // All of a long story have their block from the first text.
                    let from = texts.iter().find(|it| place(*other)(it));
                    let is_new = *text > 4 || !texts.iter().any(place(*text));
                    if let Some((_, blocks)) = from.filter(|_| is_new) {
                        let blocks: Vec<usize> = blocks.iter().take(*count).copied().collect();
                        blocks.iter().for_each(|block| counts[*block] += 1);
                        (pool.share)(&mut state, &blocks);
                        texts.push((*text, blocks));
                    }
                }
                End(ended) => {
                    let is_over =
                        |(text, _): &mut (usize, _)| ended.binary_search(text).is_ok();
                    let ended: Vec<Vec<usize>> =
                        texts.extract_if(.., is_over).map(|(_, blocks)| blocks).collect();
                    ended.iter().flatten().for_each(|block| counts[*block] -= 1);
                    (pool.end)(&mut state, &ended);
                }
            }
            let free = counts.iter().filter(|count| **count == 0).count();
            seen.push([(false, free), (is_wrong, (pool.free)(&state))]);
        }
        seen
    }
}
