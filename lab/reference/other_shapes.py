"""Two untrained models of other shapes, so that no constant of the tiny model can hide in the engine.

    python other_shapes.py TEXT_DIR REPOSITORY_ROOT

Random weights, scaled so that no activation grows out of hand and greedy tokens vary.
"""

import argparse
import json
from pathlib import Path

import gguf
import numpy as np
import torch
from tokenizers import pre_tokenizers, trainers
from transformers import Qwen3Config, Qwen3ForCausalLM

import to_gguf
import vocabulary

COMMON = dict(attention_bias=False, bos_token_id=None, eos_token_id=None)
SHAPES = {
    "untied-one-kv": (
        dict(vocab_size=384, hidden_size=96, intermediate_size=160, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=1,
             head_dim=32, max_position_embeddings=2048, rms_norm_eps=1e-5, tie_word_embeddings=False,
             rope_parameters={"rope_type": "default", "rope_theta": 1e4}, **COMMON),
        gguf.GGMLQuantizationType.F16,
    ),
    "three-to-one-odd-vocab": (
        dict(vocab_size=331, hidden_size=64, intermediate_size=96, num_hidden_layers=3, num_attention_heads=6, num_key_value_heads=2,
             head_dim=32, max_position_embeddings=1024, rms_norm_eps=1e-6, tie_word_embeddings=True,
             rope_parameters={"rope_type": "default", "rope_theta": 1e6}, **COMMON),
        gguf.GGMLQuantizationType.Q8_0,
    ),
}


def random_weights(shape, seed):
    rng = np.random.default_rng(seed)
    weights = {}
    for name, old in Qwen3ForCausalLM(Qwen3Config(**shape)).state_dict().items():
        if shape["tie_word_embeddings"] and name == "lm_head.weight":
            continue
        if old.ndim == 1:
            values = 1 + 0.3 * rng.standard_normal(old.shape)
        elif "embed" in name:
            # Small, and the layers loud: a tied head would otherwise just repeat the last token.
            values = 0.2 * rng.standard_normal(old.shape)
        else:
            values = 1.5 * rng.standard_normal(old.shape) / np.sqrt(old.shape[1])
        weights[name] = values.astype(np.float32)
    return weights


def small_vocabulary(text, size):
    tok = vocabulary.bare()
    trainer = trainers.BpeTrainer(vocab_size=size - 5, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tok.train_from_iterator(text, trainer)
    return json.loads(tok.to_str())["model"]


def main():
    args = argparse.ArgumentParser()
    args.add_argument("text", type=Path)
    args.add_argument("root", type=Path)
    args = args.parse_args()
    with open(args.text / "valid-names.jsonl", encoding="utf-8") as docs:
        text = [piece for line in docs for piece, _ in json.loads(line)]
    for seed, (name, (shape, kind)) in enumerate(SHAPES.items()):
        torch.manual_seed(seed)
        path = args.root / "tests/fixtures/models" / f"{name}.gguf"
        path.parent.mkdir(parents=True, exist_ok=True)
        vocab = small_vocabulary([t.replace("<|endoftext|>", "") for t in text], shape["vocab_size"])
        tokens, types = to_gguf.token_list(vocab["vocab"])
        assert len(tokens) == shape["vocab_size"]
        to_gguf.write(path, f"Untrained, {name}", shape, random_weights(shape, seed), tokens, types,
                      [" ".join(m) for m in vocab["merges"]], to_gguf.chat_template(), kind)
        print(path.name, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
