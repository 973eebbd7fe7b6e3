"""What does it cost to keep keys and values in fewer bits?

    python cache_types.py REPOSITORY_ROOT

As in rounding.py, whose texts and figures these are: the tiny model reads stories with held-out names and new conversations,
and only keys (after their rotation) and values are rounded; for products of
integers, queries and weights as well. `largest` is the largest of them in all texts. Writes
book/measurements/ch08-cache-types.json.
"""

import json
import sys
from pathlib import Path

import torch
import transformers
from transformers.models.qwen3 import modeling_qwen3

import reference
from rounding import SEED, all_logits, compared, digits, key, show, symmetric, texts


def bits_of(fraction_bits):
    """As f32, with so many bits behind the point: no exponent is too small or too large."""
    def rounded(x):
        part, exponent = torch.frexp(x)
        return torch.ldexp(torch.round(part * 2.0 ** (fraction_bits + 1)) / 2.0 ** (fraction_bits + 1), exponent)
    return rounded


def integers(x, block, scale=lambda d: d):
    """In blocks of the last axis: whole numbers, and the scale of each."""
    blocks = x.reshape(*x.shape[:-1], -1, block)
    d = scale(blocks.abs().amax(dim=-1, keepdim=True) / 127)
    return torch.round(blocks * torch.where(d > 0, 1 / d, 0)), d


def multiplied_as_integers(module, query, k, v, mask, scaling, **named):
    """--kv-type q8_0: queries and keys in blocks of 32, a scale for each value, and weights, times that, in 32 positions."""
    def short(d):
        return d.bfloat16().float()
    query, k = (torch.mul(*integers(x, 32, scale)).reshape(x.shape) for x, scale in ((query, lambda d: d), (k, short)))
    v, d = integers(v, v.shape[-1], short)
    k, v, d = (x.repeat_interleave(module.num_key_value_groups, dim=1) for x in (k, v.squeeze(-2), d[..., 0, 0]))
    scores = query @ k.transpose(2, 3) * scaling
    weights = torch.softmax(scores if mask is None else scores + mask[..., : k.shape[2]], dim=-1) * d[:, :, None]
    padded = torch.nn.functional.pad(weights, (0, -weights.shape[-1] % 32))
    weights = torch.mul(*integers(padded, 32)).reshape(padded.shape)[..., : weights.shape[-1]]
    return (weights @ v).transpose(1, 2).contiguous(), weights


WAYS = {
    "f32": lambda x: x,
    "f16": lambda x: x.half().float(),
    "bf16": lambda x: x.bfloat16().float(),
    "blocks of 32, 8 bits": lambda x: symmetric(x.reshape(-1, x.shape[-1]), 32, scale=lambda d: d.half().float()).reshape(x.shape),
    "eight bits, multiplied as integers": multiplied_as_integers,
    "f16 without its small exponents": lambda x: torch.where(x.abs() < 2.0 ** -14, 0, x.half().float()),
    "10 bits and any exponent": bits_of(10),
}


def main():
    root = Path(sys.argv[1])
    reference.steady()
    place = "src/ground/embedded/tiny-qwen3.gguf"
    file = reference.File(root / place)
    rows = texts(file)
    model, attend = file.model(), modeling_qwen3.eager_attention_forward
    found, largest = {}, {"keys": 0.0, "values": 0.0}
    for name, way in WAYS.items():
        def rounded_first(module, query, k, v, *more, **named):
            largest["keys"] = max(largest["keys"], float(k.abs().max()))
            largest["values"] = max(largest["values"], float(v.abs().max()))
            return attend(module, query, way(k), way(v), *more, **named)
        modeling_qwen3.eager_attention_forward = way if way is multiplied_as_integers else rounded_first
        found[name] = all_logits(model, rows)
    table = {name: compared(logits, found["f32"], rows) for name, logits in found.items()}
    for name, row in table.items():
        show(name, row)
    result = {"model": place, "seed": SEED, "texts": len(rows), "predicted_tokens": sum(len(ids) - 1 for ids in rows),
              "reference": {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0]},
              "largest": {name: float(f"{number:.4g}") for name, number in largest.items()},
              "ways": {key(name): digits(row) for name, row in table.items()}}
    (root / "book/measurements/ch08-cache-types.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
