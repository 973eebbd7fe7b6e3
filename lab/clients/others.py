"""Clients that others have built: each asks its own way, and has to come back with the command line's words."""

import asyncio
import contextlib
import os
import subprocess
import tempfile
from pathlib import Path

from rows import MODEL, QUESTION, URL, command_line, counts, row, run, same

os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "any", "OPENAI_API_BASE": URL + "/v1"}
EXPECTED = command_line("--chat", QUESTION)
COST = [len(EXPECTED[ids]) for ids in ("prompt_ids", "generated_ids")]
TOO_LONG = "a b " * 5000


def said(*command, cwd=None):
    """What a program says, which may ask nothing."""
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=cwd, timeout=300)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


@row(36, "llm: streamed, whole, with a system prompt, going on")
def _():
    with tempfile.TemporaryDirectory() as home:
        os.environ["LLM_USER_PATH"] = home
        model = f"- model_id: tiny\n  model_name: {MODEL}\n  api_base: {URL}/v1\n"
        (Path(home) / "extra-openai-models.yaml").write_text(model)
        ask = ["llm", "-m", "tiny", "-o", "temperature", "0"]
        for flags in [], ["--no-stream"]:
            same(said(*ask, *flags, QUESTION), EXPECTED["text"])
        system = command_line("--chat", QUESTION, "--system", "You are a poet.")
        same(said(*ask, "-s", "You are a poet.", QUESTION), system["text"])
        said(*ask, QUESTION)
        turns = [("user", QUESTION), ("assistant", EXPECTED["text"]), ("user", "And now?")]
        told = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns)
        expected = command_line(f"{told}<|im_start|>assistant\n<think>\n\n</think>\n\n")
        same(said(*ask, "--continue", "And now?"), expected["text"])


@row(37, "litellm: whole, streamed, async, refused")
def _():
    import litellm
    import openai
    litellm.suppress_debug_info = True
    asked = {"model": f"openai/{MODEL}", "messages": [{"role": "user", "content": QUESTION}], "temperature": 0}
    for answer in litellm.completion(**asked), asyncio.run(litellm.acompletion(**asked)):
        same(answer.choices[0].message.content, EXPECTED["text"])
        same([answer.usage.prompt_tokens, answer.usage.completion_tokens], COST)
    chunks = list(litellm.completion(**asked, stream=True))
    same("".join(chunk.choices[0].delta.content or "" for chunk in chunks), EXPECTED["text"])
    for kind, fields in [(litellm.BadRequestError, {"temperature": 3}),
                         (litellm.NotFoundError, {"model": "openai/other"}),
                         (litellm.ContextWindowExceededError, {"messages": [{"role": "user", "content": TOO_LONG}]})]:
        try:
            litellm.completion(**asked | fields)
            raise AssertionError(f"no {kind}")
        except openai.OpenAIError as error:
            same(type(error), kind)


@row(38, "langchain: whole, streamed, several, refused")
def _():
    from langchain_core.exceptions import ContextOverflowError
    from langchain_openai import ChatOpenAI
    model = ChatOpenAI(base_url=URL + "/v1", model=MODEL, temperature=0, max_retries=0)
    for answer in [model.invoke(QUESTION), *model.batch([QUESTION] * 3)]:
        same(answer.content, EXPECTED["text"])
        same([answer.usage_metadata["input_tokens"], answer.usage_metadata["output_tokens"]], COST)
    same("".join(chunk.content for chunk in model.stream(QUESTION)), EXPECTED["text"])
    short = ChatOpenAI(base_url=URL + "/v1", model=MODEL, temperature=0, max_tokens=5).invoke(QUESTION)
    same(short.content, command_line("--chat", QUESTION, "-n", 5)["text"])
    with contextlib.suppress(ContextOverflowError):
        model.invoke(TOO_LONG)
        raise AssertionError("that is too long")


@row(40, "aider: an answer to a wish for an edit, in a repository")
def _():
    before = counts()
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        (Path(home) / "hello.py").write_text('print("hello")\n')
        said("git", "init", "-q", cwd=home)
        flags = "--no-show-model-warnings --no-check-update --analytics-disable --no-auto-commits --yes-always"
        told = said("aider", "--model", f"openai/{MODEL}", *flags.split(), "--message", "Say goodbye.", "hello.py",
                    cwd=home)
    after = counts()  # it counts tokens its own way
    same(after["answered_total"], before["answered_total"] + 1)
    assert after["prompt_tokens_total"] - before["prompt_tokens_total"] > 500 and "Tokens:" in told, told


run()
