//! Looks at memory as the CPU has it, whatever type is there.

/// A copy of so many bytes. They must be mapped, and nobody may write to them meanwhile: those of a value that is borrowed
/// are, and so is the rest of the cache line in which one begins.
#[allow(unsafe_code)]
pub fn bytes(address: *const u8, length: usize) -> Vec<u8> {
    // SAFETY: a line is on one page, so if one byte of it can be read, all can. They are looked at and not understood.
    (0..length).map(|i| unsafe { address.wrapping_add(i).read_volatile() }).collect()
}
