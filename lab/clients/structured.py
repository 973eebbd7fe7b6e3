"""Answers that programs read: schemas and tools, as OpenAI's client and LangChain ask for them. The tiny model's own template
has no tools, so this server was given another one."""

import json
from enum import Enum
from pathlib import Path
from typing import Literal

import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import BaseModel, Field

from rows import MODEL, URL, row, run, same

CLIENT = openai.OpenAI(base_url=URL + "/v1", api_key="any", max_retries=0)
ASKED = [{"role": "user", "content": "Where is the ball?"}]


class Color(str, Enum):
    red = "red"
    green = "green"


class Toy(BaseModel):
    name: str = Field(max_length=8)
    color: Color
    price: int | None = Field(ge=0, le=99)


class Box(BaseModel):
    kind: Literal["box"]
    toys: list[Toy] = Field(max_length=2)
    heavy: bool


class Look(BaseModel):
    """Says what is in a place."""
    place: Literal["garden", "kitchen"]
    times: int = Field(ge=1, le=9)


@row("s1", "openai: chat.completions.parse with pydantic models, at three temperatures, whole and streamed")
def _():
    for temperature in 0, 1, 2:
        asked = {"model": MODEL, "messages": ASKED, "temperature": temperature, "seed": 7, "max_tokens": 400}
        answer = CLIENT.chat.completions.parse(response_format=Box, **asked)
        assert isinstance(answer.choices[0].message.parsed, Box), answer
        same(answer.choices[0].finish_reason, "stop")
        with CLIENT.chat.completions.stream(response_format=Box, **asked) as stream:
            same(stream.get_final_completion().choices[0].message.content, answer.choices[0].message.content)


@row("s2", "openai: a document that max_tokens cuts is an error of its own")
def _():
    try:
        CLIENT.chat.completions.parse(model=MODEL, messages=ASKED, response_format=Box, max_tokens=3)
        raise AssertionError("it isn't whole")
    except openai.LengthFinishReasonError as error:
        same(error.completion.choices[0].finish_reason, "length")


def look(place, times):
    return f"{times} balls in the {place}"


@row("s3", "openai: tools in a loop, as a strict judge reads them")
def _():
    tools = [openai.pydantic_function_tool(Look)]
    messages = [*ASKED]
    # The tiny model repeats itself: where it may call once more, it only comes to an end if it's drawn wildly.
    for choice, parallel in ("required", True), ({"type": "function", "function": {"name": "Look"}}, False):
        raw = CLIENT.chat.completions.with_raw_response.create(
            model=MODEL, messages=messages, tools=tools, tool_choice=choice, parallel_tool_calls=parallel, seed=3,
            temperature=2, max_tokens=600)
        answer = ChatCompletion.model_validate_json(raw.http_response.text, strict=True).choices[0]
        same((answer.finish_reason, answer.message.content), ("tool_calls", None))
        assert parallel or len(answer.message.tool_calls) == 1
        messages.append(answer.message)
        for call in answer.message.tool_calls:
            same(call.function.name, "Look")
            asked = Look.model_validate_json(call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": look(**asked.model_dump())})
    last = CLIENT.chat.completions.create(model=MODEL, messages=messages, tools=tools, tool_choice="none", temperature=0)
    assert last.choices[0].message.content and not last.choices[0].message.tool_calls


@row("s4", "openai: streamed calls are the whole ones, piece by piece")
def _():
    asked = {"model": MODEL, "messages": ASKED, "tools": [openai.pydantic_function_tool(Look)],
             "tool_choice": "required", "temperature": 2, "seed": 3, "max_tokens": 600}
    whole = CLIENT.chat.completions.create(**asked).choices[0].message.tool_calls
    with CLIENT.chat.completions.with_streaming_response.create(**asked, stream=True) as response:
        lines = [line[6:] for line in response.iter_lines() if line.startswith("data: {")]
    deltas = [ChatCompletionChunk.model_validate_json(line, strict=True).choices[0].delta for line in lines]
    assert sum(bool(delta.tool_calls) for delta in deltas) > len(whole) * 2, "in pieces"
    with CLIENT.chat.completions.stream(**asked) as stream:
        streamed = stream.get_final_completion().choices[0].message.tool_calls
    told = [[(call.function.name, json.loads(call.function.arguments)) for call in calls] for calls in (whole, streamed)]
    same(told[0], told[1])
    assert len({call.id for call in streamed}) == len(streamed)


@row("s5", "openai: what can't be held to is refused, with its place")
def _():
    def refused(param, **fields):
        try:
            CLIENT.chat.completions.create(**{"model": MODEL, "messages": ASKED} | fields)
            raise AssertionError(f"{param} isn't refused")
        except openai.BadRequestError as error:
            assert error.param.startswith(param), error
    schema = {"type": "object", "properties": {"a": {"type": "string", "minLengths": 1}}}
    named = {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}
    refused("response_format.json_schema.schema", response_format=named)
    refused("tool_choice", tool_choice="required")
    refused("tools[0].function.name", tools=[{"type": "function", "function": {"name": "a b"}}])
    refused("messages[1].tool_call_id", messages=[*ASKED, {"role": "tool", "tool_call_id": "x", "content": ""}])


@row("s6", "langchain: with_structured_output, by a schema and by a call; bind_tools")
def _():
    from langchain_openai import ChatOpenAI
    model = ChatOpenAI(base_url=URL + "/v1", model=MODEL, temperature=0, max_tokens=400, max_retries=0, api_key="any")
    for method in "json_schema", "function_calling":
        assert isinstance(model.with_structured_output(Look, method=method).invoke("Where?"), Look), method
    calls = model.bind_tools([Look], tool_choice="any").invoke("Where?").tool_calls
    assert all(call["name"] == "Look" and Look(**call["args"]) for call in calls) and calls


@row("s7", "an agent of forty lines reads a file and ends")
def _():
    import subprocess
    import sys
    agent = Path(__file__).resolve().parents[2] / "chapters/ch16-structured-output/agent.py"
    said = subprocess.run([sys.executable, agent, "What is in it?", URL], capture_output=True, text=True, timeout=120,
                          cwd=agent.parent)
    assert said.returncode == 0 and "read_file" in said.stderr and said.stdout.strip(), said


run()
