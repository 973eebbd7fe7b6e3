//! Memory as the CPU has it, whatever type is there; and numbers that end where the memory ends, so that whoever reads on is
//! stopped by the system.

/// A copy of so many bytes. They must be mapped, and nobody may write to them meanwhile: those of a value that is borrowed
/// are, and so is the rest of the cache line in which one begins.
#[allow(unsafe_code)]
pub fn bytes(address: *const u8, length: usize) -> Vec<u8> {
    // SAFETY: a line is on one page, so if one byte of it can be read, all can. They are looked at and not understood.
    (0..length).map(|i| unsafe { address.wrapping_add(i).read_volatile() }).collect()
}

/// Calls `with` with a copy of the numbers. On Unix the copy ends at a page that cannot be read; elsewhere it is only a copy.
pub fn at_the_end<T>(numbers: &[f32], with: impl FnOnce(&[f32]) -> T) -> T {
    #[cfg(unix)]
    return unix::at_the_end(numbers, with);
    #[cfg(not(unix))]
    with(&numbers.to_vec())
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod unix {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ffi::{c_int, c_void};

    /// A multiple of every system's page.
    const PAGE: usize = 1 << 16;
    const NONE: c_int = 0;
    const READ_AND_WRITE: c_int = 3;

    unsafe extern "C" {
        fn mprotect(address: *mut c_void, length: usize, protection: c_int) -> c_int;
    }

    pub fn at_the_end<T>(numbers: &[f32], with: impl FnOnce(&[f32]) -> T) -> T {
        let bytes = size_of_val(numbers);
        assert!(bytes <= PAGE, "one page of numbers, and one that is closed");
        let layout = Layout::from_size_align(2 * PAGE, PAGE).expect("a power of two");
        // SAFETY: the size is not 0.
        let begin = unsafe { alloc_zeroed(layout) };
        assert!(!begin.is_null(), "memory for two pages");
        // SAFETY: both places are in what was allocated. `bytes` is a multiple of 4, so the copy begins at one as well.
        let (closed, start) =
            unsafe { (begin.add(PAGE), begin.add(PAGE - bytes).cast::<f32>()) };
        // SAFETY: as many numbers fit there, and the memory is nobody else's.
        unsafe { start.copy_from(numbers.as_ptr(), numbers.len()) };
        // SAFETY: nobody but this function uses that page, and it is opened again before it is given back.
        let protect = |protection| unsafe { mprotect(closed.cast(), PAGE, protection) };
        protect(NONE);
        // SAFETY: the numbers were written above.
        let result = with(unsafe { std::slice::from_raw_parts(start, numbers.len()) });
        protect(READ_AND_WRITE);
        // SAFETY: allocated above with this layout.
        unsafe { dealloc(begin, layout) };
        result
    }
}
