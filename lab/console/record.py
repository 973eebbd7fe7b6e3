#!/usr/bin/env python3
"""Records the console blocks that hold times, which no two runs share, or that need a clone without a `my`.

    python lab/console/record.py ch01-report.json

runs each command of book/runs.json whose output is "recorded" in this file and writes what a terminal would show,
standard output and standard error together, to book/measurements, with the machine. Do this on a quiet machine; then
`cargo book generate` and `cargo book proofread`. The numbers of each line are there once more under the line's first
words, so that prose can name them: `ch01-report.json#/runs/report/numbers/peak_memory/0`.
With a folder after the name the file goes there, and is of debug programs: to try it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def output(command):
    quiet = command.replace("cargo run ", "cargo run --quiet ", 1)
    done = subprocess.run(["bash", "-c", quiet], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{command}: exit status {done.returncode}\n{done.stdout}")
    return [line.rstrip() for line in done.stdout.splitlines()]


def numbers(lines):
    found = {}
    for line in lines:
        row = re.match(r" *([a-z](?:\S| (?! ))*)  +(.*)", line)
        if row and (values := re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", row[2])):
            found[row[1].replace(" ", "_")] = [float(value) for value in values]
    return found


def main():
    name, *folder = sys.argv[1:] or sys.exit(__doc__)
    listed = json.loads((ROOT / "book/runs.json").read_text())
    recorded = {run["recorded"]: run["command"] for run in listed.values() if "recorded" in run}
    runs = {}
    for where, command in recorded.items():
        file, pointer = where.split("#")
        if file == name:
            [_, top, key, last] = pointer.split("/")
            assert (top, last) == ("runs", "lines"), f"{where} is not FILE#/runs/NAME/lines"
            print(command)
            lines = output(command.replace(" --release", "") if folder else command)
            runs[key] = {"command": command, "lines": lines, "numbers": numbers(lines)}
    if not runs:
        sys.exit(f"book/runs.json names no run that is recorded in {name}")
    [asked] = output("cargo run -p ch01-timing-harness -- --json -n 0")
    recording = {"machine": json.loads(asked)["metrics"]["machine"], "runs": runs}
    text = json.dumps(recording, indent=2, ensure_ascii=False) + "\n"
    (Path(*folder or [ROOT / "book/measurements"]) / name).write_text(text)


main()
