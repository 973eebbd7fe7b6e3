use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::automaton::{Automaton, DEAD, State};
use crate::grammar::Grammar;
use crate::token_trie::{TokenSet, TokenTrie};

/// How far an answer has come in its grammar. Clones share what they find out.
#[derive(Clone)]
pub struct Matcher {
    trie: Arc<TokenTrie>,
    automaton: Arc<Mutex<Automaton>>,
    text: Vec<u8>, // so far
    state: State,
    epoch: u64, // to which the state belongs
}

/// Forced bytes are told so far ahead.
const AHEAD: usize = 256;

impl Matcher {
    /// At the beginning of an answer. Keep it, and clone it for each answer by this grammar.
    pub fn new(grammar: Arc<Grammar>, trie: Arc<TokenTrie>) -> Matcher {
        let automaton = Arc::new(Mutex::new(Automaton::new(grammar, trie.clone())));
        Matcher { trie, automaton, text: Vec::new(), state: Automaton::START, epoch: 0 }
    }

    /// The tokens that may come next, without those that end an answer.
    pub fn mask(&mut self) -> Arc<TokenSet> {
        let (state, mut automaton) = self.automaton();
        automaton.mask(state, false)
    }

    /// Finds out the masks that will be asked for: the next one, and those after each of these tokens.
    pub fn prepare(mut self, tokens: &[u32]) {
        self.mask();
        for &token in tokens {
            if !self.accept(token) {
                break;
            }
            self.mask();
        }
    }

    /// Takes a token, if it may come.
    pub fn accept(&mut self, token: u32) -> bool {
        let trie = self.trie.clone();
        let bytes = trie.bytes(token);
        !bytes.is_empty() && self.accept_bytes(bytes)
    }

    /// Takes all these bytes or none.
    pub fn accept_bytes(&mut self, bytes: &[u8]) -> bool {
        let (state, mut automaton) = self.automaton();
        let after = bytes.iter().try_fold(state, |state, &byte| automaton.step(state, byte));
        drop(automaton);
        let Some(after) = after else { return false };
        self.state = after;
        self.text.extend(bytes);
        true
    }

    /// The bytes to which there is no alternative.
    pub fn forced(&mut self) -> Vec<u8> {
        let (mut state, mut automaton) = self.automaton();
        let mut forced = Vec::new();
        while let Some(byte) = automaton.forced(state).filter(|_| forced.len() < AHEAD) {
            forced.push(byte);
            state = automaton.step(state, byte).expect("it's forced");
        }
        forced
    }

    /// Whether the answer may end here.
    pub fn may_end(&mut self) -> bool {
        let (state, mut automaton) = self.automaton();
        automaton.next(state).is_end
    }

    /// Whether it must.
    pub fn must_end(&mut self) -> bool {
        let (state, mut automaton) = self.automaton();
        automaton.next(state).states == [DEAD; 256]
    }

    /// Where this answer is. What was forgotten meanwhile is found again from its bytes.
    fn automaton(&mut self) -> (State, MutexGuard<'_, Automaton>) {
        let lock = self.automaton.lock();
        let mut automaton = lock.unwrap_or_else(PoisonError::into_inner);
        automaton.tidy();
        if automaton.epoch != self.epoch {
            self.epoch = automaton.epoch;
            let step = |state, &byte: &u8| automaton.step(state, byte).expect("it was taken");
            self.state = self.text.iter().fold(Automaton::START, step);
        }
        (self.state, automaton)
    }
}
