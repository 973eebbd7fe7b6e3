//? title: The longest common beginning with anything in a sorted map
//? page: ch11/tree.md
//? section: A sorted tree
//? level: core
//? minutes: 30
//? call: check(answer::longest)
//? hint 1: Write down `a b c`, `a b x y`, `a c`, `b`, each a line, in the order of a dictionary. Where in the list would `a b d` stand? Which lines have the longest beginning in common with it, and what is true of all lines that are further away?
//? hint 2: All texts that begin with the same tokens stand together, and yours would stand among them or right at their edge. So one of the two neighbours has the longest beginning that there is. The map may also have your text itself. `range` goes to a place in the map without passing what comes before it; it gives an iterator with two ends.
//? hint 3: The one before, or the text itself: `texts.range::<[u32], _>((Bound::Unbounded, Bound::Included(text))).next_back()`. The one behind: `texts.range::<[u32], _>((Bound::Excluded(text), Bound::Unbounded)).next()`. How much they have in common: `.zip` the two slices, `take_while` they are equal, `count`. Drop what has nothing in common, and of the rest take the `max_by_key`.
//? why: In a sorted list everything that begins with the same tokens stands together, and a text that isn't in it would
//?   stand there too. If some entry had a longer beginning in common with the text than both neighbours, it would have to stand
//?   between one of them and the text, and nothing does. So two look-ups find the best of a million texts, each with a few
//?   dozen comparisons. And unlike a hash, which can only say whether something is there as a whole, the order
//?   says how far it agrees: to the token. No two texts can be taken for one another, since they are compared and not
//?   summed up.

//! Texts that have been computed are in a `BTreeMap`, in the order of their tokens: `[1, 2]` is before `[1, 2, 0]`, and that
//! is before `[1, 3]`. Each has a number as its value. A new text comes in. Which of the others begins most like it?
//!
//! Return how many tokens it has in common with that one, counted from the beginning of both up to where they part, and that
//! one's value. If several have as many in common, any of them will do. If none has even the first token in common, or there
//! are none, return `None`.
//!
//! The cache may have a million texts. Don't go through them: it takes two look-ups in the map, and not more of them for a
//! long text. The keys count how often they are looked at, `tokens()` included, and the check has a limit.
//! `Text` is in `exercise_kit::prefix`. A map with such keys can be asked with a slice of tokens.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;
//-- solution
use std::ops::Bound::{Excluded, Included, Unbounded};
//-- end

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    //-- starter
    // todo!()
    //-- solution
    let before = texts.range::<[u32], _>((Unbounded, Included(text))).next_back();
    let behind = texts.range::<[u32], _>((Excluded(text), Unbounded)).next();
    let both = before.into_iter().chain(behind);
    let found = both.map(|(other, value)| (in_common(other.tokens(), text), *value));
    found.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count)
    //-- end
}
//-- solution

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
//-- end
