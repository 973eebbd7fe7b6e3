#!/bin/sh
# Checks every package for the systems that are not at hand: no error, no warning. Links and runs nothing. See README.md.
set -eu
cd "$(dirname "$0")/../.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target/cross}"
export RUSTFLAGS="-D warnings"
rust=$(rustc --print sysroot)/lib/rustlib
[ $# -gt 0 ] || set -- x86_64-pc-windows-msvc aarch64-pc-windows-msvc x86_64-apple-darwin aarch64-apple-darwin aarch64-unknown-linux-gnu
for target in "$@"; do
    echo "$target"
    if [ -d "$rust/$target/lib" ]; then
        check() { cargo check --quiet --locked --target "$target" "$@"; }
    elif [ -d "$rust/src/rust/library" ]; then
        # Only its source is there: so the standard library is checked too.
        check() { RUSTC_BOOTSTRAP=1 cargo check --quiet --locked --target "$target" -Zbuild-std=std,panic_abort,test "$@"; }
    else
        echo "no standard library: rustup target add $target, or rustup component add rust-src" >&2
        exit 1
    fi
    # The tests of the bookmaker build a book, and some crate for that wants the target's own assembler.
    # The download's TLS wants the target's C compiler, and is not checked.
    check --workspace --exclude bookmaker --exclude course-download --all-targets
    check --package bookmaker
done
