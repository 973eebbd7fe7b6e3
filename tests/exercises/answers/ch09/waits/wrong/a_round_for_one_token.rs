//? recognised: one token is over
//? why: Adds a last round to every answer. An answer of one token has no steps, and so no round.

type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let steps = (tokens - 1) * step;
    let first = |client| client * (prompt + steps) + prompt;
    (0..clients).map(|client| (first(client), first(client) + steps)).collect()
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let whole_rounds = tokens.saturating_sub(2) * clients * step;
    let last = |client| clients * prompt + whole_rounds + (client + 1) * step;
    (0..clients).map(|client| ((client + 1) * prompt, last(client))).collect()
}
