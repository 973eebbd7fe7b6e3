//? recognised: the right engine
//? why: Compares a step with the whole pass of one id more. The right engine fails this test.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    let ids: Vec<u32> = (0..engine.context_length())
        .map(|_| random.below(engine.vocab() as usize) as u32)
        .collect();
    let mut session = engine.session();
    for done in 1..ids.len() {
        let cached = session.step(&ids[done - 1..done]);
        if cached != engine.whole(&ids[..done + 1]) {
            return Err("differs".into());
        }
    }
    Ok(())
}
