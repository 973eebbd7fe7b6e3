use std::collections::HashMap;

/// Where a text went on, after each N tokens in a row.
#[derive(Default)]
pub struct Index<const N: usize> {
    places: HashMap<[u32; N], usize>,
    until: usize, // places before this one are in it
}

impl<const N: usize> Index<N> {
    /// Where the text went on the last time, after N tokens like its last N.
    pub fn find(&mut self, ids: &[u32]) -> Option<usize> {
        // Each time only what is new since the last one.
        for place in self.until.max(N)..ids.len() {
            self.places.extend(ids[..place].last_chunk().map(|before| (*before, place)));
        }
        self.until = ids.len();
        self.places.get(ids.last_chunk()?).copied()
    }
}

/// Guesses how a text goes on: as it did the last time.
#[derive(Default)]
pub struct Guesser {
    three: Index<3>,
    four: Index<4>,
    doubt: u32, // halves a guess so many times
}

/// The longest guess.
pub const LONGEST: usize = 15;

impl Guesser {
    /// At most so many tokens; often none.
    pub fn guess(&mut self, ids: &[u32], most: usize) -> Vec<u32> {
        // Both are kept current.
        let (three, four) = (self.three.find(ids), self.four.find(ids));
        let most = most.min(LONGEST >> self.doubt);
        let place = four.or(three).unwrap_or(ids.len());
        ids[place..].iter().copied().take(most).collect()
    }

    /// Of so many guessed tokens, these came true.
    pub fn learn(&mut self, guessed: usize, kept: usize) {
        // A guess has 15, 7, 3 or 1: with the token before it, that's 16, 8, 4 or 2 rows.
        let doubt = if kept == guessed { self.doubt.saturating_sub(1) } else { self.doubt + 1 };
        self.doubt = doubt.min(3);
    }
}
