//? recognised: a list for each query
//? why: Turns rows and columns: a list for each key.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| texts.contains(&text) && *at <= position;
        keys.iter().map(sees).collect()
    };
    let all: Vec<Vec<bool>> = queries.iter().map(of_query).collect();
    (0..keys.len()).map(|key| all.iter().map(|row| row[key]).collect()).collect()
}
