use std::collections::VecDeque;
use std::time::Duration;

use ch08_f16_cache::how::PREFILL_CHUNK;

/// All that the schedule knows of a text: whose it is, how many tokens it has, and how many of them have rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub owner: usize,
    pub known: usize,
    pub computed: usize,
}

impl Standing {
    pub fn lacks(&self) -> usize {
        self.known - self.computed
    }
}

/// How many rows each text gets in the next pass, the oldest text first. Whoever lacks a single row is writing, and gets it.
/// The others are reading, and share `budget`: half of it is for the oldest, a quarter for those who are short beside the
/// oldest, and a quarter for other owners. What is left goes to the oldest first.
pub fn rows(texts: &[Standing], budget: usize) -> Vec<usize> {
    let mut rows: Vec<usize> = texts.iter().map(|text| (text.lacks() == 1).into()).collect();
    let readers: Vec<usize> = (0..texts.len()).filter(|&it| texts[it].lacks() > 1).collect();
    let Some(&oldest) = readers.first() else { return rows };
    let those = |are: &dyn Fn(&Standing) -> bool| -> Vec<usize> {
        readers.iter().copied().filter(|&it| are(&texts[it])).collect()
    };
    let mut short = those(&|text| text.lacks() * SHORT < texts[oldest].lacks());
    short.sort_by_key(|&it| texts[it].lacks());
    let others = those(&|text| text.owner != texts[oldest].owner);
    let (short, others) = (in_turn(texts, short), in_turn(texts, others));
    let mut rest = budget;
    for (group, part) in [(vec![oldest], 2), (short, 2), (others, 1), (readers, 1)] {
        let mut share = rest.div_ceil(part);
        for it in group {
            let more = (texts[it].lacks() - rows[it]).min(share);
            (rows[it], share, rest) = (rows[it] + more, share - more, rest - more);
        }
    }
    rows
}

/// The first of each owner, then the second of each, and so on.
fn in_turn(texts: &[Standing], group: Vec<usize>) -> Vec<usize> {
    let owner = |place: usize| texts[group[place]].owner;
    let turn = |place| (0..place).filter(|&other| owner(other) == owner(place)).count();
    let mut places: Vec<usize> = (0..group.len()).collect();
    places.sort_by_key(|&place| turn(place));
    places.into_iter().map(|place| group[place]).collect()
}

/// A text is short beside one that lacks more than so many times as much.
pub const SHORT: usize = 2;

/// What a pass costs: so much whatever is in it, and so much for each of its rows.
pub struct Pace {
    fixed: f64,                   // seconds
    per_row: f64,                 // seconds
    passes: VecDeque<(f64, f64)>, // the last ones: rows and seconds
    odd: Option<(f64, f64)>,      // the very last, if it took another time than was expected
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { fixed: 0.0, per_row: 1.0, passes: VecDeque::new(), odd: None }
    }
}

impl Pace {
    fn expects(&self, rows: f64) -> f64 {
        self.fixed + self.per_row * rows
    }

    /// Learns from a pass. A single odd one may be somebody else's fault. After two, that's how it is now, and what was before
    /// is forgotten.
    pub fn passed(&mut self, rows: usize, time: Duration) {
        let pass = (rows.max(1) as f64, time.as_secs_f64().max(1e-6));
        let is_odd = !(1.0 - ODD..=1.0 + ODD).contains(&(pass.1 / self.expects(pass.0)));
        match self.odd.take() {
            None if is_odd && !self.passes.is_empty() => {
                self.odd = Some(pass);
                return;
            }
            Some(before) if is_odd => self.passes = VecDeque::from([before]),
            _ => {}
        }
        self.passes.push_back(pass);
        if self.passes.len() > PASSES {
            self.passes.pop_front();
        }
        self.fit();
    }

    /// The straight line that is nearest to all passes, by the squares of what they are off. If they have much the same
    /// rows, nothing tells the two costs apart, and both change alike.
    fn fit(&mut self) {
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| {
            self.passes.iter().map(of).sum::<f64>() / self.passes.len() as f64
        };
        let (rows, time) = (mean(&|pass| pass.0), mean(&|pass| pass.1));
        let spread = mean(&|pass| (pass.0 - rows).powi(2));
        let common = mean(&|pass| (pass.0 - rows) * (pass.1 - time));
        if spread > (rows / 8.0).powi(2) {
            self.per_row = (common / spread).clamp(0.1 * time / rows, time / rows);
            self.fixed = time - self.per_row * rows;
        } else {
            let scale = time / self.expects(rows);
            (self.fixed, self.per_row) = (self.fixed * scale, self.per_row * scale);
        }
    }

    /// How many rows fit into so much time. If the last pass was slower than expected, the next may be as well.
    pub fn fits(&self, time: Duration) -> usize {
        let slower = self.odd.map_or(1.0, |(rows, time)| time / self.expects(rows)).max(1.0);
        let rows = (time.as_secs_f64() / slower - self.fixed) / self.per_row;
        if self.passes.is_empty() {
            FEW
        } else {
            rows.clamp(FEW as f64, PREFILL_CHUNK.get() as f64) as usize
        }
    }
}

/// So many passes are remembered.
const PASSES: usize = 32;

/// A pass is odd if it's off by more than this part of what was expected.
const ODD: f64 = 0.25;

/// A prompt goes on with so many rows, however slow they are.
pub const FEW: usize = 8;

/// And with so many for each text that there is. With fewer, some would be written to their end before others are read, and
/// there would never be many in a pass.
pub const EACH: usize = 2;
