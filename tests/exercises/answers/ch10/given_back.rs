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
    struct Pool<N, T, S, E, F> {
        new: N,
        take: T,
        share: S,
        end: E,
        free: F,
    }

    #[derive(Clone, Debug)]
    enum Step {
        /// This text takes a block.
        Take(char),
        /// A new text has so many of the first blocks of another.
        Share(char, char, usize),
        /// These texts end.
        End(&'static str),
    }

    use Step::{End, Share, Take};

    struct Story {
        name: &'static str,
        blocks: usize,
        steps: Vec<Step>,
        /// What is likely when a block doesn't come back.
        lost: &'static str,
    }

    /// What came of a step.
    #[derive(Clone, Debug, PartialEq)]
    enum Seen {
        Took(Option<usize>),
        Shared,
        Ended,
        Panicked(String),
    }

    /// Every step with what came of it, and how many blocks were free then.
    type Recorded = Vec<(Step, Seen, usize)>;

    const TWICE: &str = "the list of free blocks has a block more than once";
    const EARLY: &str = "a block is given back while another text has it";
    const HIDDEN: &str =
        "a block is handed out twice, although `free` is right: the list is not";
    const MORE: &str = "`free` counts blocks twice, although none is handed out twice: they are in the list twice";
    const STOPPED: &str = "the server stops where the block would be given back twice: it should be given back once";

    const LOST_ALONE: &str = "blocks that nobody shares are lost when their texts end";
    const LOST_IN_TURN: &str =
        "a block is lost when the texts that share it end one after the other";
    const LOST_TOGETHER: &str =
        "a block is lost when the texts that share it end in the same step";

    pub fn check<P>(
        new: fn(usize) -> P,
        take: fn(&mut P) -> Option<usize>,
        share: fn(&mut P, &[usize]),
        end: fn(&mut P, &[Vec<usize>]),
        free: fn(&P) -> usize,
    ) -> Checked {
        let pool = Pool { new, take, share, end, free };
        let stories = stories();
        let mut recorded = Vec::new();
        for story in &stories {
            recorded.push(record(&pool, story)?);
        }
        let judged: Vec<Judged> = stories
            .iter()
            .zip(&recorded)
            .map(|(story, recorded)| judge(story, recorded))
            .collect();
        let wrong = judged.iter().find_map(|one| Some((one.first()?, one)));
        let Some((first, story)) = wrong else { return Ok(()) };
        if is_as_given(&stories, &recorded) {
            return Err(first.likely(GIVEN));
        }
        let takes = judged.iter().any(|one| one.take.is_some());
        let too_many = judged.iter().any(|one| one.too_many.is_some());
        let reason = if story.early {
            EARLY
        } else if story.only_panics() {
            STOPPED
        } else if let Some(lost) = judged.iter().find_map(|one| one.lost_reason) {
            lost
        } else if takes && !too_many {
            HIDDEN
        } else if too_many && !takes {
            MORE
        } else {
            TWICE
        };
        Err(first.likely(reason))
    }

    fn stories() -> Vec<Story> {
        let mut stories = vec![
            Story {
                name: "a text takes two blocks and ends",
                blocks: 3,
                steps: vec![Take('a'), Take('a'), End("a"), Take('b'), End("b")],
                lost: LOST_ALONE,
            },
            Story {
                name: "two texts share nothing and end in the same step",
                blocks: 4,
                steps: vec![Take('a'), Take('b'), Take('a'), Take('b'), End("ab")],
                lost: LOST_ALONE,
            },
            Story {
                name: "two texts share two blocks and end one after the other",
                blocks: 4,
                steps: vec![
                    Take('a'),
                    Take('a'),
                    Share('b', 'a', 2),
                    Take('b'),
                    End("a"),
                    Take('c'),
                    End("b"),
                ],
                lost: LOST_IN_TURN,
            },
            Story {
                name: "two texts share one block and end in the same step",
                blocks: 4,
                steps: vec![Take('a'), Share('b', 'a', 1), Take('b'), End("ab")],
                lost: LOST_TOGETHER,
            },
            Story {
                name: "two texts share two blocks and end in the same step",
                blocks: 4,
                steps: vec![
                    Take('a'),
                    Take('a'),
                    Share('b', 'a', 2),
                    End("ba"),
                    Take('c'),
                    Take('d'),
                    Take('e'),
                ],
                lost: LOST_TOGETHER,
            },
            Story {
                name: "three texts share two blocks, and two of them end in the same step",
                blocks: 4,
                steps: vec![
                    Take('a'),
                    Take('a'),
                    Share('b', 'a', 2),
                    Share('c', 'a', 1),
                    End("ac"),
                    Take('d'),
                    Take('d'),
                    Take('e'),
                    End("b"),
                ],
                lost: LOST_TOGETHER,
            },
            Story {
                name: "three texts share two blocks and end in the same step",
                blocks: 3,
                steps: vec![
                    Take('a'),
                    Take('a'),
                    Share('b', 'a', 2),
                    Share('c', 'b', 1),
                    End("acb"),
                ],
                lost: LOST_TOGETHER,
            },
        ];
        let mut random = Random::new(103);
        for _ in 0..20 {
            stories.push(any_story(&mut random));
        }
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
                    steps.push(End(texts));
                }
                _ => {
                    if !alive.contains(&text) {
                        alive.push(text);
                    }
                    steps.push(Take(text));
                }
            }
        }
        Story {
            name: "texts come and go, as it happens",
            blocks: 6,
            steps,
            lost: LOST_TOGETHER,
        }
    }

    /// Plays a story, and then hands out what is left. A panic ends it.
    fn record<P>(
        pool: &Pool<
            impl Fn(usize) -> P,
            impl Fn(&mut P) -> Option<usize>,
            impl Fn(&mut P, &[usize]),
            impl Fn(&mut P, &[Vec<usize>]),
            impl Fn(&P) -> usize,
        >,
        story: &Story,
    ) -> Result<Recorded, Failure> {
        let mut state = call(story.name, || (pool.new)(story.blocks))?;
        let mut texts: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        let mut recorded = Vec::new();
        let last = vec![Take('z'); story.blocks + 3];
        for step in story.steps.iter().chain(&last) {
            let result = call(story.name, || {
                let seen = match step {
                    Take(text) => {
                        let block = (pool.take)(&mut state);
                        texts.entry(*text).or_default().extend(block);
                        Seen::Took(block)
                    }
                    Share(text, other, count) => {
                        let blocks = texts.get(other).cloned().unwrap_or_default();
                        let blocks = blocks[..blocks.len().min(*count)].to_vec();
                        (pool.share)(&mut state, &blocks);
                        texts.insert(*text, blocks);
                        Seen::Shared
                    }
                    End(names) => {
                        let ended: Vec<_> =
                            names.chars().filter_map(|name| texts.remove(&name)).collect();
                        (pool.end)(&mut state, &ended);
                        Seen::Ended
                    }
                };
                (seen, (pool.free)(&state))
            });
            match result {
                Ok((seen, free)) => recorded.push((step.clone(), seen, free)),
                Err(failure) if failure.unwritten => return Err(failure),
                Err(failure) => {
                    recorded.push((step.clone(), Seen::Panicked(failure.found), 0));
                    return Ok(recorded);
                }
            }
        }
        Ok(recorded)
    }

    /// What is wrong in a story, each the first of its kind.
    #[derive(Default)]
    struct Judged {
        take: Option<(usize, Failure)>,
        too_many: Option<(usize, Failure)>,
        lost: Option<(usize, Failure)>,
        panic: Option<(usize, Failure)>,
        early: bool,
        lost_reason: Option<&'static str>,
    }

    impl Judged {
        fn only_panics(&self) -> bool {
            self.panic.is_some()
                && self.take.is_none()
                && self.too_many.is_none()
                && self.lost.is_none()
        }

        fn first(&self) -> Option<Failure> {
            let all = [&self.take, &self.too_many, &self.lost, &self.panic];
            let first = all.into_iter().flatten().min_by_key(|(step, _)| *step);
            first.map(|(_, failure)| failure.clone())
        }
    }

    fn judge(story: &Story, recorded: &Recorded) -> Judged {
        let mut judged = Judged::default();
        // Who has which block, from what the pool has handed out.
        let mut texts: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        let mut kept = Vec::new(); // blocks that were shared with a text that has ended
        for (at, (step, seen, free)) in recorded.iter().enumerate() {
            let case = format!("{}; step {}: {}", story.name, at + 1, told(step));
            let held = |texts: &BTreeMap<char, Vec<usize>>| {
                let mut held = texts.values().flatten().copied().collect::<Vec<usize>>();
                held.sort();
                held.dedup();
                held
            };
            let before = held(&texts);
            match (step, seen) {
                (_, Seen::Panicked(words)) => {
                    judged.panic = Some((at, Failure::new(&case, "a result", words)));
                    return judged;
                }
                (Take(text), Seen::Took(Some(block))) => {
                    if before.contains(block) || *block >= story.blocks {
                        let found =
                            format!("block {block}, which a text has that has not ended");
                        let failure = Failure::new(&case, "a block that nobody has", found);
                        judged.take.get_or_insert((at, failure));
                        judged.early |= kept.contains(block);
                    }
                    texts.entry(*text).or_default().push(*block);
                }
                (_, Seen::Took(_)) if before.len() < story.blocks => {
                    let expected =
                        format!("one of {} free blocks", story.blocks - before.len());
                    judged.lost.get_or_insert((at, Failure::new(&case, expected, "None")));
                }
                (Share(text, other, count), _) => {
                    let blocks = texts.get(other).cloned().unwrap_or_default();
                    texts.insert(*text, blocks[..blocks.len().min(*count)].to_vec());
                }
                (End(names), _) => {
                    let ended: Vec<usize> = names
                        .chars()
                        .filter_map(|name| texts.remove(&name))
                        .flatten()
                        .collect();
                    let still = held(&texts);
                    kept.retain(|block| still.contains(block));
                    kept.extend(ended.into_iter().filter(|block| still.contains(block)));
                }
                _ => {}
            }
            if judged.take.is_some() {
                continue; // from here on, two texts have one block
            }
            let right = story.blocks - held(&texts).len();
            let failure =
                Failure::new(&case, format!("{right} blocks are free"), format!("{free} are"));
            if *free > right {
                judged.too_many.get_or_insert((at, failure));
                judged.early |= matches!(step, End(_)) && !kept.is_empty() && {
                    // As many as there would be if nobody had kept anything.
                    let lost: Vec<usize> =
                        held(&texts).into_iter().filter(|block| kept.contains(block)).collect();
                    *free == right + lost.len()
                };
            } else if *free < right {
                judged.lost.get_or_insert((at, failure));
            }
        }
        if judged.lost.is_some() && judged.take.is_none() && judged.too_many.is_none() {
            judged.lost_reason = Some(story.lost);
        }
        judged
    }

    fn told(step: &Step) -> String {
        match step {
            Take(text) => format!("{text} takes a block"),
            Share(text, other, 1) => format!("{text} shares the first block of {other}"),
            Share(text, other, count) => {
                format!("{text} shares the first {count} blocks of {other}")
            }
            End(names) => {
                let names: Vec<String> = names.chars().map(String::from).collect();
                match &names[..] {
                    [one] => format!("{one} ends"),
                    _ => format!("{} end", names.join(" and ")),
                }
            }
        }
    }

    /// What the given pool records.
    fn is_as_given(stories: &[Story], recorded: &[Recorded]) -> bool {
        type Given = (Vec<usize>, Vec<usize>); // free, holders
        let pool = Pool {
            new: |blocks| -> Given { ((0..blocks).rev().collect(), vec![0; blocks]) },
            take: |(free, holders): &mut Given| {
                let block = free.pop()?;
                holders[block] = 1;
                Some(block)
            },
            share: |(_, holders): &mut Given, blocks: &[usize]| {
                blocks.iter().for_each(|block| holders[*block] += 1);
            },
            end: |(free, holders): &mut Given, texts: &[Vec<usize>]| {
                texts.iter().flatten().for_each(|block| holders[*block] -= 1);
                free.extend(texts.iter().flatten().filter(|block| holders[**block] == 0));
            },
            free: |(free, _): &Given| free.len(),
        };
        let without_words = |seen: &Seen| match seen {
            Seen::Panicked(_) => Seen::Panicked(String::new()),
            seen => seen.clone(),
        };
        stories.iter().zip(recorded).all(|(story, recorded)| {
            let Ok(given) = record(&pool, story) else { return false };
            let same =
                |((_, a, free_a), (_, b, free_b)): (&(_, Seen, usize), &(_, Seen, usize))| {
                    without_words(a) == without_words(b) && free_a == free_b
                };
            given.len() == recorded.len() && given.iter().zip(recorded).all(same)
        })
    }
}
