// The race: the same request without a cache and with it, both at once. `<div class="engine" data-live="race">`

import { amount, broken, compute, frame, halt, make, painter, QUIETLY, rounded, size, time } from "./core.js";

const NAMES = ["Without a cache", "With the cache"];
const TOKENS = 64;

export default function race(place, id) {
    const { live, says, bar, run, stop, say, files } = frame(place, "A race of two engines", "Race");
    const prompt = make("input", { type: "text", id: id("prompt"), value: "Once upon a time", spellcheck: false, autocomplete: "off" });
    const form = make("form", {},
        make("div", { className: "field grows" }, make("label", { htmlFor: prompt.id }, "Prompt"), prompt),
        make("div", { className: "row" }, run, stop));
    const lanes = NAMES.map((name, side) => {
        const facts = make("span", { className: "quiet" });
        const [asked, reply] = [make("b", {}), make("span", {})];
        const track = make("div", { className: "track", "aria-hidden": "true" });
        const cells = make("div", { className: "cells", "aria-hidden": "true" });
        const element = make("section", { className: side ? "lane on" : "lane off", "aria-label": name },
            make("p", {}, make("strong", {}, name), " ", facts), make("p", { className: "reply" }, asked, reply), cells, track);
        return { element, facts, asked, reply, track, cells };
    });
    const key = make("p", { className: "key" },
        make("span", {}, make("i", { className: "new" }), "computed in this step"), make("span", {}, make("i", { className: "again" }), "computed once more"),
        make("span", {}, make("i", { className: "kept" }), "kept in the cache"), make("span", {}, "Each block below is a token, as wide as its time."));
    live.append(form, bar, says, key, ...lanes.map((lane) => lane.element));
    key.hidden = true;
    for (const lane of lanes) lane.element.hidden = true;

    let number = 0;
    let racers = [];
    let starts = 0;

    const clock = (racer) => racer.steps.reduce((sum, step) => sum + step.ms, 0);
    const speed = (racer) => 1000 * racer.steps.length / clock(racer);

    const draw = painter(() => {
        const longest = Math.max(1, ...racers.map(clock));
        racers.forEach((racer, side) => {
            const lane = lanes[side];
            const last = racer.steps.at(-1);
            lane.asked.textContent = racer.prompt;
            const text = racer.steps.map((step) => step.text).join("");
            if (text.startsWith(lane.reply.textContent)) lane.reply.append(text.slice(lane.reply.textContent.length));
            else lane.reply.textContent = text;
            if (!last) return;
            lane.facts.textContent = `${amount(racer.steps.length)} tokens, ${rounded(speed(racer))} per second; this step ${time(last.ms)}, cache ${size(last.cache_bytes)}`;
            while (lane.track.children.length > racer.steps.length) lane.track.lastChild.remove();
            for (let at = lane.track.children.length; at < racer.steps.length; at++) {
                const block = make("i");
                block.style.flexGrow = racer.steps[at].ms;
                lane.track.append(block);
            }
            lane.track.style.width = `${100 * clock(racer) / longest}%`;
            const rows = racer.tokens + racer.steps.length - 1;
            while (lane.cells.children.length > rows) lane.cells.lastChild.remove();
            while (lane.cells.children.length < rows) lane.cells.append(make("i"));
            const first = racer.steps.length === 1;
            Array.from(lane.cells.children).forEach((cell, row) => {
                cell.className = first || row === rows - 1 ? "new" : side ? "kept" : "again";
            });
        });
    });

    function ended(line, fault = false) {
        stop.hidden = true;
        say(line, fault);
        draw();
    }

    function summary() {
        const [off, on] = racers.map((racer) => racer.steps.at(-1));
        const same = off.digest === on.digest && racers[0].steps.length === racers[1].steps.length;
        const short = ({ digest }) => digest.slice(0, 8);
        return `With the cache ${rounded(clock(racers[0]) / clock(racers[1]))} times as fast. Digests ${short(off)} and ${short(on)}: ` +
            (same ? "every bit of every score is the same." : "the replies DIFFER.");
    }

    function listen(data) {
        if (data.run !== number) return;
        if (data.error) return ended(broken(data), true);
        if (data.quiet) return say(QUIETLY);
        if (data.stopped) return ended(`stopped after ${racers.map((racer) => amount(racer.steps.length)).join(" and ")} tokens`);
        const racer = racers[data.side];
        if (data.begun) Object.assign(racer, { tokens: data.begun.tokens.length });
        else racer.steps.push(data.step);
        if (data.last) ended(summary());
        else draw();
    }

    async function start() {
        const mine = starts += 1;
        await halt();
        if (mine !== starts) return;
        stop.hidden = false;
        try {
            const all = await files();
            if (mine !== starts) return;
            say("Both are writing");
            key.hidden = false;
            for (const lane of lanes) {
                lane.element.hidden = false;
                for (const part of [lane.facts, lane.reply, lane.track, lane.cells]) part.replaceChildren();
            }
            racers = NAMES.map(() => ({ prompt: prompt.value, tokens: 0, steps: [] }));
            number = compute(all, { work: "race", prompt: prompt.value, chapter: 2, chat: false, limit: TOKENS, past: false }, listen);
        } catch (error) {
            if (mine === starts) ended(error.message, true);
        }
    }

    form.addEventListener("submit", (event) => { event.preventDefault(); start(); });
    stop.addEventListener("click", () => {
        starts += 1;
        halt();
        ended("stopped");
    });
}
