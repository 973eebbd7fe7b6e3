//? recognised: no list is empty
//? why: Tries no empty list, though the rule names it.

pub fn argmax_test(argmax: &dyn Fn(&[f32]) -> usize) -> Result<(), String> {
    let right = |s: &[f32]| {
        let mut best: Option<usize> = None;
        for (i, x) in s.iter().enumerate() {
            if !x.is_nan() && best.is_none_or(|b| *x > s[b]) {
                best = Some(i);
            }
        }
        best.unwrap_or(0)
    };
    let nan = f32::NAN;
    let inf = f32::INFINITY;
    let mut lists: Vec<Vec<f32>> = vec![
        vec![nan],
        vec![nan, nan, nan],
        vec![1.0, 2.0, 2.0, 1.0],
        vec![nan, 1.0, 2.0],
        vec![2.0, nan, 1.0],
        vec![1.0, 3.0, nan],
        vec![nan, -inf],
        vec![-inf, nan],
        vec![nan, -inf, nan, -inf],
        vec![-inf, -inf],
        vec![inf, inf],
        vec![nan, inf],
        vec![-3.0, -2.0, -1.0],
        vec![-1.0, -2.0, -3.0],
        vec![0.0, -0.0],
        vec![-0.0, 0.0],
        vec![1.0, f32::from_bits(0x3f800001)],
        vec![f32::MAX, inf],
        vec![f32::MIN, f32::MAX],
        vec![1e-40, 2e-40],
    ];
    for n in [1usize, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 257, 1000, 70000] {
        for at in [0, n / 2, n - 1] {
            let mut list = vec![-1.0; n];
            list[at] = 0.5;
            lists.push(list.clone());
            list[n - 1] = 0.5;
            lists.push(list.clone());
            list[0] = nan;
            lists.push(list);
        }
    }
    for list in &lists {
        let (e, f) = (right(list), argmax(list));
        if e != f {
            return Err(format!("expected {e}, found {f}"));
        }
    }
    Ok(())
}
