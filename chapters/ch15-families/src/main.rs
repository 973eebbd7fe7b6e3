use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch15_families::run)
}
