"""Random schemas and JSON Schema's own suite, chapter 16's answers to them, and what the implementations of others say.

    python lab/schemas/check.py SERVER DRAW SUITE [--count 10000] [--model FILE]
"""

import argparse
import collections
import json
import random
import re
import resource
import subprocess
import sys
import tarfile
import threading

from jsonschema import Draft202012Validator
from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

NAMES = ["name", "size", "größe", "a b", "tags", 'quo"te', "back\\slash", "x", "xy", ""]
PATTERNS = ["^[a-z]{2,8}$", "^\\d{3}-[A-F]{1,9}$", "^.{0,9}(ab|cd)$", "^(red|green|blue)( dark)?$", "^.{1,5}$", "^[^\\s\"]{3}$"]
ENDLESS = ["^\\d{3}-[A-F]+$", "ab|cd", "\\.$"]
FORMATS = ["date", "time", "date-time", "uuid", "email"]
# Of the answers, with those that have no bound.
FINISHED = 0.98


class Maker:
    """Schemas of the part that is supported. Where a schema bounds all it asks for, each answer has an end; one in ten has maps
    of any size, any JSON, recursion, and patterns without a length, too."""

    def __init__(self, seed):
        self.random, self.is_open = random.Random(seed), seed % 10 == 0

    def schema(self):
        self.defs = {}
        schema = self.any(3)
        if self.defs:
            schema["$defs"] = self.defs
        return schema

    def any(self, depth):
        kinds = ["string", "string", "integer", "number", "boolean", "null", "enum", "const", "pattern", "format"]
        kinds += ["object", "object", "object", "array", "array", "anyOf", "types", "$ref"] if depth else []
        kinds += ["map"] if depth and self.is_open else []
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
        return {"type": "string", "pattern": self.random.choice(PATTERNS + ENDLESS if self.is_open else PATTERNS)}

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
        # Where some are listed, chapter 16 writes no others.
        others = [False, False, False, True, {"type": "null"}, {"type": "integer", "minimum": 3}]
        other = self.random.choice(others) if names or self.is_open else False
        if other is not True:
            schema["additionalProperties"] = other
        return schema

    def map(self, depth):
        return {"type": "object", "additionalProperties": self.any(depth - 1)}

    def anyOf(self, depth):
        return {"anyOf": [self.any(depth - 1) for _ in range(self.random.randrange(1, 4))]}

    def ref(self, depth):
        name = f"d{len(self.defs)}"
        self.defs[name] = {}
        self.defs[name] = self.any(depth - 1)
        if self.is_open and self.random.random() < 0.5:
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


def answers(program, schemas, memory=None, status=0):
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
    if not 0 <= process.wait() <= status or len(lines) != len(schemas):
        sys.exit(f"{len(lines)} answers to {len(schemas)} schemas, status {process.returncode}")
    return lines


def no_number(word):
    raise ValueError(f"{word} is no JSON")


def error(schema, answer):
    """What is wrong with it, if anything is."""
    try:
        value = json.loads(answer, parse_constant=no_number)
    except ValueError as error:
        return f"no JSON: {error}"
    judge = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return next((found.message for found in judge.iter_errors(value)), None)


def by_model(server, schemas, temperature, model):
    """The same lines as `answers`, of a model's answers."""
    asked = {"messages": [{"role": "user", "content": "Where is the ball?"}], "temperature": temperature, "max_tokens": 512}
    form = lambda schema: {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
    bodies = [asked | {"seed": seed, "response_format": form(schema)} for seed, schema in enumerate(schemas)]
    told = {"stop": "answer", "length": "unfinished"}
    for line in answers([server, "--batch", "-", *(["--model", model] if model else [])], bodies, status=1):
        if "choices" in line:
            choice = line["choices"][0]
            yield {told[choice["finish_reason"]]: choice["message"]["content"]}
        else:
            yield {"refused": line["error"]["message"]}


def judged(name, schemas, lines):
    """Whether enough answers end, and all of those are valid."""
    wrong, ended, refused = [], [0, 0], {}
    for number, (schema, line) in enumerate(zip(schemas, lines, strict=True)):
        if "refused" in line:
            # What no value is valid by may be refused, and nothing else.
            refused[line["refused"]] = schema
        elif "answer" in line:
            ended[number % 10 == 0] += 1
            if why := error(schema, line["answer"]):
                wrong.append(f"{json.dumps(schema)}\n  {line['answer']}\n  {why}")
    for fault in wrong[:10] + [f"{json.dumps(schema)}\n  refused: {why}" for why, schema in list(refused.items())[:10]]:
        print(fault)
    count, free = len(schemas), len(schemas[::10])
    print(f"{name}: {ended[0]} of {count - free} answers end, and {ended[1]} of {free} without a bound; "
          f"{len(wrong)} are wrong, {len(refused)} reasons to refuse", flush=True)
    return not wrong and not refused and sum(ended) >= FINISHED * count


# What they say in chapter 16, by the files of the suite that are about them.
KEYWORDS = """additionalProperties allOf anyOf const enum exclusiveMaximum exclusiveMinimum items maxItems maxLength maximum minItems
    minLength minimum pattern properties ref required type date date-time email time uuid""".split()


def suite(draw, archive):
    """Each keyword that is supported, judged by its own cases: no answer may be invalid, and the mask takes no text that is."""
    groups = []
    with tarfile.open(archive) as tar:
        for member in tar:
            place = re.search(r"/json/tests/draft2020-12/(?:optional/format/)?([\w-]+)\.json$", member.name)
            if place and ("optional" not in member.name or place[1] in FORMATS):
                groups += [(place[1], group) for group in json.load(tar.extractfile(member))]
    text = lambda case: json.dumps(case["data"], ensure_ascii=False)
    asked = [[group["schema"], *map(text, group["tests"])] for _, group in groups]
    faults, seen, refused, left = [], collections.Counter(), collections.Counter(), 0
    for (name, group), line in zip(groups, answers([draw, "takes"], asked), strict=True):
        schema, what = group["schema"], f"{name}, {group['description']}"
        if why := line.get("refused"):
            refused[re.sub(r"^#\S*: ", "", why)] += 1
            is_named = any(f'"{word}"' in json.dumps(schema) for word in re.findall(r"[$\w]+", why))
            is_empty = "no answer can be valid" in why and not any(case["valid"] for case in group["tests"])
            if not is_named and not is_empty:
                faults.append(f"{what}: {why}: nothing of that is there")
            continue
        if "answer" in line and (why := error(schema, line["answer"])):
            faults.append(f"{what}: {line['answer']}: {why}")
        for case, takes in zip(group["tests"], line["takes"], strict=True):
            if takes and not case["valid"]:
                faults.append(f"{what}: {case['description']}: takes {text(case)}")
            seen[name, case["valid"]] += takes == case["valid"]
            left += case["valid"] and not takes
    for keyword in KEYWORDS:
        if not seen[keyword, True] or not seen[keyword, False]:
            faults.append(f"{keyword}: no case that is valid, or none that is not")
    print(*faults, sep="\n")
    known = sum(seen.values())
    print(f"JSON Schema's suite: {len(groups)} schemas, {refused.total()} of them refused; {known} cases as there, {left} valid ones are "
          f"not written that way; {len(faults)} faults", flush=True)
    return not faults


class Tokens:
    """The tiny model's, as llguidance wants to be told. Control tokens print nothing, so they get what is in no answer."""

    def __init__(self, draw):
        told = subprocess.run([draw, "vocabulary"], capture_output=True, check=True).stdout
        printed = [bytes(token) for token in json.loads(told)]
        self.tokens = [token or b"\xff" for token in printed] + [b"\xff"]
        self.eos_token_id, self.bos_token_id, self.special_token_ids = len(printed), None, [len(printed)]

    def __call__(self, text):
        return []  # nothing here is cut into tokens


# What stands between them is not ours to vary. Where we list properties, we write no others.
SPACES = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": ", "json_allow_general_unicode_escapes": True}


def is_json(text, token):
    """What JSON lets come and llguidance doesn't: DELETE in a string, and a slash as an escape."""
    return token == b"\x7f" or text.endswith(b"\\") and token == b"/"


def comparable(schema):
    """Formats are narrower here, and so is `\\s` beyond ASCII; and they write one number in another form."""
    if isinstance(schema, dict):
        parts = {key: comparable(part) for key, part in schema.items() if key != "format"}
        return parts | ({"additionalProperties": False} if parts.get("properties") and parts.get("type") == "object" else {})
    if isinstance(schema, list):
        return [comparable(part) for part in schema]
    return {1e21: 1, PATTERNS[-1]: "^a$"}.get(schema, schema) if isinstance(schema, (float, str)) else schema


def is_explained(text, token, schema):
    """What only llguidance lets come: a number that is longer than a double or is -0, or with bounds has more than nine digits
    before its point, and a control character by its number."""
    number = re.search(rb"(-?)(\d*)\.?(\d*)(?:[eE][+-]?(\d*))?$", text + re.match(rb"[\d.eE+-]*", token)[0])
    whole, decimals, power = (number[part] or b"" for part in (2, 3, 4))
    most = 9 if "imum" in schema and '"number"' in schema else 15
    is_long = len(whole + decimals) > 15 or len(whole) > most or len(decimals) > 6 or len(power) > 2
    return is_long or number[1] + whole == b"-0" or text.endswith(b"\\") and token == b"u"


def masks(draw, count):
    """Each mask on the way of an answer, beside llguidance's."""
    vocabulary = Tokens(draw)
    ends = vocabulary.eos_token_id
    tokenizer = LLTokenizer(TokenizerWrapper(vocabulary), slices=[])
    schemas = [comparable(Maker(seed).schema()) for seed in range(count)]
    faults, compared, explained = [], 0, 0
    for schema, line in zip(schemas, answers([draw, "walks"], schemas), strict=True):
        grammar = '%llguidance {"no_forcing": true}\nstart: %json ' + json.dumps(schema | {"x-guidance": SPACES})
        theirs, text = LLMatcher(tokenizer, grammar, log_level=0), b""
        for ours, may_end, chosen in line["walk"][:60]:
            ours, allowed = int(ours[::-1], 16), int.from_bytes(theirs.compute_bitmask(), "little")
            differ = [id for id in range(ends) if (ours ^ allowed) >> id & 1 and not is_json(text, vocabulary.tokens[id])]
            wrong = [id for id in differ if ours >> id & 1 or not is_explained(text, vocabulary.tokens[id], json.dumps(schema))]
            if wrong or theirs.is_accepting() != may_end or theirs.is_error():
                faults.append(f"{json.dumps(schema)}\n  after {text}: {[vocabulary.tokens[id] for id in wrong[:5]]} {theirs.get_error()}")
                break
            compared, explained = compared + 1, explained + bool(differ)
            if is_json(text, vocabulary.tokens[chosen]) or not theirs.consume_token(chosen):
                break
            text += vocabulary.tokens[chosen]
    print(*faults[:10], sep="\n")
    print(f"llguidance: {compared} masks compared, {explained} with more in llguidance's, which README.md explains; "
          f"{len(faults)} faults", flush=True)
    return not faults


def hostile_ones(draw):
    cruel = [hostile(seed) for seed in range(1000)]
    lines = answers([draw, "times"], cruel, memory=256 << 20)
    slowest = max(line["seconds"] for line in lines)
    print(f"{len(lines)} hostile schemas, {sum('refused' in line for line in lines)} refused; the slowest took {slowest:.2f} s", flush=True)
    return slowest <= 2


def pace(server, model):
    """Tokens a second of 16 texts that are held to a schema, by those of 16 that aren't: as many, in turn."""
    toy = {"name": {"type": "string", "maxLength": 40}, "color": {"enum": ["red", "green", "blue"]}, "price": {"type": "integer", "minimum": 0}}
    endless = {"type": "array", "minItems": 99, "items": {"type": "object", "properties": toy, "required": [*toy]}}
    form = {"type": "json_schema", "json_schema": {"name": "toys", "schema": endless}}
    asked = {"messages": [{"role": "user", "content": "Where is the ball?"}], "max_tokens": 128}
    for guesses in "off", "15":
        def speed(**more):
            lines = "".join(json.dumps(asked | more | {"seed": seed}) + "\n" for seed in range(16))
            command = [server, "--batch", "-", "--speculate", guesses, *(["--model", model] if model else [])]
            told = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stderr
            return float(re.search(r" 2048 new tokens .*: (\S+) tok/s", told)[1])

        ways, pairs = {"held": {"response_format": form}, "free": {"ignore_eos": True}}, []
        for turn in range(6):  # in one order and in the other
            told = {name: speed(**more) for name, more in list(ways.items())[::-1 if turn % 2 else 1]}
            pairs.append((told["held"], told["free"]))
        parts = sorted(held / free for held, free in pairs)
        print(f"guesses {guesses}: 16 texts by a schema have {(parts[2] + parts[3]) / 2:.3f} ({parts[0]:.3f} to {parts[-1]:.3f}) of the speed of 16 without: "
              + ", ".join(f"{held}/{free}" for held, free in pairs), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("draw")
    parser.add_argument("suite")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--model")
    parser.add_argument("--pace", action="store_true", help="what schemas cost 16 clients, and nothing else; it wants a quiet machine")
    args = parser.parse_args()
    if args.pace:
        return pace(args.server, args.model)
    schemas = [Maker(seed).schema() for seed in range(args.count)]
    right = []
    if not args.model:
        right = [judged("drawn", schemas, answers([args.draw], schemas)), suite(args.draw, args.suite)]
        right += [masks(args.draw, args.count // 10), hostile_ones(args.draw)]
    for temperature in 0, 1, 2:
        lines = by_model(args.server, schemas, temperature, args.model)
        right.append(judged(f"temperature {temperature}", schemas, lines))
    sys.exit(not all(right))


if __name__ == "__main__":
    main()
