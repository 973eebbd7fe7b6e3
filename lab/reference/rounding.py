"""What does it cost to round the inputs of products to 8 bits, and does it matter how?

    python rounding.py REPOSITORY_ROOT [--other-engine]

The tiny model reads stories with held-out names and new conversations, once as it is and once for every way of rounding.
Only x is rounded here: what is compared has the same weights. Its matrices are used as they are in the file (Q8_0), and
quantised once more to Q4_0. (The K types need rows of 256 numbers, and here rows have 192, 384 and 512.) The logits of
every position are compared with those of the unrounded run:

    error       root mean square of the differences, as a part of the logits' own spread around the mean of their row
    worst       the largest difference
    first       how often the best token is the same
    perplexity  of the text
    kl          Kullback-Leibler divergence from the unrounded distribution, in millionths of a nat per token

`--other-engine` adds PyPI llama-cpp-python, on the same file and texts. Writes book/measurements/ch05-rounding.json.
"""

import argparse
import json
import math
import random
from pathlib import Path

import gguf
import numpy as np
import torch
import transformers

import reference
import stories
import talk
import to_gguf

SEED = 5  # 1 is the training's, 2 to 4 are the validation's
STORIES, CHATS = 16, 24


def away(x):
    """To the nearest whole number, halves away from zero."""
    return torch.sign(x) * torch.floor(x.abs() + 0.5)


def symmetric(x, block, scale=lambda d: d, nearest=torch.round):
    """x: [rows, width] -> the same, as q * d; `scale` says how d is stored"""
    blocks = x.reshape(x.shape[0], -1, block)
    d = blocks.abs().amax(dim=2, keepdim=True) / 127
    q = nearest(blocks * torch.where(d > 0, 1 / d, 0))
    return (q * scale(d)).reshape(x.shape)


def asymmetric(x, block):
    """Whole numbers from 0 to 255 between the smallest and the largest of the block."""
    blocks = x.reshape(x.shape[0], -1, block)
    low = blocks.amin(dim=2, keepdim=True)
    d = (blocks.amax(dim=2, keepdim=True) - low) / 255
    q = torch.round((blocks - low) * torch.where(d > 0, 1 / d, 0))
    return (low + q * d).reshape(x.shape)


def disturbed(x):
    """The last bits of x are others: what another program, as right as this one, may have."""
    return x * (1 + 2e-7 * (torch.rand(x.shape) * 2 - 1))


WAYS = {
    "not rounded": lambda x: x,
    "blocks of 16": lambda x: symmetric(x, 16),
    "blocks of 32": lambda x: symmetric(x, 32),
    "blocks of 64": lambda x: symmetric(x, 64),
    "whole rows": lambda x: symmetric(x, x.shape[1]),
    "blocks of 32, f16 scale": lambda x: symmetric(x, 32, scale=lambda d: d.half().float()),
    "blocks of 32, halves away from zero": lambda x: symmetric(x, 32, nearest=away),
    "blocks of 32, 0 to 255": lambda x: asymmetric(x, 32),
    "blocks of 32, last bits of x changed": lambda x: symmetric(disturbed(x), 32),
}
OURS = "blocks of 32"


class Product(torch.nn.Module):
    """A Linear layer that rounds its input in one of the ways."""

    def __init__(self, linear):
        super().__init__()
        self.linear, self.way = linear, WAYS["not rounded"]

    def forward(self, x):
        rounded = self.way(x.reshape(-1, x.shape[-1])).reshape(x.shape)
        return torch.nn.functional.linear(rounded, self.linear.weight)


def requantised(array, kind):
    return gguf.quants.dequantize(gguf.quants.quantize(array, kind), kind).astype(np.float32)


def with_products(file, kind):
    """The reference model with matrices of this type, and its products. The embedding stays: rows are only looked up."""
    model = file.model()
    tied = "output.weight" not in file.tensors
    products = []
    for name, layer in list(model.named_modules()):
        if isinstance(layer, torch.nn.Linear):
            source = "token_embd.weight" if tied and name == "lm_head" else to_gguf.file_name(name + ".weight")
            array = file.array(source)
            if file.tensors[source].tensor_type != kind:
                array = requantised(array, kind)
            layer.weight = torch.nn.Parameter(torch.from_numpy(array.copy()))
            parent, _, child = name.rpartition(".")
            products.append(Product(layer))
            setattr(model.get_submodule(parent), child, products[-1])
    return model, products


def texts(file):
    """The ids of each text, which never came up in training."""
    rng = random.Random(SEED)
    written = [stories.story(rng, held_names=True) + "<|endoftext|>" for _ in range(STORIES)]
    written += ["".join(text for text, _ in talk.chat(rng)) for _ in range(CHATS)]
    return [file.encode(text) for text in written]


def all_logits(model, rows):
    return [model(torch.tensor([ids]), use_cache=False).logits[0] for ids in rows]


def of_other_engine(path, rows, kind):
    """`kind`: in what llama.cpp keeps keys and values, 0 for f32 and 1 for f16 as it does by itself."""
    from llama_cpp import Llama
    engine = Llama(model_path=str(path), n_ctx=1024, n_threads=2, verbose=False, seed=0, logits_all=True, type_k=kind, type_v=kind)
    found = []
    for ids in rows:
        engine.reset()
        engine.eval(ids)
        found.append(torch.from_numpy(np.array(engine.scores[: len(ids)])))
    return found


def compared(found, wanted, rows):
    """Both: for each text [tokens, vocabulary]. A token is predicted by the row before it."""
    x, y = (torch.cat([one[:-1] for one in logits]).double() for logits in (found, wanted))
    targets = torch.cat([torch.tensor(ids[1:]) for ids in rows])
    p, q = torch.log_softmax(y, dim=1), torch.log_softmax(x, dim=1)
    spread = (y - y.mean(dim=1, keepdim=True)).pow(2).mean().sqrt()
    return {
        "error": float((x - y).pow(2).mean().sqrt() / spread),
        "worst": float((x - y).abs().max()),
        "first": float((x.argmax(dim=1) == y.argmax(dim=1)).double().mean()),
        "perplexity": math.exp(float(-q[torch.arange(len(targets)), targets].mean())),
        "kl": float((p.exp() * (p - q)).sum(dim=1).mean()) * 1e6,
    }


def show(name, row):
    print(f"  {name:38} {100 * row['error']:8.3f} % {row['worst']:8.3f} {100 * row['first']:8.2f} % {row['perplexity']:10.5f} {row['kl']:10.1f}", flush=True)


def digits(row):
    return {key: float(f"{value:.5g}") if key != "perplexity" else round(value, 5) for key, value in row.items()}


def key(name):
    """The name as the book's tables can refer to it: without a space."""
    return name.replace(",", "").replace(" ", "_")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("root", type=Path)
    args.add_argument("--other-engine", action="store_true")
    args = args.parse_args()
    reference.steady()
    torch.manual_seed(SEED)
    place = "src/ground/embedded/tiny-qwen3.gguf"
    file = reference.File(args.root / place)
    rows = texts(file)
    tokens = sum(len(ids) - 1 for ids in rows)
    result = {"model": place, "seed": SEED, "texts": len(rows), "predicted_tokens": tokens,
              "reference": {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0]}, "weights": {}}
    print(f"{len(rows)} texts, {tokens} predicted tokens")
    for kind in (gguf.GGMLQuantizationType.Q8_0, gguf.GGMLQuantizationType.Q4_0):
        model, products = with_products(file, kind)
        found = {}
        for name, way in WAYS.items():
            for product in products:
                product.way = way
            found[name] = all_logits(model, rows)
        plain = found["not rounded"]
        spread = torch.cat(plain).double()
        spread = float((spread - spread.mean(dim=1, keepdim=True)).pow(2).mean().sqrt())
        print(f"{kind.name}: the logits' spread is {spread:.3f}\n  {'':38} {'error':>10} {'worst':>8} {'first':>10} {'perplexity':>10} {'kl':>10}")
        table = {name: compared(logits, plain, rows) for name, logits in found.items()}
        if args.other_engine and kind == gguf.GGMLQuantizationType.Q8_0:
            from llama_cpp import __version__ as version
            result["other_engine"] = f"llama-cpp-python {version}"
            for name, number in (("llama.cpp, keys and values in f32", 0), ("llama.cpp", 1)):
                found[name] = of_other_engine(args.root / place, rows, number)
                table[name] = compared(found[name], plain, rows)
        for name, row in table.items():
            show(name, row)
        # Two programs that both round in our way, and differ in the last bits only.
        two = compared(found["blocks of 32, last bits of x changed"], found[OURS], rows)
        show("the last bits alone", two)
        result["weights"][kind.name] = {
            "spread": float(f"{spread:.5g}"), "ways": {key(name): digits(row) for name, row in table.items()}, "last_bits_alone": digits(two)}
    out = args.root / "book/measurements/ch05-rounding.json"
    out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
