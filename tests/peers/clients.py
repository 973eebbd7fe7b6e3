"""What clients see of a server: ours and llama-server side by side, and ours beside its own command line."""

import http.client
import json
import os
import shutil
import statistics
import subprocess
import time

import compare
import engines
from recordings import CHAPTERS, COURSE, QUICK, in_turn, model, rounds, run, times


class Server:
    """A program that answers at a port, until the block is left."""

    def __init__(self, command, port):
        self.port, self.process = port, subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(600):
            try:
                if self.ask("GET", "/health").status == 200:
                    return self
            except OSError:
                pass
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.process.args[0]} has ended at once, status {self.process.returncode}")
            time.sleep(0.1)
        raise RuntimeError(f"{self.process.args[0]} did not come up in a minute")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, body and json.dumps(body), headers)
        return connection.getresponse()

    def load(self, clients, prompt, seed):
        """What the course's own tool sees: tok/s of all together, and how long clients wait."""
        found = run([COURSE, "load", f"http://127.0.0.1:{self.port}", "--clients", clients, "--prompt", prompt, "--answer",
                     8 if QUICK else 64, "--requests", 2, "--seed", seed, "--json"])
        level = json.loads(found)["levels"][0]
        return {"tokens_per_second": level["tokens_per_second"], "first_ms": level["first_token_ms"]["p50"],
                "first_ms_worst": level["first_token_ms"]["p99"], "gap_ms": level["gap_ms"]["p50"],
                "gap_ms_worst": level["gap_ms"]["p99"]}

    def stream(self, ids, new):
        """One streamed answer: milliseconds to its first token, and between two."""
        body = {"prompt": ids, "max_tokens": new, "temperature": 0, "ignore_eos": True, "stream": True}
        start, arrived = time.monotonic(), []
        for line in self.ask("POST", "/v1/completions", body):
            if line.startswith(b'data: {"id"'):
                arrived.append(time.monotonic())
        # A token of half a character has no event of its own, so tokens are counted, not events.
        return {"first_ms": 1e3 * (arrived[0] - start), "decode": (new - 1) / (arrived[-1] - arrived[0])}


def served(port):
    program = CHAPTERS["ch09"].program
    return Server([program, "--model", model("q8_0"), "--threads", 2, "--port", port, "--temperature", 0], port)


def overhead():
    """The same ids over the port and on the command line, in turn. Each round has others: the server remembers the last."""
    turn = {"port": 0, "line": 0}

    def ids(way):
        turn[way] += 1
        all = compare.ids_of(128)
        return all[turn[way]:] + all[:turn[way]]

    def line():
        metrics = engines.ours(CHAPTERS["ch09"], ["--threads=2"], model("q8_0"), ids("line"), 32)["metrics"]
        return {"first_ms": metrics["time_to_first_token_ms"], "decode": metrics["decode_tokens_per_second"]}

    with served(8391) as server:
        found = in_turn({"line": line, "port": lambda: server.stream(ids("port"), 32)}, 9)
    return {"what": "The same 128 token ids, 32 new tokens, two threads: streamed through the port, and by the command line's "
                    "own clock.", "threads": 2, "figures": found, "command": "ch09-serve --model q8_0.gguf --threads=2",
            "port_times_line": {"decode": times(found["port"]["decode"], found["line"]["decode"])},
            "first_ms_more": statistics.median(found["port"]["first_ms"]["raw"]) - statistics.median(found["line"]["first_ms"]["raw"])}


def clients():
    """One and four clients, prompts of 128 and 512 tokens, both servers in turn. Both have loaded the same file."""
    llama = os.environ.get("LLAMA_SERVER") or shutil.which("llama-server")
    if not llama:
        raise RuntimeError("there is no llama-server: say where with LLAMA_SERVER")
    flags = ["-m", model("q8_0"), "-np", 4, "-c", 8192, "-t", 2, "-tb", 2, "--port", 8392, "--no-webui"]
    seeds = iter(range(1, 1000))
    with served(8391) as ours, Server([llama, *flags], 8392) as theirs:
        both = {"ours": ours, "llama": theirs}
        found = in_turn({f"{name}_{prompt}_{count}": lambda server=server, prompt=prompt, count=count:
                         server.load(count, prompt, next(seeds))
                         for prompt in ((16,) if QUICK else (128, 512)) for count in (1, 4)
                         for name, server in both.items()}, 3)
    ratio = {what[5:]: times(figures["tokens_per_second"], found[f"llama_{what[5:]}"]["tokens_per_second"])
             for what, figures in found.items() if what.startswith("ours_")}
    return {"what": "course load: each client two requests, one after the other, answers of 64 tokens; llama-server -np 4 -t 2, "
                    "built with AVX-512 and VNNI.", "threads": 2, "figures": found, "ours_times_llama": ratio,
            "command": "cargo run -- load URL --clients N --prompt N --answer 64 --requests 2"}
