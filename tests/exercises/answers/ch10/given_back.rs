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

    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, GIVEN, Random, call};

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

    /// What came of each step, up to a panic: whether a block was taken, and whether another text has it, too; and how many
    /// were free then.
    struct Told {
        steps: Vec<(Option<bool>, usize)>,
        panic: Option<String>,
    }

    /// A panic is a panic, in whatever words.
    impl PartialEq for Told {
        fn eq(&self, other: &Told) -> bool {
            self.steps == other.steps && self.panic.is_some() == other.panic.is_some()
        }
    }

    pub fn check<P>(
        new: fn(usize) -> P,
        take: fn(&mut P) -> Option<usize>,
        share: fn(&mut P, &[usize]),
        end: fn(&mut P, &[Vec<usize>]),
        free: fn(&P) -> usize,
    ) -> Checked {
        let pool = Pool { new, take, share, end, free };
        let case = |story: &Story| {
            let steps = story.steps.iter().take(12).map(step).collect::<Vec<_>>().join(", ");
            let dots = if story.steps.len() > 12 { " and so on" } else { "" };
            format!("{} of {} blocks: {steps}{dots}", story.name, story.blocks)
        };
        ask_all(stories(), case, |story| tell(&pool, story), right, &mistakes(), |right, found| {
            let same = right.steps.iter().zip(&found.steps).take_while(|(a, b)| a == b).count();
            let told = |told: &Told| match (told.steps.get(same), &told.panic) {
                (Some((took, free)), _) => {
                    let took = match took {
                        None => "",
                        Some(true) => "a block is taken, which a text has that has not ended, and ",
                        Some(false) => "a block is taken, and ",
                    };
                    format!("after step {}, {took}{free} blocks are free", same + 1)
                }
                (None, Some(words)) => format!("a panic in step {}: {words}", same + 1),
                (None, None) => "that was all".into(),
            };
            (told(right), told(found))
        })
        .map_err(|failure| {
            failure.if_stopped(
                "add with overflow",
                "a block may be shared by more texts than a byte can count, all of a server's, say",
            )
        })
    }

    fn step(step: &Step) -> String {
        match step {
            Take(text) => format!("{text} takes a block"),
            Share(text, other, count) => format!("{text} shares {count} of {other}"),
            End(names) if names.chars().count() < 5 => format!("{names} end"),
            End(_) => "many end".into(),
        }
    }

    fn stories() -> Vec<Story> {
        let end = |names: &str| End(names.into());
        let (a, b, two) = (Take('a'), Take('b'), Share('b', 'a', 2));
        let story = |name, steps: &[Step]| Story { name, blocks: 4, steps: steps.to_vec() };
        let mut stories = vec![
            story("a pool", &[a.clone(), b.clone(), a.clone(), b.clone(), end("ab")]),
            story(
                "a pool",
                &[a.clone(), a.clone(), two.clone(), b, end("a"), Take('c'), end("b")],
            ),
            story(
                "a pool",
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
                "a pool",
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
        stories.extend((0..20).map(|_| any_story(&mut random)));
        let many: Vec<char> = ('\u{4e00}'..).take(300).collect();
        let mut steps = vec![a];
        steps.extend(many.iter().map(|name| Share(*name, 'a', 1)));
        steps.extend([end(&String::from_iter(&many)), end("a")]);
        stories.push(Story { name: "301 texts share a block of a pool", blocks: 2, steps });
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
        Story { name: "texts come and go in a pool", blocks: 6, steps }
    }

    /// Plays a story, and then hands out what is left.
    fn tell<P>(pool: &Pool<P>, story: &Story) -> Told {
        let mut state = (pool.new)(story.blocks);
        let mut texts: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        let mut told = Told { steps: Vec::new(), panic: None };
        for step in story.steps.iter().chain(&vec![Take('z'); story.blocks + 3]) {
            let result = call("", || {
                let took = match step {
                    Take(text) => {
                        let block = (pool.take)(&mut state);
                        let is_held = |block: usize| {
                            block >= story.blocks
                                || texts.values().flatten().any(|it| *it == block)
                        };
                        let took = block.map(is_held);
                        texts.entry(*text).or_default().extend(block);
                        took
                    }
                    Share(text, other, count) => {
                        let mut blocks = texts.get(other).cloned().unwrap_or_default();
                        blocks.truncate(*count);
                        (pool.share)(&mut state, &blocks);
                        texts.insert(*text, blocks);
                        None
                    }
                    End(names) => {
                        let ended = names.chars().filter_map(|name| texts.remove(&name));
                        (pool.end)(&mut state, &ended.collect::<Vec<_>>());
                        None
                    }
                };
                (took, (pool.free)(&state))
            });
            match result {
                Ok(step) => told.steps.push(step),
                Err(failure) => {
                    told.panic = Some(failure.found);
                    break;
                }
            }
        }
        told
    }

    /// Free blocks, and how many texts have each.
    type State = (Vec<usize>, Vec<usize>);
    type EndOf = fn(&mut State, &[Vec<usize>]);

    fn with_end(story: &Story, end: EndOf) -> Told {
        tell(&Pool { end, ..POOL }, story)
    }

    const POOL: Pool<State> = Pool {
        new: |blocks| ((0..blocks).rev().collect(), vec![0; blocks]),
        take: |(free, holders)| {
            let block = free.pop()?;
            holders[block] = 1;
            Some(block)
        },
        share: |(_, holders), blocks| blocks.iter().for_each(|block| holders[*block] += 1),
        end: |(free, holders), texts| {
            for &block in texts.iter().flatten() {
                holders[block] -= 1;
                if holders[block] == 0 {
                    free.push(block);
                }
            }
        },
        free: |(free, _)| free.len(),
    };

    fn right(story: &Story) -> Told {
        tell(&POOL, story)
    }

    /// The pool as it is given counts all down, and looks then.
    const END_AS_GIVEN: EndOf = |(free, holders), texts| {
        texts.iter().flatten().for_each(|block| holders[*block] -= 1);
        free.extend(texts.iter().flatten().filter(|block| holders[**block] == 0));
    };

    fn mistakes() -> Vec<Mistake<Story, Told>> {
        vec![
            (GIVEN, |story| with_end(story, END_AS_GIVEN)),
            ("a block is given back while another text has it", |story| {
                with_end(story, |(free, holders), texts| {
                    for &block in texts.iter().flatten() {
                        if std::mem::take(&mut holders[block]) > 0 {
                            free.push(block);
                        }
                    }
                })
            }),
            ("a block is lost when the texts that share it end one after the other", |story| {
                with_end(story, |(free, holders), texts| {
                    for &block in texts.iter().flatten() {
                        if holders[block] == 1 {
                            holders[block] = 0;
                            free.push(block);
                        }
                    }
                })
            }),
            ("a block is lost when the texts that share it end in the same step", |story| {
                with_end(story, |(free, holders), texts| {
                    free.extend(texts.iter().flatten().filter(|block| holders[**block] == 1));
                    texts.iter().flatten().for_each(|block| holders[*block] -= 1);
                })
            }),
            ("the list of free blocks has a block more than once", |story| {
                with_end(story, |(free, holders), texts| {
                    texts.iter().flatten().for_each(|block| holders[*block] -= 1);
                    for &block in texts.iter().flatten() {
                        if holders[block] == 0 && free.last() != Some(&block) {
                            free.push(block);
                        }
                    }
                })
            }),
            (
                "`free` counts blocks twice, although none is handed out twice: they are in the list twice",
                |story| {
                    let take: fn(&mut State) -> Option<usize> = |(free, holders)| {
                        let mut all = std::iter::from_fn(|| free.pop());
                        let block = all.find(|block| holders[*block] == 0)?;
                        holders[block] = 1;
                        Some(block)
                    };
                    tell(&Pool { take, end: END_AS_GIVEN, ..POOL }, story)
                },
            ),
        ]
    }
}
