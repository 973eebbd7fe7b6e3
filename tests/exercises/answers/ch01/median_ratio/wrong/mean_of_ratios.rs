//? recognised: mean of the ratios

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let ratios: Vec<f64> =
        times.chunks_exact(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect();
    (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
}
