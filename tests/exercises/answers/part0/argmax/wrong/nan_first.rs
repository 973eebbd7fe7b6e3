//? recognised: stood first
//? why: stood first

pub fn argmax(logits: &[f32]) -> usize {
    let mut best = 0;
    for id in 1..logits.len() {
        if logits[id] > logits[best] {
            best = id;
        }
    }
    best
}
