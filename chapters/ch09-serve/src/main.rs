use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch09_serve::run)
}
