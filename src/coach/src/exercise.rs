//! `hint`, `reset`, `solution` and `watch`: for one exercise.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::exercises::{self, Exercise, Reset, State, Watch};
use catalog::chapters;
use ground::error::Error;
use ground::text::path_line;

/// Which exercise.
#[derive(clap::Args)]
pub struct Args {
    /// The exercise, as append_row
    #[arg(value_name = "EXERCISE")]
    name: String,
}

/// Which exercise, and how much to tell.
#[derive(clap::Args)]
pub struct HintArgs {
    #[command(flatten)]
    which: Args,
    /// 1 says where to look, 2 what is needed, 3 nearly everything
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    level: u8,
}

/// Which exercise to begin with.
#[derive(clap::Args)]
pub struct WatchArgs {
    /// The exercise to begin with, as append_row [default: the first one that is not done]
    #[arg(value_name = "EXERCISE")]
    name: Option<String>,
}

/// Prints one hint, and how to get the next.
pub fn hint(args: &HintArgs) -> Result<(), Error> {
    let exercise = exercises::find(&chapters::root(), &args.which.name)?;
    let (name, level) = (&exercise.name, args.level);
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n", hint_of(&exercise, level))?;
    writeln!(out, "read: \"{}\", {}", exercise.get("section"), exercise.address())?;
    match level {
        3 => writeln!(out, "more: cargo run -- solution {name}")?,
        _ => writeln!(out, "more: cargo run -- hint {name} {}", level + 1)?,
    }
    Ok(out.flush()?)
}

fn hint_of(exercise: &Exercise, level: u8) -> String {
    let hint = exercise.get(&format!("hint {level}"));
    format!("{}, hint {level} of 3\n\n{hint}", exercise.name)
}

/// Prints a solution, why it is right, and why others are not.
pub fn solution(args: &Args) -> Result<(), Error> {
    let exercise = exercises::find(&chapters::root(), &args.name)?;
    let mut out = io::stdout().lock();
    out.write_all(solution_of(&exercise).as_bytes())?;
    Ok(out.flush()?)
}

fn solution_of(exercise: &Exercise) -> String {
    let mut text = format!("// {}: {}\n\n", exercise.name, exercise.get("title"));
    let solution = exercise_source::solution(exercise);
    text += &exercise_source::with_test(exercise, &solution);
    text.push('\n');
    for line in exercise.get("why").lines() {
        text += &format!("// {line}\n");
    }
    text += &format!("//\n// {} answers that look right and are not:\n", exercise.wrong.len());
    for wrong in &exercise.wrong {
        text += &format!("// - {}: {}\n", wrong.name, wrong.why);
    }
    text
}

/// Gives the file back as it was given.
pub fn reset(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let exercise = exercises::find(&root, &args.name)?;
    let file = path_line(&exercises::file(&exercise));
    match exercises::reset(&root, &exercise)? {
        Reset::AsGiven => println!("{file} is as it was given: there is nothing to reset."),
        Reset::Missing => println!("{file} was missing and is there again."),
        Reset::Kept(kept) => {
            println!(
                "{file} is as it was given. What you had written is in {}.",
                path_line(&kept)
            );
        }
    }
    Ok(())
}

/// Tests an exercise each time its file is saved, and goes on to the next one that is not done.
pub fn watch(args: &WatchArgs) -> Result<(), Error> {
    let root = chapters::root();
    let all = exercises::all(&root)?;
    let mut watch = Watch::new(&root, &all);
    let first = match &args.name {
        Some(name) => {
            let named = exercises::find(&root, name)?;
            println!("{name}: compiling and testing ...");
            let place = all.iter().position(|exercise| exercise.name == named.name);
            place.map(|place| Ok((place, exercises::try_one(&root, &all[place])?))).transpose()
        }
        None => {
            println!("Looking for the first exercise that is not done ...");
            exercises::first_open(&root, &all, 0)
        }
    };
    let Some((place, tried)) = first? else {
        println!("{ALL_DONE}");
        return Ok(());
    };
    let keys = keys();
    let mut desk = Desk::at(place);
    clear()?;
    println!("{}\n", introduced(&all[place]));
    let mut tried = Some(tried);
    loop {
        match tried.take() {
            Some(tried) if tried.state == State::Green => {
                let done = desk.place;
                println!("{}\n\nLooking for the next one ...\n", right(&all[done]));
                let Some((place, next)) = exercises::first_open(&root, &all, done + 1)? else {
                    println!("{ALL_DONE}");
                    return Ok(());
                };
                desk = Desk { solved: Some(done), ..Desk::at(place) };
                println!("{}\n", introduced(&all[place]));
                println!("{}", told(&all[place], next.state, &next.text));
            }
            Some(tried) => println!("{}", told(&all[desk.place], tried.state, &tried.text)),
            None => {}
        }
        if let Ok(key) = keys.recv_timeout(Duration::from_millis(200)) {
            println!("{}", desk.answer(&all, &key));
        }
        if let Some(saved) = watch.changed() {
            if saved != desk.place {
                desk = Desk::at(saved);
            }
            // Whoever goes on with this one has seen enough of the one before.
            desk.solved = None;
            clear()?;
            println!("{}: compiling and testing ...", all[saved].name);
            tried = Some(exercises::try_one(&root, &all[saved])?);
            clear()?;
        }
    }
}

const ALL_DONE: &str =
    "No exercise after it is left: `cargo run -- progress` shows all of them.";

/// What the reader types, line by line. Where nobody types, nothing comes.
fn keys() -> Receiver<String> {
    let (sender, keys) = mpsc::channel();
    thread::spawn(move || {
        if io::stdin().is_terminal() {
            io::stdin()
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
                .ok();
        }
        // As long as the sender is there, whoever receives waits and does not turn in a loop.
        loop {
            thread::park();
        }
    });
    keys
}

/// Where the reader is, and what has been shown.
struct Desk {
    place: usize,
    /// How many hints.
    hints: u8,
    /// The exercise before this one, as long as this one is new.
    solved: Option<usize>,
    /// The solution was asked for once.
    asked: bool,
}

impl Desk {
    fn at(place: usize) -> Desk {
        Desk { place, hints: 0, solved: None, asked: false }
    }

    /// What comes back for a line.
    fn answer(&mut self, all: &[Exercise], line: &str) -> String {
        let exercise = &all[self.place];
        match (line.trim(), self.solved) {
            ("h", _) => {
                self.hints = 3.min(self.hints + 1);
                hint_of(exercise, self.hints)
            }
            ("s", Some(solved)) => solution_of(&all[solved]),
            ("s", None) if self.asked => solution_of(exercise),
            ("s", None) => {
                self.asked = true;
                format!(
                    "{} is not solved yet. To see its solution all the same, type s once more.",
                    exercise.name
                )
            }
            _ => KEYS.into(),
        }
    }
}

const KEYS: &str = "Save the file, and it is tested. h and Enter: a hint. s and Enter: a solution. Ctrl-C ends this.";

/// In a terminal the last result alone is on the screen; elsewhere each comes after the one before.
fn clear() -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        write!(out, "\x1b[2J\x1b[H")?;
    }
    out.flush()
}

/// What `watch` says of an exercise that it comes to.
fn introduced(exercise: &Exercise) -> String {
    let (name, title) = (&exercise.name, exercise.get("title"));
    let (level, minutes) = (exercise.get("level"), exercise.get("minutes"));
    let task: Vec<&str> = exercise.task().collect();
    format!(
        "{name}: {title} ({level}, {minutes} minutes)\n{}\n\n{}",
        path_line(&exercises::file(exercise)),
        task.join("\n").replace("\n ", "\n").trim()
    )
}

/// What `watch` says of an answer that is right.
fn right(exercise: &Exercise) -> String {
    let name = &exercise.name;
    format!(
        "{name} is right.\n`cargo run -- solution {name}`, or s and Enter, shows a solution, and {} wrong answers with their reasons.",
        exercise.wrong.len()
    )
}

/// What `watch` says of one that is not.
fn told(exercise: &Exercise, state: State, text: &str) -> String {
    let name = &exercise.name;
    let begin =
        if state == State::Broken { &format!("{name} does not compile yet\n\n") } else { "" };
    format!("{begin}{text}\n\n{KEYS}\nTo come back to it later: `cargo run -- watch {name}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Exercise> {
        exercises::all(&chapters::root()).expect("the annotated sources can be read")
    }

    #[test]
    fn what_is_shown_names_the_file_and_the_next_command() {
        let all = all();
        let (name, file) = (&all[0].name, path_line(&exercises::file(&all[0])).to_string());
        let shown = introduced(&all[0]);
        assert!(shown.contains(all[0].get("title")) && shown.contains(&file), "{shown}");
        assert!(shown.contains("follow one another") && !shown.contains("//!"), "{shown}");
        let right = right(&all[0]);
        assert!(right.contains(&format!("cargo run -- solution {name}")), "{right}");
        let broken = told(&all[0], State::Broken, "error: expected");
        assert!(broken.contains("does not compile") && broken.contains("error: expected"));
        let red = told(&all[0], State::Red, "not right yet");
        assert!(red.starts_with("not right yet\n"), "{red}");
        assert!(red.contains(&format!("cargo run -- watch {name}")), "{red}");
    }

    #[test]
    fn hints_come_one_at_a_time_and_a_solution_is_asked_for_twice() {
        let all = all();
        let mut desk = Desk::at(1);
        for level in [1, 2, 3, 3] {
            assert_eq!(desk.answer(&all, " h\n"), hint_of(&all[1], level));
        }
        assert!(desk.answer(&all, "s").contains("is not solved yet"));
        assert_eq!(desk.answer(&all, "s"), solution_of(&all[1]));
        assert_eq!(desk.answer(&all, ""), KEYS);
        // Right after success the solution is that of the one before, at once.
        let mut desk = Desk { solved: Some(0), ..Desk::at(1) };
        assert_eq!(desk.answer(&all, "s"), solution_of(&all[0]));
        assert_eq!(desk.answer(&all, "h"), hint_of(&all[1], 1));
        let wrong = &all[0].wrong[0];
        assert!(solution_of(&all[0]).contains(&wrong.why), "{}", wrong.why);
    }
}
