"""Puts each mistake of tests/mistakes.json into a finished chapter of a reader, and sees that `check` names it.

    python3 tests/mistakes.py [--only words,words] [--list] [--seconds ch00,ch02] [--target FOLDER]

The reader's chapter is a copy of the course's, with one harmless function more, so that more than one file is not the
course's. It is checked without a mistake first, which also compiles what all of them need. `says` are words that must
be in what `check` ends with, `look at`, the wrong number, and the tests that failed. The table has the seconds from the
start of judging to the first red line. A mistake that is not named is a fault of `check`, and the exit status says so.
It takes a minute for each, as all of them are compiled; the copy is in a temporary folder. With `--seconds` there is no
mistake, and what is told is how long `check` takes, the first time and the next.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from traps import ROOT, copy

OWN = "\n#[allow(dead_code)]\nfn of_my_own() {}\n"


def finished(house, chapter, course):
    """The chapter as a reader has it at its end."""
    theirs, own = next(house.glob(f"chapters/{chapter}-*")), house / "my" / chapter
    subprocess.run([course, "start", chapter], cwd=house, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(own)
    own.mkdir()
    manifest = (theirs / "Cargo.toml").read_text()
    # A base is the course's own.
    (own / "Cargo.toml").write_text(manifest.replace('path = "../ch', 'path = "../../chapters/ch'))
    shutil.copytree(theirs / "src", own / "src")
    with open(own / "src/lib.rs", "a") as library:
        library.write(OWN)


def checked(house, chapter, course, environment):
    """Seconds to the first red line, that line, how `check` ended and what it said then."""
    run = subprocess.Popen([course, "check", chapter], cwd=house, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun, red = None, (float("nan"), "none")
    for line in iter(run.stdout.readline, ""):
        if tried := re.match(r" *\d+ of .* ([\d.]+) s$", line):
            begun = begun or time.monotonic() - float(tried[1])
        if ": red, " in line:
            red = (time.monotonic() - begun, line.strip())
            break
    _, said = run.communicate()
    return *red, run.returncode, said


def took(house, chapter, course, environment):
    """How long `check` takes on the chapter, and what it says last."""
    begun = time.monotonic()
    run = subprocess.run([course, "check", chapter], cwd=house, env=environment, capture_output=True, text=True)
    return time.monotonic() - begun, (run.stdout + run.stderr).strip().splitlines()[-1]


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--only", default="", help="words in the names, chapters or files of the wanted mistakes, separated by commas")
    args.add_argument("--list", action="store_true")
    args.add_argument("--seconds", default="", help="chapters, separated by commas: only how long `check` takes on them")
    args.add_argument("--target", help="a target folder that may be used and changed, not this checkout's: with what the crates depend on built, it is quicker")
    args = args.parse_args()
    words = args.only.split(",")
    mistakes = json.loads((ROOT / "tests/mistakes.json").read_text())
    wanted = [one for one in mistakes if any(word in f"{one['name']} {one['chapter']} {one['file']}" for word in words)]
    if args.list:
        for one in wanted:
            print(f"{one['chapter']} {one['file']:30} {one['name']}")
        return
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder) / "house"
        copy(house)
        target = Path(args.target or f"{folder}/target").absolute()
        environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
        subprocess.run(["cargo", "build", "-q"], cwd=house, env=environment, check=True)
        # It knows this folder as its own, and the next build in the same target folder would overwrite it.
        course = shutil.copy2(target / "debug/course", folder)
        for chapter in filter(None, args.seconds.split(",")):
            finished(house, chapter, course)
            first, _ = took(house, chapter, course, environment)
            again, said = took(house, chapter, course, environment)
            print(f"{chapter}  {first:5.1f} s, then {again:5.1f} s: {said}", flush=True)
        if args.seconds:
            return
        for chapter in sorted({one["chapter"] for one in wanted}):
            finished(house, chapter, course)
            seconds, said = took(house, chapter, course, environment)
            is_green = "agrees with the judge" in said
            failed += not is_green
            print(f"{'green ' if is_green else 'RED   '} {chapter} without a mistake, after {seconds:.1f} s: {said}", flush=True)
        for one in wanted:
            path = house / "my" / one["chapter"] / one["file"]
            text = path.read_text()
            if text.count(one["stands"]) != 1:
                print(f"STALE  {one['name']}: its line stands {text.count(one['stands'])} times in {one['file']}", flush=True)
                failed += 1
                continue
            path.write_text(text.replace(one["stands"], one["becomes"]))
            seconds, line, status, said = checked(house, one["chapter"], course, environment)
            path.write_text(text)
            missing = [words for words in one["says"] if words not in said]
            failed += bool(missing or status != 1)
            look = said[said.rfind("look at:") :].strip().splitlines()
            print(f"{'MISSED' if missing or status != 1 else 'named '} {one['chapter']} {one['name']}")
            print(f"       {seconds:5.1f} s  {line}")
            for row in look[:4]:
                print(f"       {row[:200]}")
            if missing:
                print(f"       not said: {missing}\n{said[-3000:]}")
            sys.stdout.flush()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
