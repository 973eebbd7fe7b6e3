//? recognised: from the query back
//? why: Cuts from the query's own position backwards. No chunk matters any more, but each query has pieces of its own.

const PIECE: usize = 4;

pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        let seen = position + t + 1;
        let first = (seen - 1) % PIECE + 1;
        let (first, rest) = scores[..seen].split_at(first);
        let pieces = [first].into_iter().chain(rest.chunks(PIECE));
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
