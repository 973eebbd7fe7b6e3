//? title: A number that must not be too small
//? page: ch16/schema.md
//? section: Numbers
//? level: core
//? minutes: 35
//? call: check(at_least)
//? hint 1: With `least` 150 and at most three digits: may the first one be 1? It's far too small by itself. But it needn't stay by itself.
//? hint 2: A digit may come if *some* number that begins so is large enough. Which of all numbers that begin so is the largest? Ask only about that one.
//? hint 3: For `text`, what was written and the digit: the largest number is `text` with nines behind it, up to `longest` digits, so `format!("{text:9<longest$}")`. Look at `text.len()` first, and at the two cases with a 0 in front.
//? why: A mask that lets a digit come has promised that the number can still be finished. So the question is never whether a number is large enough now, but whether one of those that begin like it is, and the largest of them
//?   decides. Whether it may end is the other question, and there the number itself counts. Without `longest` every digit could be mended by more of them, each number could go on for ever, and a model that likes zeros would take its chance.

// A model is writing a whole number that isn't negative, digit by digit. It has to be at least `least`, and may have at most
// `longest` digits, 1 to 9. A number doesn't begin with 0, unless it is 0. `written` is what stands there already: nothing, or the
// beginning of a number that can still be finished.
//
// Return the digits that may come next, in order, and whether the number may end here. A digit may come if the number can be
// finished after it.

pub fn at_least(least: u64, longest: usize, written: &str) -> (Vec<u32>, bool) {
    //-- starter
    // todo!()
    //-- solution
    let number = |text: &str| text.parse::<u64>().unwrap_or(0);
    let may_come = |digit: &u32| {
        let text = format!("{written}{digit}");
        if text.len() > longest || written == "0" {
            return false;
        }
        let largest = if text == "0" { text } else { format!("{text:9<longest$}") };
        number(&largest) >= least
    };
    let may_end = !written.is_empty() && number(written) >= least;
    ((0..=9).filter(may_come).collect(), may_end)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (u64, usize, String);

    pub fn check(at_least: fn(u64, usize, &str) -> (Vec<u32>, bool)) -> Checked {
        let case = |(least, longest, written): &Given| {
            format!("at least {least}, with at most {longest} digits, after {written:?}")
        };
        let answer = |(least, longest, written): &Given| at_least(*least, *longest, written);
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// In each of the first ones, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let mut given: Vec<_> = [
            ("before its first digit there is no number", 0, 1, ""),
            ("no digit comes after a 0 in front", 0, 2, "0"),
            ("it would have too many digits", 0, 2, "12"),
            ("a digit may come if more can make the number large enough", 10, 2, ""),
            ("the largest number that begins so has nines behind it", 15, 2, ""),
            ("it may not end before it is large enough", 15, 3, "1"),
            ("the second digit decides, not the first", 150, 3, "1"),
            ("with a 0 in front it is 0, and no more", 1, 3, ""),
        ]
        .map(|(reason, least, longest, written)| {
            (reason, (least, longest, written.to_string()))
        })
        .into();
        let mut random = Random::new(163);
        while given.len() < 300 {
            let longest = 1 + random.below(3);
            let least = random.below(10usize.pow(longest as u32)) as u64;
            let number = (least as usize + random.below(60)).to_string();
            if number.len() <= longest {
                let written = number[..random.below(number.len() + 1)].to_string();
                given.push(("", (least, longest, written)));
            }
        }
        given
    }

    /// By trying all numbers.
    fn right((least, longest, written): &Given) -> (Vec<u32>, bool) {
        let all = (*least..10u64.pow(*longest as u32)).map(|number| number.to_string());
        let all: Vec<String> = all.filter(|number| number.starts_with(&**written)).collect();
        let may_come = |digit: &u32| {
            let next = format!("{written}{digit}");
            all.iter().any(|number| number.starts_with(&next))
        };
        ((0..=9).filter(may_come).collect(), all.contains(written))
    }
}
