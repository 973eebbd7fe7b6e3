//? recognised: 65,536
//? why: Tries a list of some hundred scores. The vocabulary of the model has 151,936, and an id of 16 bits is right up to 65,535.

pub fn argmax_test(argmax: &dyn Fn(&[f32]) -> usize) -> Result<(), String> {
    const NAN: f32 = f32::NAN;
    const LOW: f32 = f32::NEG_INFINITY;
    let mut many = vec![0.0; 1000];
    many[700] = 1.0;
    let cases: [(&[f32], usize); 13] = [
        (&[0.5, 2.0, 1.0], 1),
        (&[-3.0, -1.0, -2.0], 1),
        (&[-5.0, 1.0], 1),
        (&[1.0, 3.0, 3.0], 1),
        (&[1.0, 1.0 + f32::EPSILON], 1),
        (&[NAN, 1.0, 2.0], 2),
        (&[1.0, NAN, 2.0], 2),
        (&[NAN, LOW], 1),
        (&[1.0, f32::INFINITY], 1),
        (&[NAN, NAN], 0),
        (&[], 0),
        (&[-0.0, 0.0], 0),
        (&many, 700),
    ];
    for (logits, expected) in cases {
        let found = argmax(logits);
        if found != expected {
            let first = &logits[..logits.len().min(8)];
            return Err(format!("argmax of {first:?}...: expected {expected}, found {found}"));
        }
    }
    Ok(())
}
