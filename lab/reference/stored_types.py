"""Writes the fixtures of tests/stored_types.rs: stored bytes of every tensor type, and the
numbers that the Python package `gguf` (written by nobody here) turns them into.

    python lab/reference/stored_types.py

Needs gguf 0.19.0 and numpy. Running it again writes the same bytes.

Every type gets random blocks and the extremes: scales of zero, minus zero, the smallest and the
largest subnormal, the largest of all; integers all 0, all ones, -128, -127, 127. Scales are never
infinite or NaN: what the sign of a NaN is after a multiplication depends on the processor.
"""

from pathlib import Path

import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type
from gguf.quants import dequantize

FOLDER = Path(__file__).parent.parent.parent / "tests" / "fixtures" / "stored"

# Where in a block the 16-bit scales lie.
SCALES = {Type.Q8_0: [0], Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208]}
# Types that the ground floor rewrites. The scale of MXFP4 is a byte, and any byte will do.
SCALES |= {Type.Q5_0: [0], Type.IQ4_NL: [0], Type.Q3_K: [108], Type.MXFP4: []}

# 0, -0, smallest subnormal and its negative, largest subnormal, smallest normal, 1, -1, largest.
EXTREME_SCALES = [0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF]
EXTREME_BYTES = [0x00, 0xFF, 0x7F, 0x80, 0x81, 0x0F, 0xF0]


def quantised(kind, rng):
    size = GGML_QUANT_SIZES[kind][1]
    blocks = []
    for number in range(8):
        block = rng.integers(0, 256, size, dtype=np.uint8)
        for at in SCALES[kind]:
            scale = np.float16(rng.normal() * 10.0 ** -(number % 5))
            block[at : at + 2] = np.frombuffer(scale.tobytes(), dtype=np.uint8)
        blocks.append(block)
    # Each extreme scale with random integers, and each extreme integer with two scales.
    extremes = [(scale, None) for scale in EXTREME_SCALES]
    extremes += [(scale, byte) for byte in EXTREME_BYTES for scale in (0x2E66, 0x8000)]
    for scale, byte in extremes:
        block = rng.integers(0, 256, size, dtype=np.uint8)
        if byte is not None:
            block[:] = byte
        for at in SCALES[kind]:
            block[at : at + 2] = scale & 0xFF, scale >> 8
        blocks.append(block)
    return np.concatenate(blocks)


def sixteen_bits(kind, rng):
    """Random patterns and all the edges; of the NaNs only quiet ones."""
    fraction = 10 if kind == Type.F16 else 7
    infinity = 0x7FFF >> fraction << fraction
    smallest_normal = 1 << fraction
    patterns = [0, 1, 2, smallest_normal - 1, smallest_normal, smallest_normal + 1]
    patterns += [infinity - 1, infinity, infinity | smallest_normal >> 1]
    patterns += [pattern | 0x8000 for pattern in patterns]
    random = rng.integers(0, 1 << 16, 1000)
    patterns += [int(bits) for bits in random if bits & 0x7FFF < infinity]
    return np.array(patterns, dtype="<u2").view(np.uint8)


def thirty_two_bits(rng):
    edges = [0, 1 << 31, 1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000]
    random = rng.integers(0, 1 << 32, 500)
    patterns = edges + [int(bits) for bits in random if bits & 0x7FFFFFFF < 0x7F800000]
    return np.array(patterns, dtype="<u4").view(np.uint8)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for kind in [Type.F32, Type.F16, Type.BF16, *SCALES]:
        rng = np.random.default_rng(int(kind))
        if kind == Type.F32:
            stored = thirty_two_bits(rng)
        elif kind in (Type.F16, Type.BF16):
            stored = sixteen_bits(kind, rng)
        else:
            stored = quantised(kind, rng)
        numbers = dequantize(stored, kind).astype("<f4")
        name = kind.name.lower()
        (FOLDER / f"{name}.stored").write_bytes(stored.tobytes())
        (FOLDER / f"{name}.f32").write_bytes(numbers.tobytes())
        print(f"{kind.name}: {stored.size} bytes -> {numbers.size} numbers")


if __name__ == "__main__":
    main()
