//! The packed scales of the K types.

use super::PACKED;
use super::blocks::products::assert_product;
use super::blocks::{numbers, random_blocks};
use ground::random::SplitMix64;

/// The packed scales: a column for each of their bits, set alone and left out alone.
#[test]
fn every_bit_of_the_packed_scales() {
    let mut noise = SplitMix64::new(61);
    for (stored, packed) in PACKED {
        let (mut bytes, bits) = (Vec::new(), 8 * packed.len());
        for (background, bit) in
            [0, 0xFF].into_iter().flat_map(|b| (0..bits).map(move |i| (b, i)))
        {
            let mut block = random_blocks(&mut noise, stored, 1);
            block[packed.clone()].fill(background);
            block[packed.start + bit / 8] ^= 1 << (bit % 8);
            bytes.extend(block);
        }
        let x = numbers(&mut noise, 5, 256);
        assert_product(x.view(), stored, &bytes, 2 * bits);
    }
}
