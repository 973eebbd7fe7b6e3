//? recognised: rounded down
//? why: Rounds down. Every number becomes smaller, by half a step on average, and in a score these errors don't cancel.

type Block = (f32, [i8; 32]);

pub fn write(row: &[f32]) -> Vec<Block> {
    let block = |x: &[f32; 32]| {
        let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let scale = largest / 127.0;
        (scale, x.map(|x| (x / scale).floor() as i8))
    };
    row.as_chunks().0.iter().map(block).collect()
}

pub fn read(blocks: &[Block]) -> Vec<f32> {
    let numbers = |(scale, integers): &Block| integers.map(|i| scale * f32::from(i));
    blocks.iter().flat_map(numbers).collect()
}

pub fn most_off(query: &[f32], key: &[Block]) -> f32 {
    let of_block = |(q, (scale, _)): (&[f32; 32], &Block)| {
        scale / 2.0 * q.iter().map(|q| q.abs()).sum::<f32>()
    };
    query.as_chunks().0.iter().zip(key).map(of_block).sum()
}
