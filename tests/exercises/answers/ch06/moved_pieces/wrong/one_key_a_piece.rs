//? recognised: one key
//? why: Makes a piece of each key. No chunk can move that either, and it is another order of additions.

const PIECE: usize = 4;

pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        let pieces = scores[..position + t + 1].chunks(1);
        let mut values = values.iter();
        let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, 0.0);
        for piece in pieces {
            let new = piece.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            let mut of_piece = 0.0;
            for (score, value) in piece.iter().zip(&mut values) {
                let weight = (score - new).exp();
                of_piece += weight;
                mixed += weight * value;
            }
            sum = sum * factor + of_piece;
        }
        mixed / sum
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}
