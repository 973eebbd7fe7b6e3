use exercise_kit::{Checked, Near, Random, call, f16_to_f32, same_numbers};

pub fn check(answer: impl Fn(&[u8; 34]) -> [f32; 32]) -> Checked {
    let mut random = Random::new(15);
    // Scales: 1.5, -0.0123, the smallest subnormal, 0.
    for scale in [0x3e00u16, 0xa24c, 0x0001, 0x0000] {
        let mut block: [u8; 34] = std::array::from_fn(|_| random.bits() as u8);
        [block[0], block[1]] = scale.to_le_bytes();
        (block[2], block[3], block[4]) = (0x7f, 0x80, 0x81); // 127, -128, -127
        let case = format!(
            "scale {} (bits {scale:#06x}), bytes {:02x?}",
            f16_to_f32(scale),
            &block[2..]
        );
        let found = call(&case, || answer(&block))?;
        let numbers = |scale: f32, from: usize| -> Vec<f32> {
            (0..32).map(|i| scale * f32::from(block[from + i] as i8)).collect()
        };
        let right = f16_to_f32(scale);
        let behind = f16_to_f32(u16::from_le_bytes([block[32], block[33]]));
        let unsigned = (0..32).map(|i| right * f32::from(block[2 + i])).collect();
        same_numbers(
            &case,
            &[("number", 32)],
            Near::Bits,
            &numbers(right, 2),
            &found,
            &[
                ("the 32 bytes are signed: 0x80 is -128", unsigned),
                ("the scale is the first two bytes, the numbers follow", numbers(behind, 0)),
                (
                    "the scale's least significant byte comes first",
                    numbers(f16_to_f32(scale.swap_bytes()), 2),
                ),
                ("the scale is missing", numbers(1.0, 2)),
                (
                    "the scale was read as an integer; it is a 16-bit float",
                    numbers(f32::from(scale), 2),
                ),
            ],
        )?;
    }
    Ok(())
}
