//? recognised: crosses the line
//? why: crosses the line

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    ids.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    if top_k > 0 {
        ids.truncate(top_k);
    }
    if top_p == 1.0 {
        return ids;
    }
    let enough = top_p * ids.iter().map(|&id| probabilities[id]).sum::<f64>();
    let mut sum = 0.0;
    let kept = ids.iter().take_while(|&&id| {
        sum += probabilities[id];
        sum <= enough
    });
    let kept = kept.count().max(1);
    ids.truncate(kept);
    ids
}
