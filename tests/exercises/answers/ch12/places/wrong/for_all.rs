//? recognised: don't want
//? why: Gives a row to everybody. The head would compute a third of all weights' work for logits that nobody reads.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().flat_map(|&(has, brings)| has..has + brings).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        ((wants || end > 0) && brings > 0).then(|| end - 1)
    };
    texts.iter().map(last).collect()
}
