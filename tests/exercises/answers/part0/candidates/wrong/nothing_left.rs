//? recognised: at least one
//? why: Tests before it adds, so for p = 0 the loop ends with an empty list and nothing can be drawn.

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    ids.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    if top_k > 0 {
        ids.truncate(top_k);
    }
    let enough = top_p * ids.iter().map(|&id| probabilities[id]).sum::<f64>();
    let mut sum = 0.0;
    let mut kept = Vec::new();
    for id in ids {
        if sum >= enough && top_p < 1.0 {
            break;
        }
        sum += probabilities[id];
        kept.push(id);
    }
    kept
}
