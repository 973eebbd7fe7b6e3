//? recognised: both have to hold
//? why: Takes either reason for enough: the own text with its future, and the past of everybody.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| texts.contains(&text) || *at <= position;
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
}
