"""What all rows share: a server to ask, the command line to ask the same, and the list that they are written into."""

import contextlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.request

PROGRAM, URL = (sys.argv[1:] + ["", ""])[:2]
MODEL, QUESTION = "tiny-qwen3", "Where is the ball?"
ROWS = []


def row(number, what):
    """Puts a function into the list: the row is green if it returns."""
    return lambda function: ROWS.append((number, what, function))


def run():
    """Runs all rows, prints a line for each, and ends the program."""
    red = 0
    for number, what, function in ROWS:
        start, color, why = time.time(), "green", ""
        try:
            function()
        except Exception as error:
            place = error.__traceback__.tb_next
            color, why, red = "RED", f": line {place.tb_lineno}: {type(error).__name__}: {error}", red + 1
        print(f"{color:5} {number:>5} {what} ({time.time() - start:.1f} s){why}", flush=True)
    sys.exit(red > 0)


def same(found, expected):
    assert found == expected, f"\n  found    {found!r}\n  expected {expected!r}"


@contextlib.contextmanager
def server(*flags, **variables):
    """A server of its own, on a port that is free."""
    process = subprocess.Popen([PROGRAM, "--port", "0", *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, env=os.environ | variables)
    try:
        yield re.search(r"http://\S+?:\d+", process.stdout.readline())[0]
    finally:
        process.kill()
        process.wait()


def command_line(*words):
    """What the same program says without a port between."""
    answer = subprocess.run([PROGRAM, "--json", *map(str, words)], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def get(path, body=None, url=URL):
    """A page of the server as it is, without anybody's client."""
    body = body and json.dumps(body).encode()
    request = urllib.request.Request(url + path, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def counts(url=URL):
    lines = re.findall(r"^serve_(?:requests_)?(\w+) (\d+)$", get("/metrics", url=url), re.M)
    return {name: int(count) for name, count in lines}


def wait_for(condition, seconds=2):
    end = time.time() + seconds
    while not condition():
        assert time.time() < end, f"not so within {seconds} s"
        time.sleep(0.005)
