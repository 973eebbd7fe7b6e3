"""Small parts of a forward pass, computed by PyTorch and the reference implementation: norm, rotation, softmax, gate.

    python parts.py REPOSITORY_ROOT

Writes tests/fixtures/parts.json. Positions go to 40,000 and scores far out of the range of exp, where a wrong
pairing, a coarse angle or a forgotten maximum shows at once.
"""

import json
import sys
from pathlib import Path

import torch
from transformers.models.qwen3.modeling_qwen3 import Qwen3RMSNorm, rotate_half


def plain(tensor):
    return tensor.flatten().tolist()


def rope(head_dim, theta, position):
    """Angles in f64, so that the judge is exact where f32 no longer is; pairs as the reference pairs them."""
    x = torch.randn(2, head_dim)  # two heads
    frequencies = theta ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = torch.cat([position * frequencies] * 2)
    y = x.double() * angles.cos() + rotate_half(x.double()) * angles.sin()
    return {"head_dim": head_dim, "theta": theta, "position": position, "x": plain(x), "y": plain(y.float())}


def norm(width, eps, scale):
    x, weight = torch.randn(width) * scale, torch.randn(width)
    layer = Qwen3RMSNorm(width, eps=eps)
    layer.weight.data = weight
    return {"eps": eps, "x": plain(x), "weight": plain(weight), "y": plain(layer(x[None])[0].detach())}


def softmax(x):
    x = torch.tensor(x)
    return {"x": plain(x), "y": plain(torch.softmax(x.double(), -1).float())}


def main():
    torch.manual_seed(1)
    parts = {
        "rope": [rope(d, theta, p) for d, theta in [(8, 1e4), (64, 1e6), (128, 1e6)] for p in [0, 1, 5, 1000, 4097, 40000]],
        "rms_norm": [norm(w, eps, s) for w, eps, s in [(64, 1e-6, 1.0), (192, 1e-5, 1e-3), (192, 1e-6, 1e-4), (8, 1e-6, 100.0)]],
        "softmax": [softmax(x) for x in ([0.0], [1.0, 2.0, 3.0], [1000.0, 999.0, 0.0], [-1000.0, -1001.0, -999.5], [88.0, 89.0, 90.0],
                                         torch.randn(50).tolist())],
    }
    text = json.dumps(parts, separators=(",", ":")).replace("},{", "},\n{")
    (Path(sys.argv[1]) / "tests/fixtures/parts.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
