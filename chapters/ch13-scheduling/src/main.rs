use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch13_scheduling::run)
}
