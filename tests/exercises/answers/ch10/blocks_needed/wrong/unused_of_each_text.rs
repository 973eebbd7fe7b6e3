//? recognised: an empty place of a shared block
//? why: Adds up the empty places at the end of each text. Two texts that share their last block have the same ones.

pub fn alone(lengths: &[u64], block: u64) -> u64 {
    lengths.iter().map(|length| length.div_ceil(block)).sum()
}

pub fn together(common: u64, lengths: &[u64], block: u64) -> u64 {
    blocks_and_rows(common, lengths, block).0
}

pub fn unused(common: u64, lengths: &[u64], block: u64, bytes: u64) -> u64 {
    let empty = |length: &u64| length.div_ceil(block) * block - length;
    lengths.iter().map(empty).sum::<u64>() * bytes
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
