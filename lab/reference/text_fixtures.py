"""Writes the fixtures for the tokenizer and the chat template.

    python text_fixtures.py REPOSITORY_ROOT

Ids come from the Python package `tokenizers` with the vocabulary of the tiny model, renderings from `jinja2` with its
template, set up as `transformers` does.
"""

import argparse
import json
import random
from pathlib import Path

from jinja2.sandbox import ImmutableSandboxedEnvironment

import reference
import stories
import talk

SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"]
RANGES = [  # first and last code point: a few scripts, signs, combining marks, private use, beyond the basic plane
    (0x20, 0x7E), (0xA0, 0xFF), (0x100, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x531, 0x58F), (0x5D0, 0x5EA), (0x620, 0x64A),
    (0x660, 0x669), (0x904, 0x939), (0x966, 0x96F), (0xE01, 0xE3A), (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x1E00, 0x1EFF), (0x2000, 0x206F),
    (0x2150, 0x218B), (0x2200, 0x22FF), (0x3041, 0x30FF), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0xE000, 0xE0FF), (0xFB00, 0xFB06), (0xFF00, 0xFFEF),
    (0x1D400, 0x1D7FF), (0x1F300, 0x1F6FF), (0x20000, 0x2A6DF), (0xFE00, 0xFE0F),
]
BY_HAND = [
    "", " ", "  ", "   a", "a   ", "a  b", "\n", "\n\n", " \n ", "\r\n", "\r", "\t\t x", "a\n\n\nb", "a \n b", "hello\nworld", "x  \n  y", "\u00a0\u00a0a", "\u3000a", "\u2028a\u2029",
    "1", "12", "123", "2048", "3.14", "1,000,000", "a1b2", " 7 8", "\u0661\u0662", "\u00bd\u00b2", "\u2167", "\u4e00\u4e8c",
    "don't", "DON'T", "we'll they're I'm you've he'd it's", "'S 'LL", "it\u2019s", "'tis", "''s", "\u017f'\u017f",
    "e\u0301", "caf\u0065\u0301", "\u00e9", "A\u030a", "\u212b", "\u1100\u1161\u11a8", "\uac01", "q\u0323\u0307", "\u1e0b\u0323", "\u0958", "\ufb01", "\u2126",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f", "\U0001f98a fox", "\U0001f642\U0001f642\U0001f642",
    "\x00", "\x01\x02", "a\x00b", "\x7f", "\x1b[0m", "\ufeffa", "\ufffd", "\u200b", "\u200d", "\u202e abc",
    "!!!", "...", "a.b,c;d", "(a)", "-> =>", " !", " !\n", "!\n\n", "#include <x>", "{}[]", "\"quoted\"", "a_b", "__init__", "\u00a1hola!", "\u3002\uff0c",
    "Once upon a time", "Once upon a time, there was", "What is the capital of France?", "Count to ten.", "Supercalifragilistic", "iPhone15Pro", "HTTPServer",
    "<|endoftext|>", "<|im_start|>user\nHi<|im_end|>\n", "<think>\n\n</think>\n\n", "a<|im_end|>b", "<|im_end|><|im_end|>", " <|im_start|> ", "<|im_start|", "|im_start|>", "<|IM_START|>",
    "<|im_<|im_end|>start|>", "<think></think>", "< think>", "<thi", "</think", "<|endoftext|>Once", "e<think>\u0301", "<|endoftext|>\u0301", "\u0061<|im_end|>\u0301a",
]


def random_text(rng):
    parts = []
    for _ in range(rng.randint(1, 8)):
        kind = rng.random()
        if kind < 0.35:
            first, last = rng.choice(RANGES)
            parts.append("".join(chr(rng.randint(first, last)) for _ in range(rng.randint(1, 6))))
        elif kind < 0.5:
            parts.append(rng.choice(stories.FRIENDS + stories.GIRLS + list(talk.CAPITALS)))
        elif kind < 0.65:
            parts.append("".join(rng.choice(" \t\n\r\u00a0\u3000\v\f\u0085") for _ in range(rng.randint(1, 4))))
        elif kind < 0.75:
            parts.append(str(rng.randrange(10 ** rng.randint(1, 9))))
        elif kind < 0.85:
            parts.append(rng.choice(SPECIALS))
        elif kind < 0.92:
            parts.append(rng.choice("aeiounAEIOUN") + chr(rng.randint(0x300, 0x32F)) * rng.randint(1, 2))
        else:
            parts.append(rng.choice(["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'RE", "'", "\"", "...", "?!", " - ", chr(rng.randrange(32))]))
    return (" " if rng.random() < 0.3 else "").join(parts)


def conversations():
    def say(*pairs):
        return [{"role": role, "content": content} for role, content in pairs]

    hello = say(("user", "Hello!"))
    two = say(("user", "My name is Petra."), ("assistant", "Hello, Petra! How can I help you?"), ("user", "What is my name?"))
    old = say(("user", "What is 2 + 3?"), ("assistant", "<think>\nStart at 2 and count up 3: 3, 4, 5.\n</think>\n\n2 + 3 = 5."), ("user", "And 3 + 3?"))
    system = say(("system", "You are a friendly teacher."))
    signs = say(("user", "Is 1 < 2 && 3 > 2? \"Yes\" & 'no' \\ {{ braces }} {% raw %} \U0001f98a \u00e9\n\ttab"))
    last = say(("user", "What is 1 + 1?"), ("assistant", "<think>\nStart at 1.\n</think>\n\n1 + 1 = 2."))
    apart = [{"role": "user", "content": "What is 1 + 1?"}, {"role": "assistant", "reasoning_content": "Start at 1.", "content": "1 + 1 = 2."}]
    long = [m for i in range(4) for m in say(("user", f"What comes after {talk.NUMBERS[i]}?"), ("assistant", f"After {talk.NUMBERS[i]} comes {talk.NUMBERS[i + 1]}."))] + hello
    for messages in (hello, two, old, system + hello, system + old, signs, system + two + last[1:] + hello, long, say(("user", "")), say(("user", "  spaces \n")),
                     apart + hello, say(("user", "a"), ("user", "b"))):
        for thinking in (True, False):
            yield messages, thinking, True
    for messages in (hello, last, apart, system + two, old + last[1:], say(("user", "Hi"), ("assistant", "Hello!")), last[1:], system):
        yield messages, True, False


def main():
    args = argparse.ArgumentParser()
    args.add_argument("root", type=Path)
    root = args.parse_args().root
    file = reference.File(root / "src/ground/embedded/tiny-qwen3.gguf")
    compact = dict(ensure_ascii=True, separators=(",", ":"))

    rng = random.Random(11)
    texts = BY_HAND + [random_text(rng) for _ in range(860)] + [stories.story(rng)[:200] for _ in range(30)] + [talk.poem(rng)[2] for _ in range(10)]
    cases = [{"text": t, "ids": file.encode(t), "ids_plain": file.plain_tokenizer.encode(t).ids} for t in texts]
    for case in cases:  # nothing may be lost: decoding gives the text back, up to NFC
        assert file.decode(case["ids_plain"]) == file.plain_tokenizer.normalizer.normalize_str(case["text"])
    out = root / "tests/fixtures/tokenizer/tiny-qwen3.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text('{"cases":[\n' + ",\n".join(json.dumps(c, **compact) for c in cases) + "\n]}\n", encoding="utf-8")
    print(out.name, len(cases), "cases")

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
    environment.filters["tojson"] = lambda x, indent=None: json.dumps(x, ensure_ascii=False, indent=indent)
    template = environment.from_string(file.get("tokenizer.chat_template"))
    cases = [
        {"messages": m, "enable_thinking": t, "add_generation_prompt": g, "rendered": template.render(messages=m, enable_thinking=t, add_generation_prompt=g)}
        for m, t, g in conversations()
    ]
    out = root / "tests/fixtures/chat/cases.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text('{"template":"embedded","cases":[\n' + ",\n".join(json.dumps(c, **compact) for c in cases) + "\n]}\n", encoding="utf-8")
    print(out.name, len(cases), "cases")


if __name__ == "__main__":
    main()
