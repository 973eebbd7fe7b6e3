use ground::sample::Sampling;

/// What a sampler with these settings gives each token: its id, its share of the draw and its share without
/// any setting. The most likely come first; what is cut off has no share.
pub fn shares(logits: &[f32], sampling: &Sampling) -> Vec<(u32, f64, f64)> {
    let mut order: Vec<usize> = (0..logits.len()).collect();
    order.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]));
    let plain = weights(logits, &order, 1.0);
    let mut drawn = match sampling.temperature {
        0.0 => order.iter().enumerate().map(|(at, _)| f64::from(u8::from(at == 0))).collect(),
        temperature => weights(logits, &order, temperature),
    };
    if sampling.top_k > 0 {
        drawn.iter_mut().skip(sampling.top_k).for_each(|weight| *weight = 0.0);
    }
    if sampling.top_p < 1.0 {
        let enough = f64::from(sampling.top_p) * drawn.iter().sum::<f64>();
        let mut sum = 0.0;
        for (at, weight) in drawn.iter_mut().enumerate() {
            if at > 0 && sum >= enough {
                *weight = 0.0;
            }
            sum += *weight;
        }
    }
    let (all, total) = (plain.iter().sum::<f64>(), drawn.iter().sum::<f64>());
    let share = |at: usize| (order[at] as u32, drawn[at] / total, plain[at] / all);
    (0..order.len()).map(share).collect()
}

fn weights(logits: &[f32], order: &[usize], temperature: f32) -> Vec<f64> {
    let largest = order.first().map_or(0.0, |&id| logits[id]);
    let below = |&id: &usize| f64::from((logits[id] - largest) / temperature).exp();
    order.iter().map(below).collect()
}
