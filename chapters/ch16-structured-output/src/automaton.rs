use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::grammar::{ByteSet, FRAMES, Grammar, MANY, Node, Rule};
use crate::token_trie::{TokenSet, TokenTrie};

/// What is still to come of a text, the next rule on top. Stacks share what is below, so one of them is a number.
type Stack = u32;

/// Nothing is to come.
const EMPTY: Stack = 0;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Frame {
    rule: Rule,
    least: u32, // of a repetition: so many more; of a literal or a sequence: so much is done
    most: u32,
    below: Stack,
}

/// A state: all stacks with which the text so far can go on.
pub type State = u32;

/// No text goes on from here.
const DEAD: State = u32::MAX;

struct Next {
    kinds: [u16; 256],  // bytes of a kind lead to the same state
    states: Vec<State>, // of each kind; 0 leads nowhere
    is_end: bool,
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
    frames: Vec<Frame>,
    depths: Vec<u32>,
    stacks: HashMap<Frame, Stack>,
    sets: Vec<Box<[Stack]>>,
    states: HashMap<Box<[Stack]>, State>,
    next: Vec<Option<Box<Next>>>,
    masks: HashMap<(State, bool), Arc<TokenSet>>,
    bytes: usize,
    pub epoch: u64, // counts how often all was forgotten
}

impl Automaton {
    pub fn new(grammar: Arc<Grammar>, trie: Arc<TokenTrie>) -> Automaton {
        let bottom = Frame { rule: 0, least: 0, most: 0, below: EMPTY };
        let mut automaton = Automaton {
            grammar,
            trie,
            frames: vec![bottom],
            depths: vec![0],
            stacks: HashMap::new(),
            sets: Vec::new(),
            states: HashMap::new(),
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
        if self.bytes > KEPT {
            let epoch = self.epoch + 1;
            *self = Automaton::new(self.grammar.clone(), self.trie.clone());
            self.epoch = epoch;
        }
    }

    /// The state after one more byte.
    pub fn step(&mut self, state: State, byte: u8) -> Option<State> {
        if self.next[state as usize].is_none() {
            let next = self.look(state);
            self.bytes += size_of::<Next>() + size_of_val(&*next.states);
            self.next[state as usize] = Some(Box::new(next));
        }
        let next = self.next[state as usize].as_ref()?;
        let after = next.states[usize::from(next.kinds[usize::from(byte)])];
        (after != DEAD).then_some(after)
    }

    /// Whether a text may end here.
    pub fn is_end(&mut self, state: State) -> bool {
        self.step(state, 0);
        self.next[state as usize].as_ref().is_some_and(|next| next.is_end)
    }

    /// Whether it must.
    pub fn is_over(&mut self, state: State) -> bool {
        let is_end = self.is_end(state);
        let next = self.next[state as usize].as_ref();
        is_end && next.is_some_and(|next| next.states == [DEAD])
    }

    /// The byte with which every text goes on.
    pub fn forced(&mut self, state: State) -> Option<u8> {
        if self.is_end(state) {
            return None;
        }
        let mut ways = (0..=255).filter(|&byte| self.step(state, byte).is_some());
        ways.next().filter(|_| ways.next().is_none())
    }

    /// The tokens with which a text can go on.
    pub fn mask(&mut self, state: State) -> Arc<TokenSet> {
        if let Some(mask) = self.masks.get(&(state, false)) {
            return mask.clone();
        }
        let all = self.sets[state as usize].clone();
        let (strings, others): (Vec<Stack>, Vec<Stack>) =
            all.iter().copied().partition(|stack| self.string(*stack).is_some());
        let mut mask = TokenSet::new(self.trie.vocab());
        for stack in strings {
            // Plain tokens are all right if there are characters left. The others can be those that end it.
            let (most, alike) = self.string(stack).expect("it is one");
            mask.extend(self.trie.plain(most));
            let alike = self.state(&[alike]);
            mask.extend(&self.walked(alike, true));
        }
        if !others.is_empty() {
            let others = self.state(&others);
            mask.extend(&self.walked(others, false));
        }
        let mask = Arc::new(mask);
        self.keep(state, false, &mask);
        mask
    }

    fn keep(&mut self, state: State, rest: bool, mask: &Arc<TokenSet>) {
        self.bytes += self.trie.vocab() / 8;
        self.masks.insert((state, rest), mask.clone());
    }

    fn walked(&mut self, state: State, rest: bool) -> Arc<TokenSet> {
        if let Some(mask) = self.masks.get(&(state, rest)) {
            return mask.clone();
        }
        let (trie, mut left) = (self.trie.clone(), STEPS);
        let mask = trie.allowed(rest, state, |state, byte| {
            left = left.checked_sub(self.sets[state as usize].len())?;
            self.step(state, byte)
        });
        let mask = Arc::new(mask);
        self.keep(state, rest, &mask);
        mask
    }

    /// In a string: how many characters may come, and a string to which the rest of the vocabulary can do the same.
    fn string(&mut self, stack: Stack) -> Option<(usize, Stack)> {
        let frame = self.frames[stack as usize];
        let Node::Repeat(part, ..) = self.grammar.nodes[frame.rule as usize] else {
            return None;
        };
        if stack == EMPTY || part != self.grammar.character {
            return None;
        }
        let reach = self.trie.reach as u32 + 1;
        let most = if frame.most > reach { MANY } else { frame.most };
        let alike = self.intern(Frame { least: frame.least.min(reach), most, ..frame });
        Some((frame.most as usize, alike))
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
            let Frame { rule, least, most, below } = frame;
            match &grammar.nodes[rule as usize] {
                Node::Byte(set) => ways.push((*set, below)),
                Node::Literal(text) => {
                    let at = least as usize;
                    let is_last = at + 1 == text.len();
                    let after = Frame { least: least + 1, ..frame };
                    let after = if is_last { below } else { self.intern(after) };
                    ways.push((ByteSet::of([text[at]]), after));
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
        let mut next = Next { kinds: [0; 256], states: vec![DEAD], is_end };
        let mut known: HashMap<Vec<Stack>, u16> = HashMap::new();
        for byte in 0..=255 {
            let mut after: Vec<Stack> = Vec::new();
            for (_, stack) in ways.iter().filter(|(set, _)| set.contains(byte)) {
                if !after.contains(stack) {
                    after.push(*stack);
                }
            }
            if after.is_empty() {
                continue;
            }
            next.kinds[usize::from(byte)] = *known.entry(after).or_insert_with_key(|after| {
                next.states.push(self.state(after));
                next.states.len() as u16 - 1
            });
        }
        next
    }

    fn fits(&self, rule: Rule, below: Stack) -> bool {
        self.depths[below as usize].saturating_add(self.grammar.needs[rule as usize]) <= FRAMES
    }

    fn push(&mut self, rule: Rule, below: Stack) -> Stack {
        let (least, most) = match self.grammar.nodes[rule as usize] {
            Node::Repeat(_, least, most) => (least, most),
            _ => (0, 0),
        };
        self.intern(Frame { rule, least, most, below })
    }

    fn intern(&mut self, frame: Frame) -> Stack {
        *self.stacks.entry(frame).or_insert_with(|| {
            self.bytes += 3 * size_of::<Frame>();
            self.depths.push(self.depths[frame.below as usize] + 1);
            self.frames.push(frame);
            self.frames.len() as Stack - 1
        })
    }

    fn state(&mut self, stacks: &[Stack]) -> State {
        if let Some(&state) = self.states.get(stacks) {
            return state;
        }
        let state = self.sets.len() as State;
        self.bytes += 64 + 2 * size_of_val(stacks);
        self.sets.push(stacks.into());
        self.next.push(None);
        self.states.insert(stacks.into(), state);
        state
    }
}
