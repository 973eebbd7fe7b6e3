use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch04_threads::run)
}
