"""Installs the reference, llama.cpp and two packages that bring models, and compares them with chapter 15.

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
    if not any(place.glob("lib/python*/site-packages/llama_cpp")):
        print("llama-cpp-python is a source package: with two cores, pip builds it in some 13 minutes, once", flush=True)
    try:
        if not (place / "bin" / "pip").exists():
            venv.create(place, with_pip=True)
        pip = [place / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", HERE / "requirements.txt"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"RED   a package cannot be installed: {error}")
    # The first puts the files there.
    commands = ([place / "bin" / "python", HERE / script, args.into, "--program", args.program.resolve()] for script in ("compare.py", "transcripts.py"))
    sys.exit(max([abs(subprocess.run(command).returncode) for command in commands]))  # one that crashed has a negative one


if __name__ == "__main__":
    main()
