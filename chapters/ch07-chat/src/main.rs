use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch07_chat::run)
}
