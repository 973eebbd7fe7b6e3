"""What the reference says of one untied layer as wide as those of Qwen3-1.7B: tests/fixtures/judge/family.json.

    cargo run --release -- synth MODEL --shape qwen3-1.7b --layers 1 --vocab 331 --seed 9 --untied --type f16
    python family.py REPOSITORY_ROOT MODEL

The file has 100 MB and is not in the repository: tests/tests/family.rs writes it again, to the byte.
"""

import argparse
import json
from pathlib import Path

import gguf

import judge
import reference


class Untold(reference.File):
    """A file whose made-up vocabulary is asked for no text."""

    def __init__(self, path):
        self.reader = gguf.GGUFReader(str(path))
        self.tensors = {t.name: t for t in self.reader.tensors}
        self.tokens = self.get("tokenizer.ggml.tokens")

    def decode(self, ids):
        return ""


def main():
    args = argparse.ArgumentParser()
    args.add_argument("root", type=Path)
    args.add_argument("model", type=Path)
    args = args.parse_args()
    reference.steady()
    judge.STEPS = 8
    file = Untold(args.model)
    model = file.model()
    cases = [judge.examine(file, model, f"{n}-ids", False, n == 7, judge.random_ids(file, n)) for n in (1, 7, 33)]
    hidden = {"prompt_ids": [], "embedding": [], "layers": []}  # 2,048 numbers a row: too many to keep
    found = {"model_file": "", "cases": cases, "hidden": hidden}
    out = args.root / "tests/fixtures/judge/family.json"
    out.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
    print(out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
