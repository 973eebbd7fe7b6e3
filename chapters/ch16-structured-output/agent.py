"""An agent: a model that may read the files of this folder before it answers.  python3 agent.py QUESTION [URL]"""

import json
import sys
import urllib.request
from pathlib import Path

QUESTION, URL = (sys.argv[1:] + ["http://127.0.0.1:8080"])[:2]
FILES = sorted(path.name for path in Path().iterdir() if path.is_file())
PATH = {"type": "string", "enum": FILES}  # no other name can be written
TOOLS = [{"type": "function", "function": {
    "name": "read_file", "description": "The beginning of a file",
    "parameters": {"type": "object", "properties": {"path": PATH}, "required": ["path"], "additionalProperties": False}}}]


def read_file(path):
    return Path(path).read_text(errors="replace")[:500]


def ask(**body):
    body = {"messages": messages, "tools": TOOLS, "parallel_tool_calls": False, "max_tokens": 200} | body
    request = urllib.request.Request(URL + "/v1/chat/completions", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]


messages = [{"role": "user", "content": QUESTION}]
message = ask(tool_choice="required")  # the first time, so that even a model that knows no tools uses one
for _ in range(5):
    messages.append(message)
    for call in message.get("tool_calls", []):
        arguments = json.loads(call["function"]["arguments"])
        print(call["function"]["name"], arguments, file=sys.stderr)
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": read_file(**arguments)})
    if "tool_calls" not in message:
        break
    message = ask()
print(message["content"])
