use std::process::ExitCode;

fn main() -> ExitCode {
    ground::cli::main(ch03_simd_matmul::run)
}
