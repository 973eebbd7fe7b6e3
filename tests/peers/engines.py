"""This project's programs and the peers, each behind the same few functions."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

# name -> (package, flags): what a reader would type
OURS = {
    "ch00": ("ch00-naive-forward", []),
    "ch02 off": ("ch02-kv-cache", []),
    "ch02 basic": ("ch02-kv-cache", ["--kv=basic"]),
    "ch02": ("ch02-kv-cache", ["--kv=contiguous"]),
    "ch03 scalar": ("ch03-simd-matmul", ["--kv=contiguous", "--backend", "scalar"]),
    "ch03 avx2": ("ch03-simd-matmul", ["--kv=contiguous", "--backend", "avx2"]),
    "ch03 avx512": ("ch03-simd-matmul", ["--kv=contiguous", "--backend", "avx512"]),
    "ch03": ("ch03-simd-matmul", ["--kv=contiguous"]),
}
# Answers with two reports, the second of which had a warm-up: for timing alone.
WARM = {"ch03 warm": ("ch03-simd-matmul", ["--kv=contiguous", "--compare", "--runs", "1"])}


def build(names):
    packages = sorted({OURS[name][0] for name in names})
    flags = [flag for package in packages for flag in ("-p", package)]
    subprocess.run(["cargo", "build", "--release", *flags], cwd=ROOT, check=True)


def ours(name, model, ids, steps, top=0, taskset=None):
    """One run of a chapter's program; its whole JSON answer."""
    package, flags = {**OURS, **WARM}[name]
    command = [str(ROOT / "target" / "release" / package), "--model", str(model), "--json", "--ignore-eos",
               "-n", str(steps), "--token-ids", ",".join(map(str, ids)), *flags]
    if top:
        command += ["--top-logits", str(top)]
    if taskset:
        command = ["taskset", "-c", taskset, *command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def encode(model, text):
    """The ids of a text, by this project's tokenizer."""
    package = ROOT / "target" / "release" / "ch02-kv-cache"
    done = subprocess.run([str(package), "--model", str(model), "--json", "-n", "0", "--", text],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["prompt_ids"]


def reference_model(path):
    """The reference implementation on the file's dequantised weights, in f32."""
    import gguf
    import reference

    class Weights(reference.File):
        def __init__(self, path):  # ids come from this project: no tokenizer is needed
            self.reader = gguf.GGUFReader(str(path))
            self.tensors = {tensor.name: tensor for tensor in self.reader.tensors}
            self.tokens = self.get("tokenizer.ggml.tokens")

    return Weights(path).model()


def llama(path, threads, context=4096, batch=512):
    """llama.cpp through its Python package, at its best settings for one request on a CPU."""
    import llama_cpp

    return llama_cpp.Llama(str(path), n_ctx=context, n_batch=batch, n_ubatch=batch, n_threads=threads,
                           n_threads_batch=threads, logits_all=False, verbose=False, use_mmap=True)


def llama_greedy(engine, ids, steps):
    """Greedy tokens, never stopped by an end token."""
    import numpy

    engine.reset()
    engine.eval(ids)
    tokens = []
    for _ in range(steps):
        # Straight from the library: the logits of the last row that was computed.
        row = numpy.ctypeslib.as_array(engine._ctx.get_logits(), shape=(engine.n_vocab(),))
        tokens.append(int(row.argmax()))
        engine.eval(tokens[-1:])
    return tokens
