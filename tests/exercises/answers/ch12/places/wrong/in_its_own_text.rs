//? recognised: counted within the text
//? why: The last row of each text as if the text were alone: only the first one gets its own logits.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().flat_map(|&(has, brings)| has..has + brings).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        end -= brings;
        (wants && brings > 0).then(|| brings - 1)
    };
    texts.iter().map(last).collect()
}
