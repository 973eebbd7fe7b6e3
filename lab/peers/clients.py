"""What clients see of a server: ours and llama-server side by side, and ours beside its own command line."""

import contextlib
import http.client
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import compare
import engines
from recordings import CHAPTERS, COURSE, QUICK, ROOT, WORK, example, in_turn, model, real, rounds, run, spread, times

PROMPT = 16 if QUICK else 128
# Chapter 13 keeps gaps below 150 ms by itself.
OPEN = ["--rate", 0.5, "--requests", 4 if QUICK else 32, "--target-first", 1000, "--target-gap", 150]
GREEDY = " Temperature 0."
CLOSED = GREEDY + " default_: none is sent, and each server takes its own."
OPEN_TOO = (" open: one round, none is sent, 32 requests that begin at 0.5 a second; goodput: answers a second with a first token "
            "within 1,000 ms and at most 150 ms a token after it.")
LOOPS = CLOSED + OPEN_TOO


class Server:
    """A program that answers at a port, until the block is left."""

    def __init__(self, command, port):
        self.seeds = itertools.count(1)  # no server gets a prompt twice, and those that take turns get the same ones
        program, *words = map(str, command)
        WORK.mkdir(parents=True, exist_ok=True)  # ik_llama.cpp's writes a log where it is started
        self.port, self.process = port, subprocess.Popen(
            [os.path.abspath(program), *words], cwd=WORK, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

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

    def load(self, *more, prompt=PROMPT):
        """What the course's own tool sees: tok/s of all together, and how long clients wait."""
        found = run([COURSE, "load", f"http://127.0.0.1:{self.port}", "--prompt", prompt, "--answer", 8 if QUICK else 64,
                     "--seed", next(self.seeds), "--json", *more])
        level = json.loads(found)["levels"][0]
        good = {"goodput": level["request_goodput"], "failed": level["failed"]} if "--rate" in more else {}
        return {"tokens_per_second": level["tokens_per_second"], "first_ms": level["first_token_ms"]["p50"],
                "first_ms_worst": level["first_token_ms"]["p99"], "gap_ms": level["gap_ms"]["p50"],
                "gap_ms_worst": level["gap_ms"]["p99"], **good}

    def status(self, name):
        """What the system says of its memory, in bytes: VmRSS or VmHWM."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith(name))

    def metric(self, name):
        lines = self.ask("GET", "/metrics").read().decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"serve_{name} "))

    def stream(self, ids, new, silences=None, **more):
        """One streamed answer: milliseconds to its first token, and between two; `silences` takes each of the latter."""
        body = {"prompt": ids, "max_tokens": new, "temperature": 0, "ignore_eos": True, "stream": True, **more}
        start, arrived = time.monotonic(), []
        for line in self.ask("POST", "/v1/completions", body):
            if line.startswith(b"data: {"):
                arrived.append(time.monotonic())
        # A token of half a character has no event of its own, so tokens are counted, not events.
        gaps = [after - before for before, after in zip(arrived, arrived[1:])]
        if silences is not None:
            silences.extend(1e3 * gap for gap in gaps)
        return {"first_ms": 1e3 * (arrived[0] - start), "decode": (new - 1) / sum(gaps) if gaps else None,
                "gap_ms_worst": 1e3 * max(gaps, default=0)}

    def at_once(self, all, new):
        """So many streamed answers, asked for at the same moment."""
        with ThreadPoolExecutor(len(all)) as clients:
            return list(clients.map(lambda ids: self.stream(ids, new), all))


def served(port, chapter="ch09", *flags, kind="q8_0"):
    program = CHAPTERS[chapter].program
    return Server([program, "--model", model(kind), "--threads", 2, "--port", port, *flags], port)


def llama():
    """Their server, if it's installed or LLAMA_SERVER says where it is."""
    return os.environ.get("LLAMA_SERVER") or shutil.which("llama-server")


def llama_server(*flags, kind="q8_0", port=8392):
    return Server([llama(), "-m", model(kind), "-t", 2, "-tb", 2, "--port", port, "--no-webui", *flags], port)


def ik_server(*flags, kind="q8_0"):
    """ik_llama.cpp's, where IK_SERVER says that it is; with its rows interleaved at load."""
    return Server([os.environ["IK_SERVER"], "-m", model(kind), "-t", 2, "-tb", 2, "-rtr", "-fa", "on", "--port", 8394, *flags], 8394)


def in_loops(servers, cells, requests, count, drawn=True, open=True):
    """What clients see of servers that take turns. `cells`: how many clients, and their prompts. The open loop has one round."""
    ways = {"": ["--temperature", 0], **({"default_": []} if drawn else {})}
    closed = {(f"{name}_{what}", way): lambda server=server, cell=cell, more=more: server.load(
                  "--clients", cell[0], "--requests", requests, *more, prompt=cell[1])
              for what, cell in cells.items() for way, more in ways.items() for name, server in servers.items()}
    found = {}
    for (name, way), figures in in_turn(closed, count).items():
        found.setdefault(name, {}).update({f"{way}{what}": figure for what, figure in figures.items()})
    opened = {f"{name}_open": lambda server=server: server.load(*OPEN) for name, server in servers.items()} if open else {}
    return found | in_turn(opened, 1)


def overhead():
    """The same ids over the port and on the command line, in turn. Each round has others: the server remembers the last."""
    turn = {"port": 0, "line": 0}

    def ids(way):
        turn[way] += 1
        all = compare.ids_of(128)
        return all[turn[way]:] + all[:turn[way]]

    def line():
        metrics = engines.ours(CHAPTERS["ch09"], ["--threads=2", "--repack"], model("q8_0"), ids("line"), 32)["metrics"]
        return {"first_ms": metrics["time_to_first_token_ms"], "decode": metrics["decode_tokens_per_second"]}

    with served(8391) as server:
        found = in_turn({"line": line, "port": lambda: server.stream(ids("port"), 32)}, 9)
    return {"what": "The same 128 token ids, 32 new tokens, two threads, repacked weights: streamed through the port, and by the "
                    "command line's own clock.", "threads": 2, "figures": found, "command": "ch09-serve --model q8_0.gguf --threads=2",
            "port_times_line": {"decode": times(found["port"]["decode"], found["line"]["decode"])},
            "first_ms_more": statistics.median(found["port"]["first_ms"]["raw"]) - statistics.median(found["line"]["first_ms"]["raw"])}


def clients():
    """One and four clients, prompts of 128 and 512 tokens, both servers in turn. Both have loaded the same file."""
    cells = {f"{prompt}_{count}": (count, prompt) for prompt in ((16,) if QUICK else (128, 512)) for count in (1, 4)}
    with served(8391) as ours, llama_server("-np", 4, "-c", 8192) as theirs:
        found = in_loops({"ours": ours, "llama": theirs}, cells, 2, 3, open=False)
    ratio = {what[5:]: times(figures["tokens_per_second"], found[f"llama_{what[5:]}"]["tokens_per_second"])
             for what, figures in found.items() if what.startswith("ours_")}
    return {"what": "course load: each client two requests, one after the other, answers of 64 tokens; llama-server -np 4 -t 2, "
                    "built with AVX-512 and VNNI." + CLOSED, "threads": 2, "figures": found, "ours_times_llama": ratio,
            "command": "cargo run -- load URL --clients N --prompt N --answer 64 --requests 2 --temperature 0"}


def no_slower(*chapters):
    """The command lines of chapters, each beside that of the chapter before: what is around the engine must not cost it."""
    depths = (16, 32) if QUICK else (512, 4096)

    def speed(chapter, depth):
        metrics = engines.ours(CHAPTERS[chapter], ["--threads=2"], model("q8_0"), compare.ids_of(depth), 16)["metrics"]
        return {"prefill": metrics["prefill_tokens_per_second"], "decode": metrics["decode_tokens_per_second"]}

    found = in_turn({f"{chapter}_{depth}": lambda chapter=chapter, depth=depth: speed(chapter, depth)
                     for depth in depths for chapter in chapters}, 3)
    ratio = {f"{new}_{depth}": {what: times(found[f"{new}_{depth}"][what], found[f"{old}_{depth}"][what])
                                for what in ("prefill", "decode")} for depth in depths for old, new in zip(chapters, chapters[1:])}
    return {"what": "One PROMPT of each number of random tokens, 16 new ones.", "threads": 2, "figures": found,
            "times_before": ratio, "command": "--token-ids <N ids> -n 16 --ignore-eos --threads=2"}


def in_one_piece():
    """Chapter 10's table beside one contiguous cache, by its own example: one model, pair by pair."""
    told = json.loads(run([engines.PROFILE / "examples/beside", model("q8_0")]))
    figures, ratio = {}, {}
    for place, pairs in told["pairs"].items():
        tokens = told["steps"] * int(place.split("x")[0])
        contiguous, table = (spread([1e3 * tokens / pair[which] for pair in pairs]) for which in (0, 1))
        figures[place] = {"contiguous": contiguous, "table": table}
        ratio[place] = times(table, contiguous)
    return {"what": "Tokens a second of one model, with contiguous caches and with tables in turn: so many texts, each so far, and "
                    "16 tokens of each of them.", "threads": 2, "figures": figures, "table_times_contiguous": ratio,
            "command": "cargo run --release -p ch10-paged-kv --example beside -- q8_0.gguf"}


def in_blocks():
    """What four clients see of chapter 10 and of chapter 9, and what sixteen short chats take."""
    chats = 4 if QUICK else 16
    with served(8391, "ch10", "--kv-room", "2GB") as new, served(8392) as old:
        found = in_loops({"ch10": new, "ch09": old}, {count: (count, PROMPT) for count in (1, 4)}, 2, 3, open=False)
    with served(8391, "ch10", "--kv-room", "2GB") as server:
        server.stream(compare.ids_of(8), 2)
        before, seen = server.status("VmRSS"), []
        ids = compare.ids_of(8192)
        with ThreadPoolExecutor(1) as asker:
            asked = asker.submit(server.at_once, [ids[240 * chat:][:240] for chat in range(chats)], 8 if QUICK else 60)
            while not asked.done():
                seen.append((server.metric("blocks_in_use"), server.status("VmRSS") - before))
                time.sleep(0.2)
            asked.result()
    blocks, taken = max(seen)
    return {"what": "course load, prompts of 128 tokens, answers of 64; and chats of 240 + 60 tokens at once: blocks in use, and the "
                    "memory that the process has more than before." + CLOSED, "threads": 2, "figures": found,
            "chats": chats, "blocks": blocks, "bytes_more": taken,
            "command": "cargo run -- load URL --clients N --prompt 128 --answer 64 --requests 2 --temperature 0"}


def found_again():
    """A thousand tokens in common: the first client, one after it, and eight at once; two conversations that take turns."""
    length, all = (40 if QUICK else 1000), compare.ids_of(8192)
    turn = iter(range(1, 1000))

    def clients(server):
        """Instructions that are new in each round, then 20 tokens of each client's own."""
        first = next(turn)
        ids = all[first:first + length]
        own = lambda client: ids + all[3000 + 20 * client:][:20]
        told = {"first": server.stream(own(0), 2)["first_ms"], "second": server.stream(own(1), 2)["first_ms"]}
        first = next(turn)
        ids = all[first:first + length]
        eight = sorted(told["first_ms"] for told in server.at_once([own(client) for client in range(8)], 2))
        return {**told, "eight_median": (eight[3] + eight[4]) / 2, "eight_last": eight[-1]}

    def in_turns(server):
        """The first token of the third and fourth question, of two conversations that ask in turn."""
        one, two = ([next(turn)] + all[start:start + length // 2] for start in (2000, 5000))
        waited = []
        for question in range(2):
            for chat in (one, two):
                chat += all[6000 + 20 * question:][:20]
                waited.append(server.stream(chat, 2)["first_ms"])
        return {"third": waited[2], "fourth": waited[3]}

    with served(8391, "ch11", "--kv-room", "4GB") as new, served(8393, "ch10", "--kv-room", "4GB") as old, \
            llama_server("-np", 8, "-c", 16384) as theirs:
        servers = {"ch11": new, "ch10": old, "llama": theirs}
        found = in_turn({f"{name}_{what.__name__}": lambda server=server, what=what: what(server)
                         for what in (clients, in_turns) for name, server in servers.items()}, 3)
    of = lambda engine: found[f"{engine}_clients"]
    return {"what": "1,000 tokens in common, then 20 of one's own: milliseconds to the first token. llama-server -np 8.", "threads": 2,
            "figures": found, "second_times_first": times(of("ch11")["first"], of("ch11")["second"]),
            "ours_times_llama": {what: times(of("llama")[what], of("ch11")[what]) for what in of("ch11")},
            "command": "POST /v1/completions, stream, max_tokens 2, temperature 0"}


def rows_in_a_pass():
    """Passes over 1 to 64 rows, beside what the read test and the speed with 64 rows predict for the others."""
    found = example("ch12", "rows", model("q8_0"), model("q4_k_m"), rounds(3))
    found.pop("machine")
    found |= {"threads": [1, 2], "repeats": rounds(3), "cells": []}
    for kind in ("q8_0", "q4_k"):
        for threads, way in found[kind].items():
            memory = way["weight_bytes"] / way["read_gb_per_second"]["median"] / 1e6
            row = way["ms"]["64"]["median"] / 64
            way["predicted_ms"] = {rows: max(memory, int(rows) * row) for rows in way["ms"]}
            way["row_ms"], way["memory_ms"] = row, memory
            way["times_alone"] = {rows: int(rows) * way["ms"]["1"]["median"] / ms["median"] for rows, ms in way["ms"].items()}
            if threads == "2":
                lines = {kind.upper(): {rows: ms["median"] for rows, ms in way["ms"].items()},
                         f"{kind.upper()}, bytes and operations alone": way["predicted_ms"]}
                found["cells"] += [{"setting": name, "point": {"kind": "depth", "tokens": int(rows)}, "forwards": [
                    {"phase": "decode", "tokens": int(rows), "ms": ms, "end": int(rows)}]}
                    for name, line in lines.items() for rows, ms in line.items()]
    return {"what": "A pass over one row of each of so many texts, all weights and the head included.", **found}


def beside(old, new):
    """Two chapters and llama-server, each with the file in memory, until the block is left."""
    stack = contextlib.ExitStack()
    servers = {new: served(8391, new, "--kv-room", "4GB"), old: served(8393, old, "--kv-room", "4GB"),
               "llama": llama_server("-np", 16, "-c", 36864)}
    return stack, {name: stack.enter_context(server) for name, server in servers.items()}


def in_one_pass(old="ch11", new="ch12", counts=(1, 4, 16)):
    """Clients that ask at the same moment, one request each: two chapters and llama-server in turn. Then the open loop."""
    counts = (1, 4) if QUICK else counts
    stack, servers = beside(old, new)
    with stack:
        found = in_loops(servers, {count: (count, PROMPT) for count in counts}, 1, 3)
    speed = lambda name, clients: found[f"{name}_{clients}"]["tokens_per_second"]
    return {"what": "course load, prompts of 128 tokens, answers of 64, one request of each client; llama-server -np 16 -t 2." + LOOPS,
            "threads": 2, "figures": found,
            "times": {f"{name}_{clients}": times(speed(new, clients), speed(name, clients))
                      for clients in counts for name in (old, "llama")},
            "command": "cargo run -- load URL --clients N --prompt 128 --answer 64 --requests 1 --temperature 0"}


def of_kinds():
    """The same of chapter 13 and the other servers, with packed weights and longer prompts."""
    found, alike, room = {}, {}, ["-np", 16, "-c", 36864]
    cells = {f"{prompt}_{count}": (count, prompt) for prompt in ((16,) if QUICK else (128, 512))
             for count in ((1, 4) if QUICK else (1, 4, 16))}
    for kind in ("q8_0", "q4_k_m"):
        with contextlib.ExitStack() as stack:
            servers = {"ours": served(8391, "ch13", "--kv-room", "4GB", kind=kind), "llama": llama_server(*room, kind=kind),
                       **({"ik": ik_server(*room, kind=kind)} if "IK_SERVER" in os.environ else {})}
            servers = {name: stack.enter_context(server) for name, server in servers.items()}
            all = in_loops(servers, cells, 1, 2, drawn=False)
            for what in (*cells, "open"):
                cell = found[f"{kind}_{what}"] = {name: all[f"{name}_{what}"] for name in servers}
                speed = {name: figures["tokens_per_second"] for name, figures in cell.items()}
                for name, ratio in {"llama": "times", "ik": "times_ik"}.items() if what in cells else ():
                    if name in speed:
                        cell[ratio] = times(speed["ours"], speed[name])
            for name, server in servers.items() if kind == "q8_0" else ():
                waits = [one["first_ms"] for one in server.at_once(begin_alike(8), 16)]
                alike[name] = {"first": min(waits), "last": max(waits)}
    return {"what": "course load, answers of 64 tokens, one request of each client; chapter 13, llama-server -np 16 -t 2 and, "
                    "as ik, that of ik_llama.cpp with -rtr, in turn. Alike: first tokens of eight who begin with the same "
                    "1,000 tokens, at the same moment." + GREEDY + OPEN_TOO,
            "threads": 2, "figures": found, "alike_first_ms": alike,
            "command": "cargo run -- load URL --clients N --prompt N --answer 64 --requests 1 --temperature 0"}


def families():
    """The two real models beside the engines that read their files. Each llama-bench is beside its llama-server."""
    out = WORK / "fastest.json"
    peers = {"--llama": llama(), **({"--ik": os.environ["IK_SERVER"]} if "IK_SERVER" in os.environ else {})}
    run([sys.executable, ROOT / "lab/peers/fastest.py", real("smollm2"), real("gemma3"), "--chapter", "ch15", "--prompts", 512,
         "--rounds", 3, *(word for flag, server in peers.items() for word in (flag, Path(server).with_name("llama-bench"))), "--out", out])
    return json.loads(out.read_text())


def begin_alike(clients):
    ids = compare.ids_of(8192)
    return [ids[:40 if QUICK else 1000] + ids[2000 + 16 * client:][:16] for client in range(clients)]


def among_writers(old="ch12", new="ch13"):
    """The silences of four who write, while a prompt of 2,000 tokens comes in; `..._default` at each server's own temperature."""
    ids, start = compare.ids_of(8192), iter(range(0, 5000, 17))

    def once(server, **more):
        first, gaps = next(start), []
        with ThreadPoolExecutor(5) as clients:
            for client in range(4):
                # With its log-probability, a token has an event even where it ends in the middle of a character.
                clients.submit(server.stream, ids[first + 100 * client:][:64], 8 if QUICK else 256, gaps, logprobs=0, **more)
            time.sleep(0.2 if QUICK else 2)
            long = clients.submit(server.stream, ids[first + 1000:][:200 if QUICK else 2000], 2)
        gaps.sort()
        return {"gap_ms": statistics.median(gaps), "gap_ms_p99": gaps[len(gaps) * 99 // 100], "gap_ms_worst": gaps[-1],
                "first_ms": long.result()["first_ms"]}

    stack, servers = beside(old, new)
    with stack:
        servers["llama_512"] = stack.enter_context(llama_server("-np", 16, "-c", 36864, "-b", 512, port=8395))
        for server in servers.values():
            server.stream(ids[-64:], 2)  # the weights are in memory then
        figures = in_turn({f"{name}{end}": lambda server=server, more=more: once(server, **more)
                           for end, more in (("", {}), ("_default", {"temperature": None})) for name, server in servers.items()}, 3)
    return {"what": "Four clients write 256 tokens after prompts of 64; after two seconds, a fifth sends 2,000. llama-server -np 16, "
                    "and as llama_512 with -b 512.", "threads": 2, "figures": figures,
            "command": "POST /v1/completions, stream, temperature 0; _default: none"}


def guessing():
    """Clients of chapter 14 at the same moment, each with prompts of its own: with guesses and without, in turn."""
    counts, stack = (1, 4) if QUICK else (1, 4, 16), contextlib.ExitStack()
    servers = {"15": served(8391, "ch14", "--kv-room", "4GB"), "off": served(8393, "ch14", "--kv-room", "4GB", "--speculate", "off")}
    with stack:
        servers = {name: stack.enter_context(server) for name, server in servers.items()}
        found = in_loops(servers, {count: (count, PROMPT) for count in counts}, 1, 3)
    speed = lambda name: found[name]["tokens_per_second"]
    return {"what": "course load, prompts of 128 tokens, answers of 64, one request of each client." + LOOPS, "threads": 2, "figures": found,
            "times": {clients: times(speed(f"15_{clients}"), speed(f"off_{clients}")) for clients in counts},
            "command": "cargo run -- load URL --clients N --prompt 128 --answer 64 --requests 1 --temperature 0"}


def road():
    """Every program that has a clock, one after the other: the first token after 128, those after it, those after 4,096, memory;
    and from chapter 9 on sixteen clients."""
    import torch, transformers  # here, so that who lacks one is told before half an hour has passed

    ids, found, far = compare.ids_of(8192), {}, 32 if QUICK else 4096
    for at, (short, chapter) in enumerate(sorted(CHAPTERS.items())):
        prompt, slow = ids[200 * at:][:16 if QUICK else 128], short in ("ch00", "ch01")
        if short == "ch00":
            continue
        flags = ["--kv=contiguous"] if short in ("ch02", "ch03") else ["--threads=2"] if not slow else []
        ran = lambda prompt, steps: engines.ours(chapter, flags, model("q8_0"), prompt, steps)["metrics"]
        if int(short[2:]) < 9:
            metrics = ran(prompt, 2 if slow else 17)
            found[short] = {"first_ms": metrics["time_to_first_token_ms"], "decode": metrics["decode_tokens_per_second"],
                            "memory_mb": metrics["peak_memory_bytes"] / 1e6}
        else:
            with served(8391, short, "--queue", 64) as server:
                found[short] = at_the_door(server, prompt, short not in ("ch09", "ch10"))
        if short in ("ch01", "ch02"):
            found[short]["far_counted"] = found[short]["decode"] * operations(short, len(prompt)) / operations(short, far)
        else:
            found[short]["far"] = ran(ids[:far], 17)["decode_tokens_per_second"]
    for name, theirs in {"llama": llama_server, **({"ik": ik_server} if "IK_SERVER" in os.environ else {})}.items():
        with theirs("-np", 16, "-c", 36864) as server:
            found[name] = at_the_door(server, ids[4000:][:len(prompt)])
        with theirs("-np", 1, "-c", far + 256) as server:
            found[name]["far"] = server.stream(ids[:far], 17)["decode"]
    # Its library, as chapter 8 has it, has no flash attention unless it is asked for; its server decides by itself.
    with llama_server("-np", 1, "-c", far + 256, "-fa", "off") as server:
        found["llama"]["far_without_flash"] = server.stream(ids[:far], 17)["decode"]
    peer = compare.Torch(2, [])
    peer.speeds(8)  # the weights are in memory then
    near = peer.speeds(len(prompt))
    found["torch"] = {"first_ms": 1e3 * len(prompt) / near["prefill_128"] if not QUICK else None,
                      "decode": near[f"decode_{len(prompt)}"], "far": peer.speeds(far)[f"decode_{far}"]}
    return {"what": "Q8_0, two threads; prompts of 128 tokens, answers of 64 with 16 clients. llama-server -np 16, "
                    "and ik_llama.cpp's with -rtr. PyTorch with BF16 weights. After 4,096 tokens chapters 1 and 2 are counted, not "
                    "measured. Of four and of sixteen clients: medians of three rounds, temperatures in turn; all else once.", "threads": 2,
            "torch": peer.settings, "figures": found,
            "command": "--token-ids IDS -n 17 --json; POST /v1/completions; course load --clients 16 --temperature 0; default_: none"}


def operations(short, depth):
    """What chapter 1 counts for the next token after so many: of every row, or of one that looks at all before it."""
    pair, row, head = 4 * 28 * 16 * 128, 2 * 28 * 15_728_640, 2 * 151_936 * 1024
    rows = depth + 1
    return head + (row * rows + pair * rows * (rows + 1) / 2 if short == "ch01" else row + pair * rows)


def at_the_door(server, prompt, sixteen=True):
    """Of one client, of four, and of sixteen where these aren't answered one after the other, as in chapters 9 and 10."""
    server.stream(prompt[::-1], 2)  # the weights are in memory then
    one, memory = server.stream(prompt, 17), []

    def load(clients, *more):
        of = server.load("--clients", clients, "--requests", 1, *more, prompt=len(prompt))
        memory.append(server.status("VmHWM") / 1e6)
        return {"": of["tokens_per_second"], "_first_ms": of["first_ms"], "_gap_ms_p99": of["gap_ms_worst"]}

    many, greedy = 4 if QUICK else 16, ["--temperature", 0]
    loads = {"four": [4, *greedy], **({"sixteen": [many, *greedy], "default_sixteen": [many]} if sixteen else {})}
    seen = in_turn({name: lambda more=more: load(*more) for name, more in loads.items()}, 3)
    spreads = {f"{name}{what}": figure for name, figures in seen.items() for what, figure in figures.items()}
    # The memory is that with the past of the first sixteen, or four.
    return {"first_ms": one["first_ms"], "decode": one["decode"], "memory_mb": memory[1 if sixteen else 0],
            **{name: figure["median"] for name, figure in spreads.items()}, "spreads": spreads}
