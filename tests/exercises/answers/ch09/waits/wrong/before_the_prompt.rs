//? recognised: before its prompt
//? why: Gives the first token at the moment at which the engine begins with a client: 0, 2, 4 and 6 seconds, as in a sum that leaves the prompts out. A first token comes after its prompt.

type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let length = prompt + (tokens - 1) * step;
    (0..clients).map(|client| (client * length, (client + 1) * length)).collect()
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    let waited = |client| {
        let first = (client + 1) * prompt;
        if tokens == 1 {
            return (first, first);
        }
        let whole_rounds = (tokens - 2) * clients * step;
        (first, clients * prompt + whole_rounds + (client + 1) * step)
    };
    (0..clients).map(waited).collect()
}
