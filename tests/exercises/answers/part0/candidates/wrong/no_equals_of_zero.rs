//? recognised: cut among equal
//? why: Lets no token in whose probability is 0. Top-k asks how likely a token is beside the others, and 0 may be as likely as the last.

// probabilities: [vocab]
pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    // A stable sort: equal ones stay in the order of their ids.
    ids.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    let cut = |ids: &mut Vec<usize>, n: usize| {
        let last = probabilities[ids[n - 1]];
        let equal = ids[n..].iter().take_while(|&&id| probabilities[id] == last && last > 0.0);
        let n = n + equal.count();
        ids.truncate(n);
    };
    if (1..ids.len()).contains(&top_k) {
        cut(&mut ids, top_k);
    }
    if top_p < 1.0 {
        let enough = top_p * ids.iter().map(|&id| probabilities[id]).sum::<f64>();
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
