"""The reference implementation, with the input of every product with quantised weights rounded to 8 bits.

From chapter 5 on an engine does not widen quantised weights. It rounds each row of x instead, in blocks of 32, and
multiplies integers. That is another function than the reference computes, so it has a judgement of its own
(`judge.py --rounded`). This is its definition once more, with nothing of the engine in it:

    d = max|x| / 127;  q = round(x * (1 / d)), ties to even;  all in f32, and a block without a finite 1 / d is 0
    out = 0;  for each group of weights with one scale s, in order:  out = fma(s * d, sum(w * q), out)

The sum is one of integers: none of its partial sums needs more than 24 bits, so f32 holds it exactly in any order.

A rounding is a step. Two programs that differ in the last bit of an x can differ by one whole q. That moves all that
comes after it, more roundings fall the other way, and after a few layers the two are as far apart as if they had rounded
at random. So the model runs several times at once here, with the last bits of every x changed at random. A position is
sure if every run rounds everything in it and before it to the same q.
"""

import gguf
import numpy as np
import torch
from transformers import DynamicCache

import to_gguf

BLOCK = 32
QUANTISED = {gguf.GGMLQuantizationType.Q8_0}  # what our files have; to_gguf.py writes no other
RUNS, NOISE = 8, 5e-7  # four times as far as two f32 programs are apart: README.md


def rounded(x):
    """x: f32 [rows, width] -> (d: f32 [rows, blocks], q: whole numbers in f32 [rows, blocks, BLOCK])"""
    blocks = x.reshape(x.shape[0], -1, BLOCK)
    d = blocks.abs().amax(dim=2) / 127
    one_over = 1 / d
    usable = torch.isfinite(one_over)
    d, one_over = torch.where(usable, d, 0), torch.where(usable, one_over, 0)
    return d, torch.round(blocks * one_over[..., None])  # torch rounds ties to even


class Rounded(torch.nn.Module):
    """In place of a Linear layer: the product with a Q8_0 tensor as it is in the file."""

    def __init__(self, tensor, watch):
        super().__init__()
        assert tensor.tensor_type in QUANTISED, tensor.tensor_type
        blocks = np.asarray(tensor.data).reshape(tensor.data.shape[0], -1, 2 + BLOCK)  # an f16, then the integers
        self.scale = torch.from_numpy(blocks[..., :2].copy().view(np.float16)[..., 0].astype(np.float32))  # [out, blocks]
        weight = torch.from_numpy(blocks[..., 2:].copy().view(np.int8).astype(np.float32))  # [out, blocks, BLOCK]
        self.weight = weight.permute(1, 2, 0).contiguous()  # [blocks, BLOCK, out]
        self.watch = watch

    def forward(self, x):
        x = self.watch.disturb(x)
        d, q = rounded(x.reshape(-1, x.shape[-1]))
        self.watch.compare(q.reshape(*x.shape[:2], -1))
        sums = torch.bmm(q.transpose(0, 1), self.weight)  # [blocks, rows, out], exact
        out = torch.zeros(sums.shape[1:])
        for block in range(sums.shape[0]):
            factor = d[:, block, None] * self.scale[None, :, block]
            # One rounding for product and sum, as fma has: the product of two f32 is exact in f64.
            out = (factor.double() * sums[block].double() + out.double()).float()
        return out.reshape(*x.shape[:-1], -1)


class Watch:
    """Changes the last bits of what the runs after the first one multiply, and notes where they round otherwise."""

    def __init__(self):
        self.random = torch.Generator().manual_seed(1)
        self.differ = None  # for each position of the last pass

    def disturb(self, x):
        if x.shape[0] == 1:
            return x
        noise = torch.rand(x.shape, generator=self.random) * 2 - 1
        noise[0] = 0
        return x * (1 + NOISE * noise)

    def compare(self, q):
        if q.shape[0] == 1:
            return
        differ = (q != q[:1]).any(dim=2).any(dim=0)
        self.differ = differ if self.differ is None else self.differ | differ


def model(file):
    """The reference model of `file` with a `Rounded` in place of every Linear layer whose weight is quantised there."""
    model, watch = file.model(), Watch()
    tied = "output.weight" not in file.tensors
    for name, layer in list(model.named_modules()):
        if not isinstance(layer, torch.nn.Linear):
            continue
        source = "token_embd.weight" if tied and name == "lm_head" else to_gguf.file_name(name + ".weight")
        if file.tensors[source].tensor_type in QUANTISED:
            parent, _, child = name.rpartition(".")
            setattr(model.get_submodule(parent), child, Rounded(file.tensors[source], watch))
    model.watch = watch
    return model


def sure(model, ids):
    """How many of these tokens, from the first one on, are sure."""
    model.watch.differ = None
    model(torch.tensor([ids]).expand(1 + RUNS, -1), use_cache=False)
    differ = model.watch.differ.nonzero()
    return int(differ[0]) if len(differ) else len(ids)


class Disturbed:
    """`RUNS` disturbed runs beside an undisturbed one, token by token."""

    def __init__(self, model):
        self.model, self.cache = model, DynamicCache()

    def push(self, token):
        """The logits after this token, or None if it is not sure: then it was not taken."""
        self.model.watch.differ = None
        rows = self.model(torch.tensor([[token]]).expand(1 + RUNS, -1), past_key_values=self.cache, use_cache=True).logits
        if self.model.watch.differ.any():
            self.back(1)
            return None
        return rows[0, -1]

    def back(self, count):
        """Forgets the last tokens."""
        if count > 0:
            self.cache.crop(-count)
