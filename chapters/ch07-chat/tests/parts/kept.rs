//! What a context keeps of one text for the next. It needs no conversation, only `src/context.rs` and a session.

use std::num::NonZeroUsize;

use ch07_chat::backend::Backend;
use ch07_chat::cache::Mode;
use ch07_chat::compute::ComputeContext;
use ch07_chat::context::{Context, common_beginning};
use ch07_chat::how::How;
use ch07_chat::recorder::system_clock;
use ch07_chat::session::Session;
use ground::embedded::tiny_qwen3;
use ndarray::{ArrayView2, Axis, aview1};
use test_support::parts::assert_same_bits;

/// The logits of one position.
fn one(logits: &[f32]) -> ArrayView2<'_, f32> {
    aview1(logits).insert_axis(Axis(0))
}

#[test]
fn a_beginning_is_common_until_the_first_difference() {
    for (a, b, common) in [
        (&[][..], &[][..], 0),
        (&[1, 2, 3], &[1, 2, 3], 3),
        (&[1, 2], &[1, 2, 3], 2),
        (&[1, 2, 3], &[1, 2], 2),
        (&[1, 9, 3], &[1, 2, 3], 1), // what is equal again after it does not count
        (&[9, 2, 3], &[1, 2, 3], 0),
        (&[2, 3], &[1, 2, 3], 0),
    ] {
        assert_eq!(common_beginning(a, b), common, "{a:?} {b:?}");
    }
}

/// Texts that grow, change in the middle, end earlier, and come again: how many rows each keeps of the one before, and
/// the logits of a run that keeps nothing.
#[test]
fn what_is_kept_is_what_both_begin_with_and_changes_no_bit() {
    let file = tiny_qwen3().expect("it opens");
    let backend = Backend::choose("auto").expect("there is one");
    let compute = ComputeContext::new(backend, 2).expect("a few threads start");
    let session = Session::open(&file, system_clock(), compute).expect("the model loads");
    let how = How { kv: Mode::Contiguous, prefill_chunk: NonZeroUsize::new(3).expect("not 0") };
    let cache = || how.kv.cache(&session.model.config, 20).expect("there is memory");
    let new = || Context::new(cache(), &how, 20);
    let mut context = new();
    for (ids, kept) in [
        (&[5, 6, 7, 8][..], 0),
        (&[5, 6, 7, 8, 9, 10], 4),
        (&[5, 6, 70, 8, 9, 10], 2),
        (&[5, 6, 70], 2), // the last token is always computed
        (&[5, 6, 70], 2),
        (&[1], 0),
    ] {
        let found = context.keep(ids);
        assert_eq!(found, kept, "rows kept for {ids:?}: look at `keep` in src/context.rs");
        let forward = |context: &mut Context, ids: &[u32]| {
            let logits = context.forward(&session.model, ids, &mut |_| true);
            logits.expect("there is room").expect("nothing ends it")
        };
        let found = forward(&mut context, &ids[kept..]);
        let expected = forward(&mut new(), ids);
        let what = format!("logits after {ids:?}, {kept} of them kept");
        assert_same_bits(one(&found), one(&expected), &what);
        assert_eq!(
            context.ids(),
            ids,
            "what has a row now: look at `forward` in src/context.rs"
        );
    }
}
