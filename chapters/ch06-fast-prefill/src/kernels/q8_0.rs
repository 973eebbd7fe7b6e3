use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::quant_block::QuantBlock;
use super::rounded::Group;
use super::sixteen::Sixteen;
use crate::simd::Simd;
use crate::simd::Unpacked;

/// A scale, then 32 integers of eight bits.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q8_0 {
    scale: [u8; 2],
    ints: [[u8; 16]; 2],
}

impl QuantBlock for Q8_0 {
    const STEPS: usize = 1;
    const GROUPS_PER_STEP: usize = 1;
    const FIELDS: &'static [(Range<usize>, usize)] = &[(0..2, 2), (2..34, 4)];
    type Scales<S: Simd> = S::Lanes;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> S::Lanes {
        blocks.f16s(simd, offset_of!(Q8_0, scale))
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &S::Lanes,
        groups: &mut [Unpacked],
    ) {
        for half in 0..2 {
            let rows = blocks.rows(simd, offset_of!(Q8_0, ints) + 16 * half);
            W::pack(simd, rows, 0, &mut groups[0].ints[half]);
        }
        simd.store(*scales, &mut groups[0].factors[0]);
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &S::Lanes,
        _: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let ints = offset_of!(Q8_0, ints);
        let rows = [blocks.rows(simd, ints), blocks.rows(simd, ints + 16)];
        let scale = simd.multiply(*scales, simd.load(&[x[0].scale; 16]));
        *sum = simd.mul_add(scale, simd.to_f32(W::dots(simd, rows, &x[0]), 0), *sum);
    }
}

/// A `Q8_0` of which every integer has five bits: 16 is added, then the lowest four are stored as in `Q4_0`, and the
/// fifth of integer i is bit i / 4 of byte i % 4. Only for repacked weights, whose columns are four bytes of each row.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Q5_0 {
    scale: [u8; 2],
    fifth: [u8; 4],
    ints: [u8; 16],
}

impl Q5_0 {
    pub fn of(block: &Q8_0) -> Q5_0 {
        let (mut fifth, mut ints) = ([0; 4], [0; 16]);
        for (i, int) in block.ints.as_flattened().iter().enumerate() {
            let int = int.wrapping_add(16);
            fifth[i % 4] |= int >> 4 << (i / 4);
            ints[i % 16] |= (int & 15) << (i / 16 * 4);
        }
        Q5_0 { scale: block.scale, fifth, ints }
    }

    /// The integers of sixteen blocks.
    #[inline(always)]
    fn ints<S: Simd>(simd: S, blocks: impl Sixteen) -> [S::Rows; 2] {
        let fifth = simd.as_columns(blocks.rows(simd, offset_of!(Q5_0, fifth)))[0];
        let low = blocks.rows(simd, offset_of!(Q5_0, ints));
        let mut ints = [low; 2];
        for (half, ints) in ints.iter_mut().enumerate() {
            let mut columns = [fifth; 4];
            for (column, to) in columns.iter_mut().enumerate() {
                let bits = simd.bits(simd.as_rows([fifth; 4]), 4 * half + column, 1);
                *to = simd.as_columns(bits)[column];
            }
            *ints = simd.join(simd.bits(low, 4 * half, 15), simd.as_rows(columns));
        }
        ints
    }
}

impl QuantBlock for Q5_0 {
    const STEPS: usize = 1;
    const GROUPS_PER_STEP: usize = 1;
    const FIELDS: &'static [(Range<usize>, usize)] = &[(0..2, 2), (2..18, 4), (6..22, 4)];
    type Scales<S: Simd> = S::Lanes;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: impl Sixteen) -> S::Lanes {
        blocks.f16s(simd, offset_of!(Q5_0, scale))
    }

    #[inline(always)]
    fn unpack<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &S::Lanes,
        groups: &mut [Unpacked],
    ) {
        for (rows, to) in Q5_0::ints(simd, blocks).into_iter().zip(&mut groups[0].ints) {
            W::pack(simd, rows, 16, to);
        }
        simd.store(*scales, &mut groups[0].factors[0]);
    }

    #[inline(always)]
    fn add<S: Simd, W: Sixteen>(
        simd: S,
        blocks: W,
        scales: &S::Lanes,
        _: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let x = &x[0];
        let scale = simd.multiply(*scales, simd.load(&[x.scale; 16]));
        let dots = W::dots_from_zero(simd, Q5_0::ints(simd, blocks), x.ints.each_ref());
        let ints = simd.to_f32(dots, 16 * (x.sums[0] + x.sums[1]));
        *sum = simd.mul_add(scale, ints, *sum);
    }
}
