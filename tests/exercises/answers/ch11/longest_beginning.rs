//? title: The longest common beginning with anything in a sorted map
//? page: ch11/tree.md
//? section: A prefix tree
//? level: core
//? minutes: 30
//? call: check(longest)
//? hint 1: Write down `a b c`, `a b x y`, `a c`, `b`, each a line, in the order of a dictionary. Where in the list would `a b d` stand? Which lines have the longest beginning in common with it, and what is true of all lines that are further away?
//? hint 2: All texts that begin with the same tokens stand together, and yours would stand among them or right at their edge. So one of the two neighbours has the longest beginning that there is. The map may also have your text itself. `range` goes to a place in the map without passing what comes before it; it gives an iterator with two ends.
//? hint 3: The one before, or the text itself: `texts.range::<[u32], _>((Bound::Unbounded, Bound::Included(text))).next_back()`. The one behind: `texts.range::<[u32], _>((Bound::Excluded(text), Bound::Unbounded)).next()`. How much they have in common: `.zip` the two slices, `take_while` they are equal, `count`. Drop what has nothing in common, and of the rest take the `max_by_key`.
//? why: In a sorted list everything that begins with the same tokens stands together, and a text that isn't in it would
//?   stand there too. If some entry had a longer beginning in common with the text than both neighbours, it would have to stand
//?   between one of them and the text, and nothing does. So two look-ups find the best of a million texts, each with a few
//?   dozen comparisons. And unlike a hash, which can only say whether something is there as a whole, the order
//?   says how far it agrees: to the token. No two texts can be taken for one another, since they are compared and not
//?   summed up.

// Texts that have been computed are in a `BTreeMap`, in the order of their tokens: `[1, 2]` is before `[1, 2, 0]`, and that
// is before `[1, 3]`. Each has a number as its value. A new text comes in. Which of the others begins most like it?
//
// Return how many tokens it has in common with that one, counted from the beginning of both up to where they part, and that
// one's value. If several have as many in common, any of them will do. If none has even the first token in common, or there
// are none, return `None`.
//
// The cache may have a million texts. Don't go through them: it takes two look-ups in the map, and not more of them for a
// long text. The keys count how often they are looked at, `tokens()` included, and the check has a limit.
// `Text` is in `exercise_kit::prefix`. A map with such keys can be asked with a slice of tokens.

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

//-- check
pub mod check {
    use exercise_kit::explained::ask_in_turn;
    use exercise_kit::prefix::{Text, VOCABULARY, looks};
    use exercise_kit::{Checked, Failure, Random, call};
    use std::collections::BTreeMap;

    struct Given {
        /// Sorted. A text's value is its place.
        texts: Vec<Vec<u32>>,
        text: Vec<u32>,
    }

    type Found = Option<(usize, u64)>;

    /// More than two look-ups need.
    const MOST_LOOKS: usize = 200;

    pub fn check(longest: fn(&BTreeMap<Text, u64>, &[u32]) -> Found) -> Checked {
        let case =
            |given: &Given| format!("texts {:?}, and {:?} comes", given.texts, given.text);
        let answer = |given: &Given| any_of_equals(given, longest(&given.map(), &given.text));
        ask_in_turn(given(), case, answer, right, |expected, found| {
            (told(expected), told(found))
        })?;
        let large = [
            (long(), "a look-up for each token: a long text has thousands"),
            (many(), "as many texts were looked at as there are: a cache may have a million"),
        ];
        for (given, reason) in large {
            let (texts, length) = (given.texts.len(), given.text.len());
            let case = format!("a text of {length} tokens, and {texts} texts in the map");
            let map = given.map();
            looks();
            let found = call(&case, || longest(&map, &given.text))?;
            let looks = looks();
            let found = any_of_equals(&given, found);
            if found != right(&given) {
                return Err(Failure::new(&case, told(&right(&given)), told(&found)));
            }
            if looks > MOST_LOOKS {
                let expected = format!("no more than {MOST_LOOKS} looks at a key");
                return Err(Failure::new(&case, expected, looks).likely(reason));
            }
        }
        Ok(())
    }

    impl Given {
        fn map(&self) -> BTreeMap<Text, u64> {
            self.texts
                .iter()
                .zip(0..)
                .map(|(tokens, value)| (Text::new(tokens), value))
                .collect()
        }
    }

    fn told(found: &Found) -> String {
        match found {
            None => "None".into(),
            Some((count, value)) => format!("{count} tokens in common with text {value}"),
        }
    }

    /// The first ones can be looked up in a dictionary. In each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let of = |likely, texts: &[&[u32]], text: &[u32]| {
            let texts = texts.iter().map(|text| text.to_vec()).collect();
            (likely, Given { texts, text: text.to_vec() })
        };
        let mut given = vec![
            of("", &[], &[1, 2]),
            of(
                "two texts have in common what comes before the place where they part",
                &[&[1, 2, 3]],
                &[1, 2, 4],
            ),
            of(
                "what is equal behind the place where they part was counted",
                &[&[1, 2, 3]],
                &[1, 9, 3],
            ),
            of(
                "a text that stands behind it in the map may have more in common",
                &[&[1, 2], &[1, 3, 4]],
                &[1, 3],
            ),
            of(
                "the text itself is in the map, and was passed over",
                &[&[1, 2], &[1, 3]],
                &[1, 2],
            ),
            of("", &[&[], &[5]], &[4]),
        ];
        let mut random = Random::new(111);
        for _ in 0..400 {
            let ids = [[7, 8, 9], [7, 1 << 16, u32::MAX], [1, VOCABULARY - 1, 257]];
            let ids = ids[random.below(3)];
            let mut any =
                || (0..random.below(7)).map(|_| ids[random.below(3)]).collect::<Vec<u32>>();
            let (mut texts, text): (Vec<Vec<u32>>, _) =
                ((0..9).map(|_| any()).collect(), any());
            texts.truncate(random.below(10));
            texts.sort();
            texts.dedup();
            given.push(("", Given { texts, text }));
        }
        given
    }

    /// A long text that parts late from all others.
    fn long() -> Given {
        let text: Vec<u32> = (0..900).collect();
        let other = |i: u32| (0..20 * i).chain([5_000 + i; 3]).collect();
        let mut texts: Vec<Vec<u32>> = (0..40).map(other).collect();
        texts.sort();
        Given { texts, text }
    }

    fn many() -> Given {
        let mut random = Random::new(112);
        let mut any = || (0..9).map(|_| random.below(10) as u32).collect::<Vec<u32>>();
        let mut texts: Vec<Vec<u32>> = (0..3_100).map(|_| any()).collect();
        texts.sort();
        texts.dedup();
        texts.truncate(3_000);
        Given { texts, text: any() }
    }

    fn in_common(a: &[u32], b: &[u32]) -> usize {
        let both = a.len().min(b.len());
        (0..both).find(|&at| a[at] != b[at]).unwrap_or(both)
    }

    fn right(given: &Given) -> Found {
        let counts = given.texts.iter().map(|other| in_common(other, &given.text));
        let best = counts.clone().max().filter(|count| *count > 0)?;
        let value = counts.clone().position(|count| count == best)?;
        Some((best, value as u64))
    }

    /// Of the texts that have just as much in common, the first stands for all.
    fn any_of_equals(given: &Given, found: Found) -> Found {
        let (count, value) = found?;
        let has = |text: &Vec<u32>| in_common(text, &given.text) == count;
        let is_one = given.texts.get(value as usize).is_some_and(has);
        let first = given.texts.iter().position(has).filter(|_| is_one);
        Some((count, first.map_or(value, |first| first as u64)))
    }
}
