//? recognised: most likely first
//? why: most likely first

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let ids = 0..probabilities.len();
    let limit = if top_k == 0 { probabilities.len() } else { top_k };
    let mut sum = 0.0;
    let mut kept = Vec::new();
    for id in ids.take(limit) {
        if !kept.is_empty() && sum >= top_p && top_p < 1.0 {
            break;
        }
        sum += probabilities[id];
        kept.push(id);
    }
    kept
}
