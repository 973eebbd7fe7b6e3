use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch02_kv_cache::run)
}
