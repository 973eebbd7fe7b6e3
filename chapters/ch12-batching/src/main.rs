use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch12_batching::run)
}
