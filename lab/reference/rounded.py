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
sure if in it and before it every x / d is at least `FAR` times as far from a tie as any of the runs moved it.
"""

import gguf
import numpy as np
import torch
from transformers import DynamicCache
from transformers.models.qwen3 import modeling_qwen3

import to_gguf

BLOCK = 32
QUANTISED = {gguf.GGMLQuantizationType.Q8_0}  # what our files have; to_gguf.py writes no other
RUNS, NOISE, FAR = 8, 2e-7, 3  # such a run is one and a half times as far away as another f32 program: README.md


def rounded(x):
    """x: f32 [rows, width] -> (d: f32 [rows, blocks], x / d and q, its whole numbers: f32 [rows, blocks, BLOCK])"""
    blocks = x.reshape(x.shape[0], -1, BLOCK)
    d = blocks.abs().amax(dim=2) / 127
    one_over = 1 / d
    usable = torch.isfinite(one_over)
    d, one_over = torch.where(usable, d, 0), torch.where(usable, one_over, 0)
    exact = blocks * one_over[..., None]
    return d, exact, torch.round(exact)  # torch rounds ties to even


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
        d, exact, q = rounded(x.reshape(-1, x.shape[-1]))
        self.watch.compare(exact.reshape(*x.shape[:2], -1))
        sums = torch.bmm(q.transpose(0, 1), self.weight)  # [blocks, rows, out], exact
        out = torch.zeros(sums.shape[1:])
        for block in range(sums.shape[0]):
            factor = d[:, block, None] * self.scale[None, :, block]
            # One rounding for product and sum, as fma has: the product of two f32 is exact in f64.
            out = (factor.double() * sums[block].double() + out.double()).float()
        return out.reshape(*x.shape[:-1], -1)


class Angles(torch.nn.Module):
    """The rotation's angles in f64. The reference's own are f32: at position 200 they are off by 1e-5, more than all else."""

    def __init__(self, file):
        super().__init__()
        width, theta = file.get("qwen3.attention.key_length"), file.get("qwen3.rope.freq_base")
        self.frequencies = theta ** (torch.arange(0, width, 2, dtype=torch.float64) / -width)

    def forward(self, x, position_ids):
        angles = position_ids[..., None] * self.frequencies
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


class Watch:
    """Changes the last bits of what the runs after the first one multiply, and notes what is not sure."""

    def __init__(self):
        self.random = torch.Generator()
        self.unsure = None  # for each position of the last pass

    def begin(self):
        """So that what is found of one prompt does not depend on those before it."""
        self.random.manual_seed(1)
        self.unsure = None

    def disturb(self, x):
        if x.shape[0] == 1:
            return x
        noise = torch.rand(x.shape, generator=self.random) * 2 - 1
        noise[0] = 0
        return x * (1 + NOISE * noise)

    def compare(self, exact):
        """exact: [runs, rows, width]"""
        if exact.shape[0] == 1:
            return
        to_tie = 0.5 - (exact[0] - torch.round(exact[0])).abs()
        moved = (exact - exact[:1]).abs().amax(dim=0)
        unsure = (to_tie < FAR * moved).any(dim=1)
        self.unsure = unsure if self.unsure is None else self.unsure | unsure


def in_sixteen_bits(watch):
    """From now on the reference's attention is given keys and values that were rounded to f16, as a cache of chapter 8 keeps
    them: after the rotation, each number as the nearest that there is."""
    attend = modeling_qwen3.eager_attention_forward

    def rounded_first(module, query, key, value, *more, **named):
        key, value = (watch.disturb(rows).half().float() for rows in (key, value))
        return attend(module, query, key, value, *more, **named)

    modeling_qwen3.eager_attention_forward = rounded_first
    return attend


def apart(model, ids):
    """How far the logits of disturbed runs are from those of the undisturbed one, as a part of its largest: what near ties
    cost two right programs. And the same of the states after each layer."""
    model.watch.begin()
    found = model(torch.tensor([ids]).expand(1 + RUNS, -1), use_cache=False, output_hidden_states=True)
    worst = 0.0
    for rows in (found.logits, *found.hidden_states):
        largest = rows[0].abs().amax(dim=-1, keepdim=True)
        worst = max(worst, float(((rows[1:] - rows[:1]).abs() / largest).max()))
    return worst


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
    model.model.rotary_emb = Angles(file)
    model.watch = watch
    return model


def sure(model, ids):
    """How many of these tokens, from the first one on, are sure."""
    model.watch.begin()
    model(torch.tensor([ids]).expand(1 + RUNS, -1), use_cache=False)
    unsure = model.watch.unsure.nonzero()
    return int(unsure[0]) if len(unsure) else len(ids)


class Disturbed:
    """`RUNS` disturbed runs beside an undisturbed one, token by token."""

    def __init__(self, model):
        self.model, self.cache = model, DynamicCache()
        model.watch.begin()

    def push(self, token):
        """The logits after this token, or None if it is not sure: then it was not taken."""
        self.model.watch.unsure = None
        rows = self.model(torch.tensor([[token]]).expand(1 + RUNS, -1), past_key_values=self.cache, use_cache=True).logits
        if self.model.watch.unsure.any():
            self.back(1)
            return None
        return rows[0, -1]

    def back(self, count):
        """Forgets the last tokens."""
        if count > 0:
            self.cache.crop(-count)
