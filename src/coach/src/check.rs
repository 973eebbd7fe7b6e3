//! `check ch02`: builds the reader's chapter, tries the suite on it, and says where it first differs. In the middle of a
//! chapter that is what should work at the end of the page that the reader is on.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use catalog::chapters::{self, Found};
use catalog::error::problem;
use catalog::pages::{self, Page};
use ground::error::Error;
use judge::judgement::MODELS;
use judge::{Engine, Mistake, Question, Suite, Topic, beside};

use crate::partial_check::{self, Said};
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
            return Err(problem(format!(
                "my/{short} has no lines of the side room {}, on which \"{}\" builds: \
                 `cargo run -- take {}` puts them in, before that page is typed",
                room.name, page.title, room.name
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
    let (page, upto) = match typed.last() {
        Some(page) => (page.name.as_str(), title(&page.name)),
        None => ("none", "its beginning".into()),
    };
    if !is_over {
        let other = "another one is named by --page";
        writeln!(out, "my/{short} is typed up to {upto} (page {page}; {other})")?;
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
    let mut named = if is_over { String::new() } else { format!(" at the end of {upto}") };
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
    Ok(writeln!(out, "{done}")?)
}

/// The course's own chapter as it is at the end of the last of these pages, in a folder of its own.
fn at_page(root: &Path, found: &Found, typed: &[Page]) -> Result<PathBuf, Error> {
    let folder = chapters::aside(root).join("pages").join(&found.chapter.short);
    let package = folder.join("chapter");
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
    partial_check::alone(root, &folder, "chapter", manifest, found)?;
    Ok(package)
}

/// Tries what the chapter in `found` says of itself, beside the course's own in the folder `theirs`, which is called `named`.
fn check(root: &Path, found: &Found, named: &str, theirs: &Path) -> Result<(), Error> {
    let chapter = &found.chapter;
    let own = chapters::own(root, &chapter.short);
    let mine = match chapter.about.ways.is_empty() {
        true => None,
        false => Some(partial_check::program(root, found)?),
    };
    let mine = mine.map(|mine| Engine::of(chapter, format!("my/{}", chapter.short), mine));
    let beside = || -> Result<Engine, Error> {
        let program = chapters::build(theirs, &format!("chapters-{}", chapter.short))?;
        Ok(Engine::of(chapter, named.to_string(), program))
    };
    let apart = first_difference::apart(&own, theirs, "").into_iter().map(|line| line.file);
    let parts = partial_check::by_change(found, &apart.collect::<Vec<_>>())?;
    let program = mine.as_ref().map(|mine| &*mine.program);
    let tests =
        |parts: &[String]| partial_check::build(root, found, parts, program, Stdio::null());
    let mut red = judge(root, found, mine.as_ref(), beside, &parts, tests)?;
    // What the program answers says more than what a part does.
    red.sort_by_key(|(_, red)| matches!(red, Red::Part(_)));
    if red.is_empty() { Ok(()) } else { Err(problem(told(found, theirs, &red))) }
}

/// What is tried: topics, which need the whole program, and parts.
struct Step<'a> {
    name: String,
    is_part: bool,
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
    LeftOut(&'static str),
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

/// The topics until the first that is red, because all after it would be red as well, and the parts likewise. `parts`: those
/// that what the reader changed concerns, which come first, and the others. Which ways are tried, the engines say.
fn judge(
    root: &Path,
    found: &Found,
    mine: Option<&Engine>,
    theirs: impl FnOnce() -> Result<Engine, Error> + Send,
    parts: &[Vec<String>; 2],
    build: impl Fn(&[String]) -> Result<Vec<Option<PathBuf>>, Error> + Sync,
) -> Result<Vec<(String, Red)>, Error> {
    let suite = Suite::read(root)?;
    // The same bits in every way are topics of their own, so two ways will do for the rest.
    let few = mine.map(Engine::in_two_ways);
    let (beside, tests) = (Later::new(), [const { Later::<Vec<Option<PathBuf>>>::new() }; 2]);
    let (mut steps, mut soon, mut long) = (Vec::new(), Vec::new(), Vec::new());
    if let (Some(mine), Some(few)) = (mine, &few) {
        (steps, soon, long) = topics(root, &suite, mine, few, &beside);
        if found.chapter.about.judged_from.is_some() {
            // It can't agree with the judge before all of its parts are there.
            (steps, long) = (Vec::new(), Vec::new());
            soon.retain(|step| step.name.starts_with("bits") || step.name == "refusals");
            soon.reverse(); // what takes longest comes last
        }
    }
    let [first, rest] = [0, 1].map(|group| {
        let tests = &tests[group];
        let steps = parts[group].iter().enumerate().map(move |(index, part)| Step {
            name: format!("part {part}"),
            is_part: true,
            is_ready: Box::new(move || tests.0.get().is_some()),
            try_it: Box::new(move || {
                Ok(
                    match partial_check::ask(root, found, part, tests.get()?[index].as_deref())?
                    {
                        Said::Wrong(why) => Outcome::Red(Red::Part(why)),
                        Said::Right(_) => Outcome::Green,
                        // A chapter of another form is tried by what it answers alone.
                        Said::Apart => Outcome::LeftOut(
                            "left out, because its tests do not compile with yours",
                        ),
                    },
                )
            }),
        });
        steps.collect::<Vec<_>>()
    });
    steps.extend(first.into_iter().chain(soon).chain(rest).chain(long));
    thread::scope(|scope| {
        scope.spawn(|| {
            if mine.is_some() {
                _ = beside.0.set(theirs());
            }
            for (tests, parts) in tests.iter().zip(parts) {
                _ = tests.0.set(build(parts));
            }
        });
        all_tried(steps)
    })
}

/// The layers; then what takes a second each beside the course's program and sees nearly all mistakes, and the rest; and
/// by themselves those that take long.
fn topics<'a>(
    root: &Path,
    suite: &'a Suite,
    mine: &'a Engine,
    few: &'a Engine,
    theirs: &'a Later<Engine>,
) -> (Vec<Step<'a>>, Vec<Step<'a>>, Vec<Step<'a>>) {
    let outcome = |tried: judge::Tried| {
        tried.map_or_else(|mistake| Outcome::Red(Red::Topic(mistake)), |()| Outcome::Green)
    };
    let topic = |topic: Topic| -> Step<'a> {
        let engine = if topic.is_about_ways { mine } else { few };
        let name = topic.name.clone();
        let try_it = Box::new(move || {
            let mut tried = topic.try_on(suite, engine);
            if let (Err(mistake), true) = (&mut tried, topic.is_about_numbers) {
                beside::add_layer(mistake, engine, theirs.get()?);
            }
            Ok(outcome(tried))
        });
        Step { name, is_part: false, is_ready: Box::new(|| true), try_it }
    };
    let beside = |(model, questions): (&str, Vec<Question>)| -> Step<'a> {
        let name = format!("bits and figures beside the course's, {model}");
        let try_it = Box::new(move || {
            let (mut all, theirs) = (questions.iter(), theirs.get()?);
            let tried = all.try_for_each(|question| beside::same_bits(few, theirs, question));
            Ok(outcome(tried))
        });
        let is_ready = Box::new(move || theirs.0.get().is_some());
        Step { name, is_part: false, is_ready, try_it }
    };
    let (long, mut layers): (Vec<Topic>, _) =
        Suite::topics(mine.serves).into_iter().partition(|topic| topic.is_long);
    let mut rest = layers.split_off(MODELS.len());
    // A second, and what a chapter that serves is about.
    let port: Vec<Topic> = rest.drain(..usize::from(mine.serves)).collect();
    let beside = beside::topics(suite, mine, root).into_iter().map(beside);
    let soon = port.into_iter().map(topic).chain(beside).chain(rest.into_iter().map(topic));
    let steps = |topics: Vec<Topic>| topics.into_iter().map(topic).collect();
    (steps(layers), soon.collect(), steps(long))
}

/// Whether the topics, or the parts, have ended with a red one.
#[derive(Default)]
struct Over {
    topics: AtomicBool,
    parts: AtomicBool,
}

impl Over {
    fn of(&self, is_part: bool) -> &AtomicBool {
        if is_part { &self.parts } else { &self.topics }
    }
}

/// A step that has begun: its name, whether it is a part, and what comes of it after how long.
type Begun = (String, bool, mpsc::Receiver<(Tried, Duration)>);

/// Tries as many steps at a time as there are cores, each as soon as it is ready and all before it have begun, and tells
/// them in the order in which they began. The first of the topics that is red ends the topics, and the first of the parts
/// the parts.
fn all_tried(steps: Vec<Step>) -> Result<Vec<(String, Red)>, Error> {
    let (count, over, left) = (steps.len(), Over::default(), Mutex::new(steps));
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        let (begin, begun) = mpsc::channel();
        for _ in 0..cores {
            let (begin, left, over) = (begin.clone(), &left, &over);
            scope.spawn(move || {
                // After an error there is no one to tell.
                while let Some((step, end)) = next(left, over, &begin) {
                    let start = Instant::now();
                    let tried = (step.try_it)();
                    let _ = end.send((tried, start.elapsed()));
                }
            });
        }
        drop(begin);
        let red = told_in_order(count, &begun, &over);
        left.lock().expect("no one panics with it").clear();
        red
    })
}

/// The first step that is left and ready, or else the first; and where to send what comes of it.
fn next<'a>(
    left: &Mutex<Vec<Step<'a>>>,
    over: &Over,
    begin: &mpsc::Sender<Begun>,
) -> Option<(Step<'a>, mpsc::Sender<(Tried, Duration)>)> {
    let mut left = left.lock().expect("no one panics with it");
    left.retain(|step| !over.of(step.is_part).load(Ordering::Relaxed));
    let at = left.iter().position(|step| (step.is_ready)()).unwrap_or(0);
    let step = (at < left.len()).then(|| left.remove(at))?;
    let (end, ended) = mpsc::channel();
    let _ = begin.send((step.name.clone(), step.is_part, ended));
    Some((step, end))
}

/// One line for each step: what it is before its end, and then how long it took.
fn told_in_order(
    count: usize,
    begun: &mpsc::Receiver<Begun>,
    over: &Over,
) -> Result<Vec<(String, Red)>, Error> {
    let mut red = Vec::new();
    for (at, (name, is_part, ended)) in (1..).zip(begun) {
        if over.of(is_part).load(Ordering::Relaxed) {
            continue;
        }
        // Not `print!`, which panics when standard output is full or closed.
        write!(io::stdout(), "{at:>2} of {count}  {name}")?;
        io::stdout().flush()?;
        let (tried, time) = ended.recv().expect("what has begun ends");
        let (outcome, seconds) = (tried?, time.as_secs_f64());
        match &outcome {
            Outcome::Green => writeln!(io::stdout(), ": {seconds:.1} s")?,
            Outcome::LeftOut(why) => writeln!(io::stdout(), ": {why}")?,
            Outcome::Red(_) => writeln!(io::stdout(), ": red, {seconds:.1} s")?,
        }
        if let Outcome::Red(found) = outcome {
            over.of(is_part).store(true, Ordering::Relaxed);
            red.push((name, found));
        }
    }
    Ok(red)
}

/// What is red and what it says, and at the end one place to look at: a line, and what is wrong there in one more.
fn told(found: &Found, theirs: &Path, red: &[(String, Red)]) -> String {
    let mine = format!("my/{}", found.chapter.short);
    let mut told = format!("{mine} isn't right yet");
    told += match red {
        [(_, Red::Part(_))] => ": a part is red, though all that the program answers is right",
        [_] if !found.chapter.about.parts.is_empty() => ", though no part is red",
        _ => "",
    };
    let (mut look, mut wrong) = (String::new(), None);
    for (name, red) in red {
        told += &format!("\n\nred: {name}\n{red}");
        let (files, says) = match red {
            Red::Topic(mistake) => {
                (format!("{} {}", mistake.found, mistake.look), mistake.in_a_line())
            }
            // The file that a part is named after, or its folder.
            Red::Part(why) => (
                name.replace("part ", "src/"),
                why.lines().next().unwrap_or_default().trim().to_string(),
            ),
        };
        look += &format!("{files} ");
        wrong = wrong.or(Some(says));
    }
    let own = chapters::own(&chapters::root(), &found.chapter.short);
    let mut lines = first_difference::apart(&own, theirs, &look).into_iter();
    let place = lines.next().map_or(look, |line| format!("{mine}/{line}"));
    told += &format!("\n\nlook at:  {place}\n          {}", wrong.unwrap_or_default());
    let others: Vec<String> = lines.map(|line| line.file).collect();
    if !others.is_empty() {
        told += &format!("\n          (not the course's either: {})", others.join(", "));
    }
    told
}
