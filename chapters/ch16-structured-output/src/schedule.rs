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

/// What a pass costs: so much if all in it write, and so much more for each row of a prompt.
#[derive(Default)]
pub struct Pace {
    writing: VecDeque<f64>, // seconds, of the last passes without a prompt
    reading: VecDeque<(f64, f64)>, // rows of prompts and seconds, of the last ones with them
}

impl Pace {
    /// Learns from a pass with so many rows of prompts.
    pub fn passed(&mut self, rows: usize, time: Duration) {
        let time = time.as_secs_f64();
        match rows {
            0 => remember(&mut self.writing, time, WRITING),
            _ => remember(&mut self.reading, (rows as f64, time), READING),
        }
    }

    /// How many rows of prompts fit into so much time. What is fixed is what the quickest pass without them took; of those
    /// with them, the slower one may come again.
    pub fn fits(&self, time: Duration) -> usize {
        let fixed = self.writing.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let mut per_row = 0.0f64;
        let mut tried = 0.0f64;
        for (rows, time) in &self.reading {
            per_row = per_row.max((time - fixed).max(LEAST * time) / rows);
            tried = tried.max(*rows);
        }
        let rows = ((time.as_secs_f64() - fixed) / per_row).min(GROWTH * tried);
        (rows as usize).clamp(FEW, PREFILL_CHUNK.get())
    }
}

fn remember<T>(last: &mut VecDeque<T>, new: T, most: usize) {
    last.push_back(new);
    if last.len() > most {
        last.pop_front();
    }
}

/// So many passes without a prompt are remembered,
const WRITING: usize = 4;

/// and so many with one.
const READING: usize = 2;

/// The rows of prompts take at least this part of a pass.
const LEAST: f64 = 0.1;

/// No pass has more than so many times the rows that were just tried.
const GROWTH: f64 = 3.0;

/// A prompt goes on with so many rows, however slow they are.
pub const FEW: usize = 8;

/// And with so many for each text that there is. With fewer, some would be written to their end before others are read, and
/// there would never be many in a pass.
pub const EACH: usize = 2;
