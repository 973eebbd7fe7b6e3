//! Attention of one query, written once for the checks of two chapters, in f64.

use std::ops::Range;

/// What a deliberately changed attention does differently.
#[derive(Clone, Copy)]
pub struct Attention {
    pub scale: f64,
}

impl Attention {
    pub fn of(head_dim: usize) -> Attention {
        Attention { scale: 1.0 / (head_dim as f64).sqrt() }
    }

    /// query: [head_dim], keys and values: [rows, head_dim] -> [head_dim]; only the rows of `visible` count.
    pub fn row(
        self,
        query: &[f32],
        keys: &[f32],
        values: &[f32],
        visible: Range<usize>,
    ) -> Vec<f32> {
        let head_dim = query.len();
        let wide = |numbers: &[f32], row: usize| -> Vec<f64> {
            numbers[row * head_dim..][..head_dim].iter().map(|&x| f64::from(x)).collect()
        };
        let weights: Vec<f64> = visible
            .clone()
            .map(|row| {
                let key = wide(keys, row);
                let dot: f64 = key.iter().zip(query).map(|(k, &q)| k * f64::from(q)).sum();
                (dot * self.scale).exp()
            })
            .collect();
        let sum: f64 = weights.iter().sum();
        let mut out = vec![0.0; head_dim];
        for (weight, row) in weights.iter().zip(visible) {
            for (o, v) in out.iter_mut().zip(wide(values, row)) {
                *o += weight / sum * v;
            }
        }
        out.into_iter().map(|x| x as f32).collect()
    }
}
