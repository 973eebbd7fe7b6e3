use half::{bf16, f16};

/// A type that weights are stored in. Widening it is exact.
pub trait Number: Copy + Default {
    fn widen(self) -> f32;
}

impl Number for f32 {
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }
}

impl Number for f16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        self.to_f32()
    }
}

impl Number for bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        // The upper half of an f32.
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
}

/// What is left of a row after its last whole sixteen, filled up with zeros.
#[inline(always)]
pub fn padded<W: Number>(tail: &[W]) -> [W; 16] {
    let mut sixteen = [W::default(); 16];
    sixteen[..tail.len()].copy_from_slice(tail);
    sixteen
}
