"""Writes the fixture of conversations in which turns are taken back: tests/fixtures/chat/turns.json.

    python turns.py REPOSITORY_ROOT

Renderings come from `jinja2` with the tiny model's template, set up as `transformers` does. An answer is kept as the model
wrote it; a thought that was cut short was closed.
"""

import json
import sys
from pathlib import Path

from jinja2.sandbox import ImmutableSandboxedEnvironment

FRANCE = ("What is the capital of France?", "The capital of France is Paris.")
THOUGHT = ("What is 2 + 3?", "<think>\nStart at 2 and count up 3: 3, 4, 5.\n</think>\n\n2 + 3 = 5.")
CUT = ("Count to ten.", "<think>\nStart at one and\n</think>\n\n")
NOTHING = ("Go on.", "")
STEPS = [
    ("ask", *FRANCE), ("ask", *THOUGHT), ("ask", *CUT), ("undo",), ("ask", *THOUGHT), ("ask", *NOTHING), ("undo",), ("undo",),
    ("ask", "Is 1 < 2? \"Yes\" & 'no' {{ x }}\n", "  Yes.\n"), ("reset",), ("ask", *CUT), ("ask", *FRANCE), ("undo",), ("undo",), ("undo",),
    ("ask", "\U0001f98a e\u0301", "a</think>b"), ("ask", *FRANCE),
]


def turns():
    """The step, and the messages after it, with the question that is asked next."""
    for system in ([], [{"role": "system", "content": "You are a friendly teacher."}]):
        messages = list(system)
        for step in STEPS:
            if step[0] == "reset":
                messages = list(system)
            elif step[0] == "undo":
                messages = messages[:-2] if len(messages) > len(system) else messages
            else:
                messages = messages + [{"role": "user", "content": step[1]}, {"role": "assistant", "content": step[2]}]
            yield step, messages + [{"role": "user", "content": "And now?"}]


def main(root):
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
    template = environment.from_string((root / "lab/reference/chat_template.jinja").read_text(encoding="utf-8"))
    cases = [
        {"step": step, "messages": m, "enable_thinking": t, "rendered": template.render(messages=m, enable_thinking=t, add_generation_prompt=True)}
        for step, m in turns() for t in (True, False)
    ]
    out = root / "tests/fixtures/chat/turns.json"
    lines = [json.dumps(case, ensure_ascii=True, separators=(",", ":")) for case in cases]
    out.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    print(out.name, len(cases), "cases")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
