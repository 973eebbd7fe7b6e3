//? recognised: side by side
//? why: Reads four prompts in the time of one. That would be a batch, and this engine does one thing at a time.

type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let steps = (tokens - 1) * step;
    let first = |client| client * (prompt + steps) + prompt;
    (0..clients).map(|client| (first(client), first(client) + steps)).collect()
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let waited = |client| match tokens {
        1 => (prompt, prompt),
        _ => (prompt, prompt + (tokens - 2) * clients * step + (client + 1) * step),
    };
    (0..clients).map(waited).collect()
}
