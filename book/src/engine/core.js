// What all figures that run the engine share: its files, fetched once a page and not before somebody asks; the worker; and the
// small parts that they are drawn with.

export const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (name in element) element[name] = value;
        else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
}

export const amount = (n) => n.toLocaleString("en");
export const rounded = (n) => amount(Number(n.toPrecision(n < 1 ? 1 : n < 10 ? 2 : 3)));
export const time = (ms) => (ms < 1000 ? `${rounded(ms)} ms` : `${rounded(ms / 1000)} s`);
export const size = (bytes) => (bytes === 0 ? "0" : bytes < 1e6 ? `${rounded(bytes / 1e3)} KB` : `${rounded(bytes / 1e6)} MB`);
export const percent = (share) => (share > 0 && share < 0.0005 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`);
// A space at its edge is part of a token.
export const shown = (token) => token.replace(/^ +| +$/g, (spaces) => "\u00b7".repeat(spaces.length)).replace(/\n/g, "\u21b5");
export const quoted = (token) => `\u201c${shown(token)}\u201d`;
export const sentence = (line) => line[0].toUpperCase() + line.slice(1) + (/[.!?]$/.test(line) ? "" : ".");

// ---- The files

let files = null;
const progress = { loaded: 0, total: 0, show: () => {} };

async function fetched(name) {
    const failed = (why) => new Error(`the file ${name} did not arrive: ${why}; another press tries again`);
    // Asks the server whether a kept copy is still the right one: the three files belong together.
    const reply = await fetch(new URL(name, import.meta.url), { cache: "no-cache" }).catch(() => { throw failed("there is no connection"); });
    if (!reply.ok) throw failed(`the server answers ${reply.status}`);
    // The length of a compressed file says nothing about what comes out of it.
    progress.total += reply.headers.has("content-encoding") ? NaN : Number(reply.headers.get("content-length") ?? NaN);
    const pieces = [];
    const reader = reply.body.getReader();
    for (;;) {
        const { done, value } = await reader.read().catch(() => { throw failed("the connection broke"); });
        if (done) return new Blob(pieces, { type: "text/javascript" });
        pieces.push(value);
        progress.loaded += value.length;
        progress.show(progress);
    }
}

async function fetchAll() {
    Object.assign(progress, { loaded: 0, total: 0 });
    const [program, module, model] = await Promise.all(["worker.js", "engine.wasm", "tiny-qwen3.gguf"].map(fetched));
    return {
        program: URL.createObjectURL(program),
        // From its bytes, so that a server need not know this type of file.
        module: await WebAssembly.compile(await module.arrayBuffer())
            .catch((error) => { throw new Error(`this browser cannot run the engine: ${error.message}`); }),
        bytes: await model.arrayBuffer(),
    };
}

// `show` hears how far the files are.
export function load(show = () => {}) {
    progress.show = show;
    return (files ??= fetchAll().catch((error) => { files = null; throw error; }));
}

// ---- The worker: one for all figures of a page. It can be ended in the middle of a step, since the page keeps all that it needs.

const QUIET = 10000; // milliseconds without a word
let worker = null;
let hear = null; // the figure that it computes for
let busy = 0; // the number of the run
let lastRun = 0;
let halting = null;
let freed = () => {};
let patience = 0;

function told(data) {
    // What fails before a run begins has no number.
    if (data.error) data.run ??= busy;
    if (data.broken) endWorker();
    const last = data.stopped || data.error || data.last || (data.step?.ended && data.side === undefined);
    if (data.run === busy) {
        wait(!last);
        if (last) {
            busy = 0;
            freed();
        }
    }
    hear?.(data);
}

// A worker that the system ended says nothing; one that reads a long prompt says nothing either.
function wait(on) {
    clearTimeout(patience);
    if (on) patience = setTimeout(() => hear?.({ run: busy, quiet: true }), QUIET);
}

function endWorker() {
    worker?.terminate();
    worker = null;
    wait(false);
}

function start({ program, module, bytes }, request) {
    let heard = false;
    const spawn = (address) => {
        const mine = new Worker(address);
        worker = mine;
        mine.onmessage = ({ data }) => { heard = true; told(data); };
        mine.onerror = (event) => {
            if (mine !== worker) return;
            // A policy may forbid what a page has put together itself, and allow the file.
            if (!heard && address === program) return spawn(new URL("worker.js", import.meta.url));
            told({ run: busy, error: event.message || "its thread could not start, or ended", broken: true });
        };
        mine.postMessage({ module, bytes });
        mine.postMessage(request());
    };
    try {
        spawn(program);
    } catch {
        spawn(new URL("worker.js", import.meta.url));
    }
}

// It hears between two steps. A step over a long prompt takes seconds: then it is ended.
export function halt() {
    if (!busy) return Promise.resolve();
    halting ??= new Promise((done) => {
        const late = setTimeout(() => { endWorker(); told({ run: busy, stopped: true }); }, 300);
        freed = () => { clearTimeout(late); [halting, freed] = [null, () => {}]; done(); };
        worker.postMessage({});
    });
    return halting;
}

// Computes for this figure from now on; what comes has the number that this gives.
export function compute(all, request, listener) {
    hear = listener;
    busy = lastRun += 1;
    if (worker) worker.postMessage({ ...request, run: busy });
    else start(all, () => ({ ...request, run: busy }));
    wait(true);
    return busy;
}

// A question about what it last computed for this figure; says whether it can still answer.
export function ask(question, listener) {
    if (!worker || hear !== listener) return false;
    worker.postMessage(question);
    return true;
}

// Does it still hold what it computed for this figure?
export const holds = (listener) => worker !== null && hear === listener;
export const runs = (listener) => busy !== 0 && hear === listener;
export const there = () => worker !== null;
export const QUIETLY = "Nothing has come for ten seconds. A long prompt takes that long; or your device has ended the engine, and then Stop and Run start it again";
export const broken = (data) => (data.broken ? `the engine broke off: ${data.error}` : data.error);

// A browser may keep a page that was left, and wake it later.
addEventListener("pagehide", halt);

// ---- Parts of a figure

// Many tokens may come between two frames of the screen; a reader who asked for calm sees two changes in a second.
export function painter(paint) {
    let due = false;
    const now = () => { due = false; paint(); };
    return () => {
        if (due) return;
        due = true;
        if (CALM.matches) setTimeout(now, 500);
        else requestAnimationFrame(now);
    };
}

// A frame around what is live: its buttons, a line that says what happens, a bar while the files come.
export function frame(place, name, press) {
    const says = make("p", { className: "says", role: "status" });
    const bar = make("progress", { "aria-label": "Loading", hidden: true });
    const run = make("button", { type: "submit", className: "run" }, press);
    const stop = make("button", { type: "button", hidden: true }, "Stop");
    const live = make("div", { className: "engine-live", role: "group", "aria-label": name });
    function say(line, fault = false) {
        says.textContent = line ? sentence(line) : "";
        says.classList.toggle("fault", fault);
    }
    async function files() {
        // Until then the recorded picture shows what to expect.
        place.classList.add("begun");
        if (!there()) say("Loading the engine and the model, 5.4 MB, once");
        try {
            return await load(({ total, loaded }) => {
                bar.hidden = false;
                if (total) [bar.max, bar.value] = [total, loaded];
            });
        } finally {
            bar.hidden = true;
        }
    }
    // Elsewhere on the page, letters and arrows search and turn the page.
    live.addEventListener("keydown", (event) => { if (event.target.tagName !== "BUTTON" || event.key.startsWith("Arrow")) event.stopPropagation(); });
    place.prepend(live);
    place.classList.add("runs");
    return { live, says, bar, run, stop, say, files };
}
