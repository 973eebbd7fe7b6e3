//? recognised: block of its own
//? why: Takes the largest scale of the key for all blocks. It is never exceeded either, but the others are better than that.

type Block = (f32, [i8; 32]);

pub fn write(row: &[f32]) -> Vec<Block> {
    let block = |x: &[f32; 32]| {
        let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let scale = largest / 127.0;
        (scale, x.map(|x| (x / scale).round() as i8))
    };
    row.as_chunks().0.iter().map(block).collect()
}

pub fn read(blocks: &[Block]) -> Vec<f32> {
    let numbers = |(scale, integers): &Block| integers.map(|i| scale * f32::from(i));
    blocks.iter().flat_map(numbers).collect()
}

pub fn most_off(query: &[f32], key: &[Block]) -> f32 {
    let largest = key.iter().fold(0.0f32, |largest, (scale, _)| largest.max(*scale));
    largest / 2.0 * query.iter().map(|q| q.abs()).sum::<f32>()
}
