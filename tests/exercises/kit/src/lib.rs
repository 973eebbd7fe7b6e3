//! What the checks of all exercises share: how a failure is told, how two results are compared, and
//! the few types that a task hands to the reader. Nothing but the standard library, so that an exercise builds in a second.

pub mod apart;
pub mod counting;
pub mod dot;
pub mod explained;
mod given;
pub mod memory;
pub mod reference;
pub mod wake;

pub use apart::Told;
pub use given::{blocks, cache, conversation, engine, pass, prefix, schedule};

use std::cell::Cell;
use std::fmt::{self, Debug, Display};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// What a check returns: nothing to say, or one failure.
pub type Checked = Result<(), Failure>;

/// The first thing that a check found wrong.
#[derive(Clone, PartialEq)]
pub struct Failure {
    /// What the answer was asked.
    pub case: String,
    /// Where in the result: "row 2, column 0". Empty when the result is one value.
    pub position: String,
    pub expected: String,
    pub found: String,
    /// The mistake, when the check recognises it.
    pub likely: Option<&'static str>,
    /// The answer is still `todo!()`.
    pub unwritten: bool,
    /// The answer still does what the given function with its fault does.
    pub given: bool,
}

/// In place of a reason: what the function gives whose fault the reader looks for. Such a failure shows the symptom and
/// nothing else.
pub const GIVEN: &str = "as given";

impl Failure {
    pub fn new(case: &str, expected: impl Display, found: impl Display) -> Failure {
        Failure {
            case: case.to_string(),
            position: String::new(),
            expected: expected.to_string(),
            found: found.to_string(),
            likely: None,
            unwritten: false,
            given: false,
        }
    }

    pub fn at(mut self, position: impl Display) -> Failure {
        self.position = position.to_string();
        self
    }

    /// What is not written yet has no mistake, and "" is none.
    pub fn likely(mut self, reason: &'static str) -> Failure {
        if self.unwritten || reason.is_empty() {
            return self;
        }
        self.given = reason == GIVEN;
        self.likely = (!self.given).then_some(reason);
        self
    }

    /// With this reason, if the answer has stopped with a panic in these words.
    pub fn if_stopped(self, words: &str, reason: &'static str) -> Failure {
        if self.found.contains(words) { self.likely(reason) } else { self }
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [expected, found] = shortened(&self.expected, &self.found);
        writeln!(out, "  asked:    {}", self.case)?;
        writeln!(out, "  expected: {expected}")?;
        write!(out, "  found:    {found}")?;
        if !self.position.is_empty() {
            write!(out, "\n  where:    {}", self.position)?;
        }
        if let Some(likely) = self.likely {
            write!(out, "\n  likely:   {likely}")?;
        }
        Ok(())
    }
}

/// Of long texts what is around the first place where they differ.
fn shortened(a: &str, b: &str) -> [String; 2] {
    const LENGTH: usize = 400;
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let start = if a.len().max(b.len()) > LENGTH { same.saturating_sub(LENGTH / 4) } else { 0 };
    [a, b].map(|text| {
        let before = if start > 0 { "... " } else { "" };
        let mut rest = text.chars().skip(start);
        let kept: String = rest.by_ref().take(LENGTH).collect();
        format!("{before}{kept}{}", if rest.next().is_some() { " ..." } else { "" })
    })
}

impl Debug for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, out)
    }
}

/// One exercise, as its messages name it.
pub struct Exercise {
    /// The reader's, from the course's root.
    pub file: &'static str,
    /// The text of the annotated source, whose first lines say what there is to read.
    pub source: &'static str,
}

impl Exercise {
    pub fn name(&self) -> &'static str {
        let file = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
        file.trim_end_matches(".rs")
    }

    fn about(&self, key: &str) -> &'static str {
        let mut lines = self.source.lines().filter_map(|line| line.strip_prefix("//? "));
        lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap_or_default()
    }

    /// Runs a check and says, when it fails, which exercise it was and what to read.
    pub fn run(&'static self, check: impl FnOnce() -> Checked) -> Result<(), Box<Report>> {
        // A check calls the answer through `call`; this net is for a panic in anything else.
        let checked = call("the check as a whole", check).and_then(|inner| inner);
        checked.map_err(|failure| Box::new(Report { exercise: self, failure }))
    }
}

/// The test of an exercise, in the file with its answer: `exercise!(check(append_row) in "../append_row.rs")`. The source
/// has a solution too; it is out of the answer's sight.
#[macro_export]
macro_rules! exercise {
    (check($($answer:path),+) in $source:literal) => {
        #[cfg(test)]
        pub mod exercise {
            #[allow(dead_code, clippy::type_complexity)]
            mod source {
                include!($source);
            }
            pub use source::check::check;
            pub static EXERCISE: $crate::Exercise =
                $crate::Exercise { file: file!(), source: include_str!($source) };
        }
        #[cfg(test)]
        #[test]
        fn exercise() -> Result<(), $crate::Told> {
            let test = concat!(module_path!(), "::exercise");
            exercise::EXERCISE.test(test, || exercise::check($($answer),+))
        }
    };
}

/// The exercises of a package. One that has lost its `exercise!` would have no test, and doesn't compile here.
#[macro_export]
macro_rules! exercises {
    ($($name:ident)+) => {
        $(
            mod $name;
            use $name::exercise::EXERCISE as _;
        )+
    };
}

/// A failure with the exercise's name and page. `Debug` prints the text, because that is what a test that returns an error shows.
pub struct Report {
    pub exercise: &'static Exercise,
    pub failure: Failure,
}

impl Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Exercise { file, .. } = self.exercise;
        let name = self.exercise.name();
        let Failure { unwritten, given, .. } = self.failure;
        match (unwritten, given) {
            (true, _) => writeln!(out, "{name} is still todo!()")?,
            (_, true) => writeln!(out, "{name} still has its fault\n{}", self.failure)?,
            _ => writeln!(out, "{name} is not right yet\n{}", self.failure)?,
        }
        if unwritten || given {
            writeln!(out, "  the task: the first lines of {file}")?;
        }
        let section = self.exercise.about("section");
        let page = self.exercise.about("page").replace(".md", ".html");
        writeln!(out, "  read:     \"{section}\", in the book at {page}")?;
        write!(out, "  stuck?    `cargo run -- hint {name}`, then `hint {name} 2`, and 3")
    }
}

impl Debug for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, out)
    }
}

thread_local! {
    /// Set while an answer runs: where and with what words it panicked.
    static PANIC: Cell<Option<String>> = const { Cell::new(None) };
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Calls the answer. A panic becomes a failure, `todo!()` a friendly one; neither prints a backtrace of the checks.
pub fn call<T>(case: &str, answer: impl FnOnce() -> T) -> Result<T, Failure> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !INSIDE.get() {
                return usual(info);
            }
            let words = info.payload_as_str().unwrap_or("a panic without a text");
            let place = info.location().map_or(String::new(), |place| {
                format!(", at {}:{}", place.file(), place.line())
            });
            PANIC.set(Some(format!("{words}{place}")));
        }));
    });
    let before = INSIDE.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(answer));
    INSIDE.set(before);
    result.map_err(|_| {
        let words = PANIC.take().unwrap_or_default();
        let mut failure = Failure::new(case, "a result", format!("a panic: {words}"));
        failure.unwritten = words.starts_with("not yet implemented");
        failure
    })
}

/// Like `call`, for a case in which a panic is itself the mistake that the check looks for.
pub fn call_or<T>(
    case: &str,
    expected: impl Display,
    reason: &'static str,
    answer: impl FnOnce() -> T,
) -> Result<T, Failure> {
    call(case, answer).map_err(|failure| {
        if failure.unwritten {
            return failure;
        }
        Failure { expected: expected.to_string(), likely: Some(reason), ..failure }
    })
}

/// Two values must be equal. `mistakes`: the values that known mistakes give, each with its reason.
pub fn same<T: PartialEq + Debug>(
    case: &str,
    expected: &T,
    found: &T,
    mistakes: &[(&'static str, T)],
) -> Checked {
    if expected == found {
        return Ok(());
    }
    let mut failure = Failure::new(case, format!("{expected:?}"), format!("{found:?}"));
    if let Some((reason, _)) = mistakes.iter().find(|(_, wrong)| wrong == found) {
        failure = failure.likely(reason);
    }
    Err(failure)
}

/// How near two numbers must be.
#[derive(Clone, Copy)]
pub enum Near {
    /// The same 32 bits; any NaN equals any NaN.
    Bits,
    /// |found - expected| <= tolerance * max(1, |expected|).
    Within(f32),
}

impl Near {
    fn holds(self, expected: f32, found: f32) -> bool {
        match self {
            Near::Bits => {
                expected.to_bits() == found.to_bits() || (expected.is_nan() && found.is_nan())
            }
            Near::Within(tolerance) => {
                expected == found
                    || (expected - found).abs() <= tolerance * expected.abs().max(1.0)
                    || (expected.is_nan() && found.is_nan())
            }
        }
    }
}

/// Two row-major arrays must be equal. `shape` names the axes for the message: `&[("row", 3), ("column", 4)]`.
/// `mistakes`: the arrays that known mistakes give, each with its reason.
pub fn same_numbers(
    case: &str,
    shape: &[(&str, usize)],
    near: Near,
    expected: &[f32],
    found: &[f32],
    mistakes: &[(&'static str, Vec<f32>)],
) -> Checked {
    let all_near = |wanted: &[f32]| {
        wanted.len() == found.len() && wanted.iter().zip(found).all(|(&w, &f)| near.holds(w, f))
    };
    if all_near(expected) {
        return Ok(());
    }
    let first = expected.iter().zip(found).position(|(&e, &f)| !near.holds(e, f));
    let mut failure = match first {
        Some(index) => {
            Failure::new(case, number(expected[index], near), number(found[index], near))
                .at(place(index, shape))
        }
        None => Failure::new(
            case,
            format!("{} numbers", expected.len()),
            format!("{} numbers", found.len()),
        ),
    };
    if let Some((reason, _)) = mistakes.iter().find(|(_, wrong)| all_near(wrong)) {
        failure = failure.likely(reason);
    }
    Err(failure)
}

/// One of many questions whose answer is a single number.
pub struct Asked {
    pub case: String,
    pub expected: f32,
    pub found: f32,
    /// What each known mistake gives, in the order of the reasons.
    pub mistakes: Vec<f32>,
}

/// Every number must have the expected bits. Two orders of a sum often give the same bits, so a mistake is
/// named only when it explains every answer.
pub fn same_everywhere(asked: &[Asked], reasons: &[&'static str]) -> Checked {
    let same = |a: f32, b: f32| Near::Bits.holds(a, b);
    let Some(first) = asked.iter().find(|one| !same(one.expected, one.found)) else {
        return Ok(());
    };
    let (expected, found) =
        (number(first.expected, Near::Bits), number(first.found, Near::Bits));
    let failure = Failure::new(&first.case, expected, found);
    let explains = |i: usize| asked.iter().all(|one| same(one.mistakes[i], one.found));
    Err(match (0..reasons.len()).find(|&i| explains(i)) {
        Some(i) => failure.likely(reasons[i]),
        None => failure,
    })
}

fn number(value: f32, near: Near) -> String {
    match near {
        Near::Bits => format!("{value:?} (bits {:08x})", value.to_bits()),
        Near::Within(_) => format!("{value:?}"),
    }
}

fn place(index: usize, shape: &[(&str, usize)]) -> String {
    let mut rest = index;
    let mut parts = Vec::new();
    for (axis, length) in shape.iter().rev() {
        parts.push(format!("{axis} {}", rest % length));
        rest /= length;
    }
    parts.reverse();
    parts.join(", ")
}

/// A small generator, so that every reader sees the same numbers: SplitMix64, as in `ground::random`. It is
/// written here once more because this package depends on nothing, and so builds in a second.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// From -1 to 1.
    pub fn number(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn numbers(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.number()).collect()
    }
}

/// The bits of the 16-bit float that is nearest to a number which is not negative; of two as near, the even one.
pub fn f32_to_f16(x: f32) -> u16 {
    // Without a sign, a larger float has larger bits: search for the first that is not below x.
    let (mut low, mut high) = (0u16, 0x7c00);
    while low < high {
        let middle = (low + high) / 2;
        if f16_to_f32(middle) < x { low = middle + 1 } else { high = middle }
    }
    if low == 0 {
        return 0;
    }
    let (below, above) = (x - f16_to_f32(low - 1), f16_to_f32(low) - x);
    if below < above || (below == above && low % 2 == 1) { low - 1 } else { low }
}

/// A 16-bit float as an `f32`, by its definition: exact, and slow.
pub fn f16_to_f32(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let mantissa = f32::from(bits & 0x3ff) / 1024.0;
    match (exponent, mantissa) {
        (0, _) => sign * mantissa * 2f32.powi(-14),
        (31, 0.0) => sign * f32::INFINITY,
        (31, _) => f32::NAN,
        _ => sign * (1.0 + mantissa) * 2f32.powi(exponent - 15),
    }
}
