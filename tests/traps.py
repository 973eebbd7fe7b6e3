"""Puts each known trap into a copy of the project and sees a named test turn red.

    python tests/traps.py [--only rope,eps] [--list] [--target FOLDER]

The traps stand in tests/traps.json and in each chapter's own tests/traps.json: the file, what stands there, what the
trap makes of it, and the arguments of the `cargo test` that must turn red. It takes an hour or so: every trap is
compiled. Those that only `cargo prove` sees are marked. The copy and its target directory lie in a temporary folder. A
trap whose test stays green or never ends is a fault of the tests, and the exit status says so; so is a trap whose line
is no longer in the code, because then it is not known whether it is still guarded.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def traps():
    """(trap, file from the root) of all lists."""
    for listed in [ROOT / "tests/traps.json", *sorted(ROOT.glob("chapters/*/tests/traps.json"))]:
        folder = "" if listed.parent.parent == ROOT else f"{listed.parent.parent.relative_to(ROOT).as_posix()}/"
        for trap in json.loads(listed.read_text()):
            yield trap, folder + trap["file"]


def copy(to):
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    for name in files.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def first_words(out):
    """The line that says what is wrong."""
    signs = ("where:", "found:", "panicked at", "differ", "left:", "judge says")
    lines = [line.strip() for line in out.splitlines() if any(sign in line for sign in signs)]
    return " ".join(lines[:2])[:150]


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--only", default="", help="words in the names or files of the wanted traps, separated by commas")
    args.add_argument("--list", action="store_true")
    args.add_argument("--target", help="a target folder that may be used and changed, not this checkout's: with what the crates depend on built, it is quicker")
    args = args.parse_args()
    words = args.only.split(",")
    wanted = [(trap, file) for trap, file in traps() if any(word in trap["name"] or word in file for word in words)]
    if args.list:
        for trap, file in wanted:
            print(f"{trap['name']:50} {file:50} {trap['red']}")
        return
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder) / "house"
        copy(house)
        environment = {**os.environ, "CARGO_TARGET_DIR": args.target or str(Path(folder) / "target"), "INSTA_UPDATE": "no"}
        for trap, file in wanted:
            name, test, path = trap["name"], trap["red"], house / file
            text = path.read_text()
            if text.count(trap["stands"]) != 1:
                print(f"STALE  {name}: its line stands {text.count(trap['stands'])} times in {file}", flush=True)
                failed += 1
                continue
            path.write_text(text.replace(trap["stands"], trap["becomes"]))
            # A dot stands for a blank inside the name of a test.
            arguments = [word.replace(":.", ": ").replace(".", " ") for word in test.split()]
            # Under `cargo test`, or else among what it leaves to `cargo prove`, as all of a chapter's own tests.
            own = " (cargo prove)" if test.startswith("-p ch") else ""
            for left_out, word in [([], own), (["--include-ignored"], " (cargo prove)")]:
                words = [*arguments, *left_out] if "--" in arguments else [*arguments, "--", *left_out]
                # What never ends is stopped with all that it has started, and is as bad as a test that stays green.
                run = ["timeout", "600", "cargo", "test", "-q", *words]
                run = subprocess.run(run, cwd=house, env=environment, capture_output=True, text=True)
                out = run.stdout + run.stderr
                if run.returncode != 0:
                    break
            path.write_text(text)
            if "could not compile" in out or "does not build" in out:
                print(f"BROKEN {name}: does not compile\n{out[-1500:]}", flush=True)
                failed += 1
            elif run.returncode == 124:
                print(f"HANGS  {name}: {test} was stopped after ten minutes", flush=True)
                failed += 1
            elif run.returncode == 0:
                print(f"GREEN  {name}: {test} did not notice", flush=True)
                failed += 1
            else:
                print(f"red    {name}: {test}{word}: {first_words(out)}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
