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
//! heads(position) -> status                  the same of all heads
//! draw(temperature, top_k, top_p, seed)      how begin and branch choose tokens from now on
//! branch(kept, id) -> status                 the text so far is cut, and goes on with another token
//! shares(position) -> status                 what the last draw makes of the logits there
//! result_pointer(), result_length()          what the last of them answered: one JSON object
//! ```

mod attention;
pub mod digest;
#[cfg(target_family = "wasm")]
mod exports;
mod model;
mod page;
mod run;
mod shares;

pub use page::Page;
pub use run::Wish;
