use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch01_timing_harness::run)
}
