"""Small stories: a character, a place, a problem, an end.

A story is grown from the templates in stories.toml, where every sentence was written for this project. `[a|b|c]` picks one
of the phrasings (the first is the likeliest, so that a model trained on the text has a clear favourite), `{N}` and its
relatives are filled in from the cast.
"""

import re
import tomllib
from pathlib import Path

# Each list of that file is a name here.
globals().update(tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")))
LETTERS, CONSONANTS = "abcdefghijklmnopqrstuvwxyz", "bbcddffgghjjkkllmmnnpprrssttvvwwzq"


def pick(rng, items):
    """One of the items; earlier ones are likelier, so that a trained model has a favourite and not a tie."""
    return rng.choices(items, [1.0 / (i + 1.2) for i in range(len(items))])[0]


def expand(rng, text):
    """Resolves every `[a|b]`, innermost first."""
    while True:
        found = re.search(r"\[([^\[\]]*)\]", text)
        if not found:
            return text
        text = text[: found.start()] + pick(rng, found.group(1).split("|")) + text[found.end():]


def made_up_name(rng, she, held=False):
    middles = HELD_MIDDLES if held else MIDDLES
    return rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(middles) + rng.choice(SHE_ENDS if she else HE_ENDS)


def free_word(rng, ends=LETTERS):
    """Any word that can be spoken, more or less: "Ulfram", "Quidda", "Osp"."""
    while True:
        word = rng.choice(["", "", "", *"aeiou"])
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            word += rng.choice(CONSONANTS) + rng.choice(["", "", "", "r", "l", "h"]) + rng.choice([*"aeiou", "aa", "ie", "ea", "ou", "y"])
            word += rng.choice(["", "", "", *"bdgklmnprstvz", "ss", "ck", "ld", "rt", "nd", "ng"])
        word = word[: rng.randint(3, 9)]
        if len(word) > 2 and word[-1] in ends and not any(m in word for m in HELD_MIDDLES):
            return word.capitalize()


def name(rng, she, held=False, friend=False):
    """A known name or a made-up one.

    Favourites come first and often: a model that always takes its likeliest token then picks a plain name, and for
    the friend another one than for the hero.
    """
    if held:
        return made_up_name(rng, she, held) if rng.random() < 0.4 else rng.choice(HELD_GIRLS if she else HELD_BOYS)
    kind = rng.random()
    if kind < 0.12:
        while True:
            word = free_word(rng, "aeiy" if she else "bdfghklmnoprstuz")
            if word not in HELD_GIRLS + HELD_BOYS:
                return word
    if kind < 0.4:
        return made_up_name(rng, she)
    names = GIRLS if she else BOYS
    return rng.choices(names[::-1] if friend else names, [0.6 ** i for i in range(len(names))])[0]


def place_name(rng):
    """Half of them from a short list, the rest from words and sounds of every kind."""
    if rng.random() < 0.5:
        return rng.choice(PLACE_FIRST) + " " + rng.choice(PLACE_LAST)
    if rng.random() < 0.2:
        return free_word(rng)
    return rng.choice([free_word(rng), rng.choice(PLACE_MORE).capitalize()]) + " " + rng.choice(PLACE_LAST + PLACE_LAST_MORE)


def place(rng, held=False):
    """Long form for the first mention, short form for later."""
    if held or rng.random() < 0.65:
        if held:
            full = rng.choice(HELD_FIRST) + " " + rng.choice(HELD_LAST)
        else:
            full = place_name(rng)
        return full, full
    return rng.choice(PLACES)


def articles(text):
    """"a apple" becomes "an apple"."""
    return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)


def some_kind(rng):
    """Children come more often: the likeliest story of all then has a girl in it, and her name is Mia."""
    return rng.choices(list(KINDS), [8 if k == "girl" else 5 if k == "boy" else 1 for k in KINDS])[0]


def story(rng, held_names=False, held_plots=False, kind=None, hero=None, plot=None):
    """One story. `held_*` takes the cast or the plot from what training never sees."""
    kind = kind or some_kind(rng)
    she = kind == "girl" or (kind != "boy" and rng.random() < 0.5)
    if hero:
        who, she = hero
    else:
        who = name(rng, she, held_names)
    friend_kind = rng.choice([k for k in FRIENDS if k != kind])
    friend = who
    while friend == who:
        friend = name(rng, rng.random() < 0.5, held_names, friend=True)
    long_place, short_place = place(rng, held_names)
    fruit = pick(rng, FRUITS)
    words = {
        "N": who, "F": friend, "k": kind, "fk": friend_kind, "a": rng.choice(TRAITS), "L": long_place, "S": short_place,
        "t": pick(rng, TIMES), "o": rng.choice(OBJECTS), "c": pick(rng, COLOURS), "f": fruit,
        "he": "she" if she else "he", "his": "her" if she else "his", "him": "her" if she else "him",
        "He": "She" if she else "He", "His": "Her" if she else "His",
    }
    plot = plot or (rng.choice(HELD_PLOTS) if held_plots else pick(rng, KINDS[kind]))
    words["t"] = pick(rng, LATE.get(plot, TIMES))
    # Nobody makes friends with somebody who was a friend before.
    strangers = plot in ("shy", "clock", "race")
    opening = pick(rng, [o for o in OPENINGS if not (strangers and "{F}" in o)])
    known = "{F}" in opening
    habit = rng.choice([h for h in HABITS if not ((strangers or known) and "{F}" in h)])
    known = known or "{F}" in habit
    ending = pick(rng, [e for e in ENDINGS if not (known and "{F}" in e) and not (plot in LATE and "That night" in e)])
    sentences = [opening, habit] + PLOTS[plot] + [ending]
    text = expand(rng, " ".join(s for s in sentences if s)).format(**words)
    return articles(text).replace("berrys", "berries")
