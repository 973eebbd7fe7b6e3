//? recognised: ends for everybody at once
//? why: Ends all answers with the last round. The first client has its last token before the others have theirs.

type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let steps = (tokens - 1) * step;
    let first = |client| client * (prompt + steps) + prompt;
    (0..clients).map(|client| (first(client), first(client) + steps)).collect()
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let end = clients * (prompt + (tokens - 1) * step);
    (0..clients).map(|client| ((client + 1) * prompt, end)).collect()
}
