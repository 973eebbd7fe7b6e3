//? recognised: divides once
//? why: Computes all weights once more and divides each of them by the sum. The division in another place is another rounding.

const PIECE: usize = 4;

pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        let pieces = scores[..position + t + 1].chunks(PIECE);
        let (mut largest, mut sum) = (f32::NEG_INFINITY, 0.0);
        for piece in pieces {
            let new = piece.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            let mut of_piece = 0.0;
            for score in piece {
                let weight = (score - new).exp();
                of_piece += weight;
            }
            sum = sum * factor + of_piece;
        }
        let mut mixed = 0.0;
        for (score, value) in scores[..position + t + 1].iter().zip(values) {
            mixed += (score - largest).exp() / sum * value;
        }
        mixed
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}
