#!/usr/bin/env bash
# Every target in turn, each for so many seconds: lab/fuzz/run.sh [SECONDS [TARGET...]]
# What was found is in artifacts/, what it took in runs.log.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-600}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(file tokenizer template sampler arguments talk saved body)

cargo run -q --manifest-path ../../Cargo.toml -p test-support --example fuzz_seeds "$PWD/corpus"
cargo fuzz build --fuzz-dir . --sanitizer none
programs=target/$(rustc --print host-tuple)/release
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -r "$TMPDIR"' EXIT

for target in "${targets[@]}"; do
    found=artifacts/$target
    mkdir -p "$found"
    options=("-max_total_time=$seconds" -timeout=60 -report_slow_units=60 -rss_limit_mb=1024 -max_len=60000 "-artifact_prefix=$found/")
    case $target in
    file | tokenizer) options+=(-dict=gguf.dict) ;;
    template | arguments) options+=("-dict=$target.dict") ;;
    esac
    # The stack is as small as that of the first thread of a program on Windows. A finding ends the run.
    (
        ulimit -s 1024
        "$programs/$target" "${options[@]}" "corpus/$target" >"$target.log" 2>&1 || echo "$target: see $target.log"
        times >"$TMPDIR/times"
    )
    took=$(tail -1 "$TMPDIR/times" | awk '{ split($1 "m" $2, t, "[ms]+"); print (t[1] + t[3]) * 60 + t[2] + t[4] }')
    findings=$(find "$found" -type f | wc -l)
    last=$(grep -aE '^#[0-9]+' "$target.log" | tail -1 | tr '\t' ' ')
    echo "$(date -u +%FT%TZ) $target cpu $took findings $findings $last" | tee -a runs.log
done
