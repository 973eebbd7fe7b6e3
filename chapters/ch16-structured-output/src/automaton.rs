use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexSet;

use crate::grammar::{FRAMES, Grammar, MANY, Node, Rule};
use crate::token_trie::{TokenSet, TokenTrie};

/// What is still to come of a text, the next rule on top. Stacks share what is below, so one of them is a number.
type Stack = u32;

/// Nothing is to come.
const EMPTY: Stack = 0;

#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Frame {
    rule: Rule,
    least: u32, // of a repetition: so many more; else so much is done; of words: the first that begins so
    most: u32,  // of words: so much is done
    depth: u32, // of the stack
    below: Stack,
}

/// A state: all stacks with which the text so far can go on.
pub type State = u32;

/// No text goes on from here.
pub const DEAD: State = u32::MAX;

pub struct Next {
    pub states: [State; 256], // after each byte
    pub is_end: bool,         // the text may end here
}

/// A state may have so many stacks; ways that come after these are not gone. What is written is valid all the same.
const WAYS: usize = 256;
/// So many stacks are met for one mask; tokens that come after these are left out.
const STEPS: usize = 1 << 20;
/// What is kept may have so many bytes.
const KEPT: usize = 48 << 20;

/// The states of a grammar as far as they were met: what is known of one is kept.
pub struct Automaton {
    grammar: Arc<Grammar>,
    trie: Arc<TokenTrie>,
    frames: IndexSet<Frame>,      // the top of each stack
    sets: IndexSet<Box<[Stack]>>, // of each state
    next: Vec<Option<Box<Next>>>, // likewise
    masks: HashMap<(State, bool), Arc<TokenSet>>,
    bytes: usize,   // of the states, about
    pub epoch: u64, // counts how often all was forgotten
}

impl Automaton {
    pub fn new(grammar: Arc<Grammar>, trie: Arc<TokenTrie>) -> Automaton {
        let mut automaton = Automaton {
            grammar,
            trie,
            frames: IndexSet::from([Frame::default()]),
            sets: IndexSet::new(),
            next: Vec::new(),
            masks: HashMap::new(),
            bytes: 0,
            epoch: 0,
        };
        let root = automaton.push(automaton.grammar.root, EMPTY);
        automaton.state(&[root]);
        automaton
    }

    /// Where every text begins.
    pub const START: State = 0;

    /// Forgets all states if they take too much memory. Whoever has one begins anew.
    pub fn tidy(&mut self) {
        let frames = 4 * size_of::<Frame>() * self.frames.len();
        if self.bytes + frames + self.masks.len() * self.trie.vocab() / 8 > KEPT {
            let epoch = self.epoch + 1;
            *self = Automaton::new(self.grammar.clone(), self.trie.clone());
            self.epoch = epoch;
        }
    }

    /// What can come next.
    pub fn next(&mut self, state: State) -> &Next {
        if self.next[state as usize].is_none() {
            self.next[state as usize] = Some(Box::new(self.look(state)));
            self.bytes += size_of::<Next>();
        }
        self.next[state as usize].as_ref().expect("it has been looked at")
    }

    /// The state after one more byte.
    pub fn step(&mut self, state: State, byte: u8) -> Option<State> {
        Some(self.next(state).states[usize::from(byte)]).filter(|after| *after != DEAD)
    }

    /// The byte with which every text goes on.
    pub fn forced(&mut self, state: State) -> Option<u8> {
        let next = self.next(state);
        let mut ways = (0..=255).filter(|byte| next.states[usize::from(*byte)] != DEAD);
        ways.next().filter(|_| ways.next().is_none() && !next.is_end)
    }

    /// The tokens with which a text can go on; `rest` leaves plain ones out.
    pub fn mask(&mut self, state: State, rest: bool) -> Arc<TokenSet> {
        if let Some(mask) = self.masks.get(&(state, rest)) {
            return mask.clone();
        }
        let (trie, mut others) = (self.trie.clone(), Vec::new());
        let mut mask = TokenSet::new(trie.vocab());
        for stack in self.sets[state as usize].clone() {
            let frame = self.frames[stack as usize];
            match self.grammar.nodes[frame.rule as usize] {
                // In a string: plain tokens are all right if there are characters left. The others can't tell where it has more
                // room than they reach.
                Node::Repeat(part, ..) if part == self.grammar.character && !rest => {
                    mask.extend(trie.plain(frame.most as usize));
                    let reach = trie.reach as u32 + 1;
                    let most = if frame.most > reach { MANY } else { frame.most };
                    let least = frame.least.min(reach);
                    let alike = self.intern(Frame { least, most, ..frame });
                    let alike = self.state(&[alike]);
                    mask.extend(&self.mask(alike, true));
                }
                _ => others.push(stack),
            }
        }
        let (others, mut left) = (self.state(&others), STEPS);
        mask.extend(&trie.allowed(rest, others, |state, byte| {
            left = left.checked_sub(self.sets[state as usize].len())?;
            self.step(state, byte)
        }));
        let mask = Arc::new(mask);
        self.masks.insert((state, rest), mask.clone());
        mask
    }

    /// What can come next in a state: the bytes, each with what is to come after it, in the order of the schema.
    fn look(&mut self, state: State) -> Next {
        let (mut ways, mut is_end) = (Vec::new(), false);
        let mut open: Vec<Stack> = self.sets[state as usize].iter().rev().copied().collect();
        let (mut met, grammar) = (HashSet::new(), self.grammar.clone());
        while let Some(stack) = open.pop() {
            if ways.len() >= WAYS {
                break;
            }
            if !met.insert(stack) {
                continue;
            }
            if stack == EMPTY {
                is_end = true;
                continue;
            }
            let frame = self.frames[stack as usize];
            let Frame { rule, least, most, below, .. } = frame;
            match &grammar.nodes[rule as usize] {
                Node::Byte(ranges) => ways.extend(ranges.iter().map(|range| (*range, below))),
                Node::Words(words) => {
                    let (mut first, done) = (least as usize, most as usize);
                    let begun = &words[first][..done];
                    let all = words[first..].iter().take_while(|word| word.starts_with(begun));
                    let all = &words[first..first + all.count()];
                    for alike in all.chunk_by(|a, b| a.get(done) == b.get(done)) {
                        let rest = Frame { least: first as u32, most: most + 1, ..frame };
                        match alike[0].get(done) {
                            None => open.push(below),
                            Some(&byte) => ways.push(((byte, byte), self.intern(rest))),
                        }
                        first += alike.len();
                    }
                }
                Node::Until(tag, may_end) => {
                    is_end |= *may_end;
                    let right = tag.as_bytes()[least as usize];
                    let is_last = least as usize + 1 == tag.len();
                    let [none, one, more] =
                        [0, 1, least + 1].map(|least| self.intern(Frame { least, ..frame }));
                    let (low, high) = (right.min(b'<'), right.max(b'<'));
                    let others = [(0, low - 1), (low + 1, high - 1), (high + 1, u8::MAX)];
                    ways.extend(others.map(|range| (range, none)));
                    ways.push(((right, right), if is_last { below } else { more }));
                    if least > 0 {
                        ways.push(((b'<', b'<'), one));
                    }
                }
                Node::Seq(parts) => open.push(match parts.get(least as usize) {
                    None => below,
                    Some(&part) if least as usize + 1 == parts.len() => self.push(part, below),
                    Some(&part) => {
                        let rest = self.intern(Frame { least: least + 1, ..frame });
                        self.push(part, rest)
                    }
                }),
                Node::Alt(parts) => {
                    let fits = parts.iter().filter(|part| self.fits(**part, below));
                    let fits: Vec<Rule> = fits.copied().take(WAYS).collect();
                    open.extend(fits.into_iter().rev().map(|part| self.push(part, below)));
                }
                Node::Repeat(part, ..) => {
                    if least == 0 {
                        open.push(below);
                    }
                    let left = if most == MANY { MANY } else { most.saturating_sub(1) };
                    let after = Frame { least: least.saturating_sub(1), most: left, ..frame };
                    let rest = if left == 0 { below } else { self.intern(after) };
                    if most > 0 && (least > 0 || self.fits(*part, rest)) {
                        open.push(self.push(*part, rest));
                    }
                }
            }
        }
        let mut next = Next { states: [DEAD; 256], is_end };
        for byte in 0..=255 {
            let mut after: Vec<Stack> = Vec::new();
            for ((from, to), stack) in &ways {
                if (*from..=*to).contains(&byte) && !after.contains(stack) {
                    after.push(*stack);
                }
            }
            if !after.is_empty() {
                next.states[usize::from(byte)] = self.state(&after);
            }
        }
        next
    }

    fn fits(&self, rule: Rule, below: Stack) -> bool {
        let depth = self.frames[below as usize].depth;
        depth.saturating_add(self.grammar.needs[rule as usize]) <= FRAMES
    }

    fn push(&mut self, rule: Rule, below: Stack) -> Stack {
        let (least, most) = match self.grammar.nodes[rule as usize] {
            Node::Repeat(_, least, most) => (least, most),
            _ => (0, 0),
        };
        let depth = self.frames[below as usize].depth + 1;
        self.intern(Frame { rule, least, most, depth, below })
    }

    fn intern(&mut self, frame: Frame) -> Stack {
        self.frames.insert_full(frame).0 as Stack
    }

    fn state(&mut self, stacks: &[Stack]) -> State {
        let (state, is_new) = self.sets.insert_full(stacks.into());
        if is_new {
            self.next.push(None);
            self.bytes += 100 + 2 * size_of_val(stacks);
        }
        state as State
    }
}
