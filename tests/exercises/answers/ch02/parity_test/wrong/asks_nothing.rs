//? recognised: compares nothing
//? why: Compares lengths only. Every engine returns the right number of logits.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, _random: &mut Random) -> Result<(), String> {
    let ids = [1, 2, 3];
    let mut session = engine.session();
    if session.step(&ids).len() != engine.whole(&ids).len() {
        return Err("another number of logits".into());
    }
    Ok(())
}
