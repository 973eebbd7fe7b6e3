//? recognised: the order must not depend on the sort
//? why: Sorts with a sort that may change the order of equal ones. In a short list it happens to keep it, in a long one it does not.

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let p = probabilities;
    let mut ids: Vec<usize> = (0..p.len()).collect();
    ids.sort_unstable_by(|a, b| p[*b].total_cmp(&p[*a]));
    if top_k > 0 && top_k < ids.len() {
        let last = p[ids[top_k - 1]];
        ids.retain(|id| p[*id] >= last);
    }
    if top_p < 1.0 {
        let all: f64 = ids.iter().map(|id| p[*id]).sum();
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
