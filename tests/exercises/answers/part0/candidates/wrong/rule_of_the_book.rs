//? recognised: cut among equal
//? why: Cuts by id among equal tokens, as the book does. Here they come in together.

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    ids.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));

    if top_k > 0 {
        ids.truncate(top_k);
    }
    if top_p < 1.0 {
        let enough = top_p * ids.iter().map(|&id| probabilities[id]).sum::<f64>();
        let mut sum = 0.0;
        let reaches = ids.iter().position(|&id| {
            sum += probabilities[id];
            sum >= enough
        });
        let kept = reaches.map_or(ids.len(), |place| place + 1);
        ids.truncate(kept);
    }
    ids
}
