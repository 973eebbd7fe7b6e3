//? recognised: one too large
//? why: Counts from 1: a text that has five rows has used the positions 0 to 4, and 5 is the next.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().flat_map(|&(has, brings)| has + 1..has + brings + 1).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        (wants && brings > 0).then(|| end - 1)
    };
    texts.iter().map(last).collect()
}
