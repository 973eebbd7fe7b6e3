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
    use exercise_kit::{Checked, Failure, Random, call, f16_to_f32};

    /// Blocks of Q6_K, and the numbers that the Python package `gguf` makes of them: `tests/oracle/stored_types.py`.
    const STORED: &[u8] = include_bytes!("../../../../tests/fixtures/stored/q6_k.stored");
    const NUMBERS: &[u8] = include_bytes!("../../../../tests/fixtures/stored/q6_k.f32");

    type Low = [u8; 128];
    type High = [u8; 64];
    type Integers = [i8; 256];

    /// One question, and what came of it.
    struct Asked {
        case: String,
        low: Low,
        high: High,
        found: Integers,
    }

    pub fn check(answer: fn(&Low, &High) -> Integers) -> Checked {
        let mut asked = Vec::new();
        for (case, low, high) in made().into_iter().chain(stored()) {
            let found =
                call(&case, || answer(&low, &high)).map_err(|it| overflow(it, &low, &high))?;
            asked.push(Asked { case, low, high, found });
        }
        compare(&asked)?;
        check_the_twin()
    }

    /// Blocks in which a mistake can be followed by hand come first.
    fn made() -> Vec<(String, Low, High)> {
        let mut random = Random::new(6);
        let mut blocks = vec![
            ("all bytes are 0".to_string(), [0; 128], [0; 64]),
            ("all bytes are 0xff".to_string(), [0xff; 128], [0xff; 64]),
            ("low: 0x21 in all bytes; high: 0".to_string(), [0x21; 128], [0; 64]),
            (
                "low: 0; high: 0b11_10_01_00 in all bytes".to_string(),
                [0; 128],
                [0b11_10_01_00; 64],
            ),
            (
                "byte i of low is i, byte i of high is 4 * i".to_string(),
                std::array::from_fn(|i| i as u8),
                std::array::from_fn(|i| 4 * i as u8),
            ),
        ];
        for number in 0..4 {
            let mut byte = || random.bits() as u8;
            let (low, high) = ([0; 128].map(|_| byte()), [0; 64].map(|_| byte()));
            blocks.push((format!("random bytes, block {number}"), low, high));
        }
        blocks
    }

    fn stored() -> impl Iterator<Item = (String, Low, High)> {
        STORED.as_chunks::<210>().0.iter().enumerate().map(|(number, block)| {
            let (low, rest) = block.split_at(128);
            let mut parts = ([0; 128], [0; 64]);
            parts.0.copy_from_slice(low);
            parts.1.copy_from_slice(&rest[..64]);
            (format!("block {number} of tests/fixtures/stored/q6_k.stored"), parts.0, parts.1)
        })
    }

    /// What this check takes for right must be what other people's program reads in the same bytes. A scale times an integer is
    /// exact in f32, so the integers give the numbers of the fixture to the bit.
    fn check_the_twin() -> Checked {
        let numbers: Vec<f32> =
            NUMBERS.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let blocks = STORED.as_chunks::<210>().0.iter().zip(numbers.as_chunks::<256>().0);
        for ((case, low, high), (block, numbers)) in stored().zip(blocks) {
            let scale_of_scales = f16_to_f32(u16::from_le_bytes([block[208], block[209]]));
            let integers = RIGHT.integers(&low, &high);
            for (i, (integer, number)) in integers.into_iter().zip(numbers).enumerate() {
                let scale = scale_of_scales * f32::from(block[192 + i / 16] as i8);
                let found = scale * f32::from(integer);
                if found.to_bits() != number.to_bits() {
                    let case = format!("the check itself, {case}");
                    return Err(Failure::new(&case, number, found).at(format!("integer {i}")));
                }
            }
        }
        Ok(())
    }

    /// A panic of the answer. A subtraction that overflows is the likely one.
    fn overflow(failure: Failure, low: &Low, high: &High) -> Failure {
        let words = failure.found.clone();
        if !words.contains("subtract with overflow") {
            return failure;
        }
        let failure = Failure { expected: "256 integers from -32 to 31".into(), ..failure };
        let zeros = *low == [0; 128] && *high == [0; 64];
        if zeros { failure.likely("0 minus 32 is no u8") } else { failure }
    }

    fn compare(asked: &[Asked]) -> Checked {
        let right = |one: &Asked| RIGHT.integers(&one.low, &one.high);
        let Some(first) = asked.iter().find(|one| one.found != right(one)) else {
            return Ok(());
        };
        let (expected, found) = (right(first), first.found);
        let i = (0..256).find(|&i| expected[i] != found[i]).unwrap_or_default();
        let place =
            format!("integer {i}: half {}, group {}, place {}", i / 128, i / 32 % 4, i % 32);
        let failure = Failure::new(&first.case, expected[i], found[i]).at(place);
        // Many mistakes give some integers alike: one is named when it explains all of them.
        let explains =
            |way: &Way| asked.iter().all(|one| way.integers(&one.low, &one.high) == one.found);
        Err(match mistakes().iter().find(|(_, way)| explains(way)) {
            Some((reason, _)) => failure.likely(reason),
            None => failure,
        })
    }

    /// Where one integer has its bits, in parts that a mistake replaces. The arguments are the half, the group and the place.
    struct Way {
        low: fn(usize, usize, usize) -> (usize, usize),
        high: fn(usize, usize, usize) -> (usize, usize),
        join: fn(u8, u8) -> i8,
    }

    const RIGHT: Way = Way {
        low: |half, group, place| (half * 64 + group % 2 * 32 + place, group / 2 * 4),
        high: |half, group, place| (half * 32 + place, group * 2),
        join: |low, high| moved(low | high << 4),
    };

    impl Way {
        fn integers(&self, low: &Low, high: &High) -> Integers {
            std::array::from_fn(|i| {
                let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
                let (low_at, low_shift) = (self.low)(half, group, place);
                let (high_at, high_shift) = (self.high)(half, group, place);
                (self.join)(low[low_at] >> low_shift & 15, high[high_at] >> high_shift & 3)
            })
        }
    }

    fn moved(bits: u8) -> i8 {
        (bits as i8).wrapping_sub(32)
    }

    /// The number in the block, from its half, group and place.
    fn index(half: usize, group: usize, place: usize) -> usize {
        half * 128 + group * 32 + place
    }

    fn mistakes() -> [(&'static str, Way); 5] {
        [
            (
                "there is no sign bit: 32 is subtracted from a number from 0 to 63",
                Way { join: |low, high| ((low | high << 4) << 2) as i8 >> 2, ..RIGHT },
            ),
            (
                "the two integers of a byte of `low` are 64 places apart, not neighbours",
                Way { low: |h, g, p| (index(h, g, p) / 2, index(h, g, p) % 2 * 4), ..RIGHT },
            ),
            (
                "groups 0 and 1 have the low halves of 64 bytes, and groups 2 and 3 the high halves",
                Way { low: |h, g, p| (h * 64 + g / 2 * 32 + p, g % 2 * 4), ..RIGHT },
            ),
            (
                "the integers of a byte of `high` are 32 places apart; here they were four neighbours",
                Way { high: |h, g, p| (index(h, g, p) / 4, p % 4 * 2), ..RIGHT },
            ),
            (
                "the bits were read as if the block had no halves: it has two, each with its four groups",
                Way {
                    low: |h, g, p| (index(h, g, p) % 128, h * 4),
                    high: |h, g, p| (index(h, g, p) % 64, index(h, g, p) / 64 * 2),
                    ..RIGHT
                },
            ),
        ]
    }
}
