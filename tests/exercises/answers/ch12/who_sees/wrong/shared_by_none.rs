//? recognised: belongs to several texts
//? why: Sees only what it has for itself, so that a shared beginning is nobody's.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| *texts == [text] && *at <= position;
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
}
