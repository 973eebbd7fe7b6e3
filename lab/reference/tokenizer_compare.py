"""Compares our tokenizer with Python's `tokenizers`, built here from the same GGUF file's metadata.

    python lab/reference/tokenizer_compare.py FILE.gguf [COUNT]

Run it in the course's folder: it asks `cargo run -- encode-lines`. Needs the packages gguf, tokenizers and numpy.
Texts: random Unicode of several kinds, from a fixed seed. Exit status 1 and the first differing texts if anything
differs.
"""

import json
import random
import subprocess
import sys
import unicodedata

from gguf import GGUFReader
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

QWEN2 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CONTROL, ADDED, UNUSED = 3, 4, 5


def metadata(path):
    fields = GGUFReader(path).fields
    return (
        fields["tokenizer.ggml.tokens"].contents(),
        fields["tokenizer.ggml.token_type"].contents(),
        fields["tokenizer.ggml.merges"].contents(),
    )


def build(tokens, types, merges, added=True):
    vocabulary = {token: number for number, token in enumerate(tokens)}
    pairs = [tuple(merge.split(" ")) for merge in merges]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN2), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False, trim_offsets=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    if added:
        for token, kind in zip(tokens, types):
            if kind == CONTROL:
                tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False)])
            elif kind == ADDED:
                tokenizer.add_tokens([AddedToken(token, special=False, normalized=False)])
    return tokenizer


def random_texts(count, names, seed=20261121):
    """Random strings: any code point, one script, words, white space, accents, special tokens, digits."""
    rng = random.Random(seed)
    scripts = [(0x20, 0x7F), (0xA0, 0x250), (0x370, 0x530), (0x5D0, 0x6F0), (0x900, 0xE80)]
    scripts += [(0x1100, 0x1200), (0x2000, 0x2BFF), (0x3040, 0x3100), (0x4E00, 0x9FFF)]
    scripts += [(0xAC00, 0xD7A4), (0x1F300, 0x1FA00)]
    spaces = list(" \t\n\r\u00a0\u2003\u3000\u0085\u2028\u000b\u000c")
    accents = [chr(c) for c in range(0x300, 0x370)]
    words = "the I'm we'LL don't you've 'S 'd it's 12345 3.14 x=y; // naïve Straße".split()

    def anything():
        while True:
            c = rng.randrange(0x110000)
            if not 0xD800 <= c < 0xE000:
                return chr(c)

    def piece():
        kind = rng.randrange(9)
        if kind == 0:
            return "".join(anything() for _ in range(rng.randint(1, 8)))
        if kind <= 2:
            low, high = rng.choice(scripts)
            return "".join(chr(rng.randrange(low, high)) for _ in range(rng.randint(1, 12)))
        if kind == 3:
            return "".join(rng.choice(spaces) for _ in range(rng.randint(1, 5)))
        if kind == 4:
            return rng.choice("aeiounAEIOUN가각") + "".join(rng.choice(accents) for _ in range(rng.randint(1, 3)))
        if kind == 5:
            return rng.choice(names)
        if kind == 6:
            return unicodedata.normalize("NFD", rng.choice(words))
        if kind == 7:
            return "".join(rng.choice("'\".,;:!?-_()[]{}<>|/\\#@$%^&*+=~`") for _ in range(rng.randint(1, 6)))
        return rng.choice(["", " "]) + rng.choice(words)

    return ["".join(piece() for _ in range(rng.randint(1, 12))) for _ in range(count)]


OURS = ["cargo", "run", "--release", "--quiet", "--"]


def ours(path, texts):
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    run = subprocess.run([*OURS, "encode-lines", path], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in run.stdout.decode().split("\n")[:-1]]


def compare(path, texts):
    tokens, types, merges = metadata(path)
    whole, plain = build(tokens, types, merges), build(tokens, types, merges, added=False)
    answers = ours(path, texts)
    assert len(answers) == len(texts), "one answer for each text"
    wrong = 0
    for text, answer in zip(texts, answers):
        ids = whole.encode(text, add_special_tokens=False).ids
        expected = {
            "ids": ids,
            "ids_plain": plain.encode(text, add_special_tokens=False).ids,
            "decoded": whole.decode(ids, skip_special_tokens=True),
        }
        if answer != expected:
            wrong += 1
            if wrong <= 5:
                print(f"differs: {text!r}\n  ours      {answer}\n  reference {expected}")
    print(f"{len(texts) - wrong} of {len(texts)} texts equal: ids, ids without special tokens, and decoded text")
    return wrong == 0


if __name__ == "__main__":
    path = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    tokens, types, _ = metadata(path)
    names = [token for token, kind in zip(tokens, types) if kind in (CONTROL, ADDED)]
    sys.exit(0 if compare(path, random_texts(count, names)) else 1)
