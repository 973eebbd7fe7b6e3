#!/bin/sh
# Builds what the pages of the book run. See README.md. With --check it only says whether that was built from these sources.
set -eu
cd "$(dirname "$0")/../.."
# All that the module is made of. Other comments, spaces or lines make no other module.
sources() {
    find src/ground/src src/ground/timing/src chapters/ch0[23]-*/src book/engine/src book/engine/ch03 \
        book/engine/Cargo.toml book/engine/Cargo.lock -type f | LC_ALL=C sort |
        xargs sed 's|//.*||' | tr -d '[:space:]' | cksum
}
if [ "${1-}" = --check ]; then
    [ "$(sources)" = "$(cat book/engine/sources.cksum)" ] && exit
    echo "engine.wasm was built from other sources: see book/engine/README.md" >&2 && exit 1
fi

target=wasm32-unknown-unknown
rust=$(rustc --print sysroot)/lib/rustlib
if [ -d "$rust/$target/lib" ]; then
    std=
elif [ -d "$rust/src/rust/library" ]; then
    # Only its source is there: so the standard library is compiled too.
    std=-Zbuild-std=std,panic_abort
else
    echo "no standard library: rustup target add $target, or rustup component add rust-src" >&2
    exit 1
fi
command -v wasm-opt >/dev/null || { echo "no wasm-opt: see README.md" >&2; exit 1; }

# Without the places of panics the module is smaller, and says nothing of the machine that built it. The
# compiler takes that flag only if it is told that this is no mistake.
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="--cfg getrandom_backend=\"custom\" -C target-feature=+simd128 -Z location-detail=none"
# Other flags than elsewhere: in a folder of its own it disturbs no other build.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target/page}"
# The module is made to be small, but for what is on the way of every token.
fast=
for crate in ch02-kv-cache ch03-in-a-browser libm ndarray; do
    fast="$fast --config profile.page.package.$crate.opt-level=3"
done
cargo rustc --manifest-path book/engine/Cargo.toml --locked $std $fast --profile page --target $target --crate-type cdylib

to=book/src/engine
mkdir -p $to
# What every browser of the last years has; what is newer stays out.
wasm-opt -Oz --strip-debug --strip-producers --strip-target-features \
    --enable-bulk-memory --enable-bulk-memory-opt --enable-multivalue --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-reference-types --enable-call-indirect-overlong \
    --enable-sign-ext --enable-simd \
    "$CARGO_TARGET_DIR/$target/page/engine.wasm" -o $to/engine.wasm
sources >book/engine/sources.cksum
ls -l $to/engine.wasm
