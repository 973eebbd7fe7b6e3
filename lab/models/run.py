"""Installs the reference and two packages that bring models, and compares them with chapter 15.

    python3 lab/models/run.py [PROGRAM] [--into FOLDER]
"""

import argparse
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "target"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", type=Path, default=TARGET / "debug" / "ch15-families")
    parser.add_argument("--into", type=Path, default=TARGET / "real-models")
    args = parser.parse_args()
    place = args.into / "python"
    if not (place / "bin" / "pip").exists():
        venv.create(place, with_pip=True)
    pip = [place / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", HERE / "requirements.txt"], check=True)
    # The first puts the files there.
    commands = ([place / "bin" / "python", HERE / script, args.into, "--program", args.program.resolve()] for script in ("compare.py", "transcripts.py"))
    sys.exit(max([subprocess.run(command).returncode for command in commands]))


if __name__ == "__main__":
    main()
