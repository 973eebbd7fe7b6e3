use std::process::ExitCode;

use ch06_fast_prefill::stop;

fn main() -> ExitCode {
    let status = ground::cli::main(ch06_fast_prefill::run);
    if stop::asked() { ExitCode::from(stop::STATUS) } else { status }
}
