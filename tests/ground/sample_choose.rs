//! The sampler: what each setting keeps, what it never does, and the same draws everywhere.

use ground::exp::exp;
use ground::random::SplitMix64;
use ground::sample::{SampleError, Sampler, Sampling, argmax};
use proptest::prelude::*;
use std::collections::BTreeSet;

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

fn sampler(change: impl FnOnce(&mut Sampling)) -> Sampler {
    let mut settings = Sampling { temperature: 1.0, ..Sampling::default() };
    change(&mut settings);
    Sampler::new(settings).expect("good settings")
}

/// Which tokens come up in many draws.
fn support(mut sampler: Sampler, logits: &[f32], seen: &[u32]) -> BTreeSet<u32> {
    (0..2_000).map(|_| sampler.next(logits, seen)).collect()
}

/// Logits that are exact in every number type: 40 different ones, out of order.
fn forty() -> Vec<f32> {
    (0..40).map(|i| (i * 37 % 40) as f32 / 8.0 - 2.0).collect()
}

/// Draws one token after another, each seen from then on.
fn sequence(settings: Sampling, length: usize) -> Vec<u32> {
    let mut sampler = Sampler::new(settings).expect("good settings");
    let mut seen = Vec::new();
    for _ in 0..length {
        seen.push(sampler.next(&forty(), &seen));
    }
    seen
}

#[test]
fn the_first_of_equals_wins_and_nan_never_does() {
    assert_eq!(argmax(&[1.0, 3.0, 3.0, 2.0]), 1);
    assert_eq!(argmax(&[0.0, -0.0]), 0);
    assert_eq!(argmax(&[-0.0, 0.0]), 0);
    assert_eq!(argmax(&[NAN, -5.0, NAN, -4.0, NAN]), 3);
    assert_eq!(argmax(&[NAN, -INF]), 1);
    assert_eq!(argmax(&[-INF, NAN]), 0);
    assert_eq!(argmax(&[1.0, INF, INF]), 1);
    assert_eq!(argmax(&[NAN, NAN]), 0);
    assert_eq!(argmax(&[-INF, -INF]), 0);
    assert_eq!(argmax(&[]), 0);
}

#[test]
fn the_default_is_greedy() {
    let mut sampler = Sampler::new(Sampling::default()).expect("good settings");
    for _ in 0..10 {
        assert_eq!(sampler.next(&[0.0, 2.0, 2.0, 1.0], &[1, 1, 1]), 1);
    }
}

/// SplitMix64: the first numbers for the seed 1234567, as published in many places.
#[test]
fn the_generator_is_the_published_one() {
    let published: [u64; 5] = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ];
    let mut random = SplitMix64::new(1234567);
    assert_eq!([(); 5].map(|()| random.draw()), published);
    // Of 2^16 equally likely tokens, a draw takes the one that the upper 16 bits name.
    let equal = vec![0.0; 1 << 16];
    let mut sampler = sampler(|s| s.seed = 1234567);
    for bits in published {
        assert_eq!(u64::from(sampler.next(&equal, &[])), bits >> 48);
    }
}

/// Computed by another program in Python, in 64-bit floats and with `math.exp`.
#[test]
fn a_seed_draws_the_same_tokens_everywhere() {
    let settings = Sampling {
        temperature: 0.75,
        top_k: 8,
        top_p: 0.9,
        repetition_penalty: 1.25,
        seed: 42,
    };
    let expected = [15, 27, 1, 28, 14, 16, 2, 15, 14, 1, 14, 29, 1, 1, 15, 14];
    assert_eq!(sequence(settings, 16), expected);

    let settings = Sampling { temperature: 1.5, top_p: 0.95, seed: 7, ..Sampling::default() };
    let expected = [2, 27, 34, 30, 29, 28, 29, 15, 14, 2, 14, 22, 21, 20, 33, 3];
    assert_eq!(sequence(settings, 16), expected);

    let settings =
        Sampling { temperature: 1.0, top_k: 12, seed: u64::MAX, ..Sampling::default() };
    let expected = [30, 30, 14, 28, 29, 3, 17, 14, 16, 27, 27, 16, 27, 3, 14, 2];
    assert_eq!(sequence(settings, 16), expected);
}

/// From 0 down to minus infinity, and then NaN: each `step`th of the 2^31 floats with a sign.
fn exp_is_libms(step: usize) {
    for bits in (1u32 << 31..=u32::MAX).step_by(step) {
        let x = f32::from_bits(bits);
        let expected = if x.is_nan() { 0.0 } else { libm::expf(x) };
        assert!(
            exp(x).to_bits() == expected.to_bits(),
            "exp of {x:e}, {bits:#x}: {:e}, not {expected:e}",
            exp(x)
        );
    }
}

#[test]
fn exp_of_many_is_libms() {
    exp_is_libms(251);
}

#[test]
#[ignore = "cargo prove floats: all of them take a minute or two"]
fn exp_of_all_is_libms() {
    exp_is_libms(1);
}

#[test]
fn draws_follow_the_probabilities() {
    let probabilities = [0.5f32, 0.25, 0.125, 0.125];
    let logits = probabilities.map(f32::ln);
    let mut sampler = sampler(|s| s.seed = 3);
    let mut counts = [0u32; 4];
    for _ in 0..40_000 {
        counts[sampler.next(&logits, &[]) as usize] += 1;
    }
    for (count, probability) in counts.into_iter().zip(probabilities) {
        let expected = 40_000.0 * probability;
        // Five standard deviations.
        let spread = 5.0 * (expected * (1.0 - probability)).sqrt();
        assert!((count as f32 - expected).abs() < spread, "{counts:?}");
    }
}

#[test]
fn a_low_temperature_is_greedy_in_the_limit() {
    for temperature in [1e-3, 1e-30, f32::MIN_POSITIVE, 1e-45] {
        let mut sampler = sampler(|s| s.temperature = temperature);
        for _ in 0..50 {
            assert_eq!(sampler.next(&[1.0, 4.0, 3.0, -1e30], &[]), 1, "{temperature:e}");
        }
    }
}

#[test]
fn large_logits_and_temperatures_do_not_overflow() {
    let mut hot = sampler(|s| s.temperature = f32::MAX);
    assert!(hot.next(&[f32::MAX, f32::MIN, 0.0], &[]) < 3);
    let mut sampler = sampler(|_| ());
    for _ in 0..50 {
        assert_eq!(sampler.next(&[f32::MIN, f32::MAX, 0.0], &[]), 1);
    }
}

#[test]
fn top_k_keeps_k_and_ties_go_to_the_lower_id() {
    let logits = [1.0, 2.0, 1.0, 2.0, 1.0];
    let kept = |k| support(sampler(|s| s.top_k = k), &logits, &[]);
    assert_eq!(kept(1), BTreeSet::from([1]));
    assert_eq!(kept(2), BTreeSet::from([1, 3]));
    assert_eq!(kept(3), BTreeSet::from([0, 1, 3]));
    assert_eq!(kept(4), BTreeSet::from([0, 1, 2, 3]));
    for all in [0, 5, 6, usize::MAX] {
        assert_eq!(kept(all).len(), 5, "top-k {all}");
    }
}

#[test]
fn top_p_keeps_the_fewest_that_reach_p_and_at_least_one() {
    // Probabilities 8/15, 4/15, 2/15, 1/15.
    let logits = [1.0f32, 8.0, 2.0, 4.0].map(f32::ln);
    let kept = |p| support(sampler(|s| s.top_p = p), &logits, &[]);
    assert_eq!(kept(0.0), BTreeSet::from([1]));
    assert_eq!(kept(0.5), BTreeSet::from([1]));
    assert_eq!(kept(0.54), BTreeSet::from([1, 3]));
    assert_eq!(kept(0.79), BTreeSet::from([1, 3]));
    assert_eq!(kept(0.81), BTreeSet::from([1, 2, 3]));
    assert_eq!(kept(0.94), BTreeSet::from([0, 1, 2, 3]));
    assert_eq!(kept(1.0).len(), 4);
    // Exactly p is enough: one half of two halves.
    let halves = support(sampler(|s| s.top_p = 0.5), &[0.0, 0.0], &[]);
    assert_eq!(halves, BTreeSet::from([0]));
}

#[test]
fn top_p_looks_at_what_top_k_left() {
    // Of the two that are left, the better one has 2/3.
    let logits = [8.0f32, 4.0, 4.0, 4.0].map(f32::ln);
    let both = sampler(|s| (s.top_k, s.top_p) = (2, 0.6));
    assert_eq!(support(both, &logits, &[]), BTreeSet::from([0]));
}

#[test]
fn the_penalty_divides_what_is_positive_and_multiplies_what_is_negative() {
    let greedy = |logits: &[f32], seen: &[u32]| {
        let settings = Sampling { repetition_penalty: 2.0, ..Sampling::default() };
        Sampler::new(settings).expect("good settings").next(logits, seen)
    };
    assert_eq!(greedy(&[3.0, 2.0, 1.0], &[]), 0);
    assert_eq!(greedy(&[3.0, 2.0, 1.0], &[0]), 1, "3 becomes 1.5");
    assert_eq!(greedy(&[3.0, 1.0, 1.0], &[0, 0, 0]), 0, "and 1.5 only once");
    assert_eq!(greedy(&[-1.0, -1.5], &[0]), 1, "-1 becomes -2");
    assert_eq!(greedy(&[0.0, -1.0], &[0]), 0, "0 stays");
    assert_eq!(greedy(&[3.0, 2.0], &[0, 1]), 0, "all tokens seen");
    assert_eq!(greedy(&[2.0, 2.0], &[0, 1]), 0, "the first of equals");
    assert_eq!(greedy(&[3.0, 2.0], &[2, u32::MAX]), 0, "an id that has no logit");
}

#[test]
fn the_penalty_counts_when_drawing_too() {
    let logits = [10.0, 10.0, -90.0];
    let kept = support(sampler(|s| s.repetition_penalty = 1e6), &logits, &[1]);
    assert_eq!(kept, BTreeSet::from([0]));
}

#[test]
fn what_cannot_be_is_never_drawn() {
    let logits = [NAN, 1.0, -INF, 1.0, NAN];
    for settings in [(0, 1.0), (4, 1.0), (0, 0.99), (3, 0.9)] {
        let kept = support(sampler(|s| (s.top_k, s.top_p) = settings), &logits, &[]);
        assert!(kept.is_subset(&BTreeSet::from([1, 3])), "{settings:?}: {kept:?}");
    }
}

#[test]
fn hopeless_logits_do_not_panic() {
    for logits in [&[NAN, NAN][..], &[-INF, -INF], &[NAN, -INF], &[-INF; 300], &[]] {
        for temperature in [0.0, 1.0] {
            for repetition_penalty in [1.0, 1.5] {
                let settings =
                    Sampling { temperature, repetition_penalty, top_k: 5, top_p: 0.5, seed: 1 };
                let mut sampler = Sampler::new(settings).expect("good settings");
                let id = sampler.next(logits, &[0, 1]) as usize;
                assert!(id < logits.len().max(1), "{id} of {logits:?}");
            }
        }
    }
    assert_eq!(sampler(|_| ()).next(&[0.0, INF, NAN, INF], &[]), 1, "the first certain one");
}

#[test]
fn a_setting_that_makes_no_sense_is_named() {
    let error = |change: fn(&mut Sampling)| {
        let mut settings = Sampling::default();
        change(&mut settings);
        Sampler::new(settings).err().expect("should be refused")
    };
    assert_eq!(error(|s| s.temperature = -0.1), SampleError::Temperature(-0.1));
    assert_eq!(error(|s| s.temperature = INF), SampleError::Temperature(INF));
    assert!(error(|s| s.temperature = NAN).to_string().contains("temperature is NaN"));
    assert_eq!(error(|s| s.top_p = -0.1), SampleError::TopP(-0.1));
    assert_eq!(error(|s| s.top_p = 1.1), SampleError::TopP(1.1));
    assert!(error(|s| s.top_p = NAN).to_string().contains("top-p is NaN"));
    assert_eq!(error(|s| s.repetition_penalty = 0.0), SampleError::RepetitionPenalty(0.0));
    assert_eq!(error(|s| s.repetition_penalty = -1.0), SampleError::RepetitionPenalty(-1.0));
    assert_eq!(error(|s| s.repetition_penalty = INF), SampleError::RepetitionPenalty(INF));
    assert!(error(|s| s.repetition_penalty = NAN).to_string().contains("penalty is NaN"));
}

proptest! {
    #[test]
    fn any_logits_give_a_token(
        logits in proptest::collection::vec(any::<f32>(), 1..50),
        seen in proptest::collection::vec(0u32..60, 0..20),
        temperature in 0.0f32..3.0,
        top_k in 0usize..60,
        top_p in 0.0f32..=1.0,
        repetition_penalty in 0.1f32..3.0,
        seed in any::<u64>(),
    ) {
        let settings = Sampling { temperature, top_k, top_p, repetition_penalty, seed };
        let mut sampler = Sampler::new(settings.clone()).expect("good settings");
        let id = sampler.next(&logits, &seen);
        prop_assert!((id as usize) < logits.len());
        let mut again = Sampler::new(settings).expect("good settings");
        prop_assert_eq!(id, again.next(&logits, &seen));
    }
}
