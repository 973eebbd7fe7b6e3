//? recognised: one of 32 loses a share
//? why: Sums in f32. Beside a probability of 1 a very small one is lost, and the set is reached too early.

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let p = probabilities;
    let mut ids: Vec<usize> = (0..p.len()).collect();
    ids.sort_by(|a, b| p[*b].total_cmp(&p[*a]).then(a.cmp(b)));
    if top_k > 0 && top_k < ids.len() {
        let last = p[ids[top_k - 1]];
        ids.retain(|id| p[*id] >= last);
    }
    if top_p < 1.0 {
        let all = f64::from(ids.iter().map(|id| p[*id] as f32).sum::<f32>());
        let mut sum = 0.0;
        let mut last = f64::NEG_INFINITY;
        for id in &ids {
            sum += p[*id];
            if sum >= top_p * all {
                last = p[*id];
                break;
            }
        }
        ids.retain(|id| p[*id] >= last);
    }
    ids
}
