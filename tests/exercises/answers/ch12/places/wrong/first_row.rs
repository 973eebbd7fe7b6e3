//? recognised: a text's first row
//? why: Takes the row where a text begins. Its logits choose what comes after its first new token, which is known.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().flat_map(|&(has, brings)| has..has + brings).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        let first = end;
        end += brings;
        (wants && brings > 0).then_some(first)
    };
    texts.iter().map(last).collect()
}
