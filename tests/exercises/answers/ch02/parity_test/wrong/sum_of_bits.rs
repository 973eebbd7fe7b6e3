//? recognised: one by one
//? why: Adds up the bits of all logits and compares the sums. Two logits in the wrong order have the same sum.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    for _ in 0..20 {
        let ids: Vec<u32> = (0..engine.context_length())
            .map(|_| random.below(engine.vocab() as usize) as u32)
            .collect();
        let mut session = engine.session();
        let mut done = 0;
        while done < ids.len() {
            let chunk = (1 + random.below(8)).min(ids.len() - done);
            let cached = session.step(&ids[done..done + chunk]);
            done += chunk;
            let whole = engine.whole(&ids[..done]);
            if true {
                let sum = |x: &[f32]| x.iter().map(|x| u64::from(x.to_bits())).sum::<u64>();
                if sum(&cached) != sum(&whole) {
                    return Err(format!("{done} ids: {} and {}", cached[0], whole[0]));
                }
            }
        }
    }
    Ok(())
}
