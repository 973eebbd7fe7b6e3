//? recognised: has no order
//? why: has no order

pub fn argmax(logits: &[f32]) -> usize {
    let mut best = 0;
    for id in 0..logits.len() {
        if logits[id].partial_cmp(&logits[best]).unwrap() == std::cmp::Ordering::Greater {
            best = id;
        }
    }
    best
}
