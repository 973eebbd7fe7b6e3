use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch08_f16_cache::run)
}
