//? recognised: does not hold the id
//? why: Refuses every wrong function, but says only "wrong". The next person who breaks argmax has to search for the list again.

pub fn argmax_test(argmax: &dyn Fn(&[f32]) -> usize) -> Result<(), String> {
    const NAN: f32 = f32::NAN;
    const LOW: f32 = f32::NEG_INFINITY;
    let mut many = vec![0.0; 70_000];
    many[66_000] = 1.0;
    let cases: Vec<(&[f32], usize)> = vec![
        (&[], 0),
        (&[-3.0, -1.0, -2.0], 1),
        (&[-5.0, 1.0], 1),
        (&[1.0, 3.0, 3.0], 1),
        (&[NAN, 1.0, 2.0], 2),
        (&[1.0, NAN, 2.0], 2),
        (&[NAN, LOW], 1),
        (&[NAN, NAN], 0),
        (&[1.0, 1.0 + f32::EPSILON], 1),
        (&[1.0, f32::INFINITY], 1),
        (&[-0.0, 0.0], 0),
        (&many, 66_000),
    ];
    for (logits, expected) in cases {
        let found = argmax(logits);
        if found != expected {
            return Err("wrong".to_string());
        }
    }
    Ok(())
}
