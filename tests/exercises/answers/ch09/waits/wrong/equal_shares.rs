//? recognised: equal share
//? why: Takes each client for one that has a quarter of the engine all the time, so that everything takes four times as long. Times that are only right on average are nobody's.

type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let steps = (tokens - 1) * step;
    let first = |client| client * (prompt + steps) + prompt;
    (0..clients).map(|client| (first(client), first(client) + steps)).collect()
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let slow = |time: u64| clients * time;
    (0..clients).map(|_| (slow(prompt), slow(prompt + (tokens - 1) * step))).collect()
}
