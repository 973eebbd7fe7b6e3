"""OpenAI's own client for Python, and its models as strict judges of every byte that the server sends."""

import asyncio
import contextlib
import json
import math
import re
import threading
import time
from pathlib import Path
from typing import Literal, Optional

import httpx2
import openai
from openai.types import Completion, CompletionChoice
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from rows import MODEL, QUESTION, URL, command_line, counts, get, row, run, same, server, wait_for

CLIENT = openai.OpenAI(base_url=URL + "/v1", api_key="any", max_retries=0)
ASKED = [{"role": "user", "content": QUESTION}]
LONG = {"prompt": "Once", "max_tokens": 2000, "extra_body": {"ignore_eos": True}}  # some seconds


class Part(CompletionChoice):
    finish_reason: Optional[Literal["stop", "length"]]  # null in OpenAI's own streams, which its model forgets


class CompletionChunk(Completion):
    choices: list[Part]


def whole(chat, **body):
    """One answer, judged strictly."""
    create, shape = (CLIENT.chat.completions, ChatCompletion) if chat else (CLIENT.completions, Completion)
    answer = create.with_raw_response.create(model=MODEL, **{"temperature": 0} | body)
    return shape.model_validate_json(answer.http_response.text, strict=True)


def stream(chat, **body):
    """The chunks of one answer, each judged strictly, and the lines that they came in."""
    create, shape = (CLIENT.chat.completions, ChatCompletionChunk) if chat else (CLIENT.completions, CompletionChunk)
    body = {"model": MODEL, "stream": True, "temperature": 0} | body
    with create.with_streaming_response.create(**body) as response:
        lines = [line for line in response.iter_lines() if line]
    assert all(line.startswith("data: ") for line in lines), lines
    chunks = [line[6:] for line in lines if line != "data: [DONE]"]
    return [shape.model_validate_json(chunk, strict=True) for chunk in chunks], lines


def chat(messages=ASKED, **body):
    return whole(True, messages=messages, **body)


def complete(prompt="Once upon a time", **body):
    return whole(False, prompt=prompt, **body)


def text(answer):
    """Of a whole answer, or of all chunks of one."""
    choices = [choice for part in (answer if isinstance(answer, list) else [answer]) for choice in part.choices]
    said = [getattr(choice, "message", None) or getattr(choice, "delta", None) for choice in choices]
    return "".join((new.content if new else choice.text) or "" for new, choice in zip(said, choices))


def ids(text):
    return json.loads(get("/tokenize", {"content": text}))["tokens"]


def refused(kind, status, code, param, ask):
    """The error that the client makes of a refusal: all four fields, and a type of its own."""
    try:
        ask()
    except kind as error:
        same((error.status_code, error.code, error.param), (status, code, param))
        assert error.type and error.body["message"] and {"code", "param"} <= set(error.body), error.body
        return error
    raise AssertionError(f"no {kind.__name__}")


@row(1, "chat")
def _():
    answer, expected = chat(max_tokens=160), command_line("--chat", QUESTION)
    same(text(answer), expected["text"])
    same((answer.choices[0].finish_reason, answer.choices[0].message.role), ("stop", "assistant"))
    prompt, new = len(expected["prompt_ids"]), len(expected["generated_ids"])
    usage = answer.usage
    same((usage.prompt_tokens, usage.completion_tokens, usage.total_tokens), (prompt, new, prompt + new))


@row("2-4", "system and developer role, content in parts, what was said before as the reference renders it")
def _():
    expected = command_line("--chat", QUESTION, "--system", "You are a poet.", "-n", 30)
    assert expected["text"] != command_line("--chat", QUESTION, "-n", 30)["text"]
    for role in "system", "developer":
        answer = chat([{"role": role, "content": "You are a poet."}, *ASKED], max_tokens=30)
        same((text(answer), answer.usage.prompt_tokens), (expected["text"], len(expected["prompt_ids"])))
    parts = [{"type": "text", "text": part} for part in ("Where is", " the ball?")]
    same(text(chat([{"role": "user", "content": parts}])), text(chat()))
    turns = json.loads((Path(__file__).parent / "../../tests/fixtures/chat/turns.json").read_text())
    thoughts = []
    for turn in turns[:8]:
        expected = command_line(turn["rendered"], "-n", 20)
        options = {"chat_template_kwargs": {"enable_thinking": turn["enable_thinking"]}}
        answer = chat(turn["messages"], max_tokens=20, extra_body=options)
        message = answer.choices[0].message
        same(answer.usage.prompt_tokens, len(expected["prompt_ids"]))
        thoughts.append(getattr(message, "reasoning_content", ""))
        words = re.sub("</?think>", " ", expected["text"]).split()
        same(f"{thoughts[-1]} {message.content}".split(), words)
    assert any(thoughts) and not all(thoughts), thoughts


@row(5, "a stream is the whole answer, byte for byte")
def _():
    for options in {}, {"temperature": 1, "seed": 3}, {"stop": "ball"}, {"logprobs": True, "top_logprobs": 2}:
        chunks, _ = stream(True, messages=ASKED, **options)
        answer = chat(**options)
        same((text(chunks), chunks[-1].choices[0].finish_reason), (text(answer), answer.choices[0].finish_reason))
        if "logprobs" in options:
            parts = [choice.logprobs for chunk in chunks for choice in chunk.choices if choice.logprobs]
            same([token for part in parts for token in part.content], answer.choices[0].logprobs.content)
    chunks, _ = stream(False, prompt="Once", max_tokens=20)
    same(text(chunks), text(complete("Once", max_tokens=20)))
    parsed = CLIENT.chat.completions.create(model=MODEL, messages=ASKED, temperature=0, stream=True)
    same(text(list(parsed)), text(chat()))


@row("6-10", "who speaks comes first, usage only when asked for, [DONE] last, one id an answer")
def _():
    seen = set()
    for is_chat, asked in (True, {"messages": ASKED}), (False, {"prompt": "Once"}):
        for cost in None, False, True:
            options = {} if cost is None else {"stream_options": {"include_usage": cost}}
            chunks, lines = stream(is_chat, **asked, **options)
            last = [chunks.pop()] if cost else []
            same([(chunk.choices, chunk.usage) for chunk in last], [([], whole(is_chat, **asked).usage)] * len(last))
            assert all(len(chunk.choices) == 1 and chunk.usage is None for chunk in chunks)
            if is_chat:
                same([c.choices[0].delta.role for c in chunks], ["assistant"] + [None] * (len(chunks) - 1))
            same([line == "data: [DONE]" for line in lines], [False] * (len(lines) - 1) + [True])
            (one,) = {(c.id, c.created, c.model, c.system_fingerprint) for c in chunks + last}
            seen.add(one)
    same((len({one[0] for one in seen}), len({one[2:] for one in seen})), (6, 1))


@row("11-13", "max_tokens, max_completion_tokens, of both the smaller")
def _():
    for limits in {"max_tokens": 5}, {"max_completion_tokens": 5}, {"max_tokens": 5, "max_completion_tokens": 9}, {
            "max_tokens": 9, "max_completion_tokens": 5}:
        answer, expected = chat(**limits), command_line("--chat", QUESTION, "-n", 5)
        same((text(answer), answer.usage.completion_tokens), (expected["text"], 5))
        same(answer.choices[0].finish_reason, "length")


def forced(word, **body):
    """A completion that begins with this word: each of its letters' bytes is wanted more than the next."""
    tokens = ids(word)
    bias = {str(token): 100 - 25 * at for at, token in enumerate(tokens)}
    return {"prompt": "Once", "max_tokens": len(tokens) + 2, "logit_bias": bias,
            "extra_body": {"repetition_penalty": 100}, **body}


@row(14, "stop: a text, several, across tokens, within a word, at the first token, at an emoji")
def _():
    prompt, free = "Once upon a time", command_line("Once upon a time", "-n", 40)["text"]
    second, third = free.split()[1:3]
    stops = [[f" {third}"], ["zzz", third], [f"{second} {third[:1]}"], [third[1:]], [free[:1]], [free[:4]]]
    for stop in stops:
        flags = [word for one in stop for word in ("--stop", one)]
        expected = command_line(prompt, "-n", 40, *flags)
        same(expected["text"], free[:min(free.find(one) for one in stop if one in free)])
        for asked in [stop[0], stop] if len(stop) == 1 else [stop]:
            answer = complete(stop=asked, max_tokens=40)
            same((text(answer), answer.choices[0].finish_reason), (expected["text"], "stop"))
            same(answer.usage.completion_tokens, len(expected["generated_ids"]))
            same(text(stream(False, prompt=prompt, stop=asked, max_tokens=40)[0]), expected["text"])
    same(text(complete(**forced("🎈", stop="🎈"))), "")


@row(15, "temperature 0: the command line's tokens")
def _():
    for words, length in (("Once upon a time",), 40), (("--token-ids", "520,540,258,474"), 30), (("The",), 1):
        expected = command_line(*words, "-n", length)
        answer = complete(expected["prompt_ids"], max_tokens=length, logprobs=0)
        same((text(answer), answer.usage.completion_tokens), (expected["text"], len(expected["generated_ids"])))
        # A token's name isn't in the answer. One that is forbidden doesn't come, though, and no other changes that step.
        for at in range(0, length, 7):
            ids = expected["generated_ids"]
            step = {"prompt": expected["prompt_ids"] + ids[:at], "max_tokens": 1, "logprobs": 0}
            found = complete(**step).choices[0].logprobs.tokens
            same(found, answer.choices[0].logprobs.tokens[at:at + 1])
            other = complete(**step, logit_bias={str(ids[at]): -100}).choices[0].logprobs.tokens
            assert other != found, other


@row("16-18", "seeds repeat, others differ, top_p: the command line's texts")
def _():
    texts = set()
    for seed in range(1, 5):
        for top_p in 1, 0.5:
            options = {"temperature": 1, "seed": seed, "top_p": top_p, "max_tokens": 20}
            flags = ("--temperature", 1, "--seed", seed, "--top-p", top_p, "-n", 20)
            expected = command_line("--chat", QUESTION, *flags)["text"]
            same([text(chat(**options)) for _ in range(2)], [expected] * 2)
            texts.add(expected)
    assert len(texts) >= 5, texts
    same(text(chat(temperature=2, seed=1, top_p=1e-6)), text(chat()))


@row(19, "n: three answers are those of three seeds, whole and streamed, and the prompt is counted once")
def _():
    options = {"temperature": 1, "max_tokens": 20}
    alone = [chat(seed=seed, **options) for seed in (7, 8, 9)]
    assert len({text(one) for one in alone}) == 3, alone
    answer = chat(seed=7, n=3, **options)
    same([(choice.index, choice.message.content) for choice in answer.choices], list(enumerate(map(text, alone))))
    same(answer.usage.prompt_tokens, alone[0].usage.prompt_tokens)
    same(answer.usage.completion_tokens, sum(one.usage.completion_tokens for one in alone))
    chunks, _ = stream(True, messages=ASKED, seed=7, n=3, **options)
    for index, one in enumerate(alone):
        told = [choice for chunk in chunks for choice in chunk.choices if choice.index == index]
        same("".join(choice.delta.content or "" for choice in told), text(one))
        same(told[-1].finish_reason, one.choices[0].finish_reason)
    for n in 0, 9:
        refused(openai.BadRequestError, 400, "invalid_value", "n", lambda: chat(n=n))


@row(20, "logprobs, with the 0, 5 and 20 likeliest of each step")
def _():
    expected = command_line("--chat", QUESTION, "-n", 12, "--top-logits", 20)
    for top in 0, 5, 20:
        content = chat(max_tokens=12, logprobs=True, top_logprobs=top).choices[0].logprobs.content
        same(b"".join(bytes(token.bytes) for token in content).decode(), expected["text"])
        for token, logits in zip(content, expected["top_logits"], strict=True):
            same(len(token.top_logprobs), top)
            assert all(token.token == bytes(token.bytes).decode(errors="replace") for token in token.top_logprobs)
            if not top:
                continue
            same((token.token, token.logprob), (token.top_logprobs[0].token, token.top_logprobs[0].logprob))
            assert sum(math.exp(likely.logprob) for likely in token.top_logprobs) < 1 + 1e-5
            for likely, (_, logit) in zip(token.top_logprobs, logits):
                assert abs((token.logprob - likely.logprob) - (logits[0][1] - logit)) < 1e-4, (token, logits)
    same(chat(max_tokens=2).choices[0].logprobs, None)


@row(21, "logit_bias: what is forbidden doesn't come, what is forced does")
def _():
    (first, _), (second, _) = command_line("--chat", QUESTION, "-n", 1, "--top-logits", 2)["top_logits"][0]
    (free,), (pushed,) = (chat(max_tokens=1, logit_bias=bias, logprobs=True, top_logprobs=2).choices[0].logprobs.content
                          for bias in ({}, {str(first): -100}))
    same((free.token, pushed.token), tuple(likely.token for likely in free.top_logprobs))
    same(text(chat(max_tokens=3, logit_bias={str(second): 100})), 3 * pushed.token)


@row(22, "completions of a text, of ids, of several of both")
def _():
    prompts = ["Once upon a time", "The", "One day"]
    alone = [complete(prompt, max_tokens=9) for prompt in prompts]
    same([text(answer) for answer in alone], [command_line(prompt, "-n", 9)["text"] for prompt in prompts])
    same(text(complete(ids(prompts[0]), max_tokens=9)), text(alone[0]))
    for several in prompts, [ids(prompt) for prompt in prompts]:
        answer = complete(several, max_tokens=9)
        same([(choice.index, choice.text) for choice in answer.choices], list(enumerate(map(text, alone))))
        for name in "prompt_tokens", "completion_tokens", "total_tokens":
            same(getattr(answer.usage, name), sum(getattr(one.usage, name) for one in alone))
    chunks, _ = stream(False, prompt=prompts, max_tokens=9)
    for index, one in enumerate(alone):
        same("".join(c.text for chunk in chunks for c in chunk.choices if c.index == index), text(one))


@row("23-24", "models: all, one; one that is not there, asked for and asked")
def _():
    (model,) = CLIENT.models.list()
    same((model.id, CLIENT.models.retrieve(MODEL)), (MODEL, model))
    for ask in (lambda: CLIENT.models.retrieve("gpt-5"), lambda: CLIENT.completions.create(model="gpt-5", prompt="a")):
        assert MODEL in refused(openai.NotFoundError, 404, "model_not_found", "model", ask).message


@row(25, "typed errors: 400, 401, 404, 413, 429 with Retry-After, which the client obeys")
def _():
    refused(openai.BadRequestError, 400, "context_length_exceeded", "prompt", lambda: complete([520] * 9000))
    refused(openai.APIStatusError, 413, "too_large", None, lambda: complete("a" * (5 << 20)))
    refused(openai.NotFoundError, 404, "not_found", None,
            lambda: CLIENT.embeddings.create(model=MODEL, input="a"))
    with server(SERVE_API_KEY="secret") as url:
        for key in "wrong", "secre", "secrets":
            other = CLIENT.copy(base_url=url + "/v1", api_key=key)
            refused(openai.AuthenticationError, 401, "invalid_api_key", None, other.models.list)
        same([model.id for model in other.copy(api_key="secret").models.list()], [MODEL])
    with server("--queue", "1") as url:
        client = CLIENT.copy(base_url=url + "/v1")
        streams = []
        while counts(url)["running"] == len(streams):  # as many as are written at a time, and one that waits
            streams.append(client.completions.create(model=MODEL, stream=True, **LONG))
            with contextlib.suppress(AssertionError):
                wait_for(lambda: counts(url)["running"] == len(streams))
        def ask(retries):
            return client.with_options(max_retries=retries).completions.create(
                model=MODEL, prompt="Once", max_tokens=5, temperature=0)
        error = refused(openai.RateLimitError, 429, "queue_full", None, lambda: ask(0))
        assert int(error.response.headers["Retry-After"]) >= 1
        threading.Timer(0.3, lambda: [stream.close() for stream in streams]).start()
        start = time.time()
        same(text(ask(2)), text(complete("Once", max_tokens=5)))
        assert time.time() - start > 1, "it came back before it was told to"
        found = counts(url)
        same((found["refused_total"], found["left_total"], found["answered_total"]), (2, len(streams), 1))


@row("26-28", "param names the field; unknown and unsupported ones are refused")
def _():
    cases = [("invalid_value", param, {name: value}) for param, name, value in [
        ("temperature", "temperature", 3), ("temperature", "temperature", "1"), ("top_p", "top_p", -0.5),
        ("max_tokens", "max_tokens", -1), ("max_tokens", "max_tokens", 1.5), ("stop", "stop", [""]),
        ("max_completion_tokens", "max_completion_tokens", 0), ("seed", "seed", "a"), ("logprobs", "logprobs", 3),
        ("top_logprobs", "top_logprobs", 21), ("logit_bias", "logit_bias", {"1": 101}),
        ("logit_bias", "logit_bias", {"999999": 1}), ("stream_options", "stream_options", {"include_usage": True}),
        ("messages[1].role", "messages", ASKED + [{"role": "robot", "content": "a"}]),
        ("messages[0].content", "messages", [{"role": "user", "content": 5}])]]
    cases += [("unsupported_parameter", name, {name: value}) for name, value in {
        "functions": [{"name": "f", "parameters": {}}], "presence_penalty": 1, "frequency_penalty": -0.5}.items()]
    cases += [("unknown_parameter", "colour", {"colour": 1}),
              ("unknown_parameter", "messages[0].mood", {"messages": [ASKED[0] | {"mood": "good"}]})]
    for code, param, fields in cases:
        refused(openai.BadRequestError, 400, code, param, lambda: CLIENT.chat.completions.create(
            model=MODEL, messages=ASKED, extra_body=fields))
    for nothing in {"tools": []}, {"response_format": {"type": "text"}}, {"presence_penalty": 0}, {"user": "me"}:
        same(text(chat(**nothing)), text(chat()))


@row(29, "emoji and Chinese come whole")
def _():
    for word in "🎈", "文", "é":
        assert len(ids(word)) == len(word.encode()), "a token for each byte"
        chunks, _ = stream(False, **forced(word))
        texts = [choice.text for chunk in chunks for choice in chunk.choices]
        assert texts[0] == word and "\ufffd" not in "".join(texts), texts
        same("".join(texts), text(complete(**forced(word))))


@row("30-31", "a timeout cancels, an abort frees the engine: while it writes, and while others wait")
def _():
    before = counts()
    with contextlib.suppress(openai.APITimeoutError):
        CLIENT.with_options(timeout=0.3).completions.create(model=MODEL, **LONG)
        raise AssertionError("no timeout")
    wait_for(lambda: counts()["left_total"] == before["left_total"] + 1)
    streams = [CLIENT.completions.create(model=MODEL, stream=True, **LONG) for _ in range(18)]
    next(iter(streams[0]))
    for left in range(17, -1, -1):  # from the last, which waits for its turn, to the first
        streams[left].close()
        wait_for(lambda: counts()["running"] + counts()["waiting"] == left)
    wait_for(lambda: counts()["left_total"] == before["left_total"] + 19)
    after = counts()
    same((after["running"], after["waiting"], after["answered_total"]), (0, 0, before["answered_total"]))
    assert after["generated_tokens_total"] - before["generated_tokens_total"] < 5 * LONG["max_tokens"], (before, after)


@row(32, "16 at once, each equal to itself alone")
def _():
    options = [{"temperature": 1, "seed": seed, "max_tokens": 24} for seed in range(15)] + [{"temperature": 0}]
    asked = [{"messages": [{"role": "user", "content": f"{QUESTION} {'And why? ' * at}"}], **one}
             for at, one in enumerate(options)]
    alone = [text(whole(True, **one)) for one in asked]
    assert len(set(alone)) > 10, alone

    async def ask(client, at, one):
        answer = await client.chat.completions.create(model=MODEL, stream=at % 2 == 0, **one)
        return text([chunk async for chunk in answer] if at % 2 == 0 else answer)

    async def together():
        async with openai.AsyncOpenAI(base_url=URL + "/v1", api_key="any", max_retries=0) as client:
            return await asyncio.gather(*(ask(client, at, one) for at, one in enumerate(asked)))
    same(asyncio.run(together()), alone)


@row(33, "cached_tokens: none of what is new, then all but the last, in streams too; an answer is found as well")
def _():
    def cached(answer):
        return answer.usage.prompt_tokens_details.cached_tokens

    with server() as url:
        fresh = CLIENT.copy(base_url=url + "/v1").chat.completions
        def ask(messages):
            return fresh.create(model=MODEL, messages=messages, temperature=0)
        first, again = ask(ASKED), ask(ASKED)
        asked = first.usage.prompt_tokens
        same((cached(first), cached(again), text(again)), (0, asked - 1, text(first)))
        chunks = list(fresh.create(model=MODEL, messages=ASKED, temperature=0, stream=True,
                                   stream_options={"include_usage": True}))
        same((cached(chunks[-1]), text(chunks)), (asked - 1, text(first)))
        said = ASKED + [{"role": "assistant", "content": text(first)}, {"role": "user", "content": "And now?"}]
        same(cached(ask(said)), asked - 4)  # without the empty thought before an answer, which is left out later


@row(34, "one connection for all requests")
def _():
    ports = []

    async def hook(response):
        ports.append(response.extensions["network_stream"].get_extra_info("client_addr"))

    async def ask():
        async with httpx2.AsyncClient(event_hooks={"response": [hook]}) as http:
            client = openai.AsyncOpenAI(base_url=URL + "/v1", api_key="any", http_client=http)
            for _ in range(3):
                await client.models.list()
                # The client for threads drops the connection of each stream, this one reads to its end.
                stream = await client.chat.completions.create(model=MODEL, messages=ASKED, stream=True)
                assert [chunk async for chunk in stream]
                with contextlib.suppress(openai.NotFoundError):
                    await client.models.retrieve("other")
    asyncio.run(ask())
    same((len(ports), len(set(ports))), (9, 1))


@row(35, "headers")
def _():
    raw = CLIENT.chat.completions.with_raw_response.create(model=MODEL, messages=ASKED)
    same((raw.status_code, raw.headers["content-type"]), (200, "application/json"))
    same(int(raw.headers["content-length"]), len(raw.http_response.content))
    same(raw.parse().object, "chat.completion")
    with CLIENT.completions.with_streaming_response.create(model=MODEL, prompt="Once", stream=True) as response:
        same(response.headers["content-type"].split(";")[0], "text/event-stream")
        same((response.headers["cache-control"], "content-length" in response.headers), ("no-cache", False))
        response.read()
    same("access-control-allow-origin" in raw.headers, False)


run()
