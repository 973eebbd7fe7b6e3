"""Writes a trained model as a GGUF file: matrices in Q8_0, norms in F32, as the official Qwen3-0.6B file has them.

    python to_gguf.py TEXT_DIR OUT_DIR FILE.gguf
"""

import argparse
import json
from pathlib import Path

import gguf
import torch

import train
from vocabulary import CONTROL, THINK

LAYER = {  # the reference's name -> the file's name, inside one layer
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
    "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}
OUTSIDE = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight", "lm_head.weight": "output.weight"}


def file_name(name):
    """`model.layers.3.self_attn.q_proj.weight` -> `blk.3.attn_q.weight`"""
    if name in OUTSIDE:
        return OUTSIDE[name]
    _, _, layer, rest = name.split(".", 3)
    return f"blk.{layer}.{LAYER[rest.removesuffix('.weight')]}.weight"


def write(path, title, shape, weights, tokens, token_types, merges, template, matrix_type):
    """`weights`: name in the reference -> f32 array."""
    Q = gguf.GGMLQuantizationType
    out = gguf.GGUFWriter(str(path), "qwen3")
    out.add_type("model")
    out.add_name(title)
    out.add_block_count(shape["num_hidden_layers"])
    out.add_context_length(shape["max_position_embeddings"])
    out.add_embedding_length(shape["hidden_size"])
    out.add_feed_forward_length(shape["intermediate_size"])
    out.add_head_count(shape["num_attention_heads"])
    out.add_head_count_kv(shape["num_key_value_heads"])
    out.add_rope_freq_base(shape["rope_parameters"]["rope_theta"])
    out.add_layer_norm_rms_eps(shape["rms_norm_eps"])
    out.add_key_length(shape["head_dim"])
    out.add_value_length(shape["head_dim"])
    out.add_quantization_version(gguf.GGML_QUANT_VERSION)
    out.add_file_type({Q.Q8_0: gguf.LlamaFileType.MOSTLY_Q8_0, Q.F16: gguf.LlamaFileType.MOSTLY_F16}[matrix_type])
    out.add_tokenizer_model("gpt2")
    out.add_tokenizer_pre("qwen2")
    out.add_token_list(tokens)
    out.add_token_types(token_types)
    out.add_token_merges(merges)
    out.add_eos_token_id(tokens.index("<|im_end|>"))
    out.add_pad_token_id(tokens.index("<|endoftext|>"))
    out.add_bos_token_id(tokens.index("<|endoftext|>"))
    out.add_add_bos_token(False)
    out.add_chat_template(template)
    for name, values in sorted(weights.items(), key=lambda item: order(item[0])):
        kind = matrix_type if values.ndim == 2 else Q.F32
        data = gguf.quants.quantize(values, kind)
        out.add_tensor(file_name(name), data, raw_dtype=kind)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def token_list(vocab):
    """The learnt tokens, then the special ones, each with its type."""
    learnt = sorted(vocab, key=vocab.get)
    kinds = gguf.TokenType
    types = [kinds.NORMAL] * len(learnt) + [kinds.CONTROL] * len(CONTROL) + [kinds.USER_DEFINED] * len(THINK)
    return learnt + CONTROL + THINK, types


def chat_template():
    return (Path(__file__).parent / "chat_template.jinja").read_text(encoding="utf-8").rstrip("\n")


def order(name):
    """Embedding first, then the layers by number, then the rest."""
    parts = name.split(".")
    if parts[1] == "layers":
        return (1, int(parts[2]), list(LAYER).index(name.split(".", 3)[3].removesuffix(".weight")))
    return (0 if "embed" in name else 2, 0, name)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("text", type=Path)
    args.add_argument("trained", type=Path)
    args.add_argument("file", type=Path)
    args = args.parse_args()
    state = torch.load(args.trained / "checkpoint.pt")["model"]
    weights = {n: t.float().numpy() for n, t in state.items() if n != "lm_head.weight"}  # tied: the embedding is the head
    saved = json.loads((args.text / "tokenizer.json").read_text(encoding="utf-8"))
    tokens, types = token_list(saved["model"]["vocab"])
    merges = [" ".join(m) for m in saved["model"]["merges"]]
    write(args.file, "Tiny Qwen3 of One Diff at a Time", train.SHAPE, weights, tokens, types, merges, chat_template(), gguf.GGMLQuantizationType.Q8_0)
    print(args.file, args.file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
