use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch14_speculation::run)
}
