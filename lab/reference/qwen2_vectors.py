"""The public Qwen2 tokenizer vectors against our tokenizer.

    python lab/reference/qwen2_vectors.py ggml-vocab-qwen2.gguf

The vocabulary and its vectors (`.gguf`, `.gguf.inp`, `.gguf.out`) lie in llama.cpp's `models` folder, which the
source package of llama-cpp-python carries; they are not ours to commit. Texts in `.inp` are separated by a line
`__ggml_vocab_test__`; each line of `.out` holds the ids of one. llama.cpp does not normalise to NFC, the
reference does: a text that is not NFC would differ, and is named as such.
"""

import sys
import unicodedata

from tokenizer_compare import ours

path = sys.argv[1]
with open(path + ".inp", encoding="utf-8", newline="") as file:
    texts = file.read().split("\n__ggml_vocab_test__\n")
with open(path + ".out", encoding="utf-8") as file:
    expected = [[int(n) for n in line.split()] for line in file.read().split("\n")[:-1]]
# The vectors' own reader gives the last text no separator after it and a line end that is no part of it.
print(f"{len(texts)} texts, {len(expected)} lists of ids")
texts = texts[: len(expected)]

wrong = 0
for text, ids, answer in zip(texts, expected, ours(path, texts)):
    nfc = unicodedata.normalize("NFC", text)
    if answer["ids"] != ids or answer["ids_plain"] != ids or answer["decoded"] != nfc:
        wrong += 1
        note = "" if nfc == text else " (not NFC)"
        print(f"differs{note}: {text!r}\n  ours    {answer}\n  vectors {ids}")
print(f"{len(texts) - wrong} of {len(texts)} vectors equal")
sys.exit(1 if wrong else 0)
