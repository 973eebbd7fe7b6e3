//? recognised: f64
//? why: Sums in `f64`. The differences between chunks get too small to be seen in an `f32`, nearly always; and the bits are not those of the definition.

const PIECE: usize = 4;

pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        let pieces = scores[..position + t + 1].chunks(PIECE);
        let mut values = values.iter();
        let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0f64, 0.0f64);
        for piece in pieces {
            let new = piece.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= f64::from(factor);
            let mut of_piece = 0.0;
            for (score, value) in piece.iter().zip(&mut values) {
                let weight = (score - new).exp();
                of_piece += f64::from(weight);
                mixed += f64::from(weight) * f64::from(*value);
            }
            sum = sum * f64::from(factor) + of_piece;
        }
        (mixed / sum) as f32
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}
