use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch05_quantized_weights::run)
}
