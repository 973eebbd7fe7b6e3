use exercise_kit::explained::{Answered, Mistake, explained};
use exercise_kit::{Checked, Failure, call};

#[derive(Clone)]
struct Given {
    common: u64,
    lengths: Vec<u64>,
    block: u64,
    bytes: u64,
}

pub fn check(
    alone: impl Fn(&[u64], u64) -> u64,
    together: impl Fn(u64, &[u64], u64) -> u64,
    unused: impl Fn(u64, &[u64], u64, u64) -> u64,
) -> Checked {
    let all = ask("alone", right_alone, |g| alone(&g.lengths, g.block))?;
    explained(&all, right_alone, &mistakes_of_alone(), show)?;
    let all = ask("together", right_together, |g| together(g.common, &g.lengths, g.block))?;
    explained(&all, right_together, &mistakes_of_together(), show)?;
    let all = ask("unused", right_unused, |g| unused(g.common, &g.lengths, g.block, g.bytes))?;
    explained(&all, right_unused, &mistakes_of_unused(), show)
}

fn ask(
    name: &str,
    right: fn(&Given) -> u64,
    answer: impl Fn(&Given) -> u64,
) -> Result<Vec<Answered<Given, u64>>, Failure> {
    let answered = |given: Given| {
        let Given { common, lengths, block, bytes } = &given;
        let mut case = format!("{name}: texts of {lengths:?} tokens, in blocks of {block}");
        if name != "alone" {
            case += &format!(", the first {common} in common");
        }
        if name == "unused" {
            case += &format!(", {bytes} bytes a row");
        }
        let found = call(&case, || answer(&given)).map_err(|failure| {
            let reason = match name == "unused" && failure.found.contains("subtract with over")
            {
                true => SEVERAL,
                false => return Failure { expected: right(&given).to_string(), ..failure },
            };
            Failure { expected: right(&given).to_string(), ..failure }.likely(reason)
        })?;
        Ok(Answered { case, given, found })
    };
    given().into_iter().map(answered).collect()
}

fn show(expected: &u64, found: &u64) -> (String, String) {
    (expected.to_string(), found.to_string())
}

/// The first ones can be drawn; the last ones are the chapter's blocks.
fn given() -> Vec<Given> {
    let drawn = |common, lengths: &[u64]| Given {
        common,
        lengths: lengths.to_vec(),
        block: 4,
        bytes: 10,
    };
    let real = |common, lengths: Vec<u64>| Given { common, lengths, block: 64, bytes: 114_688 };
    vec![
        drawn(0, &[5]),
        drawn(0, &[4]),
        drawn(0, &[5, 6]),
        drawn(0, &[0, 1, 3, 8]),
        drawn(4, &[5, 6]),
        drawn(6, &[9, 11]),
        drawn(6, &[7, 7, 8]),
        drawn(6, &[6, 9, 11]),
        drawn(6, &[6, 6, 7]),
        drawn(5, &[5, 5, 6]),
        drawn(6, &[6, 6, 6]),
        drawn(6, &[6]),
        drawn(6, &[7]),
        drawn(8, &[8, 8, 9]),
        drawn(8, &[12, 16]),
        drawn(0, &[]),
        drawn(9, &[]),
        Given { block: 1, ..drawn(3, &[3, 3, 5, 9]) },
        Given { block: 1_000, ..drawn(3, &[3, 3, 5, 9]) },
        real(0, vec![300; 16]),
        real(1_000, vec![1_064; 8]),
        real(0, vec![40_961; 1_000]),
        Given { block: 1 << 31, ..real(1 << 32, vec![5_000_000_000, 1 << 32, 1 << 33]) },
    ]
}

fn right_alone(given: &Given) -> u64 {
    given.lengths.iter().map(|length| length.div_ceil(given.block)).sum()
}

fn right_together(given: &Given) -> u64 {
    distinct(given).len() as u64
}

fn right_unused(given: &Given) -> u64 {
    distinct(given).iter().map(|rows| given.block - rows).sum::<u64>() * given.bytes
}

/// The rows in each block that somebody has. Blocks of the common beginning are there once.
fn distinct(given: &Given) -> Vec<u64> {
    let Given { common, lengths, block, .. } = given;
    let mut blocks = Vec::new();
    let mut shared = Vec::new(); // first positions of common blocks that were counted
    for length in lengths {
        for first in (0..*length).step_by(*block as usize) {
            let end = length.min(&(first + block)).to_owned();
            if end <= *common {
                if shared.contains(&first) {
                    continue;
                }
                shared.push(first);
            }
            blocks.push(end - first);
        }
    }
    blocks
}

/// What a text has beyond whole common blocks.
fn going_on(given: &Given) -> impl Iterator<Item = u64> {
    given.lengths.iter().copied().filter(|length| *length > given.common)
}

const SEVERAL: &str = "a shared row is counted several times: it is there once";

fn mistakes_of_alone() -> Vec<Mistake<Given, u64>> {
    vec![
        ("the rows after the last full block have no block", |g| {
            g.lengths.iter().map(|length| length / g.block).sum()
        }),
        ("a text that ends where a block ends has an empty block", |g| {
            g.lengths.iter().map(|length| length / g.block + 1).sum()
        }),
        ("rows of two texts in one block: each has its own", |g| {
            g.lengths.iter().sum::<u64>().div_ceil(g.block)
        }),
    ]
}

fn mistakes_of_together() -> Vec<Mistake<Given, u64>> {
    const SHARED: &str =
        "the block in which they part is there once, and each of them has written into it";
    vec![
        ("what they have in common is counted for each text", right_alone),
        ("what they have in common is counted for each text", |g| {
            let idle = g.common % g.block > 0 && g.lengths.contains(&g.common);
            let blocks: u64 = going_on(g).map(|length| length.div_ceil(g.block)).sum();
            blocks + u64::from(idle)
        }),
        (SHARED, |g| {
            let common = g.common.div_ceil(g.block);
            let own = going_on(g).map(|length| length.div_ceil(g.block) - common);
            if g.lengths.is_empty() { 0 } else { common + own.sum::<u64>() }
        }),
        (
            "a text begins a new block where they part: position p is in block number p / block",
            |g| {
                let own = going_on(g).map(|length| (length - g.common).div_ceil(g.block));
                let common = g.common.div_ceil(g.block);
                if g.lengths.is_empty() { 0 } else { common + own.sum::<u64>() }
            },
        ),
        ("a block that is in no text any more is counted", |g| {
            let more = g.common % g.block > 0
                && !g.lengths.is_empty()
                && !g.lengths.contains(&g.common);
            right_together(g) + u64::from(more)
        }),
        ("a block is copied for a text that does not go on", |g| {
            let whole = g.common / g.block;
            let own = g.lengths.iter().map(|length| length.div_ceil(g.block) - whole);
            if g.lengths.is_empty() { 0 } else { whole + own.sum::<u64>() }
        }),
        ("a text that does not go on still has its last block", |g| {
            let whole = g.common / g.block;
            let own = going_on(g).map(|length| length.div_ceil(g.block) - whole);
            if g.lengths.is_empty() { 0 } else { whole + own.sum::<u64>() }
        }),
        ("there are no texts, and so nothing that anybody has", |g| match g.lengths[..] {
            [] => g.common / g.block,
            _ => right_together(g),
        }),
        ("there are no texts, and so nothing that anybody has", |g| match g.lengths[..] {
            [] => g.common.div_ceil(g.block),
            _ => right_together(g),
        }),
    ]
}

fn mistakes_of_unused() -> Vec<Mistake<Given, u64>> {
    vec![
        (SEVERAL, |g| {
            let rows = g.lengths.iter().sum();
            (right_together(g) * g.block).saturating_sub(rows) * g.bytes
        }),
        ("an empty place of a shared block is counted for each of its texts", |g| {
            right_alone(g) * g.block * g.bytes - g.lengths.iter().sum::<u64>() * g.bytes
        }),
        ("a full block has no place that is empty", |g| {
            let idle = g.lengths.contains(&g.common).then_some(g.common);
            going_on(g).chain(idle).map(|length| (g.block - length % g.block) * g.bytes).sum()
        }),
        ("these are places, and bytes are asked for", |g| {
            distinct(g).iter().map(|rows| g.block - rows).sum()
        }),
        ("these are the bytes of the rows, and those of empty places are asked for", |g| {
            distinct(g).iter().sum::<u64>() * g.bytes
        }),
        ("so many bytes are more than 32 bits can say", |g| right_unused(g) & 0xffff_ffff),
    ]
}
