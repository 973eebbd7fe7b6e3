//? title: First the mask, then top-p
//? page: ch16/mask.md
//? section: Where it stands
//? level: warm-up
//? minutes: 20
//? call: check(nucleus)
//? hint 1: With shares of 0.5, 0.25, 0.125 and 0.125, the first one forbidden, and p = 0.5: how much do the other three have together? Half of that is where to stop.
//? hint 2: Leave out what may not come before anything is sorted or summed. From then on it's top-p as always, but p is a share of what is left.
//? hint 3: `let all: f32 = ids.iter().map(|&id| shares[id]).sum();`, then go through `ids` from the likeliest on, adding up, and keep each one until the sum is at least `p * all`, the one with which it is included.
//? why: Top-p is for cutting off the long tail of unlikely tokens, and which tokens are the tail depends on who takes part. A mask that came afterwards could leave nothing at all, where the likeliest tokens are just those that
//?   the schema forbids; and with a temperature of 2 it would leave some accident of a token. If the mask comes first, the sampler of chapter 0 needs no change: a forbidden token has a logit of minus infinity and a share of nothing.

// The tokens of a small vocabulary have these shares, and `may` says of each whether it may come: at least one may. Of those that
// may, return the fewest whose shares sum to at least `p` of all that these have together, the likeliest first. Of equal
// ones the first comes first. All shares are above 0, and their sums are exact.

pub fn nucleus(shares: &[f32], may: &[bool], p: f32) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    let mut ids: Vec<usize> = (0..shares.len()).filter(|&id| may[id]).collect();
    ids.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    let all: f32 = ids.iter().map(|&id| shares[id]).sum();
    let mut sum = 0.0;
    let fewer = ids.iter().take_while(|&&id| {
        let is_enough = sum >= p * all;
        sum += shares[id];
        !is_enough
    });
    let count = fewer.count();
    ids.truncate(count);
    ids
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (Vec<f32>, Vec<bool>, f32);

    pub fn check(nucleus: fn(&[f32], &[bool], f32) -> Vec<usize>) -> Checked {
        let case = |(shares, may, p): &Given| format!("shares {shares:?}, may {may:?}, p {p}");
        let answer = |(shares, may, p): &Given| nucleus(shares, may, *p);
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// In each of the first ones, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let mut given: Vec<_> = [
            ("what may not come is left out", vec![0.5, 0.5], vec![true, false], 1.0),
            ("the likeliest comes first", vec![0.25, 0.75], vec![true, true], 1.0),
            (
                "the one with which the sum is reached is kept",
                vec![0.75, 0.25],
                vec![true, true],
                0.25,
            ),
            ("of equal ones the first comes first", vec![0.25; 4], vec![true; 4], 0.5),
            (
                "p is a share of what may come",
                vec![0.5, 0.25, 0.125, 0.125],
                vec![true, false, true, true],
                0.625,
            ),
            (
                "the mask comes first: what it forbids takes nobody's place",
                vec![0.5, 0.25, 0.25],
                vec![false, true, true],
                0.5,
            ),
        ]
        .map(|(reason, shares, may, p)| (reason, (shares, may, p)))
        .into();
        let mut random = Random::new(164);
        while given.len() < 300 {
            let count = 1 + random.below(8);
            let shares = (0..count).map(|_| (1 + random.below(16)) as f32 / 128.0).collect();
            let mut may: Vec<bool> = (0..count).map(|_| random.below(2) == 0).collect();
            may[random.below(count)] = true;
            given.push(("", (shares, may, random.below(9) as f32 / 8.0)));
        }
        given
    }

    /// In whole numbers, taking the likeliest that is left again and again.
    fn right((shares, may, p): &Given) -> Vec<usize> {
        let whole = |share: f32| (share * 1024.0) as u32;
        let mut left: Vec<usize> = (0..shares.len()).filter(|id| may[*id]).collect();
        let all: u32 = left.iter().map(|id| whole(shares[*id])).sum();
        let (mut kept, mut sum) = (Vec::new(), 0);
        while sum * 8 < whole(*p) / 128 * all {
            let largest = left.iter().map(|id| whole(shares[*id])).max().unwrap_or(0);
            let place = left.iter().position(|id| whole(shares[*id]) == largest).unwrap_or(0);
            kept.push(left.remove(place));
            sum += largest;
        }
        kept
    }
}
