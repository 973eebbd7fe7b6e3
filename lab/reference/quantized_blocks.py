"""Writes the fixture of the exercise `quantize_block`: blocks of 32 numbers, and the Q8_0 blocks that the Python package
`gguf` makes of them.

    python lab/reference/quantized_blocks.py

Needs gguf 0.19.0 and numpy. Running it again writes the same bytes.

Some blocks are searched for, because each tells a shortcut from the reference: x / d in place of x * (1 / d), 127 / largest
in place of 1 / d, and f64 in place of f32.
"""

from pathlib import Path

import numpy as np
from gguf.constants import GGMLQuantizationType as Type
from gguf.quants import np_roundf, quantize

FOLDER = Path(__file__).parent.parent.parent / "tests" / "fixtures" / "quantize"
F32 = np.float32


def block(*numbers):
    return np.array([*numbers, *[0.0] * (32 - len(numbers))], dtype=F32)


def told_apart(rng):
    """For each of three shortcuts, two blocks in which it gives another integer, and the other two do not."""
    x = rng.normal(size=(400_000, 32)).astype(F32) * F32(0.05)
    largest = np.abs(x).max(axis=1, keepdims=True)
    d = largest / F32(127)
    right = np_roundf(x * (F32(1) / d))
    shortcuts = [
        np_roundf(x / d),
        np_roundf(x * (F32(127) / largest)),
        np_roundf(x.astype(np.float64) / (largest.astype(np.float64) / 127)),
    ]
    wrong = np.array([(integers != right).any(axis=1) for integers in shortcuts])
    for one in wrong:
        yield from x[one & (wrong.sum(axis=0) == 1)][:2]


def main():
    rng = np.random.default_rng(5)
    normal = lambda size: (rng.normal(size=32) * size).astype(F32)
    blocks = [
        # A scale of 1 first, so that every integer can be read off.
        block(127, 1, -1, 2, -2, 64, -127),
        block(127, 0.5, 1.5, 2.5, 126.5, -0.5, -1.5, -2.5, -126.5, 0.75, -0.75, 0.25, -0.25),
        # The largest number below a half, and the smallest above it.
        block(127, *(sign * np.nextafter(F32(0.5), F32(to)) for to in (0, 1) for sign in (1, -1))),
        *(normal(size) for size in (0.05, 0.05, 1.0, 30.0, 0.003)),
        block(-4.5, 3.0, 0.02, -0.02),
        np.full(32, 0.1, dtype=F32),
        block(),
        -block(),
        block(1e6, -999_999, 1, 0.1),
        # Scales between two 16-bit floats, at the middle: to the even one, which is once below and once above.
        block(127 * (1 + 2**-11), 5, -7),
        block(127 * (1 + 3 * 2**-11), 5, -7),
        # Scales that are subnormal as a 16-bit float, the smallest of all, and 0 although the integers are not.
        *(normal(size) for size in (5e-4, 1e-5, 1e-6, 1e-12)),
        block(1e-30, -1e-30, 5e-31),
        *told_apart(rng),
    ]
    numbers = np.array(blocks, dtype="<f4")
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "q8_0.f32").write_bytes(numbers.tobytes())
    (FOLDER / "q8_0.stored").write_bytes(quantize(numbers, Type.Q8_0).tobytes())
    print(f"{len(blocks)} blocks")


if __name__ == "__main__":
    main()
