"""What real models say in the book, said again.

    python3 lab/models/transcripts.py FOLDER [--program PROGRAM] [--record]

FOLDER has the two files, whose sums are checked. Each command of `ch15-real.json` is run, and has to write what is recorded
there; with `--record` it is written down. What a step of the chapter wrote is left alone: its program is another.
"""

import argparse
import datetime
import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDING = ROOT / "book/measurements/ch15-real.json"


def checked(folder, sums):
    for name, expected in sums.items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        assert found == expected, f"{name}: its sum is {found}"


def lines(folder, program, command):
    """What follows ` -- ` goes to the program, with the file in place of the model's name."""
    words = shlex.split(command.partition(" -- ")[2])
    at = words.index("--model") + 1
    words[at] = str(folder / f"{words[at]}.gguf")
    out = subprocess.run([program, *words], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return out.stdout.splitlines()


def main():
    args = argparse.ArgumentParser()
    args.add_argument("folder", type=Path)
    args.add_argument("--program", default=str(ROOT / "target/debug/ch15-families"))
    args.add_argument("--record", action="store_true")
    args = args.parse_args()
    recording = json.loads(RECORDING.read_text())
    checked(args.folder, recording["files"])
    differ = 0
    for name, run in recording["runs"].items():
        if "step" in run:
            continue
        found = lines(args.folder, args.program, run["command"])
        differ += found != run.get("lines")
        print(f"{name}: {found}" if found != run.get("lines") else f"{name}: as recorded", flush=True)
        run["lines"] = found
    if args.record:
        recording["about"]["date"] = str(datetime.date.today())
        RECORDING.write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n")
    sys.exit(differ > 0 and not args.record)


if __name__ == "__main__":
    main()
