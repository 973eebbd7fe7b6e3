//! `hint`, `reset`, `solution` and `watch`: for one exercise.

use std::io::{self, IsTerminal, Write};
use std::thread;
use std::time::Duration;

use course::chapters;
use course::exercises::{self, Exercise, Reset, State, Watch};
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
    /// The exercise to begin with, as append_row [default: wait until one is saved]
    #[arg(value_name = "EXERCISE")]
    name: Option<String>,
}

/// Prints one hint, and how to get the next.
pub fn hint(args: &HintArgs) -> Result<(), Error> {
    let exercise = exercises::find(&chapters::root(), &args.which.name)?;
    let (name, level) = (&exercise.name, args.level);
    let mut out = io::stdout().lock();
    writeln!(out, "{name}, hint {level} of 3\n")?;
    writeln!(out, "{}\n", exercise.get(&format!("hint {level}")))?;
    writeln!(out, "read: \"{}\", {}", exercise.get("section"), exercise.address())?;
    match level {
        3 => writeln!(out, "more: cargo run -- solution {name}")?,
        _ => writeln!(out, "more: cargo run -- hint {name} {}", level + 1)?,
    }
    Ok(out.flush()?)
}

/// Prints a solution, and why it is right.
pub fn solution(args: &Args) -> Result<(), Error> {
    let exercise = exercises::find(&chapters::root(), &args.name)?;
    let mut out = io::stdout().lock();
    writeln!(out, "// {}: {}\n", exercise.name, exercise.get("title"))?;
    writeln!(out, "{}", course_exercises::solution(&exercise))?;
    for line in exercise.get("why").lines() {
        writeln!(out, "// {line}")?;
    }
    writeln!(
        out,
        "// {} answers that are wrong, and why: solutions.html in the book",
        exercise.wrong.len()
    )?;
    Ok(out.flush()?)
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

/// Tests an exercise each time its file is saved, until the reader ends it.
pub fn watch(args: &WatchArgs) -> Result<(), Error> {
    let root = chapters::root();
    let all = exercises::all(&root)?;
    let mut next = match &args.name {
        Some(name) => {
            let named = exercises::find(&root, name)?;
            all.iter().position(|exercise| exercise.name == named.name)
        }
        None => {
            println!("Save the file of an exercise, and it is tested. Ctrl-C ends this.");
            None
        }
    };
    let mut watch = Watch::new(&root, &all);
    loop {
        if let Some(place) = next {
            clear()?;
            println!("{}: compiling and testing ...", all[place].name);
            let tried = exercises::try_one(&root, &all[place])?;
            clear()?;
            println!("{}", told(&all, place, tried.state, &tried.text));
        }
        next = watch.changed();
        if next.is_none() {
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// In a terminal the last result alone is on the screen; elsewhere each comes after the one before.
fn clear() -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        write!(out, "\x1b[2J\x1b[H")?;
    }
    out.flush()
}

/// What `watch` says about a test.
fn told(all: &[Exercise], place: usize, state: State, text: &str) -> String {
    let exercise = &all[place];
    let (name, file) = (&exercise.name, exercises::file(exercise));
    match state {
        State::Green => {
            let next = all.get(place + 1).map_or(
                "It was the last in the list: `cargo run -- progress` shows what is left."
                    .into(),
                |next| {
                    format!(
                        "The next one is {}, \"{}\": {}",
                        next.name,
                        next.get("title"),
                        path_line(&exercises::file(next))
                    )
                },
            );
            format!("{name} is right.\n{next}")
        }
        State::Broken => format!("{name} does not compile yet\n\n{text}"),
        State::Red | State::Unstarted => {
            format!("{text}\n\nEdit and save {}: it is tested again.", path_line(&file))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watching_leads_from_one_exercise_to_the_next() {
        let all = exercises::all(&chapters::root()).expect("the annotated sources can be read");
        let last = all.len() - 1;
        let green = told(&all, 0, State::Green, "");
        assert!(green.starts_with(&format!("{} is right.", all[0].name)), "{green}");
        assert!(green.contains(&format!("The next one is {}", all[1].name)), "{green}");
        assert!(told(&all, last, State::Green, "").contains("last in the list"));
        let broken = told(&all, 0, State::Broken, "error: expected");
        assert!(broken.contains("does not compile") && broken.contains("error: expected"));
        let red = told(&all, 0, State::Red, "not right yet");
        assert!(red.starts_with("not right yet\n") && red.contains("/src/"), "{red}");
    }
}
