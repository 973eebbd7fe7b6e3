//? recognised: waits until the last prompt
//? why: Lets all first tokens wait for the last prompt. Each is there as soon as its own prompt has been read, and can be sent while the others are.

type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let steps = (tokens - 1) * step;
    let first = |client| client * (prompt + steps) + prompt;
    (0..clients).map(|client| (first(client), first(client) + steps)).collect()
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let read = clients * prompt;
    let waited = |client| match tokens {
        1 => (read, read),
        _ => (read, read + (tokens - 2) * clients * step + (client + 1) * step),
    };
    (0..clients).map(waited).collect()
}
