"""Compares our rendering of a chat template with jinja2's, set up as `transformers` sets it up.

    python lab/reference/chat_compare.py Qwen-Qwen3-0.6B.jinja

The template of the real Qwen3-0.6B lies in llama.cpp's `models/templates`, which the source package of
llama-cpp-python carries; it is not ours to commit.
"""

import itertools
import json
import subprocess
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

import turns

THOUGHT = "<think>\nTwo and two.\nThat is easy.\n</think>\n\nFour."
SYSTEM = ("system", "You are <b>brief</b> & \"kind\".")
CONVERSATIONS = [
    [("user", "Hello!")],
    [SYSTEM, ("user", "Hello!")],
    [("user", "What is 2 + 2?"), ("assistant", THOUGHT), ("user", "And 3 + 3?")],
    [SYSTEM, ("user", "What is 2 + 2?"), ("assistant", THOUGHT), ("user", "And 3 + 3?"), ("assistant", "Six.")],
    [("user", "What is 2 + 2?"), ("assistant", THOUGHT)],
    [("user", "What is 2 + 2?"), ("assistant", "Four.")],
    [("user", "Is 1 < 2 && 3 > 2? 'yes' \"no\" \\ {{ braces }} {% raw %} \U0001f98a e\u0301\n\ttab")],
    [("user", "")],
    [("user", "  spaces \n\n")],
    [("user", "one"), ("user", "two"), SYSTEM, ("user", "three")],
    [("user", "<tool_response>\n7\n</tool_response>")],
    [("user", "a"), ("assistant", "b</think>c"), ("user", "<tool_response>x</tool_response>"), ("assistant", THOUGHT)],
    [("user", "weather"), ("assistant", "looking"), ("tool", "sunny"), ("tool", "warm"), ("assistant", "Sunny.")],
    [turn for i in range(20) for turn in (("user", f"question {i}"), ("assistant", f"<think>\n{i}\n</think>\n\nanswer {i}"))],
    [("assistant", "I begin."), ("user", "Go on.")],
    [("user", "a\r\nb\u2028c\x00d\u00a0")],
]


def main(path):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda value, indent=None: json.dumps(value, ensure_ascii=False, indent=indent)
    template = environment.from_string(source)

    cases = []
    for said, thinking, prompt in itertools.product(CONVERSATIONS, (True, False), (True, False)):
        messages = [{"role": role, "content": content} for role, content in said]
        cases.append({"messages": messages, "enable_thinking": thinking, "add_generation_prompt": prompt})
    for (_, messages), thinking in itertools.product(turns.turns(), (True, False)):
        cases.append({"messages": messages, "enable_thinking": thinking, "add_generation_prompt": True})
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    ours = ["cargo", "run", "--release", "--quiet", "--", "render-chats", path]
    run = subprocess.run(ours, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in run.stdout.decode().split("\n")[:-1]]
    assert len(answers) == len(cases), "one answer for each case"

    wrong = 0
    for case, answer in zip(cases, answers):
        expected = template.render(**case)
        if answer != expected:
            wrong += 1
            print(f"differs: {case}\n  ours      {answer!r}\n  reference {expected!r}")
    print(f"{len(cases) - wrong} of {len(cases)} renderings of {len(CONVERSATIONS)} conversations and {len(turns.STEPS)} steps equal")
    return wrong == 0


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
