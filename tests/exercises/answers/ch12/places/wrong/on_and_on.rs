//? recognised: go on from one text to the next
//? why: Numbers the rows of the batch from the first text on. The second text would be rotated as if it were the end of the first.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    let first = texts.first().map_or(0, |text| text.0);
    let all: usize = texts.iter().map(|text| text.1).sum();
    (first..first + all).collect()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    let mut end = 0;
    let last = |&(brings, wants): &(usize, bool)| {
        end += brings;
        (wants && brings > 0).then(|| end - 1)
    };
    texts.iter().map(last).collect()
}
