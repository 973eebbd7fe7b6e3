"""Installs clients that others have written, and lets them all talk to one server. README.md says more.

    python3 lab/clients/run.py [PROGRAM] [--into FOLDER]
"""

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import rows  # beside this file

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "target"


def install(folder):
    """The clients, and the places of their programs."""
    places = []
    for name, file in (("python", "requirements.txt"), ("aider", "aider.txt")):
        place = folder / name
        if not (place / "bin" / "pip").exists():
            venv.create(place, with_pip=True)
        pip = [place / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", HERE / file], check=True)
        places.append(str(place / "bin"))
    node = folder / "node"
    node.mkdir(exist_ok=True)
    for file in ("package.json", "clients.mjs"):  # it looks for its packages beside itself
        shutil.copy(HERE / file, node)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=node, check=True)
    return places


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", type=Path, default=TARGET / "debug" / "ch16-structured-output")
    parser.add_argument("--into", type=Path, default=TARGET / "clients")
    args = parser.parse_args()
    program, folder = str(args.program.resolve()), args.into.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        places = install(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"RED   a client cannot be installed: {error}")
    env = os.environ | {"PATH": os.pathsep.join([*places, os.environ["PATH"]])}
    rows.PROGRAM = program
    answer = rows.command_line("--chat", rows.QUESTION)["text"]
    template = HERE.parent.parent / "tests/fixtures/chat/tools.jinja"
    with rows.server() as url, rows.server("--chat-template", template) as with_tools:
        groups = [["python", HERE / "structured.py", program, with_tools],
                  ["python", HERE / "openai_rows.py", program, url],
                  ["python", HERE / "others.py", program, url],
                  ["node", folder / "node" / "clients.mjs", url, answer]]
        results = [subprocess.run(command, env=env).returncode for command in groups]
    sys.exit(any(results))


main()
