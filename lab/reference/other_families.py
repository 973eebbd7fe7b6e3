"""One untrained model of each family that chapter 15 adds, and what the reference implementation and the Python package
`tokenizers` make of it.

    python other_families.py REPOSITORY_ROOT

Random weights: four layers of a Llama 3 with scaled frequencies, a SmolLM2 and a Qwen2 with biases, and seven of a Gemma 3,
whose window ends in the middle of a block. Logits are compared, never tokens: most faults change no token.
"""

import argparse
import json
import random
from pathlib import Path

import gguf
import numpy as np
import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, Gemma3TextConfig, LlamaConfig, Qwen2Config

import stories
import text_fixtures
import vocabulary

Q = gguf.GGMLQuantizationType
SPACE = "\u2581"
LENGTHS = [1, 7, 64, 71, 72, 73, 140, 300]
COMMON = dict(intermediate_size=80, num_hidden_layers=4, max_position_embeddings=1024, bos_token_id=None, eos_token_id=None)
LLAMA3 = Regex(vocabulary.PATTERN.replace(r"\p{N}|", r"\p{N}{1,3}|", 1))
STORY = [stories.story(random.Random(seed)) for seed in range(300)]

# The names of one layer's parts, in the reference and in the file.
LAYER = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}
GEMMA = LAYER | {"post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm", "post_feedforward_layernorm": "post_ffw_norm"}
OUTSIDE = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight", "lm_head.weight": "output.weight"}

CHATML = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
TURNS = "{{ bos_token }}{% for m in messages %}<start_of_turn>{{ m.role }}\n{{ m.content }}<end_of_turn>\n{% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}"
HEADERS = "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content }}<|eot_id|>{% endfor %}{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"


def byte_level(pre, composes, whole, size, specials):
    """-> the tokenizer, its tokens, their types, its merges"""
    def bare(**known):
        tok = Tokenizer(models.BPE(ignore_merges=whole, **known))
        if composes:
            tok.normalizer = normalizers.NFC()
        tok.pre_tokenizer = pre_tokenizers.Sequence(pre)
        return tok

    tok = bare()
    tok.train_from_iterator(STORY, trainers.BpeTrainer(vocab_size=size, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    learnt = json.loads(tok.to_str())["model"]
    merges = [tuple(merge) for merge in learnt["merges"]]
    tok = bare(vocab=learnt["vocab"], merges=merges)
    tok.add_special_tokens([AddedToken(s, special=True, normalized=False) for s in specials])
    tokens = sorted(learnt["vocab"], key=learnt["vocab"].get)
    types = [gguf.TokenType.NORMAL] * len(tokens) + [gguf.TokenType.CONTROL] * len(specials)
    return tok, tokens + specials, types, [" ".join(merge) for merge in merges]


def by_score(size):
    """As Gemma's: no pieces, a space is a character, and what has no token becomes bytes. -> ..., the scores"""
    def bare(vocab, merges):
        tok = Tokenizer(models.BPE(vocab=vocab, merges=merges, byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
        tok.normalizer = normalizers.Replace(" ", SPACE)
        return tok

    tok = Tokenizer(models.BPE())
    tok.normalizer = normalizers.Replace(" ", SPACE)
    tok.pre_tokenizer = pre_tokenizers.Split(SPACE, "merged_with_next")
    tok.train_from_iterator(STORY, trainers.BpeTrainer(vocab_size=size, show_progress=False))
    learnt = json.loads(tok.to_str())["model"]
    learnt = sorted(learnt["vocab"], key=learnt["vocab"].get)
    kinds = gguf.TokenType
    tokens = ["<pad>", "<eos>", "<bos>", "<unk>", "<start_of_turn>", "<end_of_turn>", "\n\n", SPACE * 2]
    types = [kinds.CONTROL] * 3 + [kinds.UNKNOWN] + [kinds.CONTROL] * 2 + [kinds.USER_DEFINED] * 2
    tokens += [f"<0x{byte:02X}>" for byte in range(256)] + [t for t in learnt if t != SPACE * 2]
    types += [kinds.BYTE] * 256 + [kinds.NORMAL] * (len(tokens) - len(types) - 256)
    scores = [0.0 if kind in (kinds.CONTROL, kinds.BYTE) else -float(id) for id, kind in enumerate(types)]
    merged = {t: scores[id] for id, t in enumerate(tokens) if types[id] in (kinds.NORMAL, kinds.USER_DEFINED)}
    # Every way to put a token together from two others, as `transformers` lists them: the best score first.
    pairs = [(token[:cut], token[cut:]) for token in merged for cut in range(1, len(token))]
    pairs = [pair for pair in pairs if pair[0] in merged and pair[1] in merged]
    pairs.sort(key=lambda pair: -merged["".join(pair)])
    vocab = {token: id for id, token in enumerate(tokens)}
    tok = bare(vocab, pairs)
    names = [t for t, kind in zip(tokens, types) if kind in (kinds.CONTROL, kinds.USER_DEFINED)]
    tok.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in names])
    return tok, tokens, types, scores


def digits_apart():
    return [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]


def split(pattern):
    return [pre_tokenizers.Split(pattern, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]


def factors(scaling, theta, head_dim):
    """What Llama 3 divides each frequency by."""
    out = []
    for i in range(head_dim // 2):
        length = 2 * np.pi * theta ** (2 * i / head_dim)
        turns = scaling["original_max_position_embeddings"] / length
        smooth = (turns - scaling["low_freq_factor"]) / (scaling["high_freq_factor"] - scaling["low_freq_factor"])
        smooth = min(max(smooth, 0), 1)
        out.append(1 / ((1 - smooth) / scaling["factor"] + smooth))
    return np.array(out, dtype=np.float32)


def random_weights(model, seed):
    rng = np.random.default_rng(seed)
    state = {}
    for name, old in model.state_dict().items():
        shape = tuple(old.shape)
        if name.endswith("bias"):
            values = rng.standard_normal(shape)
        elif old.ndim == 1:
            values = 0.3 * rng.standard_normal(shape) + (0 if "gemma" in model.config.model_type else 1)
        elif "embed" in name:
            values = 0.2 * rng.standard_normal(shape)
        else:
            values = 1.2 * rng.standard_normal(shape) / np.sqrt(shape[1])
        # Matrices are stored in F16, and the reference gets the numbers that the file has.
        state[name] = torch.from_numpy(values.astype(np.float16 if old.ndim == 2 else np.float32).astype(np.float32))
    if model.config.tie_word_embeddings:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state)
    return {n: v.numpy() for n, v in state.items() if not (model.config.tie_word_embeddings and n == "lm_head.weight")}


def neighbours(rows, heads):
    """Number i of a head's first half and number i of its second become neighbours, as converters write a Llama."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)


def write(path, title, arch, config, weights, extra):
    out = gguf.GGUFWriter(str(path), arch)
    out.add_type("model")
    out.add_name(title)
    out.add_block_count(config.num_hidden_layers)
    out.add_context_length(config.max_position_embeddings)
    out.add_embedding_length(config.hidden_size)
    out.add_feed_forward_length(config.intermediate_size)
    out.add_head_count(config.num_attention_heads)
    out.add_head_count_kv(config.num_key_value_heads)
    out.add_layer_norm_rms_eps(config.rms_norm_eps)
    extra(out)
    for name, values in weights.items():
        if name in OUTSIDE:
            file_name = OUTSIDE[name]
        else:
            _, _, layer, rest = name.split(".", 3)
            part, _, ending = rest.rpartition(".")
            file_name = f"blk.{layer}.{(GEMMA if arch == 'gemma3' else LAYER)[part]}.{ending}"
        if arch == "llama" and ".attn_q." in file_name:
            values = neighbours(values, config.num_attention_heads)
        if arch == "llama" and ".attn_k." in file_name:
            values = neighbours(values, config.num_key_value_heads)
        if arch == "gemma3" and "norm" in file_name:
            values = values + 1  # the reference adds it while it computes
        out.add_tensor(file_name, values.astype(np.float16 if values.ndim == 2 else np.float32))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def families():
    """name -> architecture, configuration, tokenizer, tokens, types, merges, scores, template, what is written besides"""
    scaling = dict(rope_type="llama3", rope_theta=5e5, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)
    specials = ["<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
    tok, tokens, types, merges = byte_level(split(LLAMA3), False, True, 330, specials)
    config = LlamaConfig(vocab_size=len(tokens), hidden_size=64, num_attention_heads=4, num_key_value_heads=2, rms_norm_eps=1e-5,
                         rope_parameters=scaling, tie_word_embeddings=False, **COMMON)
    yield "llama3", "llama", config, tok, tokens, types, merges, None, HEADERS, "llama-bpe", "<|begin_of_text|>", 5e5
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tok, tokens, types, merges = byte_level(digits_apart(), False, False, 320, specials)
    config = LlamaConfig(vocab_size=len(tokens), hidden_size=48, num_attention_heads=3, num_key_value_heads=1, rms_norm_eps=1e-5,
                         rope_parameters={"rope_type": "default", "rope_theta": 1e5}, tie_word_embeddings=True, **COMMON)
    yield "smollm2", "llama", config, tok, tokens, types, merges, None, CHATML, "smollm", None, 1e5
    tok, tokens, types, merges = byte_level(split(Regex(vocabulary.PATTERN)), True, False, 320, specials)
    config = Qwen2Config(vocab_size=len(tokens), hidden_size=64, num_attention_heads=4, num_key_value_heads=2, rms_norm_eps=1e-6,
                         rope_parameters={"rope_type": "default", "rope_theta": 1e6}, tie_word_embeddings=True, **COMMON)
    yield "qwen2", "qwen2", config, tok, tokens, types, merges, None, CHATML, "qwen2", None, 1e6
    tok, tokens, types, scores = by_score(200)
    plain = dict(rope_type="default")
    config = Gemma3TextConfig(vocab_size=len(tokens), hidden_size=48, num_attention_heads=2, num_key_value_heads=1, head_dim=32, rms_norm_eps=1e-6,
                              query_pre_attn_scalar=32, sliding_window=72, layer_types=["sliding_attention"] * 5 + ["full_attention", "sliding_attention"],
                              rope_parameters={"sliding_attention": plain | {"rope_theta": 1e4}, "full_attention": plain | {"rope_theta": 1e6}},
                              tie_word_embeddings=True, **(COMMON | dict(num_hidden_layers=7)))
    yield "gemma3", "gemma3", config, tok, tokens, types, None, scores, TURNS, "default", "<bos>", 1e6


def main():
    args = argparse.ArgumentParser()
    args.add_argument("root", type=Path)
    root = args.parse_args().root
    folder = root / "tests/fixtures/families"
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (name, arch, config, tok, tokens, types, merges, scores, template, pre, begin, theta) in enumerate(families()):
        model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
        weights = random_weights(model, 100 + seed)

        def extra(out):
            out.add_rope_freq_base(theta)
            if arch == "gemma3":
                out.add_key_length(config.head_dim)
                out.add_value_length(config.head_dim)
                out.add_sliding_window(config.sliding_window)
            if arch == "llama":
                out.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
                out.add_vocab_size(len(tokens))
            if name == "llama3":
                out.add_tensor("rope_freqs.weight", factors(config.rope_parameters, theta, config.hidden_size // config.num_attention_heads))
            out.add_tokenizer_model("gpt2" if merges else "llama")
            out.add_tokenizer_pre(pre)
            out.add_token_list(tokens)
            out.add_token_types(types)
            if merges:
                out.add_token_merges(merges)
            else:
                out.add_token_scores(scores)
                out.add_add_space_prefix(False)
            end = next(t for t in ("<|eot_id|>", "<|im_end|>", "<eos>") if t in tokens)
            out.add_eos_token_id(tokens.index(end))
            if begin:
                out.add_bos_token_id(tokens.index(begin))
                out.add_add_bos_token(True)
            out.add_chat_template(template)

        path = folder / f"{name}.gguf"
        write(path, f"Untrained, {name}", arch, config, weights, extra)

        rng = random.Random(seed)
        cases = []
        for length in LENGTHS:
            ids = [rng.randrange(len(tokens)) for _ in range(length)]
            with torch.no_grad():
                logits = model(torch.tensor([ids]), use_cache=False).logits[0, -1]
            cases.append({"ids": ids, "logits": [float(f"{float(x):.9g}") for x in logits]})
        special = [t for t, kind in zip(tokens, types) if kind == gguf.TokenType.CONTROL]
        wilder = [text_fixtures.random_text(rng) for _ in range(80)] + [s[:80] for s in STORY[:10]] + [f"a{s}b {s}" for s in special]
        texts = [{"text": t, "ids": tok.encode(t).ids} for t in text_fixtures.BY_HAND + wilder]
        lines = ",\n".join(json.dumps(x, ensure_ascii=True, separators=(",", ":")) for x in texts)
        judged = ",\n".join(json.dumps(x, separators=(",", ":")) for x in cases)
        (folder / f"{name}.json").write_text(f'{{"texts":[\n{lines}\n],"cases":[\n{judged}\n]}}\n', encoding="utf-8")
        spread = max(max(c["logits"]) - min(c["logits"]) for c in cases)
        print(path.name, path.stat().st_size, "bytes;", len(texts), "texts;", f"logits spread over {spread:.1f}")


if __name__ == "__main__":
    main()
