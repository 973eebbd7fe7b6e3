//? title: Move a key that has been rotated already
//? page: ch00/positions.md
//? section: Positions
//? level: core
//? minutes: 30
//? call: check(answer::move_key)
//? hint 1: The key has been turned by `from` steps, and should look as if it had been turned by `to`. By how many steps is it still to be turned, and in which direction?
//? hint 2: Turn by `to - from` steps, with the pairs and angles of the page. That number is negative when the key moves to the front, and a `usize` is not.
//? hint 3: `let steps = to as f64 - from as f64; let angle = steps * f64::from(theta).powf(-2.0 * i as f64 / n as f64);` then the pair i, i + n / 2 as on the page; read both before you write one.
//? why: Two turns one after the other are one turn by the sum of their angles. So the first need not be undone: turning by the
//?   difference is enough. Some engines do this when a conversation has filled the cache and its oldest part is dropped.
//?   The result is near to a fresh computation and not equal to it, because the keys of the upper layers still remember the
//?   text that was dropped.

//! An engine need not compute the keys of earlier tokens again for each new one: it can keep them, as we do from chapter 2 on.
//! Now a conversation has become too long, and some engines drop its oldest part. The keys that they keep are
//! rotated to their old positions. Do not compute them again: move them.
//!
//! `key` is one head of a key, rotated to position `from` as on the page: number i and number i + head_dim / 2 are a point,
//! turned by position * theta^(-2 i / head_dim). Change it in place to what it would be if it had been rotated to
//! position `to`. `to` may be smaller than `from`, larger, or the same. Compute the angle in f64.

// key: [head_dim], head_dim even
pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    //-- starter
    // todo!()
    //-- solution
    let steps = to as f64 - from as f64;
    let half = key.len() / 2;
    for i in 0..half {
        let angle = steps * f64::from(theta).powf(-2.0 * i as f64 / key.len() as f64);
        let (sin, cos) = (angle.sin() as f32, angle.cos() as f32);
        let (a, b) = (key[i], key[i + half]);
        key[i] = a * cos - b * sin;
        key[i + half] = a * sin + b * cos;
    }
    //-- end
}
