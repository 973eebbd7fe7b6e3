"""Writes what the reference says far into a long prompt: tests/fixtures/long.json.

    python long_context.py REPOSITORY_ROOT

Both models read more tokens than they were made for; the reference does what it is told, and so must an engine. All
weights are widened to f32, so nothing is rounded. The rotation's angles are in f64 here (`rounded.Angles`): the
reference's own are f32, and it says how far that takes it.
"""

import hashlib
import json
import sys
from pathlib import Path

import torch

import judge
import reference
import rounded

TOKENS, POSITIONS, TOP = 6001, [0, 1000, 2047, 4095, 4096, 4097, 5000, 6000], 8
NAMES = ["untied-one-kv", "tiny-qwen3"]


def prompt(vocab):
    """The upper bits of a linear congruential generator: the test makes the same ids."""
    ids, state = [], 1
    for _ in range(TOKENS):
        state = (state * 1664525 + 1013904223) % 2**32
        ids.append((state >> 8) % vocab)
    return ids


def main():
    root = Path(sys.argv[1])
    reference.steady()
    models = []
    for name in NAMES:
        place = root / judge.FILES[name]
        file = reference.File(place)
        model, ids = file.model(), torch.tensor([prompt(len(file.tokens))])
        rows = lambda: model(ids, use_cache=False, logits_to_keep=torch.tensor(POSITIONS)).logits[0]
        own = rows()
        model.model.rotary_emb = rounded.Angles(file)
        found = rows()
        positions = []
        for position, row, other in zip(POSITIONS, found, own):
            best, spread = torch.topk(row, TOP), float(row.max() - row.min())
            off = float((row - other).abs().max()) / spread
            print(f"{name}, position {position}: spread {spread:.3g}; with f32 angles off by {off:.1g} of it", flush=True)
            positions.append({"position": position, "spread": judge.number(spread),
                              "best": [[int(i), judge.number(v)] for i, v in zip(best.indices, best.values)]})
        models.append({"model": name, "model_sha256": hashlib.sha256(place.read_bytes()).hexdigest(),
                       "last_ids": ids[0, -4:].tolist(), "positions": positions})
    lines = ",\n".join(json.dumps(model, separators=(",", ":")) for model in models)
    (root / "tests/fixtures/long.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
