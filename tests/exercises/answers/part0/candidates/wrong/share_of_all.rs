//? recognised: what top-k left
//? why: Compares the sum with p itself. That is right only while all probabilities are there and sum to 1.

pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    ids.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));

    let cut = |ids: &mut Vec<usize>, n: usize| {
        let last = probabilities[ids[n - 1]];
        let equal = ids[n..].iter().take_while(|&&id| probabilities[id] == last);
        let n = n + equal.count();
        ids.truncate(n);
    };
    if top_k > 0 && top_k < ids.len() {
        cut(&mut ids, top_k);
    }
    if top_p < 1.0 {
        let enough = top_p;
        let mut sum = 0.0;
        let reaches = ids.iter().position(|&id| {
            sum += probabilities[id];
            sum >= enough
        });
        let kept = reaches.map_or(ids.len(), |place| place + 1);
        cut(&mut ids, kept);
    }
    ids
}
