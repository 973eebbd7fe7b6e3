// OpenAI's client for JavaScript, and the AI SDK. node clients.mjs URL EXPECTED: what the command line says.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { APICallError, generateObject, generateText, jsonSchema, streamText } from "ai";
import assert from "node:assert/strict";
import OpenAI from "openai";

const [url, expected] = process.argv.slice(2);
const [model, question] = ["tiny-qwen3", "Where is the ball?"];
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "any", maxRetries: 0 });
const asked = { model, messages: [{ role: "user", content: question }], temperature: 0 };

async function counted(name) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(text.match(new RegExp(`^serve_requests_${name} (\\d+)`, "m"))[1]);
}

const ROWS = [
  ["js", "openai: whole, streamed, aborted, refused", async () => {
    await client.chat.completions.create(asked); // from now on the prompt's blocks are found
    const answer = await client.chat.completions.create(asked);
    assert.equal(answer.choices[0].message.content, expected);
    let text = "", last;
    for await (const chunk of await client.chat.completions.create({
      ...asked, stream: true, stream_options: { include_usage: true } })) {
      text += chunk.choices[0]?.delta.content ?? "";
      last = chunk;
    }
    assert.equal(text, expected);
    assert.deepEqual(last.usage, answer.usage);
    const left = await counted("left_total");
    const endless = { model, prompt: "Once", max_tokens: 2000, ignore_eos: true, stream: true };
    for await (const _ of await client.completions.create(endless)) break; // which aborts it
    for (let wait = 0; await counted("left_total") === left; wait++) {
      assert(wait < 100, "the engine goes on");
      await new Promise((go) => setTimeout(go, 5));
    }
    assert.equal(await counted("running"), 0);
    await assert.rejects(client.chat.completions.create({ ...asked, temperature: 3 }), (error) =>
      error instanceof OpenAI.BadRequestError && error.param === "temperature" && error.code === "invalid_value");
    await assert.rejects(client.models.retrieve("other"), OpenAI.NotFoundError);
  }],
  [39, "ai-sdk: whole, streamed, refused", async () => {
    const provider = createOpenAICompatible({ name: "ours", baseURL: `${url}/v1`, includeUsage: true });
    const ask = { model: provider(model), prompt: question, temperature: 0, maxRetries: 0 };
    const answer = await generateText(ask);
    assert.deepEqual([answer.text, answer.finishReason, answer.warnings], [expected, "stop", []]);
    const stream = streamText(ask);
    let text = "", parts = 0;
    for await (const part of stream.textStream) [text, parts] = [text + part, parts + 1];
    assert.equal(text, expected);
    assert(parts > 10, `${parts} parts`);
    assert.deepEqual(await stream.usage, answer.usage);
    await assert.rejects(generateText({ ...ask, model: provider("other") }), (error) =>
      APICallError.isInstance(error) && error.statusCode === 404 && /tiny-qwen3/.test(error.message));
  }],
  ["s8", "ai-sdk: generateObject", async () => {
    const provider = createOpenAICompatible({ name: "ours", baseURL: `${url}/v1`, supportsStructuredOutputs: true });
    const properties = { place: { type: "string", enum: ["garden", "kitchen"] }, found: { type: "boolean" } };
    const required = ["place", "found"];
    const schema = jsonSchema({ type: "object", properties, required, additionalProperties: false });
    const { object } = await generateObject({ model: provider(model), prompt: question, schema, maxRetries: 0 });
    assert.deepEqual(Object.keys(object), required);
    assert(properties.place.enum.includes(object.place) && typeof object.found === "boolean", object);
  }],
];

for (const [number, what, row] of ROWS) {
  const start = performance.now();
  const why = await row().then(() => "", (error) => `: ${error.stack}`);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${why ? "RED  " : "green"} ${String(number).padStart(3)} ${what} (${seconds} s)${why}`);
  if (why) process.exitCode = 1;
}
