//? recognised: a full block
//? why: Takes `block - length % block` for the empty places. Where the remainder is 0 there are none, and not a whole block.

pub fn alone(lengths: &[u64], block: u64) -> u64 {
    lengths.iter().map(|length| length.div_ceil(block)).sum()
}

pub fn together(common: u64, lengths: &[u64], block: u64) -> u64 {
    blocks_and_rows(common, lengths, block).0
}

pub fn unused(common: u64, lengths: &[u64], block: u64, bytes: u64) -> u64 {
    let mut all: Vec<u64> = lengths.to_vec();
    all.sort();
    // Those that don't go on share their block.
    let idle = all.iter().filter(|length| **length == common).count();
    let own = all.split_off(idle.saturating_sub(1));
    own.iter().map(|length| (block - length % block) * bytes).sum()
}

fn blocks_and_rows(common: u64, lengths: &[u64], block: u64) -> (u64, u64) {
    if lengths.is_empty() {
        return (0, 0);
    }
    let (whole, begun) = (common / block, common % block);
    let (mut blocks, mut rows) = (whole, whole * block);
    for &length in lengths.iter().filter(|&&length| length > common) {
        blocks += length.div_ceil(block) - whole;
        rows += length - whole * block;
    }
    if begun > 0 && lengths.contains(&common) {
        blocks += 1;
        rows += begun;
    }
    (blocks, rows)
}
