"""Opens a GGUF file of ours in the reference implementation: dequantised weights in f32, eager attention, no cache."""

import gguf
import numpy as np
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

import to_gguf
import vocabulary


class File:
    """Metadata, tensors and tokenizer of a GGUF file, read with the `gguf` package."""

    def __init__(self, path):
        self.reader = gguf.GGUFReader(str(path))
        self.tensors = {t.name: t for t in self.reader.tensors}
        self.tokens = self.get("tokenizer.ggml.tokens")
        types = self.get("tokenizer.ggml.token_type")
        vocab = {t: i for i, (t, kind) in enumerate(zip(self.tokens, types)) if kind == gguf.TokenType.NORMAL}
        merges = [tuple(m.split(" ")) for m in self.get("tokenizer.ggml.merges")]
        self.plain_tokenizer = vocabulary.bare(vocab, merges)
        self.tokenizer = vocabulary.with_specials(vocabulary.bare(vocab, merges))
        assert all(self.tokenizer.token_to_id(t) == i for i, t in enumerate(self.tokens))

    def get(self, key):
        return self.reader.fields[key].contents()

    def encode(self, text):
        return self.tokenizer.encode(text).ids

    def decode(self, ids):
        return self.tokenizer.decode(ids, skip_special_tokens=False)

    def array(self, name):
        tensor = self.tensors[name]
        return gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)

    def model(self):
        tied = "output.weight" not in self.tensors
        shape = dict(
            vocab_size=len(self.tokens),
            hidden_size=self.get("qwen3.embedding_length"),
            intermediate_size=self.get("qwen3.feed_forward_length"),
            num_hidden_layers=self.get("qwen3.block_count"),
            num_attention_heads=self.get("qwen3.attention.head_count"),
            num_key_value_heads=self.get("qwen3.attention.head_count_kv"),
            head_dim=self.get("qwen3.attention.key_length"),
            max_position_embeddings=self.get("qwen3.context_length"),
            rms_norm_eps=self.get("qwen3.attention.layer_norm_rms_epsilon"),
            rope_parameters={"rope_type": "default", "rope_theta": self.get("qwen3.rope.freq_base")},
            tie_word_embeddings=tied, attention_bias=False, bos_token_id=None, eos_token_id=None,
        )
        model = Qwen3ForCausalLM(Qwen3Config(**shape, attn_implementation="eager")).float().eval()
        state = {}
        for name in model.state_dict():
            source = "token_embd.weight" if tied and name == "lm_head.weight" else to_gguf.file_name(name)
            state[name] = torch.from_numpy(self.array(source).copy())
        model.load_state_dict(state, strict=True)
        model.config.use_cache = False
        return model


def steady():
    """Makes a run repeatable to the bit on one machine."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.set_grad_enabled(False)


def logits(model, ids):
    """All logits of the last row, from scratch: nothing is cached."""
    return model(torch.tensor([ids]), use_cache=False, logits_to_keep=1).logits[0, -1]


def greedy(model, ids, steps):
    """Yields (token, logits) for each step; never stops early."""
    ids = list(ids)
    for _ in range(steps):
        row = logits(model, ids)
        token = int(torch.argmax(row))  # the first of equal maxima
        ids.append(token)
        yield token, row
