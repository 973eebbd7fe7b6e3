"""Puts faults in, one at a time, and sees each of them noticed. The word says by whom:

    python tests/faults/run.py test              # by a test of the course, in an hour
    python tests/faults/run.py check             # by the reader's `check` of a finished chapter, which names the line
    python tests/faults/run.py walk ch02         # by `check` at the end of each page, while the chapter is typed from the book;
                                                 # with --rooms taken, its main line
    python tests/faults/run.py browser           # by lab/browser/inspect_pages.py, in the built book
    cargo test -p bookmaker --test checker       # by the bookmaker's checker: this one is no script, as it takes a moment

The faults of a chapter stand in its faults.toml, the others beside this file; src/lib.rs says what is in such a file, and
`cargo test -p faults` that what a fault changes is still there. `test`, `check` and `walk` compile each of them: the first
two in a copy, the third in my/CHAPTER of this checkout. `--only words,words` chooses among names, files and tests.

A fault that nobody notices, that doesn't compile or whose text has gone is told in capitals, and the exit status says so.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OWN = "\n#[allow(dead_code)]\nfn of_my_own() {}\n"


class Report:
    failed = 0

    def say(self, is_right, good, bad, words):
        self.failed += not is_right
        print(f"{good if is_right else bad:7} {words}", flush=True)


def faults(*paths):
    """The faults of these files. `of` is the folder that `file` begins at, and `at` the place from the root."""
    for path in paths:
        of = path.parent if path.parent.parent == ROOT / "chapters" else ROOT
        for key, of_file in tomllib.loads(path.read_text()).items():
            for fault in of_file:
                file = fault.get("file", fault.get("page")) if key == "fault" else key
                more = {"file": file, "of": of, "at": (of / file).relative_to(ROOT), "red": fault.get("red", ""), "check": listed(fault.get("check", []))}
                yield fault | more


def listed(words):
    return [words] if isinstance(words, str) else words


def says(text, words):
    """`a | b` is one of the two: which part of a check is red first depends on how long each takes."""
    return any(one in text for one in words.split(" | "))


def faulty(fault, text):
    """The text with the fault in it, or None where it doesn't fit."""
    for change in fault.get("change", [fault]):
        if text.count(change["stands"]) != 1:
            return None
        text = text.replace(change["stands"], change["becomes"])
    return text


def with_fault(fault, file, judge, report):
    """What `judge` gives while the fault is in the file."""
    text = file.read_text()
    changed = faulty(fault, text)
    if changed is None:
        return report.say(False, "", "GONE", f"{fault['name']}: what it changes is not in {file} once")
    file.write_text(changed)
    try:
        return judge()
    finally:
        file.write_text(text)


def run(*words, cwd=ROOT, **more):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, **more)
    return done.returncode, done.stdout + done.stderr


def copy(to):
    _, names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            # Newer than whatever was built in a target folder that another run has used, perhaps with a fault in it.
            shutil.copy(ROOT / name, to / name)


def by_tests(house, wanted, environment, report):
    signs = ("where:", "found:", "panicked at", "differ", "left:", "judge says")

    def tried(fault):
        words = shlex.split(fault["red"])
        if "-p" not in words:
            # A test across chapters is the root's.
            test = ROOT / "tests" / words[1]
            is_across = test.with_suffix(".rs").is_file() or (test / "main.rs").is_file()
            words = ["-p", "course" if is_across else fault["of"].name, *words]
        # Under `cargo test`, or else among what it leaves to `cargo prove`. What never ends is stopped.
        for ignored in [], ["--include-ignored"]:
            code, out = run("timeout", 1800, "cargo", "test", "-q", *words, "--", *ignored, cwd=house, env=environment)
            if code:
                break
        return code, out

    for fault in {(fault["of"], fault["red"]): fault for fault in wanted}.values():
        code, out = tried(fault)
        # A name that no test has is passed by none.
        ran = re.search(r"[1-9]\d* passed", out)
        report.say(code == 0 and bool(ran), "green", "RED", f"{fault['of'].name} {fault['red']}, without a fault{out[-1500:] if code else ''}")
    for fault in wanted:
        if (found := with_fault(fault, house / fault["at"], lambda: tried(fault), report)) is None:
            continue
        code, out = found
        broken = "could not compile" in out or "does not build" in out
        bad = "BROKEN" if broken else "HANGS" if code == 124 else "GREEN"
        lines = [line.strip() for line in out.splitlines() if any(sign in line for sign in signs)]
        said = out[-1500:] if broken else " ".join(lines[:2])[:150]
        report.say(code not in (0, 124) and not broken, "red", bad, f"{fault['name']}: {fault['red']}: {said}")


def by_check(house, wanted, environment, report):
    run("cargo", "build", "-q", cwd=house, env=environment, check=True)
    # The program knows this folder as its own, and the next build in the same target folder would overwrite it.
    course = shutil.copy2(Path(environment["CARGO_TARGET_DIR"]) / "debug/course", house.parent)
    for of in sorted({fault["of"] for fault in wanted}):
        chapter = of.name[:4]
        finished(house, of, chapter, course)
        _, out = run(course, "check", chapter, cwd=house, env=environment)
        last = out.strip().splitlines()[-1]
        report.say("agrees with the judge" in last, "green", "RED", f"{chapter} without a fault: {last}")
        for fault in (fault for fault in wanted if fault["of"] == of):
            def tried():
                return run(course, "check", chapter, cwd=house, env=environment)

            if (found := with_fault(fault, house / "my" / chapter / fault["file"], tried, report)) is None:
                continue
            code, out = found
            said = out[out.rfind("look at:") :] if "look at:" in out else ""
            missing = [words for words in [f"look at:  my/{chapter}/{fault['file']}, line", *fault["check"]] if not says(out, words)]
            rest = f"\n        not said: {missing}\n{out[-3000:]}" if missing else "".join(f"\n        {line[:200]}" for line in said.splitlines()[:4])
            report.say(code == 1 and not missing, "named", "MISSED", f"{chapter} {fault['name']}{rest}")


def finished(house, of, chapter, course):
    """The chapter as a reader has it at its end. More than one file isn't the course's."""
    theirs, own = house / of.relative_to(ROOT), house / "my" / chapter
    run(course, "start", chapter, cwd=house, check=True)
    shutil.rmtree(own)
    own.mkdir()
    manifest = (theirs / "Cargo.toml").read_text()
    # A base is the course's own.
    (own / "Cargo.toml").write_text(manifest.replace('path = "../ch', 'path = "../../chapters/ch'))
    shutil.copytree(theirs / "src", own / "src")
    with open(own / "src/lib.rs", "a") as library:
        library.write(OWN)


def pages(chapter):
    """(name, whether it compiles at its end, {its side rooms: what needs each}) of each page that types something."""
    for name in re.findall(rf"\({chapter}/([a-z0-9-]+)\.md\)", (ROOT / "book/src/SUMMARY.md").read_text()):
        text = (ROOT / f"book/src/{chapter}/{name}.md").read_text()
        if re.search(rf"#include \.\./generated/{chapter}[/-]", text):
            rooms = re.findall(r"\{\{#side-room ?([a-z0-9-]*)\n.*?^needed by: (.*?)$", text, re.MULTILINE | re.DOTALL)
            named = {f"{chapter}/{name}" + f"#{room}" * bool(room): needed_by for room, needed_by in rooms}
            yield name, "generated/unfinished.md" not in text, named


def warnings(text):
    """All that is no word about code without use."""
    heads = re.findall(r"^(?:warning|error).*", text, re.MULTILINE)
    return [head for head in heads if not re.search(r"never (used|read|constructed)|unused|generated \d+ warning", head)]


def walk(args, report):
    """Types a chapter page by page, with `cargo check` and `check` at the end of each, and with each page's fault."""
    def course(*words):
        return run("cargo", "run", "-q", "--", *words)

    def checked(name, is_right, words):
        report.say(is_right, "", "WRONG", f"{chapter}/{name}: {words}")

    chapter, own = args.chapter, ROOT / "my" / args.chapter
    of_page = {fault["page"]: fault for fault in faults(*ROOT.glob(f"chapters/{chapter}-*/faults.toml")) if "page" in fault}
    shown = list(pages(chapter))
    for name in filter(None, [args.begin, args.until]):
        if name not in [page for page, *_ in shown]:
            sys.exit(f"no page of {chapter} that types anything is called {name}")
    code, text = course("start", chapter)
    if code:
        sys.exit(text)
    typed, left, is_looked_at = [], {}, not args.begin
    for page, compiles, rooms in shown:
        left |= rooms if args.rooms != "typed" else {}
        due = [room for room, needed_by in left.items() if needed_by == page]
        whole = ["--main-line"] if args.rooms != "typed" else []
        taken = [*left] if args.rooms == "taken" else []
        for words in [*(["take", room] for room in due), ["type-page", chapter, page, *whole], *(["take", room] for room in taken)]:
            code, text = course(*words)
            if code:
                sys.exit(text)
            print("".join(f"        {line}\n" for line in text.splitlines()), end="", flush=True)
        left = {room: needed_by for room, needed_by in left.items() if room not in due + taken}
        if f"{chapter}/{page}" in left:
            continue
        is_looked_at = is_looked_at or page == args.begin
        if not is_looked_at:
            continue
        code, text = run("cargo", "check", cwd=own)
        said = warnings(text)
        checked(page, (code == 0 and not said) == compiles, f"cargo check: {said[:2] or 'quiet'}")
        code, text = course("check", chapter)
        last = text.strip().splitlines()[-1]
        named = f"(page {page};" in text or "agrees with the judge" in last and " at the end of " not in last
        checked(page, code == 0 and named, f"check: {last}")
        for line in re.findall(r"^(?:not there yet|without the).*", text, re.MULTILINE):
            print(f"        {line}", flush=True)
        checked(page, all(f"take {room}`" in text for room in left), f"without {len(left)} side rooms")
        # What a page adds that does not compile yet is tried with the page that it compiles with.
        typed.append(page)
        while compiles and typed and not args.no_faults:
            name = typed.pop(0)
            if not (fault := of_page.get(name)):
                checked(name, False, "no fault is put in here")
                continue
            found = with_fault(fault, own / fault["file"], lambda: course("check", chapter), report)
            red = f"my/{chapter}/{fault['file']}, line" if fault["red"][:1] in ("", "-") else fault["red"]
            if found:
                code, text = found
                lines = [line.strip() for line in text.splitlines() if says(line, red)]
                checked(name, code != 0 and bool(lines), f"{fault['name']}: {lines[0] if lines else text[-1500:]}")
        if page == args.until:
            break


def by_browser(args, wanted, report):
    sys.path.append(str(ROOT / "lab/browser"))
    import inspect_pages as book
    from chromium import Chromium

    axe = args.axe.read_text() if args.axe else None
    wanted = [fault for fault in wanted if axe or not fault["red"].startswith("axe")]
    with tempfile.TemporaryDirectory(prefix="book-") as folder, Chromium(args.chromium) as browser:
        built, changed = args.built or Path(folder) / "book", Path(folder) / "faulty"
        if not args.built:
            book.build(built)
        for page in sorted({fault["page"] for fault in wanted}):
            found = [words for *_, words in book.check(browser, built, [page], axe=axe)]
            report.say(not found, "green", "RED", f"{page} without a fault: {found}")
        for fault in wanted:
            shutil.rmtree(changed, ignore_errors=True)
            shutil.copytree(built, changed)
            # A built file has a hash in its name.
            for file in list(changed.glob(fault["file"])) or [changed / fault["file"]]:
                def tried():
                    return [words for *_, words in book.check(browser, changed, [fault["page"]], axe=axe)]

                if (found := with_fault(fault, file, tried, report)) is not None:
                    is_seen = any(fault["red"] in words for words in found)
                    report.say(is_seen, "seen", "UNSEEN", f"{fault['name']}: {fault['red']}")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("judge", choices=["test", "check", "walk", "browser"])
    args.add_argument("chapter", nargs="?", help="with walk: the chapter")
    args.add_argument("--only", default="", help="words in the names, files or tests of the wanted faults, separated by commas")
    args.add_argument("--list", action="store_true")
    args.add_argument("--target", help="a target folder that may be used and changed, not this checkout's: with what the crates depend on built, it is quicker")
    args.add_argument("--from", dest="begin", help="with walk: the first page to look at")
    args.add_argument("--until", help="with walk: the last page to type")
    args.add_argument("--no-faults", action="store_true", help="with walk: only the pages as they are")
    args.add_argument("--rooms", choices=["typed", "taken", "left"], default="typed", help="with walk: side rooms typed like other pages, taken, or left out until they are needed")
    args.add_argument("--built", type=Path, help="with browser: a built book")
    args.add_argument("--chromium", help="with browser: the program")
    args.add_argument("--axe", type=Path, help="with browser: axe.min.js of axe-core: its rules are checked as well")
    args = args.parse_args()
    if (args.judge == "walk") != bool(args.chapter):
        sys.exit("a chapter is for `walk`, and `walk` needs one")
    report = Report()
    homes = [HERE / "browser.toml"] if args.judge == "browser" else [HERE / "ground.toml", *sorted(ROOT.glob("chapters/*/faults.toml"))]
    is_noticed = {"test": lambda one: one["red"].startswith("-"), "check": lambda one: one["check"], "walk": lambda one: "page" in one and args.chapter in str(one["at"])}
    wanted = filter(is_noticed.get(args.judge), faults(*homes))
    wanted = [one for one in wanted if any(word in f"{one['name']} {one['at']} {one['red']}" for word in args.only.split(","))]
    if not wanted and not args.no_faults:
        sys.exit("no such fault")
    if args.list:
        for one in wanted:
            print(f"{one['name']:55} {one['at']!s:50} {one['red']}")
    elif args.judge == "walk":
        walk(args, report)
    elif args.judge == "browser":
        by_browser(args, wanted, report)
    else:
        with tempfile.TemporaryDirectory() as folder:
            house = Path(folder) / "house"
            copy(house)
            target = str(Path(args.target or Path(folder) / "target").absolute())
            judge = by_tests if args.judge == "test" else by_check
            judge(house, wanted, {**os.environ, "CARGO_TARGET_DIR": target, "INSTA_UPDATE": "no"}, report)
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
