//? recognised: as if there were no others
//? why: Gives everybody the times of the first client. The second one waits for a whole answer before its prompt is read.

type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    (0..clients).map(|_| (prompt, prompt + (tokens - 1) * step)).collect()
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
