#!/usr/bin/env python3
"""Records again, on one machine in one go, the times that chapters 3 to 16 and the cover show: into book/measurements.

    python lab/peers/record.py             # everything; what this commit has recorded on this machine is left out
    python lab/peers/record.py --list      # the parts, how long they take, and what is recorded of each
    python lab/peers/record.py --only ch04-steps,cover
    python lab/peers/record.py --from ch08 # chapters 8 to the end and all their peers, on a machine that has all they need

It builds once, writes the synthetic models that it needs to models/ once, and stops where the machine is not quiet (--busy:
goes on). Stop it when you like: the same command goes on with what is left. The programs that are compared take turns. The
parts beside other engines need the packages of requirements.txt, and are left out where these are missing.
--quick records everything with small models and debug programs into target/record, to try the command itself: these numbers
mean nothing.
"""

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import time

import clients
import engines
import fastest
import guesses
from recordings import AMX, CHAPTERS, FROM, LLAMA, OUT, PARTS, QUESTION, QUICK, REAL, ROOT, WORK, real, run, steps

# clients.py needs what recordings.py has, so these join the others here. SERVER needs llama-server; ch14-road PyTorch as well.
PARTS["ch09-overhead"] = (0.5, clients.overhead)
SERVER = {"ch09-clients": (11, clients.clients), "ch11-found": (7, clients.found_again),
          "ch12-clients": (12, clients.in_one_pass), "ch13-clients": (10, lambda: clients.in_one_pass("ch12", "ch13", (4, 16))),
          "ch13-kinds": (42, clients.of_kinds), "ch13-gaps": (12, clients.among_writers), "ch14-road": (31, clients.road), "ch15-peers": (3, clients.families)}
PARTS["ch10-blocks"] = (4, clients.in_blocks)
PARTS["ch10-beside"] = (3, clients.in_one_piece)
PARTS["ch11-speed"] = (3, lambda: clients.no_slower("ch09", "ch10", "ch11"))
PARTS["ch12-rows"] = (2, clients.rows_in_a_pass)
PARTS["ch14-replay"] = (5, guesses.guesses)
PARTS["ch14-clients"] = (6, clients.guessing)

# What chapters 15 and 16 are timed with: two that `download` fetches, and a vocabulary of llama.cpp's sources.
FILES = ("smollm2", "gemma3", "qwen2-vocab")

# Written by hand or by programs that are not here: these stay as they are.
BY_HAND = ("ch01-", "ch02-", "ch03-rejected", "ch05-rejected", "ch03-head-by-head", "ch05-hint", "ch05-rounding", "ch06-f32-blocks",
           "ch06-memory", "ch06-rounding", "ch06-shapes", "ch06-share", "ch12-rejected", "engine-", "published-models")


def strings(found):
    """All text in it, and the names."""
    if isinstance(found, dict):
        return [text for key, value in found.items() if key != "lines" for text in [f"{key}:", *strings(value)]]
    if isinstance(found, list):
        return [text for value in found[:500] for text in strings(value)]
    return [found] if isinstance(found, str) else []


def lengths(found):
    """How many times things were measured: the lengths of lists of numbers."""
    if isinstance(found, dict):
        return [n for key, value in found.items() if key not in ("forwards", "numbers", "spreads", "threads") for n in lengths(value)]
    numbers = isinstance(found, list) and found and all(isinstance(value, (int, float)) for value in found)
    return [len(found)] if numbers else []


def about(found, date, commit=None):
    """What the caption of a table says: as the recording has it, or read from its commands, as older ones have to be."""
    text, figures = " ".join(strings(found)), found.get("figures", {})
    numbers = lambda pattern: {int(n) for n in re.findall(pattern, text)}
    used = numbers(r"--threads[= ](\d+)") | numbers(r"\b(?:llama|torch)_(\d):") | numbers(r"_(\d)_threads:") | numbers(r"\b(\d):")
    used |= {n for n, word in ((1, "one:"), (2, "two:")) if word in text}
    for cell in found.get("cells", []):
        if "command" in cell:
            cell["threads"] = int((re.findall(r"--threads[= ](\d+)", cell["command"]) or [1])[0])
            used.add(cell["threads"])
    if threads := found.get("threads"):
        used = {threads} if isinstance(threads, int) else set(threads)
    prompts = numbers(r"<(\d+)(?: random)? ?(?:ids|tokens|>)") | {told["tokens_before"] for told in found.get("runs", [])
                                                                  if "tokens_before" in told}
    prompts |= {int(column.rsplit("_", 1)[1]) for of in figures.values() for column in of if re.search(r"code_\d|fill_\d", column)}
    prompts |= {27} if QUESTION in text else set()
    stored = re.findall(r"\b((?:bf|f|q)\d\w*)\.gguf", f"{found.get('model', '')} {text}")
    stored = stored or ([found["stored_as"]] if "stored_as" in found else [])
    kept = found.get("repeat") or found.get("repeats") or next(iter(numbers(r"--rounds (\d+)")), None)
    kept = kept or max(lengths(found), default=0)
    told = {"threads": sorted(used or {1}), "prompt": sorted(prompts - {0, 1}), "rounds": kept, "date": date, "commit": commit,
            "weights": list(dict.fromkeys(kind.upper() for kind in stored))}
    if "chapters" in found:  # the cover: each chapter says these itself
        told = {key: told[key] for key in ("rounds", "date", "commit")}
    return {key: value for key, value in told.items() if value}


def name_ratios(found):
    """A ratio says whose it is: the setting's that is as many times as fast as the one before."""
    settings = list(dict.fromkeys(cell["setting"] for cell in found.get("cells", [])))
    for at, ratio in enumerate(found.get("ratios", [])):
        ratio.setdefault("setting", settings[at % (len(settings) - 1) + 1] if len(settings) > 1 else "")


def git(*words):
    return run(["git", *words]).strip()


def commit(name):
    """The last one that changed what this part builds, its chapter and those before it, or all, so that a page's leaves
    recordings as they are; a plus where something has changed since."""
    short = name[:4] if re.match(r"ch\d\d-", name) and not name.endswith("road") else "ch99"
    chapters = [path.relative_to(ROOT) for path in sorted((ROOT / "chapters").glob("ch*")) if path.name[:4] <= short]
    built = ["--", *chapters, "src", "Cargo.toml", "Cargo.lock"]
    return git("log", "-1", "--format=%h", "--abbrev=10", *built) + ("+" if git("status", "--porcelain", *built) else "")


def recorded(name):
    path = (WORK if QUICK else OUT) / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def at_rest():
    """Whether the processors have nothing else to do: what of their time was spent in two seconds."""
    spent = lambda: [int(word) for word in open("/proc/stat").readline().split()[1:9]]
    before = spent()
    time.sleep(2)
    passed = [now - then for now, then in zip(spent(), before)]
    return 1 - (passed[3] + passed[4]) / sum(passed) < 0.1


def lacking():
    """What this machine lacks for all of chapters 8 to the end. The servers of others are asked which instructions they use."""
    imported = lambda name: subprocess.run([sys.executable, "-c", f"import {name}"], stderr=subprocess.DEVNULL).returncode == 0
    lacks = [f"the Python package {name}" for name in ("llama_cpp", "torch", "transformers") if not imported(name)]
    for name, program in {"LLAMA_SERVER": clients.llama(), "IK_SERVER": os.environ.get("IK_SERVER")}.items():
        if not program:
            lacks.append(f"{name}, a llama-server")
        else:
            print(f"{name}: {fastest.instructions(program)}", flush=True)
    lacks += [f"models/{name}.gguf" for name in FILES if not real(name).exists()]
    if not {"avxvnni", "avx512vnni", "asimddp"} & set(engines.machine()["features"]):
        lacks.append("instructions for products of integers")
    free = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemAvailable")) / 1e6
    return lacks + ([f"20 GB of memory for four servers at once: {free:.0f} are free"] if free < 20 else [])


def write(name, found, built):
    name_ratios(found)
    found = {"machine": engines.machine(), "about": about(found, datetime.date.today().isoformat(), built),
             **{key: value for key, value in found.items() if key not in ("machine", "about")}}
    unfinished = WORK / f"{name}.unfinished"
    unfinished.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    unfinished.rename((WORK if QUICK else OUT) / f"{name}.json")


def build(names):
    """Everything once. The steps of a chapter are a workspace of their own."""
    cargo = ["cargo", "build", *([] if QUICK else ["--release"])]
    run([*cargo, "-p", "course", *(word for chapter in CHAPTERS.values() for word in ("-p", chapter.package))])
    run([*cargo, "--examples", *(word for short in [*FROM, "ch07", "ch10", "ch12", "ch15", "ch16"] for word in ("-p", CHAPTERS[short].package))])
    for short in FROM:
        if any(name.startswith(f"{short}-steps") or (name, short) == ("ch04-malloc", "ch04") for name in names):
            steps(short)


def used():
    """The text in which a page, a table or a figure would name its recording."""
    pages = [page for page in (ROOT / "book/src").rglob("*.md") if "generated" not in page.parts]
    files = [*pages, ROOT / "book/tables.json", ROOT / "book/runs.json", *(ROOT / "book/engine").glob("*.md")]
    files += [*(ROOT / "chapters").glob("*/tests/*.rs")]
    text = "\n".join(file.read_text() for file in files)
    return text + "cover.json" + "".join(f"{short}-steps.json" for short in FROM)


def listing(parts):
    text = used()
    for name, (minutes, _) in parts.items():
        about, of = recorded(name).get("about", {}), recorded(name).get("machine", {})
        of = of.get("design") or of.get("cpu", "") if isinstance(of, dict) else of
        print(f"{name:28}{minutes:5.1f} min  {about.get('date', 'not recorded')} {about.get('commit', ''):11} {of}"
              + ("" if f"{name}.json" in text else "  NO PAGE USES IT"))
    theirs = sum(minutes for name, (minutes, _) in parts.items() if name in LLAMA or name in SERVER)
    print(f"{'all':28}{sum(minutes for minutes, _ in parts.values()):5.0f} min, of which {theirs:.0f} beside other engines")
    for path in sorted(OUT.glob("*.json")):
        if f"{path.name}" not in text:
            print(f"{path.stem}: no page uses it")
        elif path.stem not in {**PARTS, **AMX, **LLAMA, **SERVER, **REAL} and not path.stem.startswith(BY_HAND):
            print(f"{path.stem}: no part records it")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--only", default="", help="parts, or how their names begin, with commas between")
    args.add_argument("--from", dest="begin", default="", help="parts of this chapter and those after it, with all peers or not at all")
    args.add_argument("--list", action="store_true", help="the parts, and what is recorded")
    args.add_argument("--again", action="store_true", help="also what this commit has recorded on this machine")
    args.add_argument("--without-peers", action="store_true", help="nothing beside other engines")
    args.add_argument("--busy", action="store_true", help="although something else is running, or something is lacking")
    args.add_argument("--quick", action="store_true", help="with small models, into target/record: to try this command")
    args = args.parse_args()
    fits = lambda name: name.startswith(tuple(args.only.split(","))) and (not args.begin or "ch" < args.begin <= name < "ci")
    chosen = lambda parts: {name: part for name, part in parts.items() if fits(name)}
    if args.list:
        return listing(chosen({**PARTS, **AMX, **LLAMA, **SERVER, **REAL}))
    missing = subprocess.run([sys.executable, "-c", "import llama_cpp"], stderr=subprocess.DEVNULL).returncode != 0
    if missing and not args.without_peers:
        print("llama_cpp is not installed: without the parts beside other engines", flush=True)
    parts = {**PARTS, **REAL, **({} if missing or args.without_peers else LLAMA),
             **(SERVER if clients.llama() and not args.without_peers else {})}
    if QUICK or not all(real(name).exists() for name in FILES):
        parts = {name: part for name, part in parts.items() if not name.startswith(("ch15", "ch16"))}
    parts = {**parts, **(AMX if "amx_int8" in open("/proc/cpuinfo").read() else {})}
    parts = chosen(parts)
    lacks = lacking() if args.begin else []
    if lacks and not (args.busy or QUICK):
        sys.exit(f"this machine lacks {', '.join(lacks)}: see lab/peers/README.md, or say --busy")
    if QUICK and not args.only:
        parts = {name: part for name, part in parts.items() if not re.search("blocks|second", name)}  # long with any model
    here = engines.machine()
    done = lambda name: (recorded(name).get("machine"), recorded(name).get("about", {}).get("commit")) == (here, commit(name))
    left = [name for name in parts if args.again or QUICK or not done(name)]
    print(f"{len(parts) - len(left)} of {len(parts)} parts are recorded; building for {len(left)}", flush=True)
    build(left)
    for at, name in enumerate(left):
        minutes = sum(parts[name][0] for name in left[at:])
        print(f"{at + 1}/{len(left)} {name}" + ("" if QUICK else f": about {parts[name][0]} min, {minutes:.0f} left"), flush=True)
        if not (args.busy or QUICK or any(at_rest() for _ in range(5))):
            sys.exit("something else is running: stop that, or say --busy; the same command goes on from here")
        start = time.monotonic()
        now = commit(name)
        write(name, parts[name][1](), now)
        print(f"    {(time.monotonic() - start) / 60:.1f} min", flush=True)
    print("now: cargo book generate --runs, as some runs are drawings of these, then cargo book proofread", flush=True)


if __name__ == "__main__":
    main()
