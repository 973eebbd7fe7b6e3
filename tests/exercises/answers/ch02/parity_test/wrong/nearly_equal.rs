//? recognised: not bit for bit
//? why: Allows a tolerance. A sum in another order fits into it, and so does a small mistake.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    for _ in 0..10 {
        let ids: Vec<u32> = (0..engine.context_length())
            .map(|_| random.below(engine.vocab() as usize) as u32)
            .collect();
        let mut session = engine.session();
        let mut done = 0;
        while done < ids.len() {
            let chunk = (1 + random.below(8)).min(ids.len() - done);
            let cached = session.step(&ids[done..done + chunk]);
            done += chunk;
            if cached.iter().zip(engine.whole(&ids[..done])).any(|(a, b)| (a - b).abs() > 1e-3)
            {
                return Err("differs".into());
            }
        }
    }
    Ok(())
}
