//? recognised: not bit for bit
//? why: Compares the most likely id. Many mistakes do not change which one wins, until they do.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

fn best(logits: &[f32]) -> usize {
    (0..logits.len()).fold(0, |b, i| if logits[i] > logits[b] { i } else { b })
}

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
            if best(&cached) != best(&engine.whole(&ids[..done])) {
                return Err("differs".into());
            }
        }
    }
    Ok(())
}
