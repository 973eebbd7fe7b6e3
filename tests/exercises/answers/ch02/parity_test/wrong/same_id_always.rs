//? recognised: the whole vocabulary
//? why: Draws five ids. A mistake in any other id stays hidden.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    for _ in 0..10 {
        let ids: Vec<u32> =
            (0..engine.context_length()).map(|_| 1 + random.below(5) as u32).collect();
        let mut session = engine.session();
        let mut done = 0;
        while done < ids.len() {
            let chunk = (1 + random.below(8)).min(ids.len() - done);
            let cached = session.step(&ids[done..done + chunk]);
            done += chunk;
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
