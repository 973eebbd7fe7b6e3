"""A headless Chromium, spoken to over its DevTools protocol through a pair of pipes, so that no package is needed."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
PIECE = 6000  # pixels of height in one picture of a long page


class Chromium:
    def __init__(self, program=None):
        program = program or next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise SystemExit("no Chromium found: install Debian's `chromium`, or name one with --chromium")
        self.profile = tempfile.TemporaryDirectory(prefix="book-browser-", ignore_cleanup_errors=True)  # its helpers may still be writing
        command = [
            program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "--disable-gpu",
            "--no-first-run", "--hide-scrollbars", "--disable-background-networking", "--disable-dev-shm-usage",
            # Whatever a page asks of another host is seen as a request, and goes nowhere.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "about:blank",
        ]
        if os.geteuid() == 0:
            command.insert(1, "--no-sandbox")
        # It reads commands from 3 and writes answers to 4, each ended by a zero byte.
        its_input, self.out = os.pipe()
        self.back, its_output = os.pipe()
        its_input, its_output = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (its_input, its_output))

        def wire():
            os.dup2(its_input, 3)
            os.dup2(its_output, 4)

        self.process = subprocess.Popen(command, close_fds=False, preexec_fn=wire, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_input)
        os.close(its_output)
        self.last, self.unread, self.events, self.session = 0, b"", [], None
        tab = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def read(self, until):
        """The next message, or an error when none came in time."""
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.back], [], [], max(0, until - time.monotonic()))
            more = os.read(self.back, 1 << 20) if ready else b""
            if not more:
                raise TimeoutError("Chromium does not answer" if not ready else "Chromium has ended")
            self.unread += more
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + 60
        while True:
            answer = self.read(until)
            if answer.get("id") == self.last:
                break
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait_for(self, method):
        until = time.monotonic() + 60
        seen = 0
        while not any(event.get("method") == method for event in self.events[seen:]):
            seen = len(self.events)
            self.events.append(self.read(until))

    def evaluate(self, script):
        """What a script gives, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def look_as(self, theme, width, media=""):
        """`media`: `print` shows a page as on paper."""
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": theme}])
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=844 if phone else 900, deviceScaleFactor=1, mobile=phone)

    def scripts(self, run):
        """May pages run their scripts? Those of this check run anyhow."""
        self.call("Emulation.setScriptExecutionDisabled", value=not run)

    def open(self, address, painted=True):
        """Returns when all is loaded and painted. The events are those of this page alone. Without scripts a page cannot
        say when it was painted: then loaded is enough."""
        # The load of the empty page must not be taken for that of the page.
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.wait_for("Page.loadEventFired")
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.wait_for("Page.loadEventFired")
        # On a busy machine it can be taken for it all the same: then the page before had loaded late.
        until = time.monotonic() + 60
        while not self.evaluate("location.href !== 'about:blank' && document.readyState === 'complete'"):
            if time.monotonic() > until:
                raise TimeoutError(f"{address} does not load")
            time.sleep(0.05)
        if not painted:
            return
        self.evaluate("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1)))))")

    def click(self, x, y):
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        """What the browser itself does with a key, it does by its number or its text."""
        number = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(key, 0)
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=number, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=number)

    def pictures(self, width):
        """PNGs of the whole page, from top to bottom."""
        height = self.evaluate("Math.ceil(document.scrollingElement.scrollHeight)")
        for top in range(0, height, PIECE):
            clip = {"x": 0, "y": top, "width": width, "height": min(PIECE, height - top), "scale": 1}
            answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
            yield base64.b64decode(answer["data"])
