//! The engines of chapters 2 and 3 for a page in a browser: the same crates, compiled to WebAssembly.
//!
//! The module imports nothing. It exports its memory and these functions; a page copies bytes in and
//! reads text out, see `README.md` beside this crate:
//!
//! ```text
//! reserve(bytes) -> pointer                  room for the input, or 0: there is no memory
//! open() -> status                           the input is a model
//! begin(chapter_3, cache, chat, new_tokens, ignore_eos, bytes) -> status
//!                                            the first bytes of the input are the prompt
//! step() -> status                           one forward pass, one new token
//! attention(layer, head, position) -> status
//! result_pointer(), result_length()          what the last of them answered: one JSON object
//! ```

mod attention;
pub mod digest;
#[cfg(target_family = "wasm")]
mod exports;
mod model;
mod page;
mod run;

pub use page::Page;
pub use run::Wish;
