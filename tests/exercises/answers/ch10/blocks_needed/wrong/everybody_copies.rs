//? recognised: copied for a text that does not go on
//? why: Gives each text a copy of the last common block, whether it writes or not.

pub fn alone(lengths: &[u64], block: u64) -> u64 {
    lengths.iter().map(|length| length.div_ceil(block)).sum()
}

pub fn together(common: u64, lengths: &[u64], block: u64) -> u64 {
    blocks_and_rows(common, lengths, block).0
}

pub fn unused(common: u64, lengths: &[u64], block: u64, bytes: u64) -> u64 {
    let (blocks, rows) = blocks_and_rows(common, lengths, block);
    (blocks * block - rows) * bytes
}

fn blocks_and_rows(common: u64, lengths: &[u64], block: u64) -> (u64, u64) {
    if lengths.is_empty() {
        return (0, 0);
    }
    let (whole, begun) = (common / block, common % block);
    let (mut blocks, mut rows) = (whole, whole * block);
    for &length in lengths.iter() {
        blocks += length.div_ceil(block) - whole;
        rows += length - whole * block;
    }
    if false {
        blocks += 1;
        rows += begun;
    }
    (blocks, rows)
}
