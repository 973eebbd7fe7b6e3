"""The tokenizer: a byte-level BPE with Qwen2's rules, learnt from our own text.

    python vocabulary.py TEXT_DIR        writes TEXT_DIR/tokenizer.json
"""

import argparse
import json
import re
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

SIZE = 1536
# Qwen2's rule for where words begin and end; files name it `tokenizer.ggml.pre = qwen2`.
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
THINK = ["<think>", "</think>"]


def bare(vocab=None, merges=None):
    """A tokenizer that knows no special token: their text is cut up like any other."""
    tok = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    tok.normalizer = normalizers.NFC()
    tok.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    tok.decoder = decoders.ByteLevel()
    return tok


def with_specials(tok):
    tok.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in CONTROL])
    tok.add_tokens([AddedToken(t, special=False, normalized=False) for t in THINK])
    return tok


def main():
    args = argparse.ArgumentParser()
    args.add_argument("text", type=Path)
    folder = args.parse_args().text
    specials = re.compile("|".join(re.escape(t) for t in CONTROL + THINK))

    def lines():
        with open(folder / "train.jsonl", encoding="utf-8") as docs:
            for number, line in enumerate(docs):
                if number == 40_000:
                    return
                for text, _ in json.loads(line):
                    yield specials.sub("", text)

    tok = bare()
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE - len(CONTROL) - len(THINK),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tok.train_from_iterator(lines(), trainer)
    with_specials(tok)
    assert tok.get_vocab_size() == SIZE
    tok.save(str(folder / "tokenizer.json"))


if __name__ == "__main__":
    main()
