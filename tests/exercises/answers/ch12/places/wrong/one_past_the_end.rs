//? recognised: one row too far
//? why: Forgets that rows are counted from 0: it takes the first row of the next text.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().flat_map(|&(has, brings)| has..has + brings).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        (wants && brings > 0).then_some(end)
    };
    texts.iter().map(last).collect()
}
