//? recognised: first half
//? why: Pairs the first half of the list with the second. A and B come in turn, so each "pair" may hold two runs of A.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let (a, b) = times.split_at(times.len() / 2);
    let mut ratios: Vec<f64> = a.iter().zip(b).skip(warm_up).map(|(a, b)| a / b).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    (n > 0).then(|| (ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
}
