// The engine's own frame: a prompt, the cache off and on, the curves, and one step from within.
// `<div class="engine" data-live="lab">`.

import { amount, ask, broken, compute, frame, halt, make, painter, percent, QUIETLY, quoted, rounded, runs as busyFor, size, time } from "./core.js";

const KINDS = ["off", "on"]; // of the cache

// ---- The curves: milliseconds of each step over the tokens before it

const LINES = { off: 'stroke="var(--figure-two)" stroke-dasharray="8 4"', on: 'stroke="var(--figure-one)"' };

// About four round steps, the last at `most` or above.
function scale(most, from, to) {
    const power = 10 ** Math.floor(Math.log10(most / 4));
    const gap = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= most / 4);
    const steps = Math.ceil(most / gap);
    const ticks = Array.from({ length: steps + 1 }, (_, i) => Number((i * gap).toPrecision(6)));
    return { ticks, at: (value) => Math.round(10 * (from + (to - from) * value / (steps * gap))) / 10 };
}

function curves(runs, width) {
    const [left, right, bottom, high] = [46, width - 72, 190, 230];
    const drawn = KINDS.filter((kind) => runs[kind]?.points.length);
    const points = drawn.flatMap((kind) => runs[kind].points);
    const across = scale(points.reduce((most, [tokens]) => Math.max(most, tokens), 20), left, right);
    const up = scale(points.reduce((most, [, ms]) => Math.max(most, ms), 1), bottom, 36);
    let out = `<text x="0" y="14">ms per token</text><text x="${right}" y="${high - 4}" text-anchor="end">tokens before it</text>`;
    for (const y of up.ticks) {
        out += `<path d="M${left} ${up.at(y)}H${right}" fill="none" stroke="currentColor" stroke-opacity=".25"/>` +
            `<text x="${left - 6}" y="${up.at(y) + 4}" text-anchor="end">${amount(y)}</text>`;
    }
    for (const x of across.ticks) out += `<text x="${across.at(x)}" y="${bottom + 18}" text-anchor="middle">${amount(x)}</text>`;
    for (const kind of drawn) {
        const line = runs[kind].points.map(([tokens, ms]) => `${across.at(tokens)},${up.at(ms)}`).join(" ");
        out += `<polyline points="${line}" fill="none" stroke-width="2" stroke-linejoin="round" ${LINES[kind]}/>`;
    }
    // Each curve has its name at its end; where both end together, one name is above the other.
    const ends = drawn.map((kind) => ({ kind, x: across.at(runs[kind].points.at(-1)[0]) + 8, y: up.at(runs[kind].points.at(-1)[1]) + 4 }));
    ends.sort((a, b) => b.y - a.y);
    ends.forEach(({ kind, x, y }, index) => {
        if (index) y = Math.min(y, ends[0].y - 16);
        out += `<text x="${x}" y="${y}" fill="var(--figure-${kind === "on" ? "one" : "two"})" stroke="var(--bg)" stroke-width="4" paint-order="stroke">cache ${kind}</text>`;
    });
    const says = drawn.map((kind) => `Cache ${kind}: from ${time(runs[kind].points[0][1])} to ${time(runs[kind].points.at(-1)[1])}.`);
    return `<svg viewBox="0 0 ${width} ${high}" width="${width}" height="${high}" role="img" ` +
        `aria-label="Time per token. ${says.join(" ") || "Nothing has run yet."}"><g font-size="13" fill="currentColor">${out}</g></svg>`;
}

// ---- One step from within: what was likely, and what a head looked at

// `ask` puts a question to the worker, and says whether it can answer.
function inside(id, ask, changed) {
    const numbers = (count) => Array.from({ length: count }, (_, i) => make("option", { value: i }, String(i)));
    const chosen = make("input", { type: "range", id: id("step"), min: 1, max: 1, value: 1 });
    const says = make("p", {});
    const likely = make("ol", { className: "likely" });
    const layer = make("select", { id: id("layer") });
    const head = make("select", { id: id("head") });
    const tokens = make("div", { className: "tokens", role: "listbox", "aria-label": "The text, shaded by weight" });
    const number = make("p", {});
    const rows = make("tbody", {});
    const table = make("details", {}, make("summary", {}, "The weights as a table"), make("table", {},
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Token"), make("th", { scope: "col" }, "Weight"))), rows));
    const element = make("div", { className: "inside" },
        make("h2", {}, "One step"),
        make("div", { className: "field wide" }, make("label", { htmlFor: chosen.id }, "Step"), chosen), says, likely,
        make("h2", {}, "What a head looks at"),
        make("div", { className: "row" },
            make("div", { className: "field" }, make("label", { htmlFor: layer.id }, "Layer"), layer),
            make("div", { className: "field" }, make("label", { htmlFor: head.id }, "Head"), head)),
        tokens, number, table);

    let run = null; // what is looked at
    let held = false; // a reader looks at an earlier step, while others follow
    let asked = ""; // the last question, and when it was put
    let askedAt = 0;
    let waiting = false;
    let weights = [];
    let picked = null; // a token that the reader chose

    const at = () => Math.min(Number(chosen.value), run.steps.length) - 1;
    const position = () => run.prompt + at() - 1;

    function show(now) {
        if (!now.steps.length) return;
        if (now.number !== run?.number) {
            [held, asked, waiting, weights, picked] = [false, "", false, [], null];
            tokens.replaceChildren();
        }
        run = now;
        chosen.max = run.steps.length;
        if (!held) chosen.value = run.steps.length;
        const step = run.steps[at()];
        says.textContent = `Step ${at() + 1} of ${run.steps.length}: after ${quoted(run.tokens[position()])} comes ${quoted(step.token)}.`;
        likely.replaceChildren(...step.likely.map(({ text, share }) => {
            const bar = make("i", { "aria-hidden": "true" });
            bar.style.width = `${100 * share}%`;
            return make("li", {}, make("span", {}, quoted(text)), make("span", { className: "bar" }, bar), make("span", {}, percent(share)));
        }));
        look();
    }

    // One question at a time, and while tokens come not more than four in a second.
    function look() {
        const question = { run: run.number, layer: Number(layer.value), head: Number(head.value), position: position() };
        const key = JSON.stringify(question);
        if (key === asked || waiting || (run.going && performance.now() < askedAt + 250)) return;
        if (!ask(question)) {
            number.textContent = "The engine no longer holds this run. Run it again to see another step, layer or head.";
            return;
        }
        [asked, askedAt, waiting] = [key, performance.now(), true];
    }

    function answer(data) {
        if (data.run !== run?.number) return;
        waiting = false;
        weights = data.weights;
        while (tokens.children.length > weights.length) tokens.lastChild.remove();
        while (tokens.children.length < weights.length) {
            tokens.append(make("span", { role: "option" }, run.tokens[tokens.children.length].replace(/\n/g, "\u21b5\n")));
        }
        paint();
        look();
    }

    function paint() {
        const most = weights.reduce((largest, weight) => Math.max(largest, weight), 0);
        const which = picked !== null && picked < weights.length ? picked : weights.indexOf(most);
        weights.forEach((weight, index) => {
            const token = tokens.children[index];
            token.style.setProperty("--weight", `${(43 * weight / most).toFixed(1)}%`);
            token.setAttribute("aria-label", `${quoted(run.tokens[index])}: ${percent(weight)}`);
            token.setAttribute("aria-selected", String(index === which));
            token.tabIndex = index === which ? 0 : -1;
        });
        number.textContent = `${quoted(run.tokens[which])}, token ${which + 1} of ${weights.length}, gets ${percent(weights[which])} of the attention.`;
        list();
    }

    function list() {
        if (!table.open) return;
        rows.replaceChildren(...weights.map((weight, index) =>
            make("tr", {}, make("td", {}, quoted(run.tokens[index])), make("td", {}, percent(weight)))));
    }

    function pick(index, focus) {
        picked = Math.max(0, Math.min(weights.length - 1, index));
        paint();
        if (focus) tokens.children[picked].focus();
    }

    chosen.addEventListener("input", () => {
        held = at() < run.steps.length - 1;
        changed();
    });
    for (const select of [layer, head]) select.addEventListener("change", look);
    table.addEventListener("toggle", list);
    const indexOf = (event) => Array.prototype.indexOf.call(tokens.children, event.target);
    tokens.addEventListener("click", (event) => { if (indexOf(event) >= 0) pick(indexOf(event), true); });
    tokens.addEventListener("keydown", (event) => {
        const from = indexOf(event);
        const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: weights.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        pick(to, true);
    });

    function opened({ layers, heads }) {
        if (layer.length) return;
        layer.append(...numbers(layers));
        head.append(...numbers(heads));
        // Of the tiny model: the head that copies.
        [layer.value, head.value] = [Math.min(5, layers - 1), Math.min(1, heads - 1)];
    }
    return { element, show, answer, opened, at: () => (run && held ? at() : Infinity) };
}

export default function lab(place, id) {
    const { live, says, bar, run, stop, say, files } = frame(place, "The engine", "Run");
    const field = (words, input, kind = "") => make("div", { className: `field ${kind}` }, make("label", { htmlFor: input.id }, words), input);
    const check = (name, words) => {
        const box = make("input", { type: "checkbox", id: id(name) });
        return { box, field: make("label", { className: "check" }, box, words) };
    };

    const prompt = make("textarea", { id: id("prompt"), rows: 2, spellcheck: false, value: "Once upon a time" });
    const cache = ["off", "on", "both"].map((value) => make("input", { type: "radio", name: id("cache"), value, checked: value === "both" }));
    const words = { off: "off", on: "on", both: "both in turn" };
    const chapter = make("select", { id: id("chapter") }, make("option", { value: 2 }, "chapter 2"), make("option", { value: 3 }, "chapter 3"));
    const limit = make("input", { id: id("limit"), type: "number", min: 1, max: 500, value: 64, required: true });
    const chat = check("chat", "As a question in a chat");
    const past = check("past", "Go on after the end of the reply");
    const drawing = make("div", { className: "curves" });
    const asked = make("b", {});
    const reply = make("span", {});
    const facts = make("div", { className: "facts" });
    const row = (...fields) => make("div", { className: "row" }, ...fields);
    const choice = make("fieldset", {}, make("legend", {}, "Cache"), ...cache.map((radio) => make("label", {}, radio, words[radio.value])));
    const settings = make("details", { className: "settings" }, make("summary", {}, "Settings"), choice,
        row(field("Engine", chapter), field("New tokens, at most", limit)), row(chat.field, past.field));
    const form = make("form", {}, field("Prompt", prompt, "grows"), row(run, stop, make("span", { className: "quiet keys" }, "or Ctrl+Enter")), settings);
    live.append(form, bar, says, drawing, make("p", { className: "reply" }, asked, reply), facts);
    // Until there is a curve of the reader's own, the recorded one shows what to expect.
    const recorded = place.querySelector(".recorded figure")?.cloneNode(true);
    if (recorded) drawing.append(recorded);

    let runs = {}; // of one request: with the cache off and on
    let shown = null; // the last of them
    let request = "";
    let waiting = []; // what runs next
    let starts = 0;
    const step = inside(id, (question) => {
        return ask({ work: "attention", ...question }, listen);
    }, () => draw());

    const draw = painter(show);

    function show() {
        if (!shown && recorded) return;
        drawing.innerHTML = curves(runs, Math.max(260, Math.floor(drawing.clientWidth)));
        const now = runs[shown];
        asked.textContent = now ? now.request.prompt + (now.request.chat ? "\n" : "") : "";
        // Only what is new is added, so that a selection in the text stays.
        const there = reply.textContent;
        if (now?.text.startsWith(there)) reply.append(now.text.slice(there.length));
        else reply.replaceChildren(now?.text ?? "");
        if (now) step.show(now); // it knows whether a reader looks at an earlier step, which the table needs
        facts.replaceChildren(table());
    }

    function table() {
        const kinds = KINDS.filter((kind) => runs[kind]?.steps.length);
        if (!kinds.length) return "";
        const of = (now) => now.steps[Math.min(step.at(), now.steps.length - 1)];
        const lines = [
            ["Tokens written", (now) => amount(now.steps.length)],
            ["Time to the first", (now) => time(now.steps[0].ms)],
            ["Tokens per second in decode", (now) => (now.points.length ? rounded(speed(now)) : "\u2013")],
            ["Time of this step", (now) => time(of(now).ms)],
            ["Rows computed in it", (now) => amount(of(now).computed)],
            ["Rows in the cache", (now) => amount(of(now).rows)],
            ["Size of the cache", (now) => size(of(now).cache_bytes)],
            ["Digest of all logits", (now) => of(now).digest.slice(0, 8)],
        ];
        const head = kinds.map((kind) => make("th", { scope: "col" }, `cache ${kind}`));
        const body = lines.map(([name, value]) =>
            make("tr", {}, make("th", { scope: "row" }, name), ...kinds.map((kind) => make("td", {}, value(runs[kind])))));
        return make("table", {}, make("thead", {}, make("tr", {}, make("td", {}), ...head)), make("tbody", {}, ...body));
    }
    const speed = (now) => 1000 * now.points.length / now.points.reduce((sum, [, ms]) => sum + ms, 0);

    function listen(data) {
        if (data.weights) return step.answer(data);
        const now = runs[shown];
        if (data.run !== now?.number) return;
        if (data.error) {
            // What never began leaves nothing to look at.
            if (!now.steps.length) delete runs[shown];
            ended(broken(data), true);
        } else if (data.quiet) {
            say(QUIETLY);
        } else if (data.stopped) {
            ended(`stopped after ${amount(now.steps.length)} tokens`);
        } else if (data.begun) {
            now.tokens = data.begun.tokens;
            now.prompt = now.tokens.length;
            step.opened(data.begun);
            live.append(step.element);
        } else {
            now.tokens.push(data.step.token);
            now.text += data.step.text;
            if (now.steps.push(data.step) > 1) now.points.push([now.tokens.length - 1, data.step.ms]);
            if (data.step.ended) now.going = false;
            if (data.step.ended && waiting.length) begin();
            else if (data.step.ended) ended(summary());
        }
        draw();
    }

    function summary() {
        const done = KINDS.filter((kind) => runs[kind]?.steps.at(-1)?.ended);
        const parts = done.map((kind) => `Cache ${kind}: ${amount(runs[kind].steps.length)} tokens` +
            (runs[kind].points.length ? `, ${rounded(speed(runs[kind]))} per second.` : "."));
        const why = { eos: "The model ended its reply.", context: "The context is full." }[runs[shown].steps.at(-1).ended];
        if (why) parts.push(why);
        if (done.length === 2) {
            const [off, on] = done.map((kind) => runs[kind]);
            const same = off.text === on.text && off.steps.at(-1).digest === on.steps.at(-1).digest;
            parts.push(same ? "Same text, and the same bits in all logits." : "The replies DIFFER.");
        }
        return parts.join(" ");
    }

    function ended(words, fault = false) {
        waiting = [];
        if (runs[shown]) runs[shown].going = false;
        stop.hidden = true;
        say(words, fault);
        draw();
    }

    async function begin() {
        const mine = starts;
        const all = await files();
        if (mine !== starts) return;
        shown = waiting.shift();
        const wanted = { work: "reply", ...JSON.parse(request), cache: shown === "on" };
        const number = compute(all, wanted, listen);
        runs[shown] = { number, request: wanted, going: true, text: "", tokens: [], prompt: 0, steps: [], points: [] };
        say(`Running with the cache ${shown}`);
    }

    async function start() {
        const mine = starts += 1;
        await halt();
        if (mine !== starts) return;
        const kind = cache.find((radio) => radio.checked).value;
        const wanted = JSON.stringify({
            prompt: prompt.value, chapter: Number(chapter.value), chat: chat.box.checked, limit: Number(limit.value), past: past.box.checked,
        });
        // The other curve stays as long as it is about the same request.
        if (wanted !== request) runs = {};
        request = wanted;
        waiting = kind === "both" ? [...KINDS] : [kind];
        for (const next of waiting) delete runs[next];
        stop.hidden = false;
        try {
            await begin();
        } catch (error) {
            if (mine === starts) ended(error.message, true);
        }
    }

    form.addEventListener("submit", (event) => { event.preventDefault(); start(); });
    prompt.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    stop.addEventListener("click", () => {
        starts += 1;
        waiting = [];
        if (busyFor(listen)) halt();
        else ended("stopped");
    });
    new ResizeObserver(draw).observe(drawing);
}
