//? recognised: lower id first
//? why: lower id first

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    // Sorted upwards and read from the end: equal ones come out in the opposite order.
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    ids.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    ids.reverse();
    if top_k > 0 {
        ids.truncate(top_k);
    }
    let enough = top_p * ids.iter().map(|&id| probabilities[id]).sum::<f64>();
    let mut sum = 0.0;
    let mut kept = Vec::new();
    for id in ids {
        if !kept.is_empty() && sum >= enough && top_p < 1.0 {
            break;
        }
        sum += probabilities[id];
        kept.push(id);
    }
    kept
}
