"""Random schemas, an answer of chapter 16 to each, and what jsonschema says of it.

    python lab/schemas/check.py PROGRAM [VOCABULARY.gguf] [--count 10000]
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import threading

from jsonschema import Draft202012Validator

NAMES = ["name", "size", "größe", "a b", "tags", 'quo"te', "back\\slash", "x", "xy", ""]
PATTERNS = ["^[a-z]{2,8}$", "^\\d{3}-[A-F]+$", "ab|cd", "^(red|green|blue)( dark)?$", "^.{1,5}$", "\\.$", "^[^\\s\"]{3}$"]
FORMATS = ["date", "time", "date-time", "uuid", "email"]
# Where anything may come and all of it is as likely, some answers never come to their end.
FINISHED = 0.95


class Maker:
    """Schemas of the part that is supported; lengths are bounded, so that an answer drawn blindly has an end."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def schema(self):
        self.defs = {}
        schema = self.any(3)
        if self.defs:
            schema["$defs"] = self.defs
        return schema

    def any(self, depth):
        kinds = ["string", "string", "integer", "number", "boolean", "null", "enum", "const", "pattern", "format"]
        kinds += ["object", "object", "object", "array", "array", "anyOf", "types", "$ref", "map"] if depth else []
        kind = self.random.choice(kinds)
        made = getattr(self, kind.strip("$"), None)
        schema = made(depth) if made else {"type": kind}
        if self.random.random() < 0.2:
            schema["description"] = "so that somebody knows"
        return schema

    def string(self, depth):
        least = self.random.randrange(4)
        return {"type": "string", "minLength": least, "maxLength": least + self.random.randrange(20)}

    def integer(self, depth):
        return self.bounds("integer", lambda: self.random.randrange(-10 ** self.random.randrange(1, 8), 10**6))

    def number(self, depth):
        return self.bounds("number", lambda: round(self.random.uniform(-1000, 1000), self.random.randrange(4)))

    def bounds(self, kind, draw):
        schema, (low, high) = {"type": kind}, sorted([draw(), draw()])
        if self.random.random() < 0.6:
            schema[self.random.choice(["minimum", "exclusiveMinimum"])] = low
        if self.random.random() < 0.6:
            schema[self.random.choice(["maximum", "exclusiveMaximum"])] = high + 2
        return schema

    def value(self):
        made = [3, -1.5, True, None, "red", 'a "b" \\ c', "ünï\n", [1, "a"], {"k": [], "l": {"m": None}}, "", "redder", 1e21]
        return self.random.choice(made)

    def enum(self, depth):
        values = [self.value() for _ in range(self.random.randrange(1, 6))]
        return {"enum": values}

    def const(self, depth):
        return {"const": self.value()}

    def pattern(self, depth):
        return {"type": "string", "pattern": self.random.choice(PATTERNS)}

    def format(self, depth):
        return {"type": "string", "format": self.random.choice(FORMATS)}

    def types(self, depth):
        kinds = self.random.sample(["boolean", "null", "integer", "string", "number"], self.random.randrange(1, 4))
        return {"type": kinds, "maxLength": 5, "minimum": 2, "maximum": 90}

    def array(self, depth):
        least = self.random.randrange(3)
        most = least + self.random.randrange(3)
        return {"type": "array", "items": self.any(depth - 1), "minItems": least, "maxItems": most}

    def object(self, depth):
        names = self.random.sample(NAMES, self.random.randrange(5))
        schema = {"type": "object", "properties": {name: self.any(depth - 1) for name in names}}
        schema["required"] = [name for name in names if self.random.random() < 0.6]
        other = self.random.choice([None, False, False, True, {"type": "null"}, {"type": "integer", "minimum": 3}])
        if other is True:
            return schema
        schema["additionalProperties"] = other or False
        return schema

    def map(self, depth):
        return {"type": "object", "additionalProperties": self.any(depth - 1)}

    def anyOf(self, depth):
        return {"anyOf": [self.any(depth - 1) for _ in range(self.random.randrange(1, 4))]}

    def ref(self, depth):
        name = f"d{len(self.defs)}"
        self.defs[name] = {}
        self.defs[name] = self.any(depth - 1)
        if self.random.random() < 0.3:
            node = {"type": "object", "properties": {"next": {"anyOf": [{"type": "null"}, {"$ref": f"#/$defs/{name}"}]}}}
            self.defs[name] = {**node, "required": ["next"], "additionalProperties": False}
        return {"$ref": f"#/$defs/{name}"}


def hostile(seed):
    """A schema that somebody made to cost much."""
    pick = random.Random(seed)
    size = 10 ** pick.randrange(2, 5)
    few = pick.randrange(2, 200)

    def nested(depth, wrap):
        inner = {"type": "null"}
        for _ in range(depth):
            inner = wrap(inner)
        return inner

    made = [
        lambda: nested(few // 2, lambda inner: {"type": "array", "items": inner, "minItems": 1}),
        lambda: nested(few // 2, lambda inner: {"properties": {"a": inner, "b": inner if few < 30 else True}}) if few > 40 else nested(
            few // 2, lambda inner: {"properties": {"a": inner}}),
        lambda: {"type": "object", "properties": {f"p{pick.random()}": True for _ in range(size)}},
        lambda: {"enum": [f"{pick.random()}" * few for _ in range(min(size, 2000))]},
        lambda: {"enum": ["a" * length for length in range(few * 10)]},
        lambda: {"$ref": "#/$defs/0", "$defs": {str(n): {"$ref": f"#/$defs/{n + 1}"} for n in range(size)} | {str(size): True}},
        lambda: {"anyOf": [{"type": "array", "maxItems": n, "items": {"$ref": "#"}} for n in range(few)]},
        lambda: {"anyOf": [{"$ref": "#"}] * few + [{"type": "array", "items": {"$ref": "#"}, "minItems": 1}]},
        lambda: {"type": "string", "pattern": "^" + "(" * few + "a" + "{1,60}b?)" * few + "$"},
        lambda: {"type": "string", "pattern": f"(a|b)*a[ab]{{{few}}}$"},
        lambda: {"type": "string", "pattern": ".{0,60}x" * few},
        lambda: {"type": "string", "pattern": "(a|aa)+" * few + "$"},
        lambda: {"type": "string", "pattern": f"^((a{{1,{few}}}){{1,{few}}}){{1,{few}}}b$"},
        lambda: {"type": "string", "pattern": "[^a]" * size},
        lambda: {"type": "string", "minLength": size * 1000, "maxLength": size * 1001},
        lambda: {"anyOf": [{"type": "number", "minimum": n / 7} for n in range(size)]},
        lambda: {"type": "array", "minItems": size, "items": {"enum": list(range(few))}},
        lambda: {"type": "object", "required": [f"r{n}" for n in range(size)]},
    ]
    return pick.choice(made)()


def answers(program, schemas, memory=None):
    """A line of each, in the same order."""
    limit = None
    if memory:
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=limit)
    write = lambda: (process.stdin.writelines(json.dumps(schema) + "\n" for schema in schemas), process.stdin.close())
    writer = threading.Thread(target=write)
    writer.start()
    lines = [json.loads(line) for line in process.stdout]
    writer.join()
    if process.wait() != 0 or len(lines) != len(schemas):
        sys.exit(f"{len(lines)} answers to {len(schemas)} schemas, status {process.returncode}")
    return lines


def no_number(word):
    raise ValueError(f"{word} is no JSON")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="+")
    parser.add_argument("--count", type=int, default=10_000)
    args = parser.parse_args()
    schemas = [Maker(seed).schema() for seed in range(args.count)]
    wrong, finished, refused = [], 0, {}
    for schema, line in zip(schemas, answers(args.program, schemas)):
        if "refused" in line:
            # What no value is valid by may be refused, and nothing else.
            refused[line["refused"]] = schema
            continue
        if "unfinished" in line:
            continue
        finished += 1
        checker = Draft202012Validator.FORMAT_CHECKER
        try:
            value = json.loads(line["answer"], parse_constant=no_number)
            errors = [str(error.message) for error in Draft202012Validator(schema, format_checker=checker).iter_errors(value)]
        except ValueError as error:
            errors = [f"no JSON: {error}"]
        if errors:
            wrong.append((schema, line["answer"], errors))
    for schema, answer, errors in wrong[:10]:
        print(f"{json.dumps(schema)}\n  {answer}\n  {errors[0]}")
    for why, schema in list(refused.items())[:10]:
        print(f"{json.dumps(schema)}\n  refused: {why}")
    print(f"{len(schemas)} schemas, {finished} answers with an end, {len(wrong)} of them wrong, {len(refused)} reasons to refuse")
    cruel = [hostile(seed) for seed in range(1000)]
    lines = answers(args.program, cruel, memory=256 << 20)
    print(f"{len(lines)} hostile schemas, {sum('refused' in line for line in lines)} refused")
    sys.exit(bool(wrong or refused) or finished < FINISHED * len(schemas))


if __name__ == "__main__":
    main()
