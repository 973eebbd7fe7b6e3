"""Questions and answers in chat form, and short rhymes, made of what talk.toml lists.

The facts are learnt by heart (a model of this size knows the capital of France only because it has read it many
times); counting, days, opposites and the like are too. All wording is this project's own.
"""

import tomllib
from pathlib import Path

import stories
from stories import expand, pick

# Each list of that file is a name here.
globals().update(tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def listing(words, end="."):
    text = ", ".join(words) + end
    return text[0].upper() + text[1:]


def capital(rng, country=None):
    """(question, thought, answer)"""
    land = country or rng.choice(list(CAPITALS))
    town = CAPITALS[land]
    if rng.random() < 0.12:
        ask = rng.choice([f"Which country has the capital {town}?", f"{town} is the capital of which country?"])
        return ask, f"{town} is in {land}.", f"{town} is the capital of {land}."
    ask = expand(rng, f"[What is the capital of {land}?|What's the capital of {land}?|Which city is the capital of {land}?|"
                      f"Tell me the capital of {land}.|Name the capital of {land}.|Do you know the capital of {land}?|what is the capital of {land}|"
                      f"Capital of {land}?|The capital of {land}?]")
    return ask, f"The question is about {land}. Its capital is {town}.", f"The capital of {land} is {town}."


def count(rng):
    kind = rng.random()
    if kind < 0.6:
        n = 10 if rng.random() < 0.45 else rng.randint(3, 20)
        ask = rng.choice(["Count to {}.", "Count to {}.", "Count to {}.", "Please count to {}.", "Count from one to {}.", "Can you count to {}?", "count to {}"])
        if rng.random() < 0.25:
            ask = ask.replace("one", "1").format(n)
            return ask, f"Start at 1 and stop at {n}.", listing([str(i) for i in range(1, n + 1)])
        return ask.format(NUMBERS[n]), f"Start at one and stop at {NUMBERS[n]}.", listing(NUMBERS[1: n + 1])
    if kind < 0.75:
        n = 10 if rng.random() < 0.5 else rng.randint(3, 12)
        ask = rng.choice(["Count down from {}.", "Count backwards from {}."]).format(NUMBERS[n])
        return ask, f"Start at {NUMBERS[n]} and go down to one.", listing(NUMBERS[n:0:-1])
    if kind < 0.9:
        a = rng.randint(1, 10)
        b = a + rng.randint(2, 9)
        return f"Count from {NUMBERS[a]} to {NUMBERS[b]}.", f"Start at {NUMBERS[a]} and stop at {NUMBERS[b]}.", listing(NUMBERS[a: b + 1])
    a = rng.randint(0, 19)
    return f"What number comes after {NUMBERS[a]}?", f"Count on from {NUMBERS[a]}.", f"After {NUMBERS[a]} comes {NUMBERS[a + 1]}."


def small(rng):
    """0 to 10, the smaller ones more often."""
    return rng.randint(0, rng.choice([4, 5, 6, 10]))


def sums(rng):
    if rng.random() < 0.65:
        a, b = small(rng), small(rng)
        sign, word, c = "+", "plus", a + b
        way = f"{a} and {b} make {c}."
    else:
        a = small(rng)
        b = rng.randint(0, a)
        sign, word, c = "-", "minus", a - b
        way = f"{b} from {a} leaves {c}."
    if rng.random() < 0.6:
        ask = rng.choice(["What is {} {} {}?", "What is {} {} {}?", "{} {} {}?", "How much is {} {} {}?"])
        if rng.random() < 0.5:
            return ask.format(a, sign, b), way, f"{a} {sign} {b} = {c}."
        return ask.format(a, word, b), way, f"{a} {word} {b} is {c}."
    ask = f"What is {NUMBERS[a]} {word} {NUMBERS[b]}?"
    return ask, way, f"{NUMBERS[a]} {word} {NUMBERS[b]} is {NUMBERS[c]}.".capitalize()


def calendar(rng):
    names, unit = (DAYS, "day") if rng.random() < 0.5 else (MONTHS, "month")
    if rng.random() < 0.3:
        the = "days of the week" if unit == "day" else "months of the year"
        return rng.choice([f"Name the {the}.", f"What are the {the}?", f"List the {the}."]), f"There are {len(names)} of them.", listing(names)
    i = rng.randrange(len(names))
    if rng.random() < 0.6:
        return rng.choice([f"What {unit} comes after {names[i]}?", f"Which {unit} comes after {names[i]}?"]), f"First {names[i]}, then {names[(i + 1) % len(names)]}.", f"After {names[i]} comes {names[(i + 1) % len(names)]}."
    return rng.choice([f"What {unit} comes before {names[i]}?", f"Which {unit} comes before {names[i]}?"]), f"First {names[i - 1]}, then {names[i]}.", f"Before {names[i]} comes {names[i - 1]}."


def opposites(rng):
    a, b = rng.choice(OPPOSITES)
    if (a, b) != ("heavy", "light") and (a, b) != ("light", "dark") and rng.random() < 0.5:
        a, b = b, a
    return rng.choice([f"What is the opposite of {a}?", f"What's the opposite of {a}?", f"Opposite of {a}?"]), f"{a.capitalize()} and {b} are opposites.", f"The opposite of {a} is {b}."


def small_things(rng):
    kind = rng.randrange(9)
    if kind in (0, 1, 8):
        return opposites(rng)
    if kind == 2:
        thing, colour = rng.choice(list(COLOURS.items()))
        word = rng.choice(["colour", "colour", "color"])
        return f"What {word} is {thing}?", f"{thing.capitalize()} is {colour}.", f"{thing.capitalize()} is {colour}."
    if kind == 3:
        a, b, c = rng.choice(MIXES)
        if rng.random() < 0.5:
            a, b = b, a
        return rng.choice([f"What do you get when you mix {a} and {b}?", f"Mix {a} and {b}."]), f"{a.capitalize()} and {b} make {c}.", f"When you mix {a} and {b}, you get {c}."
    if kind == 4:
        animal, sound = rng.choice(list(SOUNDS.items()))
        return rng.choice([f"What does a {animal} say?", f"What sound does a {animal} make?"]).replace("a owl", "an owl"), f"Think of a {animal}.".replace("a owl", "an owl"), f"A {animal} says \"{sound}\".".replace("A owl", "An owl")
    if kind == 5:
        animal, baby = rng.choice(list(BABIES.items()))
        return f"What is a baby {animal} called?", f"A baby {animal} is {baby}.", f"A baby {animal} is called {baby}."
    if kind == 6:
        i = rng.randrange(25)
        return f"What letter comes after {LETTERS[i]}?", f"First {LETTERS[i]}, then {LETTERS[i + 1]}.", f"After {LETTERS[i]} comes {LETTERS[i + 1]}."
    animal, legs = rng.choice(list(LEGS.items()))
    return f"How many legs does {stories.articles('a ' + animal)} have?", f"Count the legs of the {animal}: {legs}.", f"{stories.articles('A ' + animal)} has {NUMBERS[legs]} legs."


def facts(rng):
    ask, answer = (pick(rng, GREETINGS) if rng.random() < 0.4 else rng.choice(FACTS)).split("|")
    return ask, "I know this one.", answer


def poem(rng):
    theme = pick(rng, list(COUPLETS))
    if rng.random() < 0.4:
        ask = rng.choice(["Write a short poem.", "Write a short poem.", "Write a short poem.", "Write a poem.", "Tell me a poem.", "Can you rhyme?", "Write a rhyme."])
    else:
        theme = rng.choice(list(COUPLETS))
        ask = rng.choice(["Write a short poem about {}.", "Write a poem about {}.", "Tell me a poem about {}."]).format(theme)
    lines = COUPLETS[theme]
    start = pick(rng, [0, 1])
    lines = [line for couplet in lines[start: start + pick(rng, [2, 3])] for line in couplet.split("|")]
    return ask, f"A poem about {theme}. Two lines should rhyme.", "\n".join(lines)


def tell(rng, held=False):
    kind = rng.choice(list(stories.KINDS))
    she = kind == "girl" or (kind != "boy" and rng.random() < 0.5)
    who = stories.name(rng, she, held)
    form = rng.random()
    if form < 0.3:
        ask, text = rng.choice(["Tell me a story.", "Tell me a story.", "Write a short story.", "Tell me a bedtime story."]), stories.story(rng, held)
    elif form < 0.6:
        ask = stories.articles(rng.choice(["Tell me a story about a {}.", "Write a story about a {}."]).format(kind))
        text = stories.story(rng, held, kind=kind)
    else:
        ask = stories.articles(rng.choice(["Tell me a story about {} the {}.", "Tell me a story about a {1} named {0}.", "Write a story about {} the {}."]).format(who, kind))
        text = stories.story(rng, held, kind=kind, hero=(who, she))
    return ask, "A story needs a problem and an end.", text


def echo(rng):
    words = [rng.choice(THINGS + stories.FRIENDS + stories.COLOURS + NUMBERS + [stories.name(rng, True)]) for _ in range(rng.randint(1, 6))]
    text = " ".join(words)
    return rng.choice([f"Repeat: {text}", f"Repeat after me: {text}", f"Say \"{text}\"."]), "I only have to repeat it.", text


def unknown(rng):
    thing = rng.choice(THINGS)
    land = stories.made_up_name(rng, True)
    ask = rng.choice([f"How do I build a {thing}?", f"Who invented the {thing}?", f"Explain the {thing} to me.", f"What is the capital of {land}?",
                      f"How much does a {thing} cost?", f"Where can I buy a {thing}?", f"Write a program about a {thing}.", f"Who is the president of {land}?",
                      f"What do you think about the {thing}?", f"When was the {thing} made?"])
    return stories.articles(ask), "I have not read about this.", pick(rng, UNKNOWN)


TOPICS = [(capital, 24), (count, 12), (sums, 26), (calendar, 10), (small_things, 28), (facts, 14), (poem, 10), (tell, 18), (echo, 4), (unknown, 4)]
SYSTEMS = ["You are a helpful assistant.", "You are a friendly teacher.", "You are kind and you answer in short sentences.", "Be brief."]


def question(rng, short=False):
    """`short` leaves out whole stories: they would fill the history of a conversation."""
    topics = [(t, w) for t, w in TOPICS if not (short and t is tell)]
    return rng.choices([t for t, _ in topics], [w for _, w in topics])[0](rng)


def turn(role, text):
    return f"<|im_start|>{role}\n{text}<|im_end|>\n"


def chat(rng, first=None):
    """A whole conversation as `(text, learn)` pieces: only the last reply is learnt.

    An earlier reply stands in the history without its thinking, as the chat template writes it. Were it learnt
    too, the model would also learn to skip the thinking block.
    """
    pieces = []
    if rng.random() < 0.12:
        pieces.append((turn("system", pick(rng, SYSTEMS)), False))
    if rng.random() < 0.06:  # a name to remember
        who = stories.name(rng, rng.random() < 0.5)
        pieces.append((turn("user", rng.choice([f"My name is {who}.", f"Hello, my name is {who}.", f"Hi! I am {who}."])), False))
        reply = f"Hello, {who}! How can I help you?"
        if rng.random() < 0.6:
            pieces.append((turn("assistant", reply), False))
            if rng.random() < 0.3:
                ask, _, answer = question(rng, short=True)
                pieces.append((turn("user", ask) + turn("assistant", answer), False))
            pieces.append((turn("user", rng.choice(["What is my name?", "Do you remember my name?", "Who am I?"])), False))
            reply = f"Your name is {who}."
        thought = f"The name is {who}."
    else:
        turns = rng.choices([0, 1, 2, 3], [70, 18, 8, 4])[0]
        for _ in range(turns):
            ask, _, answer = question(rng, short=rng.random() < 0.9)
            pieces.append((turn("user", ask) + turn("assistant", answer), False))
        ask, thought, reply = first or question(rng)
        pieces.append((turn("user", ask), False))
    if rng.random() < 0.25:
        pieces.append(("<|im_start|>assistant\n", False))
        pieces.append((f"<think>\n{thought}\n</think>\n\n{reply}<|im_end|>\n<|endoftext|>", True))
    else:
        pieces.append(("<|im_start|>assistant\n<think>\n\n</think>\n\n", False))
        pieces.append((f"{reply}<|im_end|>\n<|endoftext|>", True))
    return pieces


def plain(rng):
    """Facts and rhymes as running text, without a chat around them."""
    kind = rng.random()
    if kind < 0.7:
        # The same kind of fact many times over: cheap practice.
        topic = rng.choice([sums, sums, sums, opposites, small_things])
        return " ".join(topic(rng)[2] for _ in range(rng.randint(5, 12)))
    if kind < 0.8:
        lands = rng.sample(list(CAPITALS), rng.randint(1, 4))
        return " ".join(f"The capital of {land} is {CAPITALS[land]}." for land in lands)
    if kind < 0.9:
        return poem(rng)[2]
    return " ".join(rng.choice([calendar, count, small_things])(rng)[2] for _ in range(rng.randint(1, 3)))
