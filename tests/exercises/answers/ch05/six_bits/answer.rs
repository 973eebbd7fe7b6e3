//? title: The 256 integers of a block of Q6_K
//? page: ch05/six-bits.md
//? section: Two places for six bits
//? level: core
//? minutes: 30
//? call: check(answer::six_bits)
//? hint 1: Follow one integer: the 100th. It is in half 0. Which of the four groups is it in, at which place of the group? Which byte of `low` and which of `high` does that give, and which of their bits?
//? hint 2: In half h, group g has its low bits in bytes `h * 64 + g % 2 * 32 ..` of `low`, and `g / 2` says whether in the low or the high four bits. All four groups have their high bits in bytes `h * 32 ..` of `high`, and group g at bit `2 * g`.
//? hint 3: For integer i with `(half, group, place) = (i / 128, i / 32 % 4, i % 32)`: `let low = low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4) & 15;` and `let high = high[half * 32 + place] >> (group * 2) & 3;`. The integer is `(low | high << 4) as i8 - 32`.
//? why: Neighbouring integers are in neighbouring bytes, and that is the point of the layout: a kernel loads 32 bytes of `low` and has
//?   group 0 with one `and`, and group 2 with one shift. The same 32 bytes of `high` serve all four groups. If two neighbours shared a
//?   byte, they would have to be pulled apart after every load. The 32 is subtracted at the end, so no bit is a sign.

//! A block of Q6_K holds 256 integers of 6 bits. The bits of one integer are in two places: four low bits in `low`, where a byte
//! has two integers, and two high bits in `high`, where a byte has four. Return the integers, from -32 to 31, in order.
//!
//! - The block has two halves of 128 integers. The first half has the first 64 bytes of `low` and the first 32 of `high`.
//! - A half has four groups of 32. The low halves of its 64 bytes are groups 0 and 1, one after the other. The high halves are
//!   groups 2 and 3.
//! - The four groups share the 32 bytes of `high`. Group 0 has the lowest two bits of each byte, group 3 the highest two.
//! - The six bits make a number from 0 to 63. The integer is that number minus 32.
//!
//! Some of the check's blocks are from the file with which the ground floor's own function is tested.

// low: [128], high: [64] -> [256]
pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    //-- starter
    // todo!()
    //-- solution
    let mut integers = [0; 256];
    for (half, integers) in integers.chunks_exact_mut(128).enumerate() {
        let (low, high) = (&low[half * 64..][..64], &high[half * 32..][..32]);
        for (group, integers) in integers.chunks_exact_mut(32).enumerate() {
            // Groups 0 and 2 share 32 bytes, and so do 1 and 3.
            let low = &low[group % 2 * 32..];
            for (place, integer) in integers.iter_mut().enumerate() {
                let low_bits = low[place] >> (group / 2 * 4) & 15;
                let high_bits = high[place] >> (group * 2) & 3;
                *integer = (low_bits | high_bits << 4) as i8 - 32;
            }
        }
    }
    integers
    //-- end
}
