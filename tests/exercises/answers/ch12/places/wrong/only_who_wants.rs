//? recognised: bring rows as well
//? why: Counts only the rows of texts that want logits. The others bring rows as well.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().flat_map(|&(has, brings)| has..has + brings).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += if wants { brings } else { 0 };
        (wants && brings > 0).then(|| end - 1)
    };
    texts.iter().map(last).collect()
}
