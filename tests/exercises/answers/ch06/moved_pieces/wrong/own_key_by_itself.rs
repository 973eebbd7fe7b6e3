//? recognised: query itself
//? why: Splits at the position of the query instead of the chunk's. Every chunk gives the same bits now. They are others than those of the definition, with one more piece where the query begins none.

const PIECE: usize = 4;

pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        let (past, own) = scores[..position + t + 1].split_at(position + t);
        let pieces = past.chunks(PIECE).chain(own.chunks(PIECE));
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
