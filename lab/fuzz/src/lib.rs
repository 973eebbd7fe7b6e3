//! What is asserted of every input, whatever it is about: little memory, little time, errors of one line.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::LazyLock;
use std::thread::panicking;

use ch07_chat::backend::Backend;
use ch07_chat::compute::ComputeContext;
use ch07_chat::recorder::system_clock;
use ch07_chat::session::Session;
use ground::gguf::Gguf;
use test_support::tiny::tiny_gguf;

/// Seconds, as the book promises for templates. It is far more than anything else should take.
const MOST_TIME: f64 = 2.0;

/// Counts the bytes that this thread holds, and has no more than the limit.
struct Limited;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static LIMIT: Cell<isize> = const { Cell::new(isize::MAX) };
}

/// Whether there are so many bytes more. What is being reported already needs room for its report.
fn take(bytes: isize) -> bool {
    let held = HELD.get().saturating_add(bytes);
    if bytes > 0 && held > LIMIT.get() && !panicking() {
        LIMIT.set(isize::MAX);
        return false;
    }
    HELD.set(held);
    true
}

// SAFETY: all is left to the system's allocator; counting only touches this thread's cells.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if take(layout.size() as isize) { unsafe { System.alloc(layout) } } else { null_mut() }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        take(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !take(size as isize - layout.size() as isize) {
            return null_mut();
        }
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// Does `work`, which may hold `most` bytes and has two seconds. Where Rust gets no memory, it ends the program:
/// that is a finding.
pub fn within<T>(most: usize, work: impl FnOnce() -> T) -> T {
    let started = processor_time();
    LIMIT.set(HELD.get() + most as isize);
    let result = work();
    LIMIT.set(isize::MAX);
    // Not the time on the wall: the machine may have more to do, or may be asleep.
    let took = processor_time() - started;
    assert!(took < MOST_TIME, "took {took:.1} s");
    result
}

fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system writes into `time`, which is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// What a user would see of an error.
pub fn one_line(error: impl ToString) -> String {
    let line = error.to_string();
    assert!(!line.is_empty() && line.len() < 500, "an error of {} bytes: {line}", line.len());
    assert!(!line.contains(char::is_control), "{line:?} is not one line");
    line
}

/// As much as a file may take: what the tests in `hostile_gguf.rs` allow.
pub fn of_file(bytes: usize) -> usize {
    (1 << 20) + 24 * bytes
}

/// A model of a few thousand numbers, loaded.
pub fn miniature() -> &'static Session<'static> {
    thread_local! {
        static SESSION: LazyLock<&'static Session<'static>> = LazyLock::new(|| {
            let file = Gguf::from_vec(tiny_gguf().to_bytes()).expect("it opens");
            let compute = ComputeContext::new(Backend::available()[0], 1).expect("a thread starts");
            let file = Box::leak(Box::new(file));
            let session = Session::open(file, system_clock(), compute).expect("the model loads");
            Box::leak(Box::new(session))
        });
    }
    SESSION.with(|session| **session)
}

/// The next `N` bytes, or fewer and then zeros.
pub fn take_bytes<const N: usize>(data: &mut &[u8]) -> [u8; N] {
    let (first, rest) = data.split_at(N.min(data.len()));
    *data = rest;
    let mut bytes = [0; N];
    bytes[..first.len()].copy_from_slice(first);
    bytes
}
