//? title: Rotary positions: two halves of a head, at an absolute position
//? page: ch00/positions.md
//? section: Positions
//? minutes: 30
//? call: check(answer::rope)
//? hint 1: A head is head_dim / 2 points in a plane, each turned by its own angle. Which two numbers are the coordinates of point i?
//? hint 2: Point i is (x[i], x[i + half]). Its angle is position * theta^(-2 i / head_dim): point 0 turns by one radian per position, the last hardly at all.
//? hint 3: `let (a, b) = (head[i], head[i + half]); head[i] = a * cos - b * sin; head[i + half] = b * cos + a * sin;` Read both before you write one.
//? why: Files in GGUF keep Qwen3's weights as they were trained, and there the partner of number i is i + head_dim / 2. Pairing
//?   neighbours turns other planes: for small positions all angles are small and the text looks fine, so the check asks at
//?   position 1000 too. The angle is computed from the position, not accumulated, so that any token can be the first that is computed.

//! Rotate one head of a query or key, in place, to its position. Half-split pairing, as Qwen3 has it: number i and number i +
//! head_dim / 2 are the two coordinates of a point, for i below head_dim / 2, and the point is turned by
//!
//! angle = position * theta^(-2 i / head_dim)
//!
//! (a, b) becomes (a cos - b sin, a sin + b cos). `position` is the token's place in the whole text, from 0. Compute the
//! angle in f32 or better.

// head: [head_dim], head_dim even
pub fn rope(head: &mut [f32], position: usize, theta: f32) {
    //-- starter
    // todo!()
    //-- solution
    let half = head.len() / 2;
    for i in 0..half {
        let exponent = -2.0 * i as f64 / head.len() as f64;
        let angle = position as f64 * f64::from(theta).powf(exponent);
        let (sin, cos) = (angle.sin() as f32, angle.cos() as f32);
        let (a, b) = (head[i], head[i + half]);
        head[i] = a * cos - b * sin;
        head[i + half] = a * sin + b * cos;
    }
    //-- end
}
