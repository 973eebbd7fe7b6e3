"""What the reference says of one untied layer as wide as those of Qwen3-1.7B: tests/fixtures/judge/family.json and, in Q8_0,
family-q8_0.json there and in the folders for engines that round.

    cargo run -- synth MODEL --shape qwen3-1.7b --layers 1 --vocab 331 --seed 9 --untied --type f16
    python family.py REPOSITORY_ROOT MODEL

and once more with q8_0. The files have 100 and 54 MB and are not in the repository: tests/family.rs writes them again,
to the byte.
"""

import argparse
import json
import zlib
from pathlib import Path

import gguf

import judge
import reference
import rounded

LENGTHS = (1, 7, 33)


class Untold(reference.File):
    """A file whose made-up vocabulary is asked for no text."""

    def __init__(self, path):
        self.reader = gguf.GGUFReader(str(path))
        self.tensors = {t.name: t for t in self.reader.tensors}
        self.tokens = self.get("tokenizer.ggml.tokens")

    def encode(self, text):
        return [zlib.crc32(text.encode()) % 256]  # any id will do to begin with

    def decode(self, ids):
        return ""


def write(out, cases, **more):
    hidden = {"prompt_ids": [], "embedding": [], "layers": []}  # 2,048 numbers a row: too many to keep
    found = {"model_file": "", "cases": cases, "hidden": hidden} | more
    out.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
    print(out, out.stat().st_size, "bytes")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("root", type=Path)
    args.add_argument("model", type=Path)
    args = args.parse_args()
    reference.steady()
    judge.STEPS = 8
    file, folder = Untold(args.model), args.root / "tests/fixtures/judge"
    name = "family.json" if file.tensors["output.weight"].tensor_type == gguf.GGMLQuantizationType.F16 else "family-q8_0.json"
    model = file.model()
    cases = [judge.examine(file, model, f"{n}-ids", False, n == 7, judge.random_ids(file, n)) for n in LENGTHS]
    write(folder / name, cases)
    if name == "family.json":
        return
    model = rounded.model(file)
    write(folder / "rounded" / name, [judge.sure_case(file, model, n) for n in LENGTHS[:2]])
    rounded.in_sixteen_bits(model.watch)
    tolerance = max(3 * rounded.apart(model, case["prompt_ids"] + case["generated_ids"]) for case in cases)
    cases = [judge.again(file, model, case, sure=0) for case in cases]
    write(folder / "f16" / name, cases, tolerance=judge.number(tolerance))


if __name__ == "__main__":
    main()
