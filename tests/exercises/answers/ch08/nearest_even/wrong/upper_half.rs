//? recognised: upper sixteen bits
//? why: Takes the upper half of the `f32`. That is a bf16, with eight bits of exponent and seven of fraction.

pub fn nearest_even(x: f32) -> u16 {
    let bits = x.to_bits();
    (bits >> 16) as u16
}
