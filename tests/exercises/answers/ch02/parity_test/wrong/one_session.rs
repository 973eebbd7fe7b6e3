//? recognised: second session
//? why: Opens a single session. What an earlier one left in the cache cannot show.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    let ids: Vec<u32> = (0..engine.context_length())
        .map(|i| if i == 0 { 0 } else { random.below(engine.vocab() as usize) as u32 })
        .collect();
    let mut session = engine.session();
    let mut done = 0;
    while done < ids.len() {
        let chunk = (1 + random.below(3)).min(ids.len() - done);
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
    Ok(())
}
