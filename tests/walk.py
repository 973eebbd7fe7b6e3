"""Types a chapter from the book alone, page by page, as a reader would, and looks at what `check` says on the way.

    python tests/walk.py ch02 [--from loop] [--until twice] [--no-faults]

It makes my/CHAPTER with `cargo run -- start`, and after each page that types something:
- `cargo check` is quiet but for code that nothing uses yet, if the page ends with a checkpoint;
- `cargo run -- check CHAPTER` is green and names the page;
- with the fault that tests/walk.json plants in what the page added, it is red, and says the words that are there too.
It takes many minutes: every page is compiled, and tried twice. With `--from` the pages before that one are typed, no more.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*words, cwd=ROOT):
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def course(*words):
    return run("cargo", "run", "-q", "--", *words)


def pages(chapter):
    """(name, whether it compiles at its end) of each page that types something."""
    for name in re.findall(rf"\({chapter}/([a-z0-9-]+)\.md\)", (ROOT / "book/src/SUMMARY.md").read_text()):
        text = (ROOT / f"book/src/{chapter}/{name}.md").read_text()
        if re.search(rf"#include \.\./generated/{chapter}[/-]", text):
            yield name, "generated/unfinished.md" not in text


def warnings(text):
    """All that is no word about code without use."""
    heads = re.findall(r"^(?:warning|error).*", text, re.MULTILINE)
    return [head for head in heads if not re.search(r"never (used|read|constructed)|unused|generated \d+ warning", head)]


def plant(own, chapter, fault, say):
    """Puts the fault in, and sees `check` turn red and say what it should."""
    if not fault:
        return say(False, "tests/walk.json plants no fault here")
    path = own / fault["file"]
    before = path.read_text()
    if before.count(fault["stands"]) != 1:
        return say(False, f"its fault's line is {before.count(fault['stands'])} times in {fault['file']}")
    path.write_text(before.replace(fault["stands"], fault["becomes"]))
    code, text = course("check", chapter)
    path.write_text(before)
    found = [line.strip() for line in text.splitlines() if fault["red"] in line]
    say(code != 0 and bool(found), f"planted: {fault['becomes']}\n    {found[0] if found else text[-1500:]}")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("chapter")
    args.add_argument("--from", dest="begin", help="the first page to look at")
    args.add_argument("--until", help="the last page to type")
    args.add_argument("--no-faults", action="store_true")
    args = args.parse_args()
    own = ROOT / "my" / args.chapter
    faults = json.loads((ROOT / "tests/walk.json").read_text())
    wrong, typed, is_looked_at = 0, [], not args.begin

    def say(page, is_right, words):
        nonlocal wrong
        wrong += not is_right
        print(f"{'' if is_right else 'WRONG '}{args.chapter}/{page}: {words}", flush=True)

    code, text = course("start", args.chapter)
    if code != 0:
        sys.exit(text)
    shown = list(pages(args.chapter))
    for name in filter(None, [args.begin, args.until]):
        if name not in [page for page, _ in shown]:
            sys.exit(f"no page of {args.chapter} that types anything is called {name}")
    for page, compiles in shown:
        code, text = course("type-page", args.chapter, page)
        if code != 0:
            sys.exit(text)
        is_looked_at = is_looked_at or page == args.begin
        if not is_looked_at:
            continue
        code, text = run("cargo", "check", cwd=own)
        said = warnings(text)
        say(page, (code == 0 and not said) == compiles, f"cargo check: {'quiet' if code == 0 and not said else said[:2]}")
        code, text = course("check", args.chapter)
        last = text.strip().splitlines()[-1]
        named = f"(page {page};" in text or "agrees with the judge" in last and " at the end of " not in last
        say(page, code == 0 and named, f"check: {last}")
        for line in re.findall(r"^not there yet.*", text, re.MULTILINE):
            print(f"    {line}", flush=True)
        # What a page adds that does not compile yet is tried with the page that it compiles with.
        typed.append(page)
        while compiles and typed and not args.no_faults:
            fault = faults.get(f"{args.chapter}/{typed[0]}")
            plant(own, args.chapter, fault, lambda *words, of=typed.pop(0): say(of, *words))
        if page == args.until:
            break
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
