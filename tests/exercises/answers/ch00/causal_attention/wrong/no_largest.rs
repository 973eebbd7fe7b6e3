//? recognised: exp overflowed
//? why: Takes the exponentials as they are. With scores of some hundreds they are infinite, and the result is NaN.

pub fn causal_attention(
    q: &[f32],
    k: &[f32],
    v: &[f32],
    n: usize,
    g: usize,
    d: usize,
) -> Vec<f32> {
    let rows = q.len() / (n * d);
    let mut out = vec![0.0; q.len()];
    for t in 0..rows {
        for h in 0..n {
            let (a, s) = ((t * n + h) * d, h / (n / g));
            let mut sum = 0.0;
            for r in 0..=t {
                let b = (r * g + s) * d;
                let score: f32 = (0..d).map(|i| q[a + i] * k[b + i]).sum();
                let weight = (score / (d as f32).sqrt()).exp();
                sum += weight;

                (0..d).for_each(|i| out[a + i] += weight * v[b + i]);
            }
            (0..d).for_each(|i| out[a + i] /= sum);
        }
    }
    out
}
