use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch11_prefix_cache::run)
}
