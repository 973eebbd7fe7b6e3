"""What does it cost to keep keys and values in fewer bits?

    python cache_types.py REPOSITORY_ROOT

As in rounding.py, whose texts and figures these are: the tiny model reads stories with held-out names and new conversations,
and only keys (after their rotation) and values are rounded. `largest` is the largest of them in all texts. Writes
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


WAYS = {
    "f32": lambda x: x,
    "f16": lambda x: x.half().float(),
    "bf16": lambda x: x.bfloat16().float(),
    "blocks of 32, 8 bits": lambda x: symmetric(x.reshape(-1, x.shape[-1]), 32, scale=lambda d: d.half().float()).reshape(x.shape),
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
        modeling_qwen3.eager_attention_forward = rounded_first
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
