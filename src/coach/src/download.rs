//! `download`: a program of its own, compiled when somebody wants it. What it needs for TLS, the course does without.

use std::env;

use catalog::chapters::{cargo, root};
use catalog::error::problem;
use ground::error::Error;
use ground::text::one_line;

pub use wanted::Args;
use wanted::{Known, endpoint};

// What the program itself understands: a mistake is answered before anything is compiled.
#[path = "../../download/src/args.rs"]
#[allow(dead_code)] // what only the other program says
mod wanted;

pub fn run(args: &Args) -> Result<(), Error> {
    let wanted = args.wanted()?;
    let program = env::current_exe()?
        .with_file_name(format!("course-download{}", env::consts::EXE_SUFFIX));
    if !program.exists() {
        println!(
            "compiling what speaks with the hub: it takes a minute or two, the first time only"
        );
    }
    let mut build = cargo(&root());
    // As this program itself was built, so that the other one is beside it.
    build.args(["build", "--quiet", "--locked", "--package", "course-download"]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let output = build.output()?;
    if !output.status.success() {
        let (url, file) = (wanted.url(&endpoint()), wanted.name());
        let curl = format!("curl -L -C - --create-dirs -o models/{file} {url}");
        let why = reason(&String::from_utf8_lossy(&output.stderr));
        let known = wanted.known.map_or(String::new(), |Known { bytes, sum, of }| {
            format!(" ({bytes} bytes, SHA-256 {sum} of {of})")
        });
        return Err(problem(format!("{why}; without it: {curl}{known}")));
    }
    // The arguments as they were typed, after the name of this tool.
    let status = std::process::Command::new(program).args(env::args_os().skip(2)).status()?;
    std::process::exit(status.code().unwrap_or(1))
}

/// A page of the compiler in one line.
fn reason(page: &str) -> String {
    if page.contains("failed to find tool") {
        return "TLS needs a C compiler, and none was found".into();
    }
    let line =
        page.lines().find(|line| line.starts_with("error")).unwrap_or("error: no reason");
    format!("course-download does not build ({})", one_line(line, 200))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bench::synth::family;

    /// What the tensors leave over is metadata, nearly all of it the vocabulary that the whole family has.
    #[test]
    fn published_files_are_as_large_as_our_shapes_and_one_vocabulary() {
        for (name, known) in wanted::NAMED {
            let family = family();
            let member = family.iter().find(|member| {
                format!("{}-{}", member.size, member.stored).eq_ignore_ascii_case(name)
            });
            let left = known.bytes - member.expect("one of the family").bytes;
            assert!((5_951_000..5_957_000).contains(&left), "{name}: {left}");
        }
    }

    #[test]
    fn a_page_of_the_compiler_becomes_a_line() {
        let page = "warning: a\nerror: failed to run custom build command for `ring v0.17.14`\n\n  --- stderr\n\n  \
                    error occurred in cc-rs: failed to find tool \"cc\": No such file or directory (os error 2)\n";
        assert_eq!(reason(page), "TLS needs a C compiler, and none was found");
        let other = "warning: a\nerror: failed to download `ring v0.17.14`\n\nCaused by:\n  no network\n";
        let line = "course-download does not build (error: failed to download `ring v0.17.14`)";
        assert_eq!(reason(other), line);
    }
}
