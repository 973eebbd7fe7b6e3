//? recognised: all negative
//? why: Asks for one ordinary list. Every wrong function gets that one right.

pub fn argmax_test(argmax: &dyn Fn(&[f32]) -> usize) -> Result<(), String> {
    const NAN: f32 = f32::NAN;
    const LOW: f32 = f32::NEG_INFINITY;
    let mut many = vec![0.0; 1000];
    many[700] = 1.0;
    let cases: Vec<(&[f32], usize)> = vec![(&[0.5, 2.0, 1.0], 1)];
    for (logits, expected) in cases {
        let found = argmax(logits);
        if found != expected {
            return Err(format!("{logits:?}: expected {expected}, found {found}"));
        }
    }
    Ok(())
}
