"""Times this project's chapters and llama.cpp on the same file, in turn, so that a slow minute hits all of them.

    python tests/peers/compare.py MODEL.gguf --out book/measurements/peers.json [--rounds 3] [--quick]

Prefill of 128 and 512 tokens, decode behind 0, 512 and 2,048 tokens, on one thread (and on all for the peer). The
slow chapters run what they can in reasonable time: ch00 a prompt of 128, ch02 one of 512. The estimated duration
is printed first. Each engine runs at its best settings, which are written down with the figures.
"""

import argparse
import json
import os
import platform
import random
import statistics
import time
from pathlib import Path

import engines

DECODE_STEPS = 16
# engine -> (longest prefill, deepest decode)
REACH = {"ch00": (128, None), "ch02": (512, 0), "ch03": (512, 2048), "llama.cpp": (512, 2048)}
# tokens per second, roughly, for the estimate alone
GUESS = {"ch00": 2.5, "ch02": 2.5, "ch03": 60, "llama.cpp": 60}


def machine():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return {"cpu": cpu, "cores": os.cpu_count(), "arch": platform.machine(), "os": platform.system().lower()}


def ids_of(count, vocabulary=1500):
    rng = random.Random(count)
    return [rng.randrange(100, vocabulary) for _ in range(count)]


class Chapter:
    def __init__(self, name, model):
        self.name, self.model = name, model
        self.settings = " ".join(engines.OURS[name][1]) or "none"

    def prefill(self, count):
        if self.name == "ch03":
            # Its weights stay in the file, and a process that first touches them waits for the system to map them.
            # The peer has done that when it is loaded; --compare has passes that do not count before those that do.
            answer = engines.ours("ch03 warm", self.model, ids_of(count), 1, taskset="0")
            return answer["on"]["prefill_tokens_per_second"]
        answer = engines.ours(self.name, self.model, ids_of(count), 1, taskset="0")
        return answer["metrics"]["prefill_tokens_per_second"] if "metrics" in answer else None

    def decode(self, depth):
        answer = engines.ours(self.name, self.model, ids_of(max(depth, 1)), DECODE_STEPS + 1, taskset="0")
        times = [f["ms"] for f in answer["metrics"]["forwards"] if f["phase"] == "decode"]
        return 1e3 / statistics.median(times)


class Llama:
    def __init__(self, model, threads):
        import llama_cpp

        self.name = f"llama.cpp, {threads} thread" + ("s" if threads > 1 else "")
        self.engine = engines.llama(model, threads)
        info = llama_cpp.llama_print_system_info().decode()
        self.settings = f"llama-cpp-python {llama_cpp.__version__}, n_batch = n_ubatch = 512, mmap; {info.strip()}"

    def timed(self, ids):
        start = time.perf_counter()
        self.engine.eval(ids)
        self.engine._ctx.get_logits()  # waits until they are there
        return time.perf_counter() - start

    def prefill(self, count):
        self.engine.reset()
        return count / self.timed(ids_of(count))

    def decode(self, depth):
        self.engine.reset()
        self.engine.eval(ids_of(max(depth, 1)))
        return 1 / statistics.median(self.timed([token]) for token in ids_of(DECODE_STEPS))


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "all": values}


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("model", type=Path)
    args.add_argument("--out", type=Path, required=True)
    args.add_argument("--rounds", type=int, default=3)
    args.add_argument("--quick", action="store_true", help="ch03 and llama.cpp only")
    args.add_argument("--without-llama", action="store_true")
    args = args.parse_args()
    names = ["ch03"] if args.quick else ["ch00", "ch02", "ch03"]
    engines.build(names)
    peers = [] if args.without_llama else [Llama(args.model, threads) for threads in sorted({1, os.cpu_count()})]
    all_engines = [Chapter(name, args.model) for name in names] + peers

    jobs = []
    for engine in all_engines:
        prefill, depth = REACH[engine.name.split(",")[0]]
        jobs += [(engine, "prefill", n) for n in (128, 512) if n <= prefill and engine.name != "ch00"]
        jobs += [(engine, "decode", n) for n in (0, 512, 2048) if depth is not None and n <= depth]
    seconds = sum(args.rounds * ((n + DECODE_STEPS) / GUESS[e.name.split(",")[0]] + 5) for e, _, n in jobs)
    print(f"{len(jobs)} figures, {args.rounds} rounds: about {seconds / 60:.0f} minutes", flush=True)

    values = {}
    for round in range(args.rounds):
        for engine, what, n in jobs:
            values.setdefault((engine.name, what, n), []).append(getattr(engine, what)(n))
            print(f"round {round + 1}: {engine.name}, {what} {n}: {values[engine.name, what, n][-1]:.2f} tok/s", flush=True)

    cells = [{"engine": name, "what": what, "tokens": n, "tokens_per_second": spread(found)}
             for (name, what, n), found in values.items()]
    result = {"machine": machine(), "model": args.model.name, "rounds": args.rounds,
              "command": f"python tests/peers/compare.py {args.model.name} --rounds {args.rounds}",
              "settings": {engine.name: engine.settings for engine in all_engines}, "cells": cells}
    unfinished = args.out.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(result, indent=1) + "\n")
    unfinished.rename(args.out)
    print(f"\n| engine | {' | '.join(f'{w} {n}' for w, n in dict.fromkeys((w, n) for _, w, n in values))} |")
    columns = list(dict.fromkeys((w, n) for _, w, n in values))
    print("|---" * (len(columns) + 1) + "|")
    for engine in all_engines:
        row = [values.get((engine.name, what, n)) for what, n in columns]
        print(f"| {engine.name} | " + " | ".join(f"{statistics.median(v):.1f}" if v else "" for v in row) + " |")


if __name__ == "__main__":
    main()
