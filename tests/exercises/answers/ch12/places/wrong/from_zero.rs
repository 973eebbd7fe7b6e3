//? recognised: as if the text had no rows yet
//? why: Each text begins at 0, which is right only for prompts that are read from their beginning.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().flat_map(|&(has, brings)| 0..has.min(0) + brings).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        (wants && brings > 0).then(|| end - 1)
    };
    texts.iter().map(last).collect()
}
