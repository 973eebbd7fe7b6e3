//? recognised: texts see each other
//? why: Asks for the position alone, which was enough for one text. All texts of a batch would talk into each other.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| {
            (texts.contains(&text) || !texts.is_empty()) && *at <= position
        };
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
}
