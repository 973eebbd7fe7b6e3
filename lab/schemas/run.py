"""Installs jsonschema, and asks it about the answers of chapter 16.

    python3 lab/schemas/run.py PROGRAM
"""

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLACE = HERE.parent.parent / "target" / "schemas"


def main():
    if not (PLACE / "bin" / "pip").exists():
        venv.create(PLACE, with_pip=True)
    pip = [PLACE / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "jsonschema[format]==4.26.0"], check=True)
    check = [PLACE / "bin" / "python", HERE / "check.py", *sys.argv[1:]]
    sys.exit(subprocess.run(check).returncode)


if __name__ == "__main__":
    main()
