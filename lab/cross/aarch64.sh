#!/bin/sh
# Runs the tests of chapters 3, 5 and 6 for 64-bit ARM in an emulator. See README.md beside this file.
set -eu
cd "$(dirname "$0")/../.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target/cross}"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64
cargo test --target aarch64-unknown-linux-gnu -p ch03-simd-matmul -p ch05-quantized-weights \
    -p ch06-fast-prefill --test kernels --test attention --test model "$@"
