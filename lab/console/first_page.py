#!/usr/bin/env python3
"""Records a terminal from a fresh clone to the first page of a newcomer's own that `check` finds right.

    python lab/console/first_page.py

clones the last commit into a temporary folder, gives there the commands that the book gives, types the first page of
chapter 0 that has code from the rendered book, and checks it. To book/measurements/first-page.json go what the terminal
shows, but for the names of crates and the ends of long lines, the seconds of each command, and how many lines were
typed. Do this on a quiet machine, with the crates downloaded; then `cargo book generate` and `cargo book proofread`.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "first": "cargo run -p ch02-kv-cache -- --kv",
    "start": "cargo run -- start ch00",
    "type": "cargo run -q -- type-page ch00 generate",
    "check": "cargo run -- check ch00",
}

# A story is on another page.
WIDTH = 110


def run(command, clone):
    """What a terminal shows of it, and the seconds."""
    begun = time.monotonic()
    done = subprocess.run(command.split(" "), cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - begun
    if done.returncode:
        sys.exit(f"{command}: exit status {done.returncode}\n{done.stdout}")
    shown = [line.rstrip() for line in done.stdout.splitlines()]
    shown = [line for line in shown if not re.match(r" +(Compiling|Running|Updating|Locking) ", line)]
    return [line if len(line) <= WIDTH else f"{line[:WIDTH]} ..." for line in shown], round(seconds, 1)


def lines(folder):
    return sum(len(path.read_text().splitlines()) for path in folder.rglob("*.rs"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{ROOT}", clone], check=True)
        shown, seconds, typed = [], {}, 0
        for name, command in COMMANDS.items():
            before = lines(clone / "my")
            said, seconds[name] = run(command, clone)
            if name == "type":
                typed = lines(clone / "my") - before
                title = re.search(r"^# (.*)", (clone / "book/src/ch00/generate.md").read_text())[1]
                shown.append(f"# {typed} lines of “{title}” are typed here")
                continue
            shown += [f"$ {command}", *said]
            print(f"{seconds[name]:6.1f} s  {command}", flush=True)
        asked = subprocess.run("cargo run -q -p ch02-kv-cache -- --json -n 0".split(" "), cwd=clone, check=True, capture_output=True)
        machine = json.loads(asked.stdout)["metrics"]["machine"]
    # The first command is that of book/runs.json.
    recording = {"machine": machine, "about": {"date": date.today().isoformat()}, "seconds": seconds, "typed": typed, "lines": shown[1:]}
    text = json.dumps(recording, indent=2, ensure_ascii=False) + "\n"
    (ROOT / "book/measurements/first-page.json").write_text(text)


main()
