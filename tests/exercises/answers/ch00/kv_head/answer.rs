//? title: Which key-value head a query head reads
//? page: ch00/attention.md
//? section: Heads that share
//? minutes: 5
//? call: check(answer::kv_head)
//? hint 1: With 16 query heads and 8 key-value heads, how many query heads share one key-value head?
//? hint 2: The ones that share are neighbours: query heads 0 and 1 read key-value head 0, 2 and 3 read 1.
//? hint 3: `head / (heads / kv_heads)`
//? why: The model was trained with neighbours sharing, so that dividing by the size of the group is right. The remainder
//?   (`head % kv_heads`) stays in range too and gives every query head somebody else's keys: text, but poor text.

//! Grouped-query attention: `heads` query heads share `kv_heads` key-value heads, in groups of neighbours of the same size.
//! The first group reads key-value head 0, the next one 1, and so on.
//!
//! Return the key-value head that query head `head` reads. `kv_heads` divides `heads`, and `head` is below `heads`.

pub fn kv_head(head: usize, heads: usize, kv_heads: usize) -> usize {
    //-- starter
    // todo!()
    //-- solution
    head / (heads / kv_heads)
    //-- end
}
