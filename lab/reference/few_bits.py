"""What does the tiny model write if its weights have fewer bits?

    python few_bits.py REPOSITORY_ROOT PROGRAM

Each block of the embedded Q8_0 file is rounded once more, to the nearest of the 2^bits - 1 levels that are as far from each
other and reach from the largest weight to its opposite, and stored as a block of Q8_0 again: so every program reads it. PROGRAM
is chapter 5's. Needs Python with nothing installed. Writes book/measurements/ch05-few-bits.json, with one of the blocks.
"""

import json
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

Q8_0, BLOCK = 8, 34
BITS = [8, 7, 6, 5, 4, 3, 2]
PROMPT, TOKENS = "Once upon a time", 32
SHOWN = ("blk.0.attn_q.weight", 3)  # the block in the book's figure


def tensors(data):
    """(name, type, numbers, where) of each tensor of a GGUF file."""
    at = 8

    def take(form):
        nonlocal at
        (value,) = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize(form)
        return value

    def text():
        nonlocal at
        length = take("Q")
        at += length
        return data[at - length : at].decode()

    def value(kind):
        if kind == 8:
            return text()
        if kind == 9:
            of, count = take("I"), take("Q")
            return [value(of) for _ in range(count)]
        return take("BbHhIif?"[kind] if kind < 8 else {10: "Q", 11: "q", 12: "d"}[kind])

    count, keys = take("Q"), take("Q")
    about = {}
    for _ in range(keys):
        name = text()
        about[name] = value(take("I"))
    found = []
    for _ in range(count):
        name = text()
        numbers = 1
        for _ in range(take("I")):
            numbers *= take("Q")
        found.append((name, take("I"), numbers, take("Q")))
    unit = about.get("general.alignment", 32)
    start = -(-at // unit) * unit
    return [(name, kind, numbers, start + where) for name, kind, numbers, where in found]


def rounded(ints, bits):
    """The levels of 32 integers, and how many of their steps the largest integer is."""
    most, half = max(map(abs, ints)), 2 ** (bits - 1) - 1
    return [round(int_ * half / most) if most else 0 for int_ in ints], most / half


def with_bits(data, bits):
    data = bytearray(data)
    for _, kind, numbers, where in tensors(data):
        for block in range(where, where + numbers // 32 * BLOCK, BLOCK) if kind == Q8_0 else ():
            scale, *ints = struct.unpack_from("<e32b", data, block)
            levels, step = rounded(ints, bits)
            struct.pack_into("<e32b", data, block, scale * step, *levels)
    return data


def main():
    root, program = Path(sys.argv[1]), sys.argv[2]
    data = (root / "src/ground/embedded/tiny-qwen3.gguf").read_bytes()
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for bits in BITS:
            file = Path(folder) / f"{bits}.gguf"
            file.write_bytes(data if bits == 8 else with_bits(data, bits))
            words = [program, "--model", file, "-n", str(TOKENS), PROMPT]
            texts[bits] = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
            print(bits, texts[bits], flush=True)
    where = {name: where for name, _, _, where in tensors(data)}
    _, *block = struct.unpack_from("<e32b", data, where[SHOWN[0]] + SHOWN[1] * BLOCK)
    found = {
        "about": {"date": time.strftime("%Y-%m-%d")},
        "command": "python lab/reference/few_bits.py . target/release/ch05-quantized-weights",
        "model": "src/ground/embedded/tiny-qwen3.gguf",
        "prompt": PROMPT,
        "tokens": TOKENS,
        "block": {"tensor": SHOWN[0], "number": SHOWN[1], "ints": block},
        "texts": texts,
    }
    (root / "book/measurements/ch05-few-bits.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
