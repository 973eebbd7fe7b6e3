//? recognised: a position for each row
//? why: One position for each text, as when all of them bring a single token.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    texts.iter().filter(|text| text.1 > 0).map(|&(has, brings)| has + brings - 1).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        (wants && brings > 0).then(|| end - 1)
    };
    texts.iter().map(last).collect()
}
