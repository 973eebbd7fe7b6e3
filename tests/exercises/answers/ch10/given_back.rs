//? title: A pool that counts by hand, with a fault
//? page: ch10/room.md
//? section: A room
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
    use std::collections::BTreeMap;

    use exercise_kit::{Checked, Failure, GIVEN, Random, call};

    /// The functions of a pool.
    struct Pool<P> {
        new: fn(usize) -> P,
        take: fn(&mut P) -> Option<usize>,
        share: fn(&mut P, &[usize]),
        end: fn(&mut P, &[Vec<usize>]),
        free: fn(&P) -> usize,
    }

    #[derive(Clone)]
    enum Step {
        /// This text takes a block.
        Take(char),
        /// A new text has so many of the first blocks of another.
        Share(char, char, usize),
        /// These texts end.
        End(String),
    }

    use Step::{End, Share, Take};

    struct Story {
        name: &'static str,
        blocks: usize,
        steps: Vec<Step>,
    }

    /// What a step gave, or the words of its panic, and how many blocks were free then.
    type Seen = (Result<Option<usize>, String>, usize);

    const TWICE: &str = "the list of free blocks has a block more than once";
    const EARLY: &str = "a block is given back while another text has it";
    const MORE: &str = "`free` counts blocks twice, although none is handed out twice: they are in the list twice";
    const LOST_IN_TURN: &str =
        "a block is lost when the texts that share it end one after the other";
    const LOST_TOGETHER: &str =
        "a block is lost when the texts that share it end in the same step";
    const BYTE: &str =
        "a block may be shared by more texts than a byte can count, all of a server's, say";

    pub fn check<P>(
        new: fn(usize) -> P,
        take: fn(&mut P) -> Option<usize>,
        share: fn(&mut P, &[usize]),
        end: fn(&mut P, &[Vec<usize>]),
        free: fn(&P) -> usize,
    ) -> Checked {
        let pool = Pool { new, take, share, end, free };
        let (mut first, mut judged, mut as_given) = (None, Judged::default(), true);
        for story in stories() {
            let seen = record(&pool, &story)?;
            as_given &= record(&given_pool(), &story).is_ok_and(|given| alike(&given, &seen));
            let failure = judged.judge(&story, &seen);
            first = first.or(failure);
        }
        let Some(first): Option<Failure> = first else { return Ok(()) };
        Err(if as_given {
            first.likely(GIVEN)
        } else if first.found.contains("add with overflow") {
            first.likely(BYTE)
        } else if judged.early {
            first.likely(EARLY)
        } else if let Some(lost) = judged.lost {
            first.likely(lost)
        } else if judged.too_many && !judged.taken_twice {
            first.likely(MORE)
        } else {
            first.likely(TWICE)
        })
    }

    fn stories() -> Vec<Story> {
        let end = |names: &str| End(names.into());
        let (a, b, two) = (Take('a'), Take('b'), Share('b', 'a', 2));
        let story = |name, steps: &[Step]| Story { name, blocks: 4, steps: steps.to_vec() };
        let mut stories = vec![
            story(
                "two texts share nothing and end in the same step",
                &[a.clone(), b.clone(), a.clone(), b.clone(), end("ab")],
            ),
            story(
                "two texts share two blocks and end one after the other",
                &[a.clone(), a.clone(), two.clone(), b, end("a"), Take('c'), end("b")],
            ),
            story(
                "two texts share two blocks and end in the same step",
                &[
                    a.clone(),
                    a.clone(),
                    two.clone(),
                    end("ba"),
                    Take('c'),
                    Take('d'),
                    Take('e'),
                ],
            ),
            story(
                "three texts share blocks, and two of them end in the same step",
                &[
                    a.clone(),
                    a.clone(),
                    two,
                    Share('c', 'a', 1),
                    end("ac"),
                    Take('d'),
                    end("b"),
                ],
            ),
        ];
        let mut random = Random::new(103);
        for _ in 0..20 {
            stories.push(any_story(&mut random));
        }
        let many: Vec<char> = ('\u{4e00}'..).take(300).collect();
        let mut steps = vec![a];
        steps.extend(many.iter().map(|name| Share(*name, 'a', 1)));
        steps.extend([end(&String::from_iter(&many)), end("a")]);
        stories.push(Story { name: "301 texts share a block", blocks: 2, steps });
        stories
    }

    /// Four texts that come and go. One that's asked for more when it has ended is a new one.
    fn any_story(random: &mut Random) -> Story {
        let mut steps = Vec::new();
        let mut alive = Vec::new();
        for _ in 0..60 {
            let text = ['a', 'b', 'c', 'd'][random.below(4)];
            let other = ['a', 'b', 'c', 'd'][random.below(4)];
            match random.below(4) {
                0 if !alive.contains(&text) && alive.contains(&other) => {
                    alive.push(text);
                    steps.push(Share(text, other, 1 + random.below(3)));
                }
                1 => {
                    let texts = ["a", "bc", "dab", "c", "cd", "abcd"][random.below(6)];
                    alive.retain(|name| !texts.contains(*name));
                    steps.push(End(texts.into()));
                }
                _ => {
                    if !alive.contains(&text) {
                        alive.push(text);
                    }
                    steps.push(Take(text));
                }
            }
        }
        Story { name: "texts come and go, as it happens", blocks: 6, steps }
    }

    impl Story {
        /// The steps, and then what is left is handed out.
        fn all(&self) -> Vec<Step> {
            [&self.steps[..], &vec![Take('z'); self.blocks + 3]].concat()
        }
    }

    /// Which blocks each text has.
    #[derive(Default)]
    struct Texts(BTreeMap<char, Vec<usize>>);

    impl Texts {
        /// The first blocks of a text, which another one has from now on.
        fn share(&mut self, text: char, other: char, count: usize) -> Vec<usize> {
            let mut blocks = self.0.get(&other).cloned().unwrap_or_default();
            blocks.truncate(count);
            self.0.insert(text, blocks.clone());
            blocks
        }

        fn end(&mut self, names: &str) -> Vec<Vec<usize>> {
            names.chars().filter_map(|name| self.0.remove(&name)).collect()
        }

        fn held(&self) -> Vec<usize> {
            let mut held = self.0.values().flatten().copied().collect::<Vec<usize>>();
            held.sort();
            held.dedup();
            held
        }
    }

    /// Plays a story. A panic ends it.
    fn record<P>(pool: &Pool<P>, story: &Story) -> Result<Vec<Seen>, Failure> {
        let mut state = call(story.name, || (pool.new)(story.blocks))?;
        let (mut texts, mut seen) = (Texts::default(), Vec::new());
        for step in story.all() {
            let result = call(story.name, || {
                let block = match &step {
                    Take(text) => {
                        let block = (pool.take)(&mut state);
                        texts.0.entry(*text).or_default().extend(block);
                        block
                    }
                    Share(text, other, count) => {
                        (pool.share)(&mut state, &texts.share(*text, *other, *count));
                        None
                    }
                    End(names) => {
                        (pool.end)(&mut state, &texts.end(names));
                        None
                    }
                };
                (block, (pool.free)(&state))
            });
            match result {
                Ok((block, free)) => seen.push((Ok(block), free)),
                Err(failure) if failure.unwritten => return Err(failure),
                Err(failure) => {
                    seen.push((Err(failure.found), 0));
                    return Ok(seen);
                }
            }
        }
        Ok(seen)
    }

    /// Two panics are alike, wherever they are.
    fn alike(a: &[Seen], b: &[Seen]) -> bool {
        let same = |((a, free_a), (b, free_b)): (&Seen, &Seen)| {
            a.as_ref().ok() == b.as_ref().ok() && free_a == free_b
        };
        a.len() == b.len() && a.iter().zip(b).all(same)
    }

    /// What is wrong in any of the stories.
    #[derive(Default)]
    struct Judged {
        taken_twice: bool,
        too_many: bool,
        early: bool,
        lost: Option<&'static str>,
    }

    impl Judged {
        /// The first thing that is wrong in a story.
        fn judge(&mut self, story: &Story, seen: &[Seen]) -> Option<Failure> {
            // Who has which block, from what the pool has handed out.
            let mut texts = Texts::default();
            let mut kept = Vec::new(); // blocks that were shared with a text that has ended
            let mut first: Option<Failure> = None;
            for (at, (step, (result, free))) in story.all().iter().zip(seen).enumerate() {
                let case = format!("{}; step {}: {}", story.name, at + 1, told(step));
                let mut wrong = |expected: String, found: String| {
                    first.get_or_insert(Failure::new(&case, expected, found));
                };
                let block = match result {
                    Ok(block) => *block,
                    Err(words) => {
                        wrong("a result".into(), words.clone());
                        break;
                    }
                };
                let before = texts.held();
                match (step, block) {
                    (Take(text), Some(block)) => {
                        if before.contains(&block) || block >= story.blocks {
                            let found =
                                format!("block {block}, which a text has that has not ended");
                            wrong("a block that nobody has".into(), found);
                            self.taken_twice = true;
                            self.early |= kept.contains(&block);
                            break; // from here on, two texts have one block
                        }
                        texts.0.entry(*text).or_default().push(block);
                    }
                    (Share(text, other, count), _) => {
                        texts.share(*text, *other, *count);
                    }
                    (End(names), _) => {
                        kept.extend(texts.end(names).concat());
                        let held = texts.held();
                        kept.retain(|block| held.contains(block));
                    }
                    (Take(_), None) => {}
                }
                let right = story.blocks - texts.held().len();
                let lost =
                    *free < right || (block.is_none() && matches!(step, Take(_)) && right > 0);
                if *free != right || lost {
                    wrong(format!("{right} blocks are free"), format!("{free} are"));
                }
                self.too_many |= *free > right;
                if lost && !self.too_many {
                    let in_turn = story.name.contains("one after the other");
                    self.lost.get_or_insert(if in_turn { LOST_IN_TURN } else { LOST_TOGETHER });
                }
            }
            first
        }
    }

    fn told(step: &Step) -> String {
        match step {
            Take(text) => format!("{text} takes a block"),
            Share(text, other, count) => {
                format!("{text} shares the first blocks of {other}, {count} of them")
            }
            End(names) => match names.chars().count() {
                0..5 => format!("these end: {names}"),
                count => format!("{count} texts end"),
            },
        }
    }

    /// Free blocks, and how many texts have each.
    type Given = (Vec<usize>, Vec<usize>);

    /// The pool as it is given.
    fn given_pool() -> Pool<Given> {
        Pool {
            new: |blocks| ((0..blocks).rev().collect(), vec![0; blocks]),
            take: |(free, holders)| {
                let block = free.pop()?;
                holders[block] = 1;
                Some(block)
            },
            share: |(_, holders), blocks| blocks.iter().for_each(|block| holders[*block] += 1),
            end: |(free, holders), texts| {
                texts.iter().flatten().for_each(|block| holders[*block] -= 1);
                free.extend(texts.iter().flatten().filter(|block| holders[**block] == 0));
            },
            free: |(free, _)| free.len(),
        }
    }
}
