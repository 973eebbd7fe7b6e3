use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch16_structured_output::run)
}
