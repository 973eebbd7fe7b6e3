"""Conversations in which tools are called, as jinja2 renders them with `transformers`' settings: tests/fixtures/chat/tools.json."""

import json
from pathlib import Path

from jinja2.sandbox import ImmutableSandboxedEnvironment

FOLDER = Path(__file__).resolve().parents[2] / "tests/fixtures/chat"


def tool(name, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": f'Does "{name}" <é>', "parameters": parameters}}


def call(at, name, **arguments):
    return {"id": f"call-{at}", "type": "function", "function": {"name": name, "arguments": arguments}}


def result(at, content):
    return {"role": "tool", "tool_call_id": f"call-{at}", "content": content}


READ, ADD = tool("read_file", path={"type": "string"}), tool("add", b={"type": "number"}, a={"type": "number"})
ASKED = {"role": "user", "content": "What is in it?"}
ONE = {"role": "assistant", "content": "", "tool_calls": [call(1, "read_file", path='a "b"/é\n')]}
TWO = {"role": "assistant", "content": "Both.", "tool_calls": [call(2, "add", b=1.5, a=-2), call(3, "add", a=1, b=True)]}
TALKS = [([ASKED], [READ]), ([ASKED], [READ, ADD]), ([ASKED, ONE, result(1, "8 <b>&")], [READ, ADD]),
         ([ASKED, ONE, result(1, "8"), TWO, result(2, "-0.5"), result(3, "2")], [ADD]), ([ASKED, ONE, result(1, "")], []),
         ([{"role": "system", "content": "Be brief."}, ASKED], [ADD])]

environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
template = environment.from_string((FOLDER / "tools.jinja").read_text())
cases = [{"messages": messages, "tools": tools, "thinking": thinking,
          "rendered": template.render(messages=messages, tools=tools or None, enable_thinking=thinking,
                                      add_generation_prompt=True)}
         for messages, tools in TALKS for thinking in (True, False)]
lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
(FOLDER / "tools.json").write_text(f"[\n{lines}\n]\n")
