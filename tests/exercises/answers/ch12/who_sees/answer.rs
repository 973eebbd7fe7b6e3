//? title: Whose keys a query may see
//? page: ch12/attend.md
//? section: Each its own
//? level: core
//? minutes: 25
//? call: check(answer::mask)
//? hint 1: With one text there was one question: is the key later than the query? Which second question is there now, and can one of them be asked without the other?
//? hint 2: Texts that begin alike share the rows of their beginning. So a key can belong to several texts, and it's seen by the queries of each of them, but only up to each query's own position, and by nobody else.
//? hint 3: For each query, and for each key: `texts.contains(&text) && key_position <= position`.
//? why: A mask is how other engines do it: all keys lie in one memory, and every query is multiplied with all of them, even those that it mustn't
//?   see. This chapter needs none, because each part is given its own pieces and no others. A text then can't see another by a wrong
//?   comparison, and the time for one doesn't grow with the texts of the others. The last piece still has an edge, and there the question of positions is
//?   the same as ever.

//! Keys of several texts lie in one memory. Say for each query which of these keys it may see: a list for each query, with
//! true or false for each key, in their order.
//!
//! - A query is the number of its text and its position there.
//! - A key is the numbers of all texts that it belongs to, and its position. Texts that begin alike have its rows
//!   in common up to there, so it has the same position in each.
//! - A query sees the keys of its own text, up to its own position and including that.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    //-- starter
    // todo!()
    //-- solution
    let of_query = |&(text, position): &(usize, usize)| {
        let sees = |(texts, at): &(Vec<usize>, usize)| texts.contains(&text) && *at <= position;
        keys.iter().map(sees).collect()
    };
    queries.iter().map(of_query).collect()
    //-- end
}
