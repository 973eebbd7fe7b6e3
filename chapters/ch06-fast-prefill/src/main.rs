use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch06_fast_prefill::run)
}
