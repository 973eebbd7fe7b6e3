"""What record.py records: the parts of it, each with the minutes that it takes on two cores."""

import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import compare
import engines

QUICK = "--quick" in sys.argv
ROOT = engines.ROOT
OUT, WORK = ROOT / "book/measurements", ROOT / "target/record"
COURSE = engines.PROFILE / "course"
MODELS = WORK if QUICK else ROOT / "models"
CHAPTERS = {chapter.short: chapter for chapter in engines.chapters()}
FROM = {"ch03": "ch02", "ch04": "ch03", "ch05": "ch04", "ch06": "ch05", "ch08": "ch07"}
FLAGS = {"ch02": ["--kv=contiguous"], **{short: ["--threads=2"] for short in ("ch04", "ch05", "ch06", "ch07", "ch08")}}


def run(command):
    """What it prints. What it tells on the way is in target/record/log."""
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / "log", "a") as log:
        done = subprocess.run([str(word) for word in command], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=log)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {done.returncode}, see {WORK / 'log'}")
    return done.stdout


def model(kind):
    """The synthetic file of the shape of Qwen3-0.6B with weights of this kind."""
    path = MODELS / f"{kind}.gguf"
    if not path.exists():
        MODELS.mkdir(parents=True, exist_ok=True)
        small = ["--layers", 2, "--hidden", 256, "--ffn", 512, "--vocab", 2048] if QUICK else []
        run([COURSE, "synth", "--type", kind, *small, path])
    return path


built = {}


def steps(short):
    """The programs of a chapter's steps, as its folder has them, in order. In a quick try the chapter stands in for them."""
    if QUICK:
        [folder] = ROOT.glob(f"chapters/{short}-*/steps")
        paths = [*folder.glob("*/*"), *map(folder.joinpath, (folder / "as-in-src").read_text().split())]
        names = sorted({path.relative_to(folder).parts[0] for path in paths})
        built[short] = [WORK / f"{short}-{name.split('-', 1)[1]}" for name in names]
        for path in built[short]:
            path.unlink(missing_ok=True)
            path.symlink_to(CHAPTERS[short].program)
    if short not in built:
        built[short] = [Path(line) for line in run(["cargo", "book", "steps", short]).split()]
    return built[short]


def rounds(count):
    return 1 if QUICK else count


def sweep(settings, kind, count, *more):
    """The settings in turn, each compared with the one before."""
    out = WORK / "sweep.json"
    named = {chapter.package: str(chapter.program) for chapter in CHAPTERS.values()}
    settings = [[named.get(setting.split()[0], setting.split()[0]), *setting.split()[1:]] for setting in settings]
    settings = [word for setting in settings for word in ("--run", " ".join(setting))]
    file = ["--model", model(kind)] if kind else []
    compared = ["--compare"] if len(settings) > 2 else []
    run([COURSE, "sweep", "--no-build", *settings, *file, "--repeat", rounds(count), *compared, *more, "--out", out])
    found = json.loads(out.read_text())
    for cell in found["cells"]:
        del cell["forwards"]  # each pass of one run: no page shows them
    return found


def staircase(short, kind, prompt, new, count, last=0, tables=None):
    """The chapter before, every step, and the chapter itself. Of them only the `last` ones; or the first, and those whose
    tables show this recording, each with the one before it."""
    flags = " ".join(FLAGS.get(short, []))
    before = CHAPTERS[FROM[short]]
    programs = [f"{before.package} {' '.join(FLAGS.get(before.short, []))}".strip()]
    programs += [f"{program} {flags}".strip() for program in [*steps(short), CHAPTERS[short].package]]
    if tables:
        listed = json.loads((ROOT / "book/tables.json").read_text()).items()
        named = [name.split("-step-")[1] for name, table in listed if table.get("steps") == f"{tables}.json"]
        places = [str(path.name) for path in steps(short)]
        shown = [places.index(f"{short}-{name}") + 1 if f"{short}-{name}" in places else len(places) + 1 for name in named]
        programs = [program for at, program in enumerate(programs) if at == 0 or at in shown or at + 1 in shown]
    return sweep(programs[-last:], kind, count, "--prompt", 16 if QUICK else prompt, "-n", new)


def beside(kind, names, count, longest=4096):
    """Chapters and other engines in turn."""
    out = WORK / "compare.json"
    command = [sys.executable, ROOT / "lab/peers/compare.py", model(kind), "--out", out, "--rounds", rounds(count)]
    run([*command, "--longest", 128 if QUICK else longest, "--only", names])
    return json.loads(out.read_text())


def example(short, name, *arguments):
    """What an example prints as JSON."""
    found = json.loads(run([engines.PROFILE / "examples" / name, *arguments]))
    words = " ".join(Path(str(word)).name for word in arguments)
    found.setdefault("command", f"cargo run --release -p {CHAPTERS[short].package} --example {name} -- {words}")
    return found


def console(name):
    """The blocks of book/runs.json whose output is recorded in this file; their commands name f16.gguf."""
    link = ROOT / "f16.gguf"
    if not link.exists():
        link.symlink_to(model("f16"))
    try:
        run([sys.executable, ROOT / "lab/console/record.py", f"{name}.json", *([WORK] if QUICK else [])])
    finally:
        if link.is_symlink():
            link.unlink()
    return json.loads(((WORK if QUICK else OUT) / f"{name}.json").read_text())


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "raw": values}


def in_turn(runs, count):
    """{name: what gives {figure: number}}, so often: {name: {figure: spread}}. Every second round goes from the last to the first."""
    found = {name: {} for name in runs}
    for turn in range(rounds(count)):
        for name, once in list(runs.items())[::-1 if turn % 2 else 1]:
            for what, number in once().items():
                found[name].setdefault(what, []).append(number)
    return {name: {what: spread(numbers) for what, numbers in all.items()} for name, all in found.items()}


def times(fast, slow):
    """How many times as fast, pair by pair."""
    return spread([a / b for a, b in zip(fast["raw"], slow["raw"])])


def threads(kind, count, prompt=512, new=32):
    """Chapter 4 with one thread and with two."""
    return sweep([f"{CHAPTERS['ch04'].package} --threads={n}" for n in (1, 2)], kind, count,
                 "--prompt", 16 if QUICK else prompt, "-n", new)


def speeds(chapter, flags, kind, prompt, new, env=None):
    metrics = engines.ours(chapter, flags, model(kind), compare.ids_of(prompt), new, env=env)["metrics"]
    ms = [forward["ms"] for forward in metrics["forwards"] if forward["phase"] == "decode"]
    return {"prefill": metrics["prefill_tokens_per_second"], **({"decode": 1e3 / statistics.median(ms)} if ms else {})}


def busy():
    others = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        found = in_turn({str(n): lambda n=n: speeds(CHAPTERS["ch04"], [f"--threads={n}"], "f16", 128, 16)
                         for n in (1, 2, 4, 8)}, 4)
    finally:
        for other in others:
            other.kill()
            other.wait()
    for name, figures in found.items():
        for what, figure in figures.items():
            figure["times_one"] = times(figure, found["1"][what])
    return {"command": "ch04-threads --threads N --model f16.gguf --ignore-eos -n 16 --json --token-ids <128 ids>, in turn, "
                       "beside two programs that never rest", **found}


def malloc():
    path = steps("ch04")[-1]
    last = SimpleNamespace(package=path.name, program=path)
    kept = {"MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_MMAP_THRESHOLD_": "1000000000"}
    found = {"command": f"{last.package} --threads N --model f16.gguf --ignore-eos -n 1 --json --token-ids <512 ids>, in turn "
                        f"as it is and with {' '.join(f'{name}={value}' for name, value in kept.items())}"}
    for name, threads in (("one", 1), ("two", 2)):
        runs = {way: lambda env=env: speeds(last, [f"--threads={threads}"], "f16", 512, 1, env)
                for way, env in (("as_it_is", None), ("kept", kept))}
        found[name] = {way: figures["prefill"] for way, figures in in_turn(runs, 4).items()}
        found[name]["times"] = times(found[name]["kept"], found[name]["as_it_is"])
    return found


def profile():
    """One run each: what of a prefill's time is whose."""
    groups = {"products": "projection|output head", "attention": "attention", "silu": "silu", "norms_and_rope": "norm|rope",
              "additions": "addition"}
    found = {"what": "One run of each program with --profile. Milliseconds. The rounding of x is within the products, the "
                     "softmax within attention.",
             "command": "ch05-quantized-weights --threads 1 --profile --json --model q8_0.gguf -n 1 <520 tokens>, and "
                        "ch06-fast-prefill"}
    for name, short in (("before", "ch05"), ("after", "ch06")):
        metrics = engines.ours(CHAPTERS[short], ["--threads=1", "--profile"], model("q8_0"), compare.ids_of(520), 1)["metrics"]
        whole, ms = metrics["time_to_first_token_ms"], dict.fromkeys(groups, 0)
        for operation in metrics["profile"]:
            group = next((group for group, words in groups.items() if re.search(words, operation["name"])), None)
            if group:
                ms[group] += operation["ms"]
        ms["rest"] = whole - sum(ms.values())
        found[name] = {"prompt_tokens": 520, "prefill_ms": whole, **ms,
                       "share": {group: 100 * part / whole for group, part in ms.items()}}
    return found


def deep():
    """Decode by depth, beside what memory alone would allow chapter 7: weights and rows of f32, at the speed of the read test."""
    found = beside("q8_0", "ch07 2 threads,ch08 2 threads,llama 2 threads", 3)
    tests = [engines.ours(CHAPTERS["ch07"], ["--threads=2", "--bandwidth"], model("q8_0"), compare.ids_of(8), 2)["metrics"]["roofline"]
             for _ in range(rounds(5))]
    figures, depths = found["figures"], [128, 512, 2048, 4096][:1 if QUICK else 4]
    for name, row in (("memory_f32", 229_376), ("memory_f16", 114_688)):
        figures[name] = {f"decode_{depth}": spread([test["bandwidth_gb_per_second"] * 1e9 / (test["weight_bytes_per_token"] + row * depth)
                                                    for test in tests]) for depth in depths}
    lines = {"chapter 7": "ch07_2_threads", "llama.cpp": "llama_2", "chapter 8": "ch08_2_threads", "memory alone, f32": "memory_f32",
             "memory alone, f16": "memory_f16"}
    found["cells"] = [{"setting": name, "point": {"kind": "depth", "tokens": depth}, "forwards": [
        {"phase": "decode", "tokens": 1, "ms": 1e3 / figures[of][f"decode_{depth}"]["median"], "end": depth}]}
        for name, of in lines.items() for depth in depths]
    return found


def real(name):
    """The file of a real model, or of a real vocabulary: under models/ by this name."""
    return MODELS / f"{name}.gguf"


QUESTION = "What is a cache?"


def first_token(chapter, flags, kind):
    metrics = engines.ours(chapter, [*flags, "--chat"], model(kind), QUESTION, 1)["metrics"]
    return {"first_token_ms": metrics["time_to_first_token_ms"]}


def first_tokens():
    runs = {short: lambda short=short: first_token(CHAPTERS[short], ["--threads=2"], "q8_0") for short in ("ch05", "ch06")}
    found = {short: figures["first_token_ms"] for short, figures in in_turn(runs, 7).items()}
    return {"what": "Time to the first token, in turn, two threads, Q8_0.", "prompt_tokens": 27, **found,
            "command": f"... --threads=2 --chat --json --ignore-eos -n 1 --model q8_0.gguf \"{QUESTION}\"",
            "times": times(found["ch05"], found["ch06"])}


def repacked_answers():
    """What repacking costs before an answer of 64 tokens, and what is left of it after that: whole processes."""
    def answer(kind, flags):
        begin = time.monotonic()
        told = engines.ours(CHAPTERS["ch06"], ["--threads=2", *flags], model(kind), compare.ids_of(16 if QUICK else 128), 64)["metrics"]
        return {"seconds": time.monotonic() - begin, "load_ms": told["load_ms"],
                "first_token_ms": told["load_ms"] + told["time_to_first_token_ms"]}

    runs = {f"{kind}_{name}": lambda kind=kind, flags=flags: answer(kind, flags) for kind in ("q8_0", "q4_k_m")
            for name, flags in (("file", []), ("repacked", ["--repack"]))}
    found = in_turn(runs, 7)
    return {"what": "A prompt of 128 tokens, an answer of 64, two threads: loading, first token since the start, the whole process.",
            **found, "times": {kind: times(found[f"{kind}_file"]["seconds"], found[f"{kind}_repacked"]["seconds"])
                               for kind in ("q8_0", "q4_k_m")},
            "command": "... --threads=2 [--repack] --json --ignore-eos -n 64 --model q8_0.gguf --token-ids <128 random ids>"}


def packed_blocks():
    """Chapter 5's example prints a table for readers."""
    found = {"command": "cargo run --release -p ch05-quantized-weights --example blocks"}
    for line in run([engines.PROFILE / "examples/blocks"]).splitlines()[1:]:
        backend, kind, row, rows = line.split()
        of = found.setdefault(backend.replace("-", "_"), {})
        of[kind.lower()] = {"one_row": float(row), "many_rows": float(rows)}
    return found


def second_question():
    found = example("ch07", "second_question", model("q8_0"), 2, rounds(5))
    found["stored_as"] = "Q8_0"
    for told in found["runs"]:
        told["kept"], told["anew"] = spread(told.pop("kept_ms")), spread(told.pop("anew_ms"))
        told["times"] = times(told["anew"], told["kept"])
    return found


def cover():
    """Each chapter as its Cargo.toml says: how fast it writes after 128 tokens, and how soon the README's question has an
    answer. The slow ones are measured once."""
    slow, fast, ways = {}, {}, {}
    for chapter in CHAPTERS.values():
        way = chapter.cover
        if not way:
            continue
        ways[chapter.short] = {"flags": way["flags"], "weights": way["model"].upper(),
                               "threads": next((int(flag[10:]) for flag in way["flags"] if flag.startswith("--threads=")), 1)}
        if way.get("without_metrics"):
            timed = compare.WithoutMetrics(chapter, {"name": chapter.short, "flags": way["flags"], "prompts": [], "seconds": []},
                                           model(way["model"]))
            slow[chapter.short] = lambda timed=timed: {
                "prefill": (found := timed.speeds(128))["prefill_128"], "decode": found["decode_128"],
                "first_token_ms": 27e3 / timed.speeds(27)["prefill_27"]}
        else:
            once = lambda chapter=chapter, way=way: {**speeds(chapter, way["flags"], way["model"], 128, 17),
                                                     **first_token(chapter, way["flags"], way["model"])}
            (slow if chapter.short < "ch03" else fast)[chapter.short] = once
    found = {**in_turn(slow, 1), **in_turn(fast, 5)}
    cells = [{"setting": short, "point": {"kind": "depth", "tokens": 128}, "prefill_tokens_per_second": found[short]["prefill"],
              "decode_tokens_per_second": found[short]["decode"]} for short in slow]  # of a figure with peers-f32
    return {"what": "Prefill of 128 tokens and decode after them, tok/s; milliseconds to the first token of an answer to "
                    f"\"{QUESTION}\", 27 tokens.",
            "command": f"... --model f32.gguf or q8_0.gguf, -n 17 --token-ids <128 ids>; --chat -n 1 \"{QUESTION}\"",
            "chapters": {short: {**ways[short], **figures} for short, figures in found.items()}, "cells": cells}


# name: minutes on two cores, and what records it. Smaller counts of rounds than before: see the comments.
PARTS = {
    "cover": (6, cover),
    "peers-slow-f32": (1.1, lambda: beside("f32", "ch02 basic", 1, longest=128)),
    "ch03-steps": (6.5, lambda: staircase("ch03", "f16", 128, 16, 3)),
    "ch03-steps-1024": (2.7, lambda: staircase("ch03", "f16", 1024, 9, 2, last=4)),  # 2, were 3
    "ch03-basic-contiguous-06b": (1.8, lambda: sweep(
        [f"{CHAPTERS['ch03'].package} --kv={way}" for way in ("basic", "contiguous")], "f32", 3,
        "--depth", "0,16" if QUICK else "0,1000", "--depth-steps", 16)),
    "ch03-f16": (1.1, lambda: example("ch03", "measure", model("f16"), rounds(2))),  # 2, were 3
    "ch03-f32": (3.5, lambda: example("ch03", "measure", model("f32"), rounds(2), "--against", CHAPTERS["ch02"].program)),
    "ch03-report": (0.4, lambda: console("ch03-report")),
    "ch04-steps": (3.3, lambda: staircase("ch04", "f16", 512, 32, 3)),  # 3, were 7
    "ch04-threads-f16": (1, lambda: threads("f16", 5)),  # 5, were 7
    "ch04-threads-f32": (1.2, lambda: threads("f32", 5)),
    "ch04-tiny": (0.3, lambda: threads(None, 15, 200, 150)),
    "ch04-bound": (1.5, lambda: example("ch04", "bound", model("f16"), model("f32"))),
    "ch04-busy": (1.5, busy),
    "ch04-malloc": (1.5, malloc),  # 4, were 6
    "ch04-examples": (1, lambda: console("ch04-examples")),
    "ch04-report": (0.4, lambda: console("ch04-report")),
    "ch05-steps": (2, lambda: staircase("ch05", "q8_0", 128, 32, 3)),
    "ch05-steps-4": (0.9, lambda: staircase("ch05", "q4_0", 128, 32, 3, tables="ch05-steps-4")),
    "ch05-steps-k": (1.6, lambda: staircase("ch05", "q4_k_m", 128, 32, 3, tables="ch05-steps-k")),
    "ch05-bound": (1, lambda: example("ch05", "share", *map(model, ("q8_0", "q4_0", "q4_k_m")))),
    "ch05-blocks": (0.3, packed_blocks),
    "ch06-blocks-before": (0.3, packed_blocks),
    "ch06-steps": (1.1, lambda: staircase("ch06", "q8_0", 512, 8, 3)),
    "ch06-roofline": (1.3, lambda: sweep([CHAPTERS["ch03"].package, *(f"{CHAPTERS[short].package} --threads=1"
                                                                     for short in ("ch05", "ch06"))], "q8_0", 3,
                                         "--prompt", 16 if QUICK else 512, "-n", 16)),
    "ch06-blocks": (1, lambda: example("ch06", "share_of_peak")),
    "ch06-profile": (0.3, profile),
    "ch06-first-token": (0.2, first_tokens),
    **{f"ch06-repacked-{kind}": (1.5, lambda kind=kind: sweep(
        [f"{CHAPTERS['ch06'].package} --threads={n}{more}" for n in (1, 2) for more in ("", " --repack")], kind, 5,
        "--prompt", 16 if QUICK else 128, "-n", 32)) for kind in ("q8_0", "q4_k_m")},
    "ch06-repacked-answers": (1.5, repacked_answers),
    "ch07-second-question": (1.8, second_question),  # 5, were 7
    "ch08-steps": (3, lambda: staircase("ch08", "q8_0", 4096, 17, 3)),
    **{f"ch08-eight-bits-{prompt}": (2, lambda prompt=prompt: sweep(
        [f"{CHAPTERS['ch08'].package} --threads=2{more}" for more in ("", " --kv-type=q8_0")], "q8_0", 3,
        "--prompt", 16 if QUICK else prompt, "-n", 17)) for prompt in (512, 4096)},
    "ch08-depth": (3, lambda: example("ch08", "depth", rounds(5))),
}
# With real files.
REAL = {
    "ch15-window": (2, lambda: example("ch15", "window", real("gemma3"), 25)),
    "ch16-masks": (1, lambda: example("ch16", "masks", real("qwen2-vocab"))),
}
# Where the processor has tiles, and the system lets a process use them.
AMX = {
    f"ch06-amx-{kind}": (2, lambda kind=kind: sweep(
        [f"{CHAPTERS['ch08'].package} --threads={n} --backend={backend}" for n in (1, 2) for backend in ("avx512-vnni", "amx")],
        kind, 5, "--prompt", 16 if QUICK else "128,512", "-n", 4)) for kind in ("q8_0", "q4_k_m")
}
# Beside other engines, which need the packages of requirements.txt.
LLAMA = {
    "peers-f32": (6, lambda: beside("f32", "ch03,llama", 2)),  # 2, were 3
    "peers-f16": (6, lambda: beside("f16", "ch03,llama", 2)),
    "peers-q8_0": (3, lambda: beside("q8_0", "ch03,llama", 1)),
    **{f"ch04-peers-{kind}": (3.3, lambda kind=kind: beside(kind, "ch04,ch04 2 threads,llama", 2)) for kind in ("f32", "f16")},
    **{f"ch05-peers-{kind}": (3.4, lambda kind=kind: beside(kind, "ch05,ch05 2 threads,llama", 2))  # 2, were 3
       for kind in ("q8_0", "q4_0", "q4_k_m")},
    "ch06-peers-q8_0": (5, lambda: beside("q8_0", "ch05,ch05 2 threads,ch06,ch06 2 threads,llama,torch", 2, 512)),
    "ch06-peers-q4_k_m": (2.5, lambda: beside("q4_k_m", "ch06,ch06 2 threads,llama,torch", 2, 512)),
    **{f"ch06-peers-{kind}": (3, lambda kind=kind: beside(kind, "ch06,ch06 2 threads,llama", 2, 512)) for kind in ("f16", "f32")},
    "ch08-peers-q8_0": (15, deep),
    "ch06-peers-long": (15, lambda: beside("q8_0", "ch06,ch06 2 threads,llama", 2)),
}
