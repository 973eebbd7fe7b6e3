//? recognised: multiplied by a number of the query
//? why: Adds up half a step for each number of the key. In the score each of them is multiplied.

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
    let of_block = |(q, (scale, _)): (&[f32; 32], &Block)| scale / 2.0 * q.len() as f32;
    query.as_chunks().0.iter().zip(key).map(of_block).sum()
}
