use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::grammar::{FRAMES, Grammar, MANY, Node, Rule};
use crate::token_trie::{TokenSet, TokenTrie};

/// What is still to come of a text, the next rule on top. Stacks share what is below, so one of them is a number.
type Stack = u32;

/// Nothing is to come.
const EMPTY: Stack = 0;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Frame {
    rule: Rule,
    least: u32, // of a repetition: so many more; else so much is done; of words: the first that begins so
    most: u32,  // of words: so much is done
    below: Stack,
}

/// A state: all stacks with which the text so far can go on.
pub type State = u32;

/// No text goes on from here.
const DEAD: State = u32::MAX;

struct Next {
    states: [State; 256], // after each byte
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
    bytes: usize,   // of all but the masks, about
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
        if self.bytes + self.masks.len() * self.trie.vocab() / 8 > KEPT {
            let epoch = self.epoch + 1;
            *self = Automaton::new(self.grammar.clone(), self.trie.clone());
            self.epoch = epoch;
        }
    }

    fn next(&mut self, state: State) -> &Next {
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

    /// Whether a text may end here.
    pub fn is_end(&mut self, state: State) -> bool {
        self.next(state).is_end
    }

    /// Whether it must.
    pub fn is_over(&mut self, state: State) -> bool {
        self.next(state).states == [DEAD; 256]
    }

    /// The byte with which every text goes on.
    pub fn forced(&mut self, state: State) -> Option<u8> {
        let next = self.next(state);
        let mut ways = (0..=255).filter(|byte| next.states[usize::from(*byte)] != DEAD);
        ways.next().filter(|_| ways.next().is_none() && !next.is_end)
    }

    /// The tokens with which a text can go on.
    pub fn mask(&mut self, state: State) -> Arc<TokenSet> {
        self.kept((state, false), |all| {
            let (mut mask, mut others) = (TokenSet::new(all.trie.vocab()), Vec::new());
            let stacks = all.sets[state as usize].clone();
            for stack in stacks {
                let Some((most, alike)) = all.string(stack) else {
                    others.push(stack);
                    continue;
                };
                // Plain tokens are all right if there are characters left. The others can be those that end it.
                mask.extend(all.trie.plain(most));
                mask.extend(&all.kept((alike, true), |all| all.walked(alike, true)));
            }
            let others = all.state(&others);
            mask.extend(&all.walked(others, false));
            mask
        })
    }

    /// What was found before, or else what is found now.
    fn kept(
        &mut self,
        key: (State, bool),
        find: impl FnOnce(&mut Automaton) -> TokenSet,
    ) -> Arc<TokenSet> {
        if let Some(mask) = self.masks.get(&key) {
            return mask.clone();
        }
        let mask = Arc::new(find(self));
        self.masks.insert(key, mask.clone());
        mask
    }

    fn walked(&mut self, state: State, rest: bool) -> TokenSet {
        let (trie, mut left) = (self.trie.clone(), STEPS);
        trie.allowed(rest, state, |state, byte| {
            left = left.checked_sub(self.sets[state as usize].len())?;
            self.step(state, byte)
        })
    }

    /// In a string: how many characters may come, and the state of a string to which the rest of the vocabulary can do the same.
    fn string(&mut self, stack: Stack) -> Option<(usize, State)> {
        let frame = self.frames[stack as usize];
        match self.grammar.nodes[frame.rule as usize] {
            Node::Repeat(part, ..) if part == self.grammar.character => {}
            _ => return None,
        }
        let reach = self.trie.reach as u32 + 1;
        let most = if frame.most > reach { MANY } else { frame.most };
        let alike = self.intern(Frame { least: frame.least.min(reach), most, ..frame });
        Some((frame.most as usize, self.state(&[alike])))
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
                Node::Byte(ranges) => ways.extend(ranges.iter().map(|range| (*range, below))),
                Node::Words(words) => {
                    let (mut first, done) = (least as usize, most as usize);
                    let begun = &words[first][..done];
                    let all = words[first..].iter().take_while(|word| word.starts_with(begun));
                    let all = &words[first..first + all.count()];
                    for alike in all.chunk_by(|a, b| a.get(done) == b.get(done)) {
                        match alike {
                            [word, ..] if word.len() == done => open.push(below),
                            [word] if word.len() == done + 1 => {
                                ways.push(((word[done], word[done]), below));
                            }
                            _ => {
                                let byte = alike[0][done];
                                let rest =
                                    Frame { least: first as u32, most: most + 1, ..frame };
                                ways.push(((byte, byte), self.intern(rest)));
                            }
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
            self.bytes += 4 * size_of::<Frame>();
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
        self.sets.push(stacks.into());
        self.next.push(None);
        self.bytes += 100 + 2 * size_of_val(stacks);
        self.states.insert(stacks.into(), state);
        state
    }
}
