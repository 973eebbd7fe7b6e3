//! What the module exports. A module has one thread, and so one page.
#![allow(unsafe_code)] // names that a browser can find, and bytes for the hash tables

use std::cell::RefCell;
use std::ptr;

use crate::{Page, Wish};

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
}

fn with_page<T>(work: impl FnOnce(&mut Page) -> T) -> T {
    PAGE.with_borrow_mut(work)
}

#[unsafe(no_mangle)]
extern "C" fn reserve(bytes: usize) -> *mut u8 {
    with_page(|page| page.reserve(bytes).map_or(ptr::null_mut(), |room| room.as_mut_ptr()))
}

#[unsafe(no_mangle)]
extern "C" fn open() -> u32 {
    with_page(Page::open).into()
}

#[unsafe(no_mangle)]
extern "C" fn begin(
    chapter_3: u32,
    cache: u32,
    chat: u32,
    new_tokens: usize,
    ignore_eos: u32,
    bytes: usize,
) -> u32 {
    let wish = Wish {
        chapter_3: chapter_3 != 0,
        cache: cache != 0,
        chat: chat != 0,
        new_tokens,
        ignore_eos: ignore_eos != 0,
    };
    with_page(|page| page.begin(wish, bytes)).into()
}

#[unsafe(no_mangle)]
extern "C" fn step() -> u32 {
    with_page(Page::step).into()
}

#[unsafe(no_mangle)]
extern "C" fn attention(layer: usize, head: usize, position: usize) -> u32 {
    with_page(|page| page.attention(layer, head, position)).into()
}

#[unsafe(no_mangle)]
extern "C" fn heads(position: usize) -> u32 {
    with_page(|page| page.heads(position)).into()
}

#[unsafe(no_mangle)]
extern "C" fn draw(temperature: f32, top_k: usize, top_p: f32, seed: u32) {
    with_page(|page| page.draw(temperature, top_k, top_p, seed.into()));
}

#[unsafe(no_mangle)]
extern "C" fn branch(kept: usize, id: u32) -> u32 {
    with_page(|page| page.branch(kept, id)).into()
}

#[unsafe(no_mangle)]
extern "C" fn shares(position: usize) -> u32 {
    with_page(|page| page.shares(position)).into()
}

#[unsafe(no_mangle)]
extern "C" fn result_pointer() -> *const u8 {
    with_page(|page| page.result().as_ptr())
}

#[unsafe(no_mangle)]
extern "C" fn result_length() -> usize {
    with_page(|page| page.result().len())
}

/// The tokenizer's hash tables ask for random bytes, so that a stranger cannot choose keys that
/// collide. Here a reader could only slow down a page of their own: the same bytes every time will do.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    to: *mut u8,
    bytes: usize,
) -> Result<(), getrandom_for_ahash::Error> {
    // SAFETY: the caller owns these bytes.
    unsafe { ptr::write_bytes(to, 0x5a, bytes) };
    Ok(())
}
