"""Times this project's chapters and llama.cpp on the same file, and PyTorch in BF16 on a model of its shape, in turn, so that
a slow minute hits all of them.

    python lab/peers/compare.py MODEL.gguf --out peers.json [--rounds 3] [--slow-rounds 1] [--only contiguous,llama,torch]

Prefill of 128, 512 and 4,096 tokens, decode behind 0, 128, 512, 2,048 and 4,096 tokens, on one thread (and on all for the peer and for chapters that can).
Which of a chapter's ways are timed, on which prompts, stands in its Cargo.toml: chapters without vector instructions
run what they can in reasonable time, and that in the first --slow-rounds rounds. The estimated duration is printed
first. Each engine runs at its best settings, which are written down with the figures.
"""

import argparse
import json
import os
import random
import statistics
import time
from pathlib import Path

import engines

DECODE_STEPS = 16
CORE = str(os.cpu_count() - 1)  # where whatever has one thread runs: the system likes the first one best
# The prompts. Each is timed as prefill; behind it, decode.
PREFILLS, DEPTHS = (128, 512, 4096), (0, 128, 512, 2048, 4096)


def ids_of(count, vocabulary=1500):
    rng = random.Random(count)
    return [rng.randrange(100, vocabulary) for _ in range(count)]


def named(prompt, prefill, decode):
    """Speeds by their columns. One token is depth 0; prefill is told for the prompts that are long enough."""
    found = {f"decode_{prompt if prompt > 1 else 0}": decode}
    if prompt in PREFILLS:
        found[f"prefill_{prompt}"] = prefill
    return found


class Chapter:
    """A chapter's program, on one core unless it asks for more. `timed`: what its Cargo.toml says of one way that is timed."""

    def __init__(self, chapter, timed, model):
        self.name = timed["name"]
        self.key = self.name.replace(" ", "_")
        self.chapter, self.flags, self.model = chapter, timed["flags"], model
        self.prompts, self.slow = timed["prompts"], timed.get("slow", False)
        self.seconds = timed["seconds"]  # for a token of the prompt and for a new one, roughly: for the estimate alone
        self.settings = " ".join(self.flags) or "none"
        self.cores = timed.get("cores", 1)

    def run(self, prompt, steps, more=()):
        core = CORE if self.cores == 1 else None
        return engines.ours(self.chapter, [*self.flags, *more], self.model, ids_of(prompt), steps, taskset=core)

    def speeds(self, prompt):
        """{what: tokens per second}"""
        answer = self.run(prompt, DECODE_STEPS + 1)
        metrics = answer["metrics"]
        times = [forward["ms"] for forward in metrics["forwards"] if forward["phase"] == "decode"]
        return named(prompt, metrics["prefill_tokens_per_second"], 1e3 / statistics.median(times))


class WithoutMetrics(Chapter):
    """An engine that does not time itself: a run with one more pass takes longer by that pass."""

    def speeds(self, prompt):
        times = []
        for steps in range(3):
            start = time.perf_counter()
            self.run(prompt, steps)
            times.append(time.perf_counter() - start)
        nothing, one, two = times
        return {f"prefill_{prompt}": prompt / (one - nothing), f"decode_{prompt}": 1 / (two - one)}


class Mapped(Chapter):
    """An engine that leaves its weights in the file, and a process that first touches them waits until the system has
    mapped them. The peer has done that when it is loaded. So the second pass over a prompt is taken."""

    def speeds(self, prompt):
        found = super().speeds(prompt)
        if prompt in PREFILLS:
            answer = self.run(prompt, 1, ["--compare", "--runs", "1"])
            found[f"prefill_{prompt}"] = answer["on"]["prefill_tokens_per_second"]
        return found


class Llama:
    def __init__(self, model, threads, prompts):
        import llama_cpp

        self.key = f"llama_{threads}"
        self.name = f"llama.cpp, {threads} thread" + ("s" if threads > 1 else "")
        self.prompts, self.slow, self.seconds = prompts, False, (0.02, 2)
        self.cores = {int(CORE)} if threads == 1 else range(os.cpu_count())
        self.engine = engines.llama(model, threads)
        info = llama_cpp.llama_print_system_info().decode()
        self.settings = f"llama-cpp-python {llama_cpp.__version__}, n_batch = n_ubatch = 512, mmap; {info.strip()}"

    def timed(self, ids):
        start = time.perf_counter()
        self.engine.eval(ids)
        self.engine._ctx.get_logits()  # waits until they are there
        return time.perf_counter() - start

    def speeds(self, prompt):
        os.sched_setaffinity(0, self.cores)
        self.engine.reset()
        seconds = self.timed(ids_of(prompt))
        steps = statistics.median(self.timed([token]) for token in ids_of(DECODE_STEPS))
        os.sched_setaffinity(0, range(os.cpu_count()))
        return named(prompt, prompt / seconds, 1 / steps)


class Torch:
    """The reference implementation with BF16 weights, of the shape of Qwen3-0.6B. Its speed does not depend on their values."""

    model = None  # one for all numbers of threads

    def __init__(self, threads, prompts):
        import torch
        import transformers

        self.key = f"torch_{threads}"
        self.name = f"PyTorch BF16, {threads} thread" + ("s" if threads > 1 else "")
        self.prompts, self.slow, self.seconds = [n for n in prompts if n <= 512], False, (0.02, 4)
        self.threads = threads
        Torch.model = Torch.model or engines.torch_bf16()
        attention, isa = Torch.model.config._attn_implementation, torch.backends.cpu.get_cpu_capability()
        self.settings = (f"torch {torch.__version__}, transformers {transformers.__version__}, attention {attention}, "
                         f"random weights, {isa}")

    def speeds(self, prompt):
        import torch

        os.sched_setaffinity(0, {int(CORE)} if self.threads == 1 else range(os.cpu_count()))
        torch.set_num_threads(self.threads)
        past = None

        def timed(ids):
            nonlocal past
            start = time.perf_counter()
            with torch.no_grad():
                past = Torch.model(torch.tensor([ids]), past_key_values=past, use_cache=True, logits_to_keep=1).past_key_values
            return time.perf_counter() - start

        seconds = timed(ids_of(prompt))
        steps = statistics.median(timed([token]) for token in ids_of(4))
        os.sched_setaffinity(0, range(os.cpu_count()))
        return named(prompt, prompt / seconds, 1 / steps)


def cells(names, figures):
    """The same figures in the form that `plot` reads."""
    for key, name in names:
        for depth in DEPTHS:
            speeds = [figures[key].get(f"{what}_{depth}") for what in ("prefill", "decode")]
            if any(speeds):
                yield {"setting": name, "point": {"kind": "depth", "tokens": depth},
                       "prefill_tokens_per_second": speeds[0], "decode_tokens_per_second": speeds[1]}


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "all": values}


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("model", type=Path)
    args.add_argument("--out", type=Path, required=True)
    args.add_argument("--rounds", type=int, default=3)
    args.add_argument("--slow-rounds", type=int, default=1, help="of these, how many with the slow ones [1]")
    args.add_argument("--longest", type=int, default=4096, help="leave out prompts that are longer than this [4096]")
    args.add_argument("--only", help="names as in the chapters' Cargo.toml, llama, torch, 'llama 2 threads': only these")
    args = args.parse_args()

    only = args.only.split(",") if args.only else None
    wanted = lambda name: only is None or name in only
    kinds = {"without metrics": WithoutMetrics, "mapped": Mapped}
    jobs = [kinds.get(timed.get("kind"), Chapter)(chapter, timed, args.model)
            for chapter in engines.chapters() for timed in chapter.timed if wanted(timed["name"])]
    engines.build({job.chapter.package: job.chapter for job in jobs}.values())
    for job in jobs:
        job.prompts = [prompt for prompt in job.prompts if prompt <= args.longest]
    prompts = sorted({prompt for job in jobs for prompt in job.prompts} | {1, 128, 512})
    for name, peer in (("llama", lambda threads: Llama(args.model, threads, prompts)),
                       ("torch", lambda threads: Torch(threads, prompts))):
        jobs += [peer(threads) for threads in sorted({1, os.cpu_count()}) if wanted(name) or wanted(f"{name} {threads} threads")]

    def taking_part(number):
        return [engine for engine in jobs if number < args.slow_rounds or not engine.slow]

    seconds = 0
    for number in range(args.rounds):
        for engine in taking_part(number):
            token, reply = engine.seconds
            steps = 1 if isinstance(engine, WithoutMetrics) else DECODE_STEPS
            seconds += sum(5 + token * n + reply * steps for n in engine.prompts)
    print(f"{args.rounds} rounds: about {seconds / 60:.0f} minutes", flush=True)

    values = {}
    for number in range(args.rounds):
        for engine in taking_part(number):
            for prompt in engine.prompts:
                for what, speed in engine.speeds(prompt).items():
                    values.setdefault(engine.key, {}).setdefault(what, []).append(speed)
                    print(f"round {number + 1}: {engine.name}, {what}: {speed:.2f} tok/s", flush=True)

    figures = {key: {what: spread(found) for what, found in all.items()} for key, all in values.items()}
    # How many times as fast as the peer on as many threads, round by round.
    ratios = {}
    for engine in jobs:
        if isinstance(engine, Mapped):
            for what, ours in values.get(engine.key, {}).items():
                for peer in (f"llama_{engine.cores}", f"torch_{engine.cores}"):
                    theirs = values.get(peer, {}).get(what)
                    if theirs:
                        ratio = spread([a / b for a, b in zip(ours, theirs)])
                        ratios.setdefault(f"{engine.key}_times_{peer}", {})[what] = ratio
    result = {"machine": engines.machine(), "model": args.model.name,
              "command": f"python lab/peers/compare.py {args.model.name} --rounds {args.rounds} "
                         f"--slow-rounds {args.slow_rounds} --longest {args.longest}" + (f" --only '{args.only}'" if args.only else ""),
              "settings": {engine.key: engine.settings for engine in jobs},
              "figures": figures, **ratios,
              "cells": list(cells([(engine.key, engine.name) for engine in jobs], figures))}
    unfinished = args.out.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(result, indent=1) + "\n")
    unfinished.rename(args.out)

    columns = [f"{what}_{n}" for what, ns in (("prefill", PREFILLS), ("decode", DEPTHS)) for n in ns]
    print(f"\n| tok/s | {' | '.join(column.replace('_', ' ') for column in columns)} |")
    print("|---" * (len(columns) + 1) + "|")
    for engine in jobs:
        row = [figures[engine.key].get(column) for column in columns]
        print(f"| {engine.name} | " + " | ".join(f"{found['median']:.1f}" if found else "" for found in row) + " |")


if __name__ == "__main__":
    main()
