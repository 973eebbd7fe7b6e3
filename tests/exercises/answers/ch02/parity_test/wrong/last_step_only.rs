//? recognised: after every step
//? why: Compares at the end of each sequence. A step that was wrong on the way is forgotten.

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
            if done == ids.len() {
                for i in 0..whole.len() {
                    if cached[i].to_bits() != whole[i].to_bits() {
                        return Err(format!(
                            "{done} ids, logit {i}: cached {}, whole {}",
                            cached[i], whole[i]
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}
