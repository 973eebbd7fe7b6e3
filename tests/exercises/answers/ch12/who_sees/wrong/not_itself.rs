//? recognised: its own position
//? why: A query sees its own key, too. At position 0 it would see nothing at all.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| texts.contains(&text) && *at < position;
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
}
