"""This project's programs and the peers, each behind the same few functions."""

import json
import os
import platform
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if "--quick" in sys.argv:
    os.environ["PEERS_PROFILE"] = "debug"  # here, and where record.py starts compare.py
PROFILE = ROOT / "target" / os.environ.get("PEERS_PROFILE", "release")

# By family and model: one name is sold with cores of several designs. Of a range, the first that is higher.
DESIGNS = {(25, 0x0F): "Zen 3", (25, 0x1F): "Zen 4", (25, 0x5F): "Zen 3", (25, 0xAF): "Zen 4", (26, 0xFF): "Zen 5",
           (6, 0x55): "Skylake or Cascade Lake", (6, 0x6C): "Ice Lake", (6, 0x8F): "Sapphire Rapids",
           (6, 0xAE): "Granite Rapids", (6, 0xCF): "Emerald Rapids"}
SETS = ("avx2", "fma", "f16c", "avx_vnni", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16",
        "amx_tile", "amx_int8", "amx_bf16", "asimd", "asimddp", "bf16", "i8mm")


def machine():
    """What tells this machine from others, those too whose processor has the same name."""
    info = dict(line.split(":", 1) for line in open("/proc/cpuinfo") if ":" in line)
    info = {key.strip(): value.strip() for key, value in info.items()}
    numbers = {key: int(info[key]) for key in ("cpu family", "model", "stepping") if info.get(key, "").isdigit()}
    family, model = numbers.get("cpu family"), numbers.get("model", 0)
    design = next((DESIGNS[key] for key in sorted(DESIGNS) if key[0] == family and model <= key[1]), None)
    flags = (info.get("flags") or info.get("Features") or "").split()
    return {"cpu": info.get("model name", "?"), **({"design": design} if design else {}),
            **{key.replace("cpu ", ""): number for key, number in numbers.items()}, "cores": os.cpu_count(),
            "features": [name.replace("_", "") if name.startswith("avx") else name for name in SETS if name in flags],
            "arch": platform.machine(), "os": platform.system().lower()}


class Chapter:
    """One of this project's engines, as its own Cargo.toml describes it."""

    def __init__(self, folder):
        self.package = folder.name
        self.short = self.package.split("-")[0]
        with open(folder / "Cargo.toml", "rb") as manifest:
            about = tomllib.load(manifest)["package"]["metadata"]["course"]
        self.ways = about["ways"]  # that must all agree
        self.timed = about.get("peers", [])  # that are timed beside other engines
        self.cover = about.get("cover")  # how it runs for the cover
        self.program = PROFILE / self.package


def chapters():
    return [Chapter(folder) for folder in sorted((ROOT / "chapters").glob("ch[0-9][0-9]-*"))]


def build(chapters):
    flags = [flag for chapter in chapters for flag in ("-p", chapter.package)]
    subprocess.run(["cargo", "build", *flags, *(["--release"] if PROFILE.name == "release" else [])], cwd=ROOT, check=True)


def ours(chapter, flags, model, ids, steps, top=0, taskset=None, env=None):
    """One run of a chapter's program; its whole JSON answer. `ids` may be a text as well."""
    command = [str(chapter.program), "--model", str(model), "--json", "--ignore-eos",
               "-n", str(steps), *flags]
    command += ["--", ids] if isinstance(ids, str) else ["--token-ids", ",".join(map(str, ids))]
    if top:
        command[1:1] = ["--top-logits", str(top)]
    if taskset:
        command = ["taskset", "-c", taskset, *command]
    done = subprocess.run(command, capture_output=True, text=True, env=env and {**os.environ, **env})
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def encode(chapter, model, text):
    """The ids of a text, by this project's tokenizer."""
    done = subprocess.run([str(chapter.program), "--model", str(model), "--json", "-n", "0", "--", text],
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


def torch_bf16():
    """A model of the shape of Qwen3-0.6B, with random weights in BF16."""
    import torch
    import transformers

    shape = transformers.Qwen3Config(
        vocab_size=151936, hidden_size=1024, intermediate_size=3072, num_hidden_layers=28, num_attention_heads=16,
        num_key_value_heads=8, head_dim=128, max_position_embeddings=40960, tie_word_embeddings=True)
    with torch.device("meta"):
        model = transformers.Qwen3ForCausalLM(shape)
    model = model.to(torch.bfloat16).to_empty(device="cpu").eval()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in model.parameters():
            weight.fill_(1.0) if weight.dim() == 1 else weight.normal_(0.0, 0.02, generator=generator)
        # What is computed and not learned came from the meta device empty.
        rotary = model.model.rotary_emb
        fresh = type(rotary)(shape)
        for name, buffer in fresh.named_buffers():
            rotary.register_buffer(name, buffer, persistent=False)
    return model


def llama(path, threads, context=4352, batch=512):
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
