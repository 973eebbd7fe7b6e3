"use strict";
// The engine beside the page: a thread of its own, so that no computation holds up what a reader sees. `core.js` starts it and
// speaks to it. What `engine.wasm` exports is described in `book/engine`.

let files = null; // the compiled module, and the bytes of the model
const engines = []; // instances of it, each with its own memory; a race needs a second one
let about = null; // what the engine says of the model
let current = 0; // the run that may go on; 0 for none

// A refusal in the engine's own words, such as "the prompt is empty". Whatever else fails is a fault of the engine.
class Refused extends Error {}

// The engine makes room for bytes, and they are copied there.
function give(engine, bytes) {
    const at = engine.reserve(bytes.length);
    if (!at) throw new Refused(`this device has no ${bytes.length} bytes of memory left for the engine`);
    new Uint8Array(engine.memory.buffer).set(bytes, at);
    return bytes.length;
}

// Every answer is one JSON object. `memory.buffer` is another one after each time that the memory grew.
function answer(engine) {
    const bytes = new Uint8Array(engine.memory.buffer, engine.result_pointer(), engine.result_length());
    const result = JSON.parse(new TextDecoder().decode(bytes));
    if (result.error) throw new Refused(result.error);
    return result;
}

function opened(index) {
    if (!engines[index]) {
        let engine;
        try {
            engine = new WebAssembly.Instance(files.module, {}).exports;
        } catch (error) {
            if (error instanceof RangeError) throw new Refused("this device has no memory left for the engine");
            throw error;
        }
        give(engine, new Uint8Array(files.bytes));
        engine.open();
        about = answer(engine);
        engines[index] = engine;
    }
    return engines[index];
}

// Lets messages in between two steps. A timer would wait for four milliseconds, as long as a step takes.
const door = new MessageChannel();
const turn = () => new Promise((done) => {
    door.port1.onmessage = done;
    door.port2.postMessage(0);
});

const GREEDY = { temperature: 0, top_k: 0, top_p: 1, seed: 0 };
function draw(engine, { temperature, top_k, top_p, seed } = GREEDY) {
    engine.draw(temperature, top_k, top_p, seed);
}

function begin(engine, { prompt, chapter, cache, chat, limit, past, sampling }) {
    draw(engine, sampling);
    const length = give(engine, new TextEncoder().encode(prompt));
    engine.begin(chapter === 3 ? 1 : 0, Number(cache), Number(chat), limit, Number(past), length);
    return { ...about, ...answer(engine) };
}

function step(engine) {
    const start = performance.now();
    engine.step();
    const ms = performance.now() - start;
    return { ...answer(engine), ms };
}

async function steps(run, engine) {
    for (let ended = null; !ended;) {
        await turn();
        if (run !== current) return postMessage({ run, stopped: true });
        const now = step(engine);
        ended = now.ended;
        postMessage({ run, step: now });
    }
}

const work = {
    async reply(request) {
        const engine = opened(0);
        postMessage({ run: request.run, begun: begin(engine, request) });
        await steps(request.run, engine);
    },

    // Two replies to one request, without the cache and with it. Both have a clock that runs only while they compute, and the
    // one whose clock is behind goes next: so each writes as fast as if it were alone.
    async race({ run, ...request }) {
        const racers = [false, true].map((cache, side) => {
            const engine = opened(side);
            postMessage({ run, side, begun: begin(engine, { ...request, cache }) });
            return { engine, side, clock: 0, ended: null };
        });
        for (let left = racers; left.length;) {
            await turn();
            if (run !== current) return postMessage({ run, stopped: true });
            const next = left.reduce((a, b) => (b.clock < a.clock ? b : a));
            const now = step(next.engine);
            [next.clock, next.ended] = [next.clock + now.ms, now.ended];
            left = left.filter((one) => !one.ended);
            postMessage({ run, side: next.side, step: now, last: !left.length });
        }
    },

    // Another token at a place of the reply, and what comes after it.
    async branch({ run, kept, id, sampling }) {
        const engine = opened(0);
        draw(engine, sampling);
        engine.branch(kept, id);
        const begun = answer(engine);
        postMessage({ run, begun });
        if (begun.ended) postMessage({ run, stopped: true });
        else await steps(run, engine);
    },

    attention({ run, layer, head, position }) {
        opened(0).attention(layer, head, position);
        postMessage({ run, layer, head, position, weights: answer(engines[0]).weights });
    },

    // What every head looks at, from `position` on to the last row.
    async heads({ run, from, to }) {
        for (let position = from; position <= to; position++) {
            await turn();
            if (run !== current) return postMessage({ run, stopped: true });
            engines[0].heads(position);
            postMessage({ run, position, weights: answer(engines[0]).weights, last: position === to });
        }
    },

    shares({ run, position, sampling }) {
        draw(engines[0], sampling);
        engines[0].shares(position);
        postMessage({ run, position, ...answer(engines[0]) });
    },
};
// These go on until they are done or stopped; the others answer at once.
const LONG = ["reply", "race", "branch", "heads"];

onmessage = async ({ data }) => {
    if (data.module) {
        files = data;
        return;
    }
    try {
        if (!data.work) current = 0;
        if (LONG.includes(data.work)) current = data.run;
        await work[data.work]?.(data);
    } catch (error) {
        current = 0;
        postMessage({ run: data.run, error: error.message, broken: !(error instanceof Refused) });
    }
};
