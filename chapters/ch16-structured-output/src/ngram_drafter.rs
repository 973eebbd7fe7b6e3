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
pub struct NgramDrafter {
    three: Index<3>,
    four: Index<4>,
    trust: u32,          // doubles a guess so many times
    silent: Option<u32>, // the token that it would have guessed if it had trusted itself
}

impl NgramDrafter {
    /// At most so many tokens; often none.
    pub fn draft(&mut self, ids: &[u32], most: usize) -> Vec<u32> {
        // Both are kept current.
        let (three, four) = (self.three.find(ids), self.four.find(ids));
        self.trust += u32::from(self.silent.as_ref() == ids.last());
        let place = four.or(three).unwrap_or(ids.len());
        self.silent = ids.get(place).copied().filter(|_| self.trust == 0);
        // 0, 1, 3, 7 or 15: with the token before them, that's 1, 2, 4, 8 or 16 rows.
        let most = most.min((1 << self.trust) - 1);
        ids[place..].iter().copied().take(most).collect()
    }

    /// Of so many guessed tokens, at least one, these came true.
    pub fn learn(&mut self, guessed: usize, accepted: usize) {
        let is_right = accepted == guessed;
        self.trust = if is_right { (self.trust + 1).min(4) } else { self.trust - 1 };
    }
}
