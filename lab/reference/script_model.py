"""Writes a model that follows a script: after each token there is one that must come.

    python lab/reference/script_model.py        # writes tests/fixtures/models/script.gguf

Nothing is trained. Every token has a vector of 64 random signs, and nothing that the layer computes reaches the
output: the output projections of attention and of the MLP are zero. So the state after the last layer is the last
token's own vector, and a row of the output head that is the same vector makes one token follow another: 64 against
at most some 40 for any other. What attention computes is thrown away, but not before it could spoil a run: its scores
are some thousands below zero, where a softmax that does not subtract the largest divides zero by zero.

How a run ends can be played with it in every engine (src/judge/src/ends.rs): end tokens, stop strings, limits, a
character cut in the middle, two tokens that are equally likely.
"""

from pathlib import Path

import gguf
import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
HIDDEN, HEADS, KV_HEADS, HEAD_DIM, FFN, CONTEXT = 64, 2, 1, 32, 32, 64
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
ADDED = ["<think>", "</think>"]
END_OF_TEXT, END, THINK, THOUGHT = 256, 258, 259, 260


def byte_to_char(byte):
    """How a byte-level vocabulary writes a byte: itself where it can be seen, one above 255 otherwise."""
    seen = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or 174 <= b <= 255]
    return chr(byte) if byte in seen else chr(256 + [b for b in range(256) if b not in seen].index(byte))


def chain(*parts):
    """Pairs of a token and the one that follows it: a string stands for its bytes, a number for itself."""
    ids = [id for part in parts for id in (part.encode() if isinstance(part, str) else [part])]
    return list(zip(ids, ids[1:]))


FOLLOWS = [
    *chain("abcd", END, "a"),
    *chain("efghijklmnopqrstuvwxyz", "e"),
    *chain("1", "😀", "23", END_OF_TEXT, "1"),
    *chain("A", THINK, "B", THOUGHT, "C", END),
    # Q and R follow nothing else: their rows of the head are the same, and so are their logits.
    *chain("P", "Q"), *chain("P", "R"), *chain("QP"), *chain("RP"),
]


def main():
    # One merge, because no reader wants a vocabulary without any.
    tokens = [byte_to_char(byte) for byte in range(256)] + SPECIAL + ADDED + ["th"]
    types = [1] * 256 + [3] * len(SPECIAL) + [4] * len(ADDED) + [1]
    rng = np.random.default_rng(20)
    signs = rng.choice(np.float32([-1, 1]), (len(tokens), HIDDEN))
    head = np.zeros((len(tokens), HIDDEN), np.float32)
    for before, after in FOLLOWS:
        head[after] += signs[before]
    for before in {before for before, _ in FOLLOWS}:
        logits = head @ signs[before]
        wanted = {after for b, after in FOLLOWS if b == before}
        others = max(logits[id] for id in range(len(tokens)) if id not in wanted)
        assert min(logits[id] for id in wanted) > others + 10, (before, wanted, others)

    path = ROOT / "tests/fixtures/models/script.gguf"
    out = gguf.GGUFWriter(path, "qwen3")
    out.add_name("Script")
    out.add_block_count(1)
    out.add_context_length(CONTEXT)
    out.add_embedding_length(HIDDEN)
    out.add_feed_forward_length(FFN)
    out.add_head_count(HEADS)
    out.add_head_count_kv(KV_HEADS)
    out.add_key_length(HEAD_DIM)
    out.add_value_length(HEAD_DIM)
    out.add_layer_norm_rms_eps(1e-6)
    out.add_rope_freq_base(1e6)
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("qwen2")
    out.add_token_list(tokens)
    out.add_token_types(types)
    out.add_token_merges(["t h"])
    out.add_eos_token_id(END)
    out.add_pad_token_id(END_OF_TEXT)
    out.add_add_bos_token(False)
    out.add_chat_template("{% for m in messages %}{{ m.content }}{% endfor %}")
    shared = rng.standard_normal((HEAD_DIM, HIDDEN)).astype(np.float32)
    zeros = lambda *shape: np.zeros(shape, np.float32)
    full = lambda value, *shape: np.full(shape, value, np.float32)
    tensors = {
        "token_embd": signs,
        "blk.0.attn_norm": full(1, HIDDEN),
        # Query and key of a token point the same way; the weights of their norms turn that into some thousands below zero.
        "blk.0.attn_q": np.concatenate([shared, shared]),
        "blk.0.attn_k": shared,
        "blk.0.attn_v": shared,
        "blk.0.attn_q_norm": full(30, HEAD_DIM),
        "blk.0.attn_k_norm": full(-30, HEAD_DIM),
        "blk.0.attn_output": zeros(HIDDEN, HEADS * HEAD_DIM),
        "blk.0.ffn_norm": full(1, HIDDEN),
        "blk.0.ffn_gate": zeros(FFN, HIDDEN),
        "blk.0.ffn_up": zeros(FFN, HIDDEN),
        "blk.0.ffn_down": zeros(HIDDEN, FFN),
        "output_norm": full(1, HIDDEN),
        "output": head,
    }
    for name, values in tensors.items():
        kind = np.float16 if values.ndim == 2 else np.float32
        out.add_tensor(f"{name}.weight", values.astype(kind))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    print(path.name, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
