use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch10_paged_kv::run)
}
