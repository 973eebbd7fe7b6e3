//? recognised: comes after the query
//? why: Leaves out the question of before and after. In a prompt each token would see its own answer.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| {
            texts.contains(&text) && *at < position.max(usize::MAX)
        };
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
}
