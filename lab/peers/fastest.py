"""Chapter 8, or another, beside the fastest engines for CPUs that we know, in turn, on a quiet machine.

    python lab/peers/fastest.py q8_0.gguf q4_k_m.gguf --out fastest.json \\
        --llama LLAMA-BENCH --ik LLAMA-BENCH --openvino PYTHON

Prefill of a prompt and decode after it, for each file, number of threads and length of the prompt. An engine that isn't named
is left out. --llama and --ik are `llama-bench` of llama.cpp and of ik_llama.cpp, built for this machine (-DGGML_NATIVE=ON): one
that says it lacks instructions which the CPU has is refused, because its numbers would be no anchor. ik_llama.cpp runs as it
is, and with rows interleaved when it loads (-rtr), as ours has them here (--repack). --openvino is a Python that has `openvino-genai`; it reads the GGUF itself.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import compare
import engines
from recordings import in_turn

# What a CPU has, and what llama.cpp calls it.
INSTRUCTIONS = {"avx2": "AVX2", "avx512f": "AVX512", "avx512vnni": "AVX512_VNNI", "avx512bf16": "AVX512_BF16"}
SAYS = ("import ctypes, sys; llama = ctypes.CDLL(sys.argv[1]); llama.llama_print_system_info.restype = ctypes.c_char_p; "
        "print(llama.llama_print_system_info().decode())")
OPENVINO = """
import json, sys
import numpy, openvino, openvino_genai
pipe = openvino_genai.LLMPipeline(sys.argv[1], "CPU", INFERENCE_NUM_THREADS=int(sys.argv[2]))
def run(ids, new):
    config = openvino_genai.GenerationConfig()
    config.max_new_tokens = config.min_new_tokens = new
    config.ignore_eos, config.do_sample = True, False
    ids = numpy.array([ids], dtype=numpy.int64)
    inputs = openvino_genai.TokenizedInputs(openvino.Tensor(ids), openvino.Tensor(numpy.ones_like(ids)))
    metrics = pipe.generate(inputs, config).perf_metrics
    return {"prefill": 1e3 * ids.size / metrics.get_ttft().mean, "decode": 1e3 / metrics.get_tpot().mean}
ids = json.loads(sys.argv[3])
run(ids[:16], 4)  # the weights are in memory then
print(json.dumps(run(ids, int(sys.argv[4]))))
"""


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: exit status {done.returncode}: {done.stderr.strip()[-500:]}")
    return done.stdout


def instructions(bench):
    """What a llama-bench says of itself. Ends the program where the CPU has more."""
    library = re.search(r"libllama\.so\S* => (\S+)", run(["ldd", bench]))
    if not library:
        sys.exit(f"{bench}: it has no libllama.so to ask which instructions it uses: build it with -DBUILD_SHARED_LIBS=ON")
    said = run([sys.executable, "-c", SAYS, library[1]]).strip()
    has = {name for name, is_on in re.findall(r"(\w+) = (\d)", said) if is_on == "1"}
    lacks = [name for of, name in INSTRUCTIONS.items() if of in engines.machine()["features"] and name not in has]
    if lacks:
        sys.exit(f"{bench}: built without {', '.join(lacks)}, which this CPU has: build it here, with -DGGML_NATIVE=ON")
    return said


def ours(short, flags):
    chapter = next(chapter for chapter in engines.chapters() if chapter.short == short)

    def speeds(model, threads, prompt, new):
        told = engines.ours(chapter, [f"--threads={threads}", "--repack", *flags], model, compare.ids_of(prompt), new + 1)["metrics"]
        return {"prefill": told["prefill_tokens_per_second"], "decode": told["decode_tokens_per_second"]}

    return speeds


def bench(program, deep, *flags):
    """`deep`: how this llama-bench is asked for decode after a prompt."""
    def speed(model, threads, *what):
        told = json.loads(run([program, "-m", model, "-t", threads, "-r", 1, "-o", "json", *what, *flags]))
        return told[-1]["avg_ts"]

    def speeds(model, threads, prompt, new):
        return {"prefill": speed(model, threads, "-p", prompt, "-n", 0), "decode": speed(model, threads, *deep(prompt, new))}

    return speeds


def openvino(python):
    return lambda model, threads, prompt, new: json.loads(
        run([python, "-c", OPENVINO, model, threads, json.dumps(compare.ids_of(prompt)), new]).splitlines()[-1])


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(word) for word in text.split(",")]
    args.add_argument("models", type=Path, nargs="+")
    args.add_argument("--out", type=Path, required=True)
    args.add_argument("--llama", type=Path, help="llama-bench of llama.cpp")
    args.add_argument("--ik", type=Path, help="llama-bench of ik_llama.cpp")
    args.add_argument("--openvino", type=Path, help="a Python with openvino-genai")
    args.add_argument("--chapter", default="ch08", help="whose program is ours: a model of another family than Qwen3 needs ch15")
    args.add_argument("--ours", action="append", default=[], help="more flags for it, as another engine; may be repeated")
    args.add_argument("--without", action="append", default=[], help="an engine of these to leave out: a deep table takes hours")
    args.add_argument("--threads", type=numbers, default=[1, os.cpu_count()])
    args.add_argument("--prompts", type=numbers, default=[128, 512, 4096])
    args.add_argument("--new", type=int, default=64)
    args.add_argument("--rounds", type=int, default=3)
    args = args.parse_args()
    all, says = {"ours": ours(args.chapter, [])}, {}
    all |= {f"ours{flags}".replace(" ", ""): ours(args.chapter, flags.split()) for flags in args.ours}  # a page points to it
    if args.llama:
        says["llama.cpp"] = instructions(args.llama)
        all["llama.cpp"] = bench(args.llama, lambda prompt, new: ("-p", 0, "-n", new, "-d", prompt))
    if args.ik:
        says["ik_llama.cpp"] = instructions(args.ik)
        for name, flag in (("ik_llama.cpp", 0), ("ik_llama.cpp_rtr", 1)):
            all[name] = bench(args.ik, lambda prompt, new: ("-p", 0, "-n", 0, "-gp", f"{prompt},{new}"), "-rtr", flag)
    if args.openvino:
        says["OpenVINO"] = run([args.openvino, "-c", "import openvino; print(openvino.__version__)"]).strip()
        all["OpenVINO"] = openvino(args.openvino)
    if not says:
        sys.exit("expected another engine: --llama, --ik or --openvino")
    all = {name: speeds for name, speeds in all.items() if name not in args.without}
    failed = {}

    def once(cell, name):
        model, threads, prompt = cell
        try:
            speeds = all[name](model, threads, prompt, args.new)
        except RuntimeError as error:  # theirs may lack a type of weights; ours may not
            if name.startswith("ours"):
                raise
            failed[f"{name}, {model.stem}"] = str(error)
            return {}
        speeds = {what: round(speed, 2) for what, speed in speeds.items()}
        print(f"{model.stem}, {threads} threads, {prompt} tokens, {name}: "
              + ", ".join(f"{what} {speed:.1f}" for what, speed in speeds.items()), flush=True)
        return speeds

    cells = [(model, threads, prompt) for model in args.models for threads in args.threads for prompt in args.prompts]
    found = in_turn({(cell, name): lambda cell=cell, name=name: once(cell, name) for cell in cells for name in all}, args.rounds)
    figures, times = {}, {}
    for cell in cells:
        place = f"{cell[0].stem}_{cell[1]}_{cell[2]}"
        figures[place] = {name: found[cell, name] for name in all if found[cell, name]}
        for what in ("prefill", "decode"):
            speeds = {name: speeds[what]["median"] for name, speeds in figures[place].items()}
            best = max((name for name in speeds if not name.startswith("ours")), key=speeds.get, default=None)
            for name in [name for name in speeds if best and name.startswith("ours")]:
                times.setdefault(place, {}).setdefault(name, {})[what] = {"best": best, "times": speeds[name] / speeds[best]}
                print(f"{place}: {what} of {name} is {speeds[name] / speeds[best]:.2f} times that of {best}")
    result = {"machine": engines.machine(), "settings": says, "failed": failed, "threads": args.threads, "figures": figures,
              "times": times, "command": f"python lab/peers/fastest.py {' '.join(model.name for model in args.models)} --rounds {args.rounds}"}
    args.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
