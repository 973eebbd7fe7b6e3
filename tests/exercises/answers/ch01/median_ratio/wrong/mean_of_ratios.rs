//? recognised: mean of the ratios
//? why: Takes the mean. One disturbed pair with a ratio of 8 pulls it away from all the others.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let ratios: Vec<f64> =
        times.chunks_exact(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect();
    (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
}
