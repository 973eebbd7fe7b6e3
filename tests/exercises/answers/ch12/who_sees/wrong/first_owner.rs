//? recognised: belongs to several texts
//? why: Looks only at the first text of a key. Whoever shares a beginning with it has lost it.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees =
            |(texts, at): &(Vec<usize>, usize)| texts.first() == Some(&text) && *at <= position;
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
}
