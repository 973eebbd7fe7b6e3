"""Installs implementations of JSON Schema that others have written, and asks them about the answers of chapter 16.

    python3 lab/schemas/run.py PROGRAM [--count 10000] [--model FILE]
"""

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLACE = HERE.parent.parent / "target" / "schemas"
JUDGE = "jsonschema[format]==4.26.0"


def main():
    if not (PLACE / "bin" / "pip").exists():
        venv.create(PLACE, with_pip=True)
    pip = lambda *words: subprocess.run([PLACE / "bin" / "pip", *words, "-q", "--disable-pip-version-check"], check=True)
    pip("install", JUDGE, "llguidance==1.9.1")
    # JSON Schema's own suite is in this package's sources.
    if not any(PLACE.glob("*.tar.gz")):
        pip("download", JUDGE.replace("[format]", ""), "--no-deps", "--no-binary=jsonschema", f"--dest={PLACE}")
    build = "cargo build --release --locked -q -p ch16-structured-output --example draw".split()
    subprocess.run(build, check=True)
    program, *more = sys.argv[1:]
    places = [program, Path(program).parent / "examples" / "draw", next(PLACE.glob("*.tar.gz"))]
    sys.exit(subprocess.run([PLACE / "bin" / "python", HERE / "check.py", *places, *more]).returncode)


if __name__ == "__main__":
    main()
