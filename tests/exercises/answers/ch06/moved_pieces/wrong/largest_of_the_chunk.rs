//? recognised: begins with
//? why: Begins each chunk with its largest score of all queries. Then a query depends on what others are in the chunk.

const PIECE: usize = 4;

pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let scores_of_all = scores;
    let query = |(t, scores): (usize, &[f32])| {
        let pieces = scores[..position + t + 1].chunks(PIECE);
        let mut values = values.iter();
        let all = scores_of_all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let (mut largest, mut sum, mut mixed) = (all, 0.0, 0.0);
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
