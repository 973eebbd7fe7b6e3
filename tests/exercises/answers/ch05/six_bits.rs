//? title: The 256 integers of a block of Q6_K
//? page: ch05/six-bits.md
//? section: Two places for six bits
//? level: core
//? minutes: 30
//? call: check(six_bits)
//? hint 1: Follow one integer: the 100th. It is in half 0. Which of the four groups is it in, at which place of the group? Which byte of `low` and which of `high` does that give, and which of their bits?
//? hint 2: In half h, group g has its low bits in bytes `h * 64 + g % 2 * 32 ..` of `low`, and `g / 2` says whether in the low or the high four bits. All four groups have their high bits in bytes `h * 32 ..` of `high`, and group g at bit `2 * g`.
//? hint 3: For integer i with `(half, group, place) = (i / 128, i / 32 % 4, i % 32)`: `let low = low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4) & 15;` and `let high = high[half * 32 + place] >> (group * 2) & 3;`. The integer is `(low | high << 4) as i8 - 32`.
//? why: Neighbouring integers are in neighbouring bytes, and that is the point of the layout: a kernel loads 32 bytes of `low` and has
//?   group 0 with one `and`, and group 2 with one shift. The same 32 bytes of `high` serve all four groups. If two neighbours shared a
//?   byte, they would have to be pulled apart after every load. The 32 is subtracted at the end, so no bit is a sign.

// A block of Q6_K holds 256 integers of 6 bits. The bits of one integer are in two places: four low bits in `low`, where a byte
// has two integers, and two high bits in `high`, where a byte has four. Return the integers, from -32 to 31, in order.
//
// - The block has two halves of 128 integers. The first half has the first 64 bytes of `low` and the first 32 of `high`.
// - A half has four groups of 32. The low halves of its 64 bytes are groups 0 and 1, one after the other. The high halves are
//   groups 2 and 3.
// - The four groups share the 32 bytes of `high`. Group 0 has the lowest two bits of each byte, group 3 the highest two.
// - The six bits make a number from 0 to 63. The integer is that number minus 32.
//
// Some of the check's blocks are from the file with which the ground floor's own function is tested.

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

//-- check
pub mod check {
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, Failure, Random, f16_to_f32};

    /// Blocks of Q6_K, and the numbers that the Python package `gguf` makes of them: `lab/reference/stored_types.py`.
    const STORED: &[u8] = include_bytes!("../../../../tests/fixtures/stored/q6_k.stored");
    const NUMBERS: &[u8] = include_bytes!("../../../../tests/fixtures/stored/q6_k.f32");

    type Low = [u8; 128];
    type High = [u8; 64];
    type Integers = [i8; 256];

    struct Bits {
        case: String,
        /// What is likely if this is the first that goes wrong.
        likely: &'static str,
        low: Low,
        high: High,
    }

    const SIGN: &str = "there is no sign bit: 32 is subtracted from a number from 0 to 63";
    const HALVES: &str = "the bits were read as if the block had no halves: it has two, each with its four groups";
    const TWO: &str = "the two integers of a byte of `low` are 64 places apart, not neighbours";

    pub fn check(answer: fn(&Low, &High) -> Integers) -> Checked {
        let blocks = made().into_iter().chain(stored());
        let case = |it: &Bits| it.case.clone();
        let likely = |it: &Bits, _: &Integers, found: Option<&Integers>| match found {
            None if it.likely == SIGN => "0 minus 32 is no u8",
            Some(found) if it.likely == TWO && found[0] == found[1] => {
                "groups 0 and 1 have the low halves of 64 bytes, and groups 2 and 3 the high halves"
            }
            _ => it.likely,
        };
        ask_each(blocks, case, |it| answer(&it.low, &it.high), right, likely, shown)?;
        check_the_twin()
    }

    /// Blocks in which a mistake can be followed by hand come first.
    fn made() -> Vec<Bits> {
        let mut random = Random::new(6);
        let halves = std::array::from_fn(|i| if i < 64 { 0x11 } else { 0x33 });
        let (mut low, mut high) = ([0; 128], [0; 64]);
        low.iter_mut().chain(&mut high).for_each(|byte| *byte = random.bits() as u8);
        [
            ("all bytes are 0", SIGN, [0; 128], [0; 64]),
            ("all bytes are 0xff", "", [0xff; 128], [0xff; 64]),
            ("low: 0x11 in 64 bytes, 0x33 in the others; high: 0", HALVES, halves, [0; 64]),
            ("low: 0x21 in all bytes; high: 0", TWO, [0x21; 128], [0; 64]),
            (
                "low: 0; high: 0b11_10_01_00 in all bytes",
                "the integers of a byte of `high` are 32 places apart; here they were four neighbours",
                [0; 128],
                [0b11_10_01_00; 64],
            ),
            ("random bytes", "", low, high),
        ]
        .map(|(case, likely, low, high)| Bits { case: case.into(), likely, low, high })
        .into()
    }

    fn stored() -> impl Iterator<Item = Bits> {
        STORED.as_chunks::<210>().0.iter().enumerate().map(|(number, block)| {
            let case = format!("block {number} of tests/fixtures/stored/q6_k.stored");
            let mut bits = Bits { case, likely: "", low: [0; 128], high: [0; 64] };
            bits.low.copy_from_slice(&block[..128]);
            bits.high.copy_from_slice(&block[128..192]);
            bits
        })
    }

    /// What this check takes for right must be what other people's program reads in the same bytes. A scale times an integer is
    /// exact in f32, so the integers give the numbers of the fixture to the bit.
    fn check_the_twin() -> Checked {
        let numbers: Vec<f32> =
            NUMBERS.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let blocks = STORED.as_chunks::<210>().0.iter().zip(numbers.as_chunks::<256>().0);
        for (bits, (block, numbers)) in stored().zip(blocks) {
            let scale_of_scales = f16_to_f32(u16::from_le_bytes([block[208], block[209]]));
            for (i, (integer, number)) in right(&bits).into_iter().zip(numbers).enumerate() {
                let scale = scale_of_scales * f32::from(block[192 + i / 16] as i8);
                let found = scale * f32::from(integer);
                if found.to_bits() != number.to_bits() {
                    let case = format!("the check itself, {}", bits.case);
                    return Err(Failure::new(&case, number, found).at(format!("integer {i}")));
                }
            }
        }
        Ok(())
    }

    fn shown(expected: &Integers, found: &Integers) -> (String, String) {
        let Some(i) = (0..256).find(|&i| expected[i] != found[i]) else {
            return ("256 integers from -32 to 31".into(), String::new());
        };
        let place = format!("half {}, group {}, place {}", i / 128, i / 32 % 4, i % 32);
        let integer = |all: &Integers| format!("{} as integer {i}: {place}", all[i]);
        (integer(expected), integer(found))
    }

    fn right(bits: &Bits) -> Integers {
        std::array::from_fn(|i| {
            let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
            let low = bits.low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4) & 15;
            let high = bits.high[half * 32 + place] >> (group * 2) & 3;
            (low | high << 4) as i8 - 32
        })
    }
}
