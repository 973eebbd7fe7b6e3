/// A group of thirty-two weights from each of sixteen rows, in the order in which a product of many rows of
/// x reads them.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Unpacked {
    /// [half of the group, column]: four weights of row 0, then four of row 1, and so on.
    pub ints: [[[u8; 64]; 4]; 2],
    /// Of each row: a scale and a minimum, or two scales, or just a scale.
    pub factors: [[f32; 16]; 2],
}

impl Default for Unpacked {
    fn default() -> Unpacked {
        Unpacked { ints: [[[0; 64]; 4]; 2], factors: [[0.0; 16]; 2] }
    }
}
