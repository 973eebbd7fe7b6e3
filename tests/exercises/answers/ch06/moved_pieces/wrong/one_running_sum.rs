//? recognised: sum of its own
//? why: Adds each weight to the running sum. In the definition a piece has a sum of its own first.

const PIECE: usize = 4;

pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        let pieces = scores[..position + t + 1].chunks(PIECE);
        let mut values = values.iter();
        let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, 0.0);
        for piece in pieces {
            let new = piece.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            sum *= factor;
            for (score, value) in piece.iter().zip(&mut values) {
                let weight = (score - new).exp();
                sum += weight;
                mixed += weight * value;
            }
        }
        mixed / sum
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}
