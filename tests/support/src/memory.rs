//! An allocator that counts, for tests of how much memory something takes. A program of tests names it:
//!
//!     #[global_allocator]
//!     static ALLOCATOR: Counting = Counting;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the bytes that this thread holds, and the most it ever held; and gives no more at once than it is told.
pub struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
    static MADE: Cell<usize> = const { Cell::new(0) };
    static ROOM: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn count(bytes: isize) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    MOST.set(MOST.get().max(held));
    MADE.set(MADE.get() + bytes.max(0) as usize);
}

#[allow(unsafe_code)]
// SAFETY: all is left to the system's allocator; counting only touches this thread's cells.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= ROOM.get() {
            return std::ptr::null_mut();
        }
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The most bytes that `work` holds at once, beyond what was held before.
pub fn most_memory<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    MOST.set(before);
    let result = work();
    (result, (MOST.get() - before) as usize)
}

/// All bytes that `work` ever asks for. Where it makes what it works on, that is how much it does, however busy the machine is.
pub fn memory_made<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = MADE.get();
    let result = work();
    (result, MADE.get() - before)
}

/// What comes of `work` where nobody gets so many bytes, or more, in one piece.
pub fn without_room_for<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    ROOM.set(bytes);
    let result = work();
    ROOM.set(usize::MAX);
    result
}
