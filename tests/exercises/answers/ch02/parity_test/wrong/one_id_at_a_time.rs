//? recognised: several ids
//? why: Never gives two ids in one step, so the causal rule inside a chunk is not tested.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    for _ in 0..10 {
        let ids: Vec<u32> = (0..engine.context_length())
            .map(|_| random.below(engine.vocab() as usize) as u32)
            .collect();
        let mut session = engine.session();
        for done in 1..=ids.len() {
            let cached = session.step(&ids[done - 1..done]);
            if cached
                .iter()
                .zip(engine.whole(&ids[..done]))
                .any(|(a, b)| a.to_bits() != b.to_bits())
            {
                return Err("differs".into());
            }
        }
    }
    Ok(())
}
