//! Any bits as logits and as settings: a token that may be drawn, the same one with the same seed.
#![no_main]

use fuzz::{of_file, one_line, take_bytes, within};
use ground::request::best;
use ground::sample::{Sampler, Sampling, argmax};
use libfuzzer_sys::fuzz_target;

// The settings, how many tokens were seen, these, then the logits.
fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let settings = Sampling {
        temperature: f32::from_le_bytes(take_bytes(&mut data)),
        top_k: u64::from_le_bytes(take_bytes(&mut data)) as usize,
        top_p: f32::from_le_bytes(take_bytes(&mut data)),
        repetition_penalty: f32::from_le_bytes(take_bytes(&mut data)),
        seed: u64::from_le_bytes(take_bytes(&mut data)),
    };
    let [count] = take_bytes(&mut data);
    let seen: Vec<u32> =
        (0..count).map(|_| u16::from_le_bytes(take_bytes(&mut data)).into()).collect();
    let logits: Vec<f32> =
        data.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    within(of_file(data.len()), || {
        let mut sampler = match Sampler::new(settings.clone()) {
            Ok(sampler) => sampler,
            Err(error) => return drop(one_line(error)),
        };
        let mut twin = Sampler::new(settings.clone()).expect("as before");
        for _ in 0..3 {
            let id = sampler.next(&logits, &seen);
            assert_eq!(id, twin.next(&logits, &seen));
            check(id, &settings, &logits, &seen);
        }
        let list = best(&logits, settings.top_k);
        assert_eq!(list.len(), settings.top_k.min(logits.len()));
        assert!(list.windows(2).all(|two| two[0].1.total_cmp(&two[1].1).is_ge()));
    });
});

fn check(id: u32, settings: &Sampling, logits: &[f32], seen: &[u32]) {
    let Some(&chosen) = logits.get(id as usize) else {
        return assert!(id == 0 && logits.is_empty(), "{id} of {} logits", logits.len());
    };
    let possible = |logit: f32| logit > f32::NEG_INFINITY;
    let any = logits.iter().any(|&logit| possible(logit));
    assert_eq!(possible(chosen), any, "{chosen} with id {id}");
    let punished: Vec<f32> = (0..)
        .zip(logits)
        .map(|(id, &logit)| match seen.contains(&id) {
            true if logit > 0.0 => logit / settings.repetition_penalty,
            true => logit * settings.repetition_penalty,
            false => logit,
        })
        .collect();
    if !punished.iter().any(|&logit| possible(logit)) {
        return assert_eq!(id, argmax(logits));
    }
    let better = punished.iter().filter(|&&logit| logit > punished[id as usize]).count();
    let most = match settings {
        Sampling { temperature: 0.0, .. } | Sampling { top_p: 0.0, .. } => 1,
        Sampling { top_k: 0, .. } => usize::MAX,
        Sampling { top_k, .. } => *top_k,
    };
    assert!(better < most, "{better} tokens are likelier than {id}");
}
