"""Three servers behind HAProxy: what is found, what is lost when one is killed, and what when one is drained.

    python3 lab/machines/run.py [PROGRAM]
"""

import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "target" / "debug" / "ch13-scheduling"
WORDS = "The dog saw a big red ball in the park and she was happy to play with her friend".split()
CONVERSATIONS, TURNS = 24, 4


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def wait(what, holds):
    end = time.monotonic() + 30
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"RED   {what} did not happen within 30 s")
        time.sleep(0.02)


def healthy(port):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False


class Machines:
    """HAProxy and its three servers."""

    def __init__(self, folder, balance):
        self.ports = {name: free_port() for name in "abc"}
        self.door, self.socket = free_port(), f"{folder}/{balance[:3]}.sock"
        self.servers = {}
        for name in self.ports:
            self.start(name)
        env = os.environ | {"SOCKET": self.socket, "DOOR": str(self.door), "BALANCE": balance}
        env |= {name.upper(): str(port) for name, port in self.ports.items()}
        self.proxy = subprocess.Popen(["haproxy", "-db", "-f", HERE / "haproxy.cfg"], env=env, stderr=subprocess.DEVNULL)
        wait("HAProxy and its servers", lambda: self.proxy.poll() is None and healthy(self.door))
        for name in self.ports:
            wait(f"server {name}", lambda: self.column(name, "status") == "UP")

    def start(self, name):
        self.servers[name] = subprocess.Popen([PROGRAM, "--port", str(self.ports[name]), "--threads", "1"],
                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(f"server {name}", lambda: healthy(self.ports[name]))

    def say(self, line):
        """Says it to HAProxy's control socket."""
        with socket.socket(socket.AF_UNIX) as it:
            it.connect(self.socket)
            it.sendall(line.encode() + b"\n")
            return b"".join(iter(lambda: it.recv(65536), b"")).decode()

    def column(self, server, name):
        """What HAProxy knows of a server."""
        names, *rows = [line.split(",") for line in self.say("show stat").lstrip("# ").splitlines() if line]
        return next(row[names.index(name)] for row in rows if row[:2] == ["servers", server])

    def end(self):
        for process in [self.proxy, *self.servers.values()]:
            process.kill()
            process.wait()


def ask(port, prompt, tokens, conversation=None):
    """An answer as a stream: its text, the tokens of its prompt, those of them found. If it broke off, the server's name."""
    body = {"prompt": prompt, "max_tokens": tokens, "temperature": 0, "ignore_eos": True, "stream": True,
            "stream_options": {"include_usage": True}}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Content-Type": "application/json"} | ({"X-Conversation": conversation} if conversation else {})
    text, usage, server = "", None, "none"
    try:
        connection.request("POST", "/v1/completions", json.dumps(body), headers)
        response = connection.getresponse()
        if response.status != 200:
            return server
        server = response.headers.get("X-Server", server)
        for line in response:
            if line == b"data: [DONE]\n":
                return text, usage["prompt_tokens"], usage["prompt_tokens_details"]["cached_tokens"]
            if line.startswith(b"data: "):
                chunk = json.loads(line[6:])
                text += "".join(choice["text"] for choice in chunk["choices"])
                usage = chunk.get("usage") or usage
    except (OSError, http.client.HTTPException):
        pass
    finally:
        connection.close()
    return server


class Load:
    """All conversations, each a thread that asks its next question when it has an answer."""

    def __init__(self, machines, seed, tokens):
        self.prompt_tokens = self.found = 0
        self.broken = []  # which server broke it off, or none
        self.answers, self.late = {}, 0.0
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.talk, args=(machines, seed, index, tokens)) for index in range(CONVERSATIONS)]
        for thread in self.threads:
            thread.start()

    def talk(self, machines, seed, index, tokens):
        words, text = random.Random(seed * 100 + index), ""
        for turn in range(TURNS):
            text += " ".join(words.choices(WORDS, k=40))
            broken_at = None
            while isinstance(answer := ask(machines.door, text, tokens, f"{seed}-{index}"), str):
                broken_at = broken_at or time.monotonic()
                with self.lock:
                    self.broken.append(answer)
                time.sleep(0.5)  # about as long as OpenAI's clients wait
            with self.lock:
                if broken_at:
                    self.late = max(self.late, time.monotonic() - broken_at)
                if turn > 0:
                    self.prompt_tokens += answer[1]
                    self.found += answer[2]
                self.answers[text] = answer[0]
            text += answer[0] + " "

    def join(self):
        for thread in self.threads:
            thread.join()
        return self

    def hits(self):
        return f"{100 * self.found / self.prompt_tokens:.0f} % of the later questions' tokens found"


def main():
    if not shutil.which("haproxy"):
        sys.exit("RED   there is no haproxy: apt-get install haproxy")
    tokens = 30
    with tempfile.TemporaryDirectory() as folder:
        loads = []
        turns = Machines(folder, "roundrobin")
        try:
            by_turns = Load(turns, 1, tokens).join()
        finally:
            turns.end()
        print(f"in turn:         {by_turns.hits()}", flush=True)
        machines = Machines(folder, "hdr(X-Whose)")
        try:
            load = Load(machines, 1, tokens).join()
            print(f"by conversation: {load.hits()}", flush=True)
            assert load.found > by_turns.found and not load.broken and not by_turns.broken
            loads += [by_turns, load]

            load = Load(machines, 2, tokens)
            wait("work for server a", lambda: int(machines.column("a", "scur")) > 2)
            running = int(machines.column("a", "scur"))
            machines.servers["a"].kill()
            killed = time.monotonic()
            machines.servers["a"].wait()
            wait("HAProxy's notice", lambda: machines.column("a", "status").startswith("DOWN"))
            noticed = time.monotonic() - killed
            load.join()
            print(f"killed:          {load.broken.count('a')} of {running} answers broke off, {load.broken.count('none')} more got no answer at all, "
                  f"all {len(load.answers)} answers came, the last of these {load.late:.1f} s after it broke; noticed after {noticed:.1f} s; {load.hits()}", flush=True)
            assert "a" in load.broken and not {"b", "c"} & set(load.broken), "only what was running there is lost"
            begun = time.monotonic()
            machines.start("a")
            wait("server a", lambda: machines.column("a", "status") == "UP")
            print(f"started again:   served after {time.monotonic() - begun:.1f} s", flush=True)
            loads.append(load)

            load = Load(machines, 3, tokens)
            wait("work for server b", lambda: int(machines.column("b", "scur")) > 2)
            running = int(machines.column("b", "scur"))
            machines.say("set server servers/b state drain")
            begun = time.monotonic()
            wait("the end of b's answers", lambda: machines.column("b", "scur") == "0")
            drained = time.monotonic() - begun
            machines.servers["b"].send_signal(signal.SIGINT)
            assert machines.servers["b"].wait(timeout=40) == 0, "it ends well"
            machines.start("b")
            machines.say("set server servers/b state ready")
            load.join()
            print(f"drained:         {running} answers were running there, the last ended after {drained:.1f} s, {len(load.broken)} broke off; "
                  f"{load.hits()}", flush=True)
            assert not load.broken, "a drained server loses nothing"
            loads.append(load)

            answers = [answer for load in loads for answer in load.answers.items()]
            wrong = sum(ask(machines.ports["c"], prompt, tokens)[0] != answer for prompt, answer in answers)
            print(f"the same bytes:  {len(answers) - wrong} of {len(answers)} answers are those of one server alone", flush=True)
            assert wrong == 0
        finally:
            machines.end()


main()
