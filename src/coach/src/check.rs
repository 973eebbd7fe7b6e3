//! `check ch02`: builds the reader's chapter, tries the suite on it, and says where it first differs. In the middle of a
//! chapter that is what should work at the end of the page that the reader is on.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use catalog::chapters::{self, Found};
use catalog::children::Together;
use catalog::error::problem;
use catalog::pages::{self, Page};
use ground::error::Error;
use ground::text::one_line;
use judge::{Asked, Engine, Mistake, Question, Suite, Topic, beside};

use crate::partial_check::{self, Built, Said};
use crate::{first_difference, progress, reader_position, start};

/// Which chapter to check.
#[derive(clap::Args)]
pub struct Args {
    /// The chapter, as ch02; yours is in my/ch02
    chapter: String,

    /// Test one part by itself, even where there is no program yet: `check ch00 --part rope`
    ///
    /// Compiles the course's own tests of this part with my/CHAPTER, and shows the first number that differs. Parts
    /// of chapter 0 are matmul, norm, softmax, attention, rope, model, generate; `--part list` lists any chapter's.
    #[arg(long, value_name = "NAME")]
    part: Option<String>,

    /// The page that you have typed, if it is another one than what you typed tells: `contiguous` of ch02/contiguous.md
    #[arg(long, value_name = "NAME", conflicts_with = "part")]
    page: Option<String>,
}

/// Builds, tries everything, and remembers the result for `progress`.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let found = chapters::find(&root, &args.chapter)?;
    let chapter = &found.chapter;
    let short = &chapter.short;
    let lists = args.part.as_deref() == Some("list");
    if !lists && !chapters::own(&root, short).join("Cargo.toml").is_file() {
        return Err(problem(format!(
            "there is no my/{short} yet: `cargo run -- start {short}`"
        )));
    }
    if let Some(part) = &args.part {
        return partial_check::check(&root, &found, part);
    }
    let pages = pages::of(&root, chapter)?;
    let own = chapters::own(&root, short);
    let count = match &args.page {
        Some(name) => reader_position::upto(&pages, chapter, name)?,
        None => reader_position::typed(&pages, &found, &own),
    };
    let (typed, rest) = pages.split_at(count);
    let is_over = rest.iter().all(|page| page.listings.is_empty());
    let left = reader_position::left_out(typed, &found, &own);
    for room in &left {
        let needs = |page: &&Page| Some(&page.name) == room.needed_by.as_ref();
        if let Some(page) = typed.iter().find(needs) {
            let is_on_it = room.name.starts_with(&format!("{short}/{}#", page.name));
            let when = if is_on_it { "" } else { ", before that page is typed" };
            return Err(problem(format!(
                "my/{short} has no lines of the side room {0}, on which \"{1}\" builds: \
                 `cargo run -- take {0}` puts them in{when}",
                room.name, page.title
            )));
        }
    }
    let is_whole = is_over && left.is_empty();
    let title = |name: &str| {
        let page = pages.iter().find(|page| page.name == name);
        page.map_or(name.to_string(), |page| format!("\"{}\"", page.title))
    };
    // Not `println!`, which panics when standard output is full or closed.
    let mut out = io::stdout();
    let page = typed.last().map_or("none", |page| &page.name);
    let upto = title(page);
    match typed.is_empty() {
        _ if is_over => {}
        true => {
            writeln!(out, "my/{short} is as `start` made it (--page names the page if not)")?
        }
        false => {
            let other = "another one is named by --page";
            writeln!(out, "my/{short} is typed up to {upto} (page {page}; {other})")?;
        }
    }
    for room in &left {
        let until = match &room.needed_by {
            Some(page) => format!("before {}", title(page)),
            None => "whenever you like".into(),
        };
        let name = &room.name;
        writeln!(out, "without the side room {name}: `cargo run -- take {name}`, {until}")?;
    }
    if typed.last().is_some_and(|page| !page.compiles) {
        let next = rest.iter().find(|page| page.compiles).map_or("", |page| &page.name);
        let until = "until then `cargo check` there lists what is left to do";
        return Ok(writeln!(
            out,
            "not there yet: it compiles again with {}; {until}",
            title(next)
        )?);
    }
    let without = left.iter().map(|room| room.name.clone()).collect();
    let typed = &pages::without(typed, &without);
    let new = start::bring_examples(chapter, &own, typed, is_whole)?;
    if !new.is_empty() {
        let new = new.join(", ");
        writeln!(out, "in my/{short} now, for `cargo run --example NAME`: {new}")?;
    }
    let before = found.before.as_ref().map(|before| &before.about);
    let names: Vec<&str> = typed.iter().map(|page| page.name.as_str()).collect();
    let (about, later) = chapter.about.while_typed(&names, before);
    for (page, what) in &later {
        let what = what.join(", ");
        writeln!(out, "not there yet: {what}: with {}", title(page))?;
    }
    let mut now = found.clone();
    now.chapter.about = about;
    let theirs = if is_whole { chapter.folder.clone() } else { at_page(&root, &found, typed)? };
    let mut named = match typed.is_empty() {
        _ if is_over => String::new(),
        true => " at its beginning".into(),
        false => format!(" at the end of {upto}"),
    };
    if !left.is_empty() {
        let without: Vec<String> = without.into_iter().collect();
        named += &format!(" without {}", without.join(", "));
    }
    let named = format!("chapters/{}{named}", chapter.name);
    let checked = check(&root, &now, &named, &theirs);
    let word = match &checked {
        Ok(()) if is_whole => "green",
        Ok(()) if is_over => progress::MAIN_LINE,
        Ok(()) => page,
        Err(_) => "red",
    };
    fs::create_dir_all(chapters::aside(&root))?;
    fs::write(chapters::verdict(&root, short), word)?;
    checked?;
    let done = match now.chapter.about.ways.is_empty() {
        true => format!("my/{short} is right as far as it goes: it has no program yet."),
        false if now.chapter.about.judged_from.is_some() => {
            format!("my/{short} is, bit for bit, {named}.")
        }
        false => format!("my/{short} agrees with the judge and, bit for bit, with {named}."),
    };
    let all = chapters::all(&root)?;
    let after = all.iter().skip_while(|one| one.short != *short).nth(1);
    let next = match (rest.first(), after) {
        (Some(page), _) => format!(" Next: \"{}\", {short}/{}.html", page.title, page.name),
        (None, Some(next)) => {
            let (title, next) = (&next.about.title, &next.short);
            format!(" Next: \"{title}\", `cargo run -- start {next}`")
        }
        (None, None) => " It's the last one.".into(),
    };
    let done = done + &next;
    Ok(writeln!(out, "{done}")?)
}

/// The course's own chapter as it is at the end of the last of these pages, in a folder of its own.
fn at_page(root: &Path, found: &Found, typed: &[Page]) -> Result<PathBuf, Error> {
    let folder = chapters::aside(root).join("pages").join(&found.chapter.short);
    // Made aside: what is the same as the last time is not compiled anew.
    let (package, before) = (folder.join("new"), folder.join("chapter"));
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    let base = found.base.as_ref().map(|base| base.folder.as_path());
    start::begin(found, &package, base.unwrap_or(Path::new("")))?;
    for page in typed {
        page.type_into(&package)?;
    }
    // Its code may have no use yet.
    let manifest = fs::read_to_string(package.join("Cargo.toml"))?;
    let quiet = "[lints.rust]\nwarnings = \"allow\"\n";
    let manifest = manifest.replace("[lints]\nworkspace = true\n", quiet);
    if first_difference::read(&package) != first_difference::read(&before) {
        if before.exists() {
            fs::remove_dir_all(&before)?;
        }
        fs::rename(&package, &before)?;
    }
    partial_check::alone(root, &folder, "chapter", manifest, found)?;
    Ok(before)
}

/// Tries what the chapter in `found` says of itself, beside the course's own in the folder `theirs`, which is called `named`.
fn check(root: &Path, found: &Found, named: &str, theirs: &Path) -> Result<(), Error> {
    let chapter = &found.chapter;
    let own = chapters::own(root, &chapter.short);
    let typed = first_difference::read(&own);
    let mine = match chapter.about.ways.is_empty() {
        true => None,
        false => Some(partial_check::program(root, found)?),
    };
    let mine = mine.map(|mine| Engine::of(chapter, format!("my/{}", chapter.short), mine));
    let beside = || -> Result<Engine, Error> {
        let program = chapters::build(theirs, &format!("chapters-{}", chapter.short))?;
        Ok(Engine::of(chapter, named.to_string(), program))
    };
    let apart = first_difference::apart(&typed, theirs, "").into_iter().map(|line| line.file);
    let parts = partial_check::by_change(found, &apart.collect::<Vec<_>>())?;
    let program = mine.as_ref().map(|mine| &*mine.program);
    let tests = |parts: &[String]| partial_check::build(root, found, parts, program, false);
    match judge(root, found, mine.as_ref(), beside, &parts, tests)? {
        Some((name, red)) => Err(problem(told(found, &typed, theirs, &name, &red))),
        None => Ok(()),
    }
}

/// What is tried: topics, which need the whole program, and parts.
struct Step<'a> {
    name: String,
    /// Whether what it needs has been built.
    is_ready: Box<dyn Fn() -> bool + Send + Sync + 'a>,
    try_it: Box<dyn Fn() -> Tried + Send + Sync + 'a>,
}

/// What is built while the first topics are tried.
struct Later<T>(OnceLock<Result<T, Error>>);

impl<T> Later<T> {
    const fn new() -> Later<T> {
        Later(OnceLock::new())
    }

    fn get(&self) -> Result<&T, Error> {
        self.0.wait().as_ref().map_err(|error| problem(error.to_string()))
    }
}

type Tried = Result<Outcome, Error>;

enum Outcome {
    Green,
    /// With the reason.
    LeftOut(String),
    Red(Red),
}

/// What is wrong, as a topic or a part says it.
enum Red {
    Topic(Box<Mistake>),
    Part(String),
}

impl fmt::Display for Red {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Red::Topic(mistake) => mistake.fmt(out),
            Red::Part(why) => why.fmt(out),
        }
    }
}

/// The topics and the parts, until the first that is red. `parts`: those that what the reader changed concerns, which come
/// first, and the others. Which ways are tried, the engines say.
fn judge(
    root: &Path,
    found: &Found,
    mine: Option<&Engine>,
    theirs: impl FnOnce() -> Result<Engine, Error> + Send,
    parts: &[Vec<String>; 2],
    build: impl Fn(&[String]) -> Result<Vec<Built>, Error> + Sync,
) -> Result<Option<(String, Red)>, Error> {
    let suite = Suite::read(root)?;
    // The same bits in every way are topics of their own, so two ways will do for the rest.
    let few = mine.map(Engine::in_two_ways);
    let (beside, tests) = (Later::new(), [const { Later::<Vec<Built>>::new() }; 2]);
    let (mut soon, mut long) = (Vec::new(), Vec::new());
    if let (Some(mine), Some(few)) = (mine, &few) {
        (soon, long) = topics(root, &suite, mine, few, &beside);
        if found.chapter.about.judged_from.is_some() {
            // It can't agree with the judge before all of its parts are there.
            long.retain(|step| step.name.starts_with(BESIDE));
            soon.retain(|step| step.name.starts_with(BESIDE) || step.name == "refusals");
        }
    }
    let [first, rest] = [0, 1].map(|group| {
        let tests = &tests[group];
        let steps = parts[group].iter().enumerate().map(move |(index, part)| Step {
            name: format!("part {part}"),
            is_ready: Box::new(move || tests.0.get().is_some()),
            try_it: Box::new(move || {
                Ok(match partial_check::ask(root, found, part, &tests.get()?[index])? {
                    Said::Wrong(why) => Outcome::Red(Red::Part(why)),
                    Said::Right(_) => Outcome::Green,
                    // A chapter of another form is tried by what it answers alone.
                    Said::Apart(error) => {
                        Outcome::LeftOut(partial_check::left_out(root, found, &error)?)
                    }
                })
            }),
        });
        steps.collect::<Vec<_>>()
    });
    let steps = first.into_iter().chain(soon).chain(rest).chain(long).collect();
    let together = Together::begin()?;
    thread::scope(|scope| {
        scope.spawn(|| {
            let [first, rest] = [0, 1].map(|at| (&tests[at], &parts[at]));
            _ = first.0.0.set(build(first.1));
            if mine.is_some() {
                _ = beside.0.set(theirs());
            }
            _ = rest.0.0.set(build(rest.1));
        });
        all_tried(steps, together)
    })
}

const BESIDE: &str = "bits and figures beside the course's";

/// What takes a second each, the plainest first, and sees nearly all mistakes; and what takes longer.
fn topics<'a>(
    root: &Path,
    suite: &'a Suite,
    mine: &'a Engine,
    few: &'a Engine,
    theirs: &'a Later<Engine>,
) -> (Vec<Step<'a>>, Vec<Step<'a>>) {
    let outcome = |tried: judge::Tried| {
        tried.map_or_else(|mistake| Outcome::Red(Red::Topic(mistake)), |()| Outcome::Green)
    };
    let topic = |topic: Topic| -> Step<'a> {
        let engine = if topic.asked == Asked::InAllWays { mine } else { few };
        let name = topic.name.clone();
        let try_it = Box::new(move || {
            let mut tried = topic.try_on(suite, engine);
            if let (Err(mistake), true) = (&mut tried, topic.is_about_numbers) {
                beside::add_layer(mistake, engine, theirs.get()?);
            }
            Ok(outcome(tried))
        });
        Step { name, is_ready: Box::new(|| true), try_it }
    };
    let beside = |(model, questions): (&str, Vec<Question>)| -> Step<'a> {
        let name = format!("{BESIDE}, {model}");
        let try_it = Box::new(move || {
            let (mut all, theirs) = (questions.iter(), theirs.get()?);
            let tried = all.try_for_each(|question| beside::same_bits(few, theirs, question));
            Ok(outcome(tried))
        });
        let is_ready = Box::new(move || theirs.0.get().is_some());
        Step { name, is_ready, try_it }
    };
    let (long, short): (Vec<Topic>, Vec<Topic>) =
        Suite::topics(mine.serves).into_iter().partition(|topic| topic.is_long);
    let all = short.into_iter().map(topic);
    let all = all.chain(beside::topics(suite, mine, root).into_iter().map(beside));
    // The embedded model has the judge's longest texts, and what is far takes as long.
    let takes_longer = |step: &Step| {
        ["tokens and logits, tiny", "drawn", "what is pinned"]
            .iter()
            .any(|begin| step.name.starts_with(begin))
            || [", tiny-qwen3", ", far"]
                .iter()
                .any(|end| step.name.strip_prefix(BESIDE) == Some(end))
    };
    let (mut longer, soon): (Vec<Step>, Vec<Step>) = all.partition(takes_longer);
    longer.extend(long.into_iter().map(topic));
    (soon, longer)
}

/// A step that has ended: its name, and what came of it after how long.
type Ended = (String, Tried, Duration);

/// Tries as many steps at a time as there are cores, each as soon as it is ready and all before it have begun, until the
/// first that is red.
fn all_tried(steps: Vec<Step>, together: Together) -> Result<Option<(String, Red)>, Error> {
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    for step in &steps {
        *open.entry(group(&step.name)).or_default() += 1;
    }
    let left = Mutex::new(steps);
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (end, ended) = mpsc::channel::<Ended>();
    thread::scope(|scope| {
        for _ in 0..cores {
            let (end, left) = (end.clone(), &left);
            scope.spawn(move || {
                while let Some(step) = next(left) {
                    let start = Instant::now();
                    let tried = (step.try_it)();
                    // After the first that is red there's no one to tell.
                    if end.send((step.name, tried, start.elapsed())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(end);
        let red = told_as_they_end(open, ended);
        left.lock().expect("no one panics with it").clear();
        // Whatever still runs ends, what is still compiled as well: nobody waits for it.
        drop(together);
        red
    })
}

/// The first step that is left and ready, or else the first.
fn next<'a>(left: &Mutex<Vec<Step<'a>>>) -> Option<Step<'a>> {
    let mut left = left.lock().expect("no one panics with it");
    let at = left.iter().position(|step| (step.is_ready)()).unwrap_or(0);
    (at < left.len()).then(|| left.remove(at))
}

/// "every way to the bit, tiny-qwen3" is one of those that are told in a line.
fn group(name: &str) -> String {
    name.split(", ").next().unwrap_or_default().to_string()
}

/// One line for each group of steps, and at once for what is red. `open`: how many there are of each.
fn told_as_they_end(
    open: BTreeMap<String, usize>,
    ended: mpsc::Receiver<Ended>,
) -> Result<Option<(String, Red)>, Error> {
    let mut done: BTreeMap<String, (usize, Duration)> = BTreeMap::new();
    for (name, tried, time) in ended {
        let group = group(&name);
        let (count, all) = done.entry(group.clone()).or_default();
        (*count, *all) = (*count + 1, *all + time);
        let how_many = match open[&group] {
            1 => String::new(),
            all => format!(" {count} of {all},"),
        };
        // Not `println!`, which panics when standard output is full or closed.
        match tried? {
            Outcome::Red(red) => {
                writeln!(io::stdout(), "{name}: red, {:.1} s", time.as_secs_f64())?;
                return Ok(Some((name, red)));
            }
            Outcome::LeftOut(why) => writeln!(io::stdout(), "{name}: {why}")?,
            Outcome::Green if *count == open[&group] => {
                writeln!(io::stdout(), "{group}:{how_many} {:.1} s", all.as_secs_f64())?;
            }
            Outcome::Green => {}
        }
    }
    Ok(None)
}

/// What is red and what it says, and at the end one place to look at: a line, and what is wrong there in one more. `typed`:
/// the reader's files as they were compiled.
fn told(
    found: &Found,
    typed: &BTreeMap<String, String>,
    theirs: &Path,
    name: &str,
    red: &Red,
) -> String {
    let mine = format!("my/{}", found.chapter.short);
    let (look, wrong) = match red {
        Red::Topic(mistake) => {
            (format!("{} {}", mistake.found, mistake.look), mistake.in_a_line())
        }
        // The file that a part is named after, or its folder.
        Red::Part(why) => (
            name.replace("part ", "src/"),
            one_line(why.lines().next().unwrap_or_default().trim(), 120),
        ),
    };
    let mut lines = first_difference::apart(typed, theirs, &look).into_iter();
    let place = lines.next().map_or(look, |line| format!("{mine}/{line}"));
    let mut told = format!(
        "{mine} isn't right yet\n\nred: {name}\n{red}\n\nlook at:  {place}\n          {wrong}"
    );
    let others: Vec<String> = lines.map(|line| line.file).collect();
    if !others.is_empty() {
        told += &format!("\n          (not the course's either: {})", others.join(", "));
    }
    told
}
