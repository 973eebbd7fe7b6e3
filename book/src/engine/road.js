// The road not taken: a reply whose tokens are shaded by how unsure the model was. One is pressed, and its rivals branch off; a
// rival is pressed, and the engine writes on from there. `<div class="engine" data-live="road">`; with `data-parts="small"` it
// has no dials.

import { amount, ask, broken, compute, frame, halt, holds, make, painter, percent, QUIETLY, quoted, runs, shown } from "./core.js";

const TOKENS = 48;
const HIGH = 44; // pixels of a rival's row, so that a finger meets it

export default function road(place, id) {
    const { live, says, bar, run, stop, say, files } = frame(place, "The road not taken", "Write");
    const dial = (name, words, properties, show) => {
        const input = make("input", { id: id(name), ...properties });
        const value = make("output", { htmlFor: input.id });
        const tell = () => { value.textContent = show(Number(input.value)); };
        tell();
        input.addEventListener("input", () => { tell(); asks(); });
        return { input, field: make("div", { className: "field dial" }, make("label", { htmlFor: input.id }, words), input, value) };
    };
    const small = place.dataset.parts === "small";
    const prompt = make("input", { type: "text", id: id("prompt"), value: "Once upon a time", spellcheck: false, autocomplete: "off" });
    const dials = {
        temperature: dial("temperature", "Temperature", { type: "range", min: 0, max: 2, step: 0.1, value: small ? 0 : 0.8 }, (n) => (n ? n.toFixed(1) : "0: the likeliest")),
        top_k: dial("top-k", "Top-k", { type: "range", min: 0, max: 8, step: 1, value: 0 }, (n) => (n ? String(n) : "all")),
        top_p: dial("top-p", "Top-p", { type: "range", min: 0.1, max: 1, step: 0.05, value: 1 }, (n) => (n < 1 ? n.toFixed(2) : "1: all")),
        seed: dial("seed", "Seed", { type: "number", min: 0, max: 999, step: 1, value: 1 }, () => ""),
    };
    // Without dials a reader sees the shares as the model gives them, and the engine takes the likeliest.
    const looking = () => (small ? { temperature: 1, top_k: 0, top_p: 1, seed: 0 } : sampling());
    const sampling = () => Object.fromEntries(Object.entries(dials).map(([name, { input }]) => [name, Number(input.value)]));
    const form = make("form", {},
        make("div", { className: "field grows" }, make("label", { htmlFor: prompt.id }, "Prompt"), prompt),
        ...(small ? [] : [make("div", { className: "dials" }, ...Object.values(dials).map((one) => one.field))]),
        make("div", { className: "row" }, run, stop));
    const text = make("div", { className: "tokens reply", role: "group", "aria-label": "The reply: press a token to see its rivals" });
    const where = make("p", { className: "quiet" });
    const branches = make("div", { className: "branches", hidden: true });
    live.append(form, bar, says, text, where, branches);

    let number = 0;
    let starts = 0;
    let asked = ""; // the prompt's tokens
    let first = 0; // how many these are
    let steps = []; // of the reply
    let open = null; // the token that is looked at
    let shares = null; // what the engine says of it
    let cut = null; // where this road left the one before

    const shade = (step) => 1 - (step.likely.find((one) => one.id === step.id)?.share ?? 0);

    const draw = painter(() => {
        if (!text.firstChild) text.append(make("b", {}));
        text.firstChild.textContent = asked;
        while (text.children.length > steps.length + 1) text.lastChild.remove();
        steps.forEach((step, index) => {
            let button = text.children[index + 1];
            if (!button) {
                button = make("button", { type: "button" });
                button.addEventListener("click", () => pick(index));
                text.append(button);
            }
            const words = step.token.replace(/\n/g, "\u21b5\n");
            if (button.textContent !== words) button.textContent = words;
            button.style.setProperty("--unsure", `${Math.round(40 * shade(step))}%`);
            button.setAttribute("aria-pressed", String(index === open));
            button.setAttribute("aria-label", `${quoted(step.token)}, ${percent(1 - shade(step))}`);
            button.classList.toggle("taken", index === cut);
        });
        where.textContent = steps.length ? "The darker, the less sure the model was. Press a token, and its rivals branch off." : "";
        rivals();
    });

    function rivals() {
        branches.hidden = open === null || !steps[open];
        if (branches.hidden) return;
        const step = steps[open];
        const list = shares?.shares ?? step.likely.map(({ id: token, text: words, share }) => ({ id: token, text: words, drawn: share, plain: share }));
        const middle = list.length * HIGH / 2;
        const paths = list.map(({ id: token, drawn }, row) =>
            `<path d="M4 ${middle}C60 ${middle} 50 ${(row + 0.5) * HIGH} 116 ${(row + 0.5) * HIGH}" stroke-width="${Math.max(1, 30 * drawn).toFixed(1)}"` +
            ` class="${token === step.id ? "taken" : drawn ? "" : "closed"}"/>`);
        const drawing = make("div", { className: "fan" });
        drawing.innerHTML = `<svg viewBox="0 0 120 ${list.length * HIGH}" width="120" height="${list.length * HIGH}" preserveAspectRatio="none" aria-hidden="true">${paths.join("")}</svg>`;
        const kept = branches.querySelector(":focus")?.dataset.token;
        const items = list.map(({ id: token, text: words, drawn, plain }) => {
            const taken = token === step.id;
            const button = make("button", { type: "button" }, make("code", {}, shown(words)),
                make("span", { className: "quiet" }, percent(drawn) + (Math.abs(drawn - plain) > 0.0005 ? `, plain ${percent(plain)}` : "") + (taken ? ", taken" : "")));
            button.dataset.token = token;
            button.setAttribute("aria-disabled", String(taken));
            button.addEventListener("click", () => { if (!taken) take(token); });
            return make("li", {}, button);
        });
        const rest = shares ? ` ${amount(shares.candidates)} ${shares.candidates === 1 ? "token" : "tokens"} could be drawn.` : "";
        branches.replaceChildren(make("p", {}, `After ${quoted(open ? steps[open - 1].token : asked.slice(-12))} came ${quoted(step.token)}.${rest} Press a rival, and the engine writes on from there.`),
            make("div", { className: "forks" }, drawing, make("ol", {}, ...items)));
        if (kept) branches.querySelector(`[data-token="${kept}"]`)?.focus();
    }

    function asks() {
        if (open === null || runs(listen)) return;
        if (!ask({ work: "shares", run: number, position: first + open, sampling: looking() }, listen)) shares = null;
    }

    function pick(index) {
        [open, shares] = [index, null];
        asks();
        draw();
    }

    function ended(line, fault = false) {
        stop.hidden = true;
        say(line, fault);
        asks();
        draw();
    }

    function listen(data) {
        if (data.run !== number) return;
        if (data.error) return ended(broken(data), true);
        if (data.quiet) return say(QUIETLY);
        if (data.shares) {
            if (data.position === first + open) shares = data;
        } else if (data.stopped) {
            return ended(`stopped after ${amount(steps.length)} tokens`);
        } else if (data.begun) {
            if (cut === null) [first, asked] = [data.begun.tokens.length, data.begun.tokens.join("")];
        } else {
            steps.push(data.step);
            if (data.step.ended) return ended(cut === null ? "Press a token: what else could have come?" :
                `Another road, from token ${amount(first + cut + 1)} on. Digest of all scores since: ${data.step.digest.slice(0, 8)}`);
        }
        draw();
    }

    async function start() {
        const mine = starts += 1;
        await halt();
        if (mine !== starts) return;
        stop.hidden = false;
        try {
            const all = await files();
            if (mine !== starts) return;
            say("Writing");
            [steps, open, shares, cut] = [[], null, null, null];
            number = compute(all, { work: "reply", prompt: prompt.value, chapter: 2, cache: true, chat: false, limit: TOKENS, past: true, sampling: sampling() }, listen);
        } catch (error) {
            if (mine === starts) ended(error.message, true);
        }
    }

    // The engine keeps the rows of all that comes before, and takes this token instead of its own.
    async function take(token) {
        const mine = starts += 1;
        await halt();
        if (mine !== starts) return;
        const rival = (shares?.shares ?? steps[open].likely).find((one) => one.id === token);
        const step = { ...steps[open], id: token, token: rival.text, text: rival.text };
        if (!holds(listen)) {
            return ended("the engine has forgotten this road: press Write", true);
        }
        const all = await files();
        cut = open;
        steps = [...steps.slice(0, cut), step];
        stop.hidden = false;
        say(`Writing on from ${quoted(rival.text)}`);
        number = compute(all, { work: "branch", kept: first + cut, id: token, sampling: sampling() }, listen);
        draw();
    }

    form.addEventListener("submit", (event) => { event.preventDefault(); start(); });
    stop.addEventListener("click", () => { starts += 1; halt(); ended("stopped"); });
}
