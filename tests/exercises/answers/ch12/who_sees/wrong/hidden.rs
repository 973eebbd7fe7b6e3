//? recognised: it may not see
//? why: Says what is hidden, as a mask that is added to scores does. Here true means that a key is seen.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees =
            |(texts, at): &(Vec<usize>, usize)| !(texts.contains(&text) && *at <= position);
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
}
