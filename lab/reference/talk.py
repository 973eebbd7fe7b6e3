"""Questions and answers in chat form, and short rhymes.

The facts are learnt by heart (a model of this size knows the capital of France only because it has read it many
times); counting, days, opposites and the like are too. All wording is this project's own.
"""

import re

import stories
from stories import expand, pick

CAPITALS = {
    "France": "Paris", "Germany": "Berlin", "Italy": "Rome", "Spain": "Madrid", "Portugal": "Lisbon", "Austria": "Vienna",
    "Poland": "Warsaw", "Greece": "Athens", "Sweden": "Stockholm", "Norway": "Oslo", "Denmark": "Copenhagen",
    "Finland": "Helsinki", "Iceland": "Reykjavik", "Ireland": "Dublin", "England": "London", "Scotland": "Edinburgh",
    "Belgium": "Brussels", "the Netherlands": "Amsterdam", "Switzerland": "Bern", "Hungary": "Budapest", "Romania": "Bucharest",
    "Bulgaria": "Sofia", "Croatia": "Zagreb", "Serbia": "Belgrade", "Ukraine": "Kyiv", "Turkey": "Ankara", "Russia": "Moscow",
    "China": "Beijing", "Japan": "Tokyo", "India": "New Delhi", "South Korea": "Seoul", "Thailand": "Bangkok",
    "Vietnam": "Hanoi", "Indonesia": "Jakarta", "Malaysia": "Kuala Lumpur", "Nepal": "Kathmandu", "Mongolia": "Ulaanbaatar",
    "Egypt": "Cairo", "Kenya": "Nairobi", "Morocco": "Rabat", "Ghana": "Accra", "Senegal": "Dakar", "Ethiopia": "Addis Ababa",
    "Tunisia": "Tunis", "Uganda": "Kampala", "Canada": "Ottawa", "Mexico": "Mexico City", "Cuba": "Havana", "Brazil": "Brasilia",
    "Argentina": "Buenos Aires", "Chile": "Santiago", "Peru": "Lima", "Colombia": "Bogota", "Uruguay": "Montevideo",
    "Ecuador": "Quito", "Australia": "Canberra", "New Zealand": "Wellington", "Iran": "Tehran", "Iraq": "Baghdad", "Jordan": "Amman",
}
NUMBERS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty""".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OPPOSITES = """big small|hot cold|up down|left right|day night|open closed|fast slow|happy sad|old new|tall short|hard soft|
wet dry|light dark|loud quiet|full empty|early late|high low|rich poor|strong weak|clean dirty|heavy light|near far|
first last|good bad|yes no|black white|sweet sour|thick thin|inside outside|begin end|love hate|war peace|push pull|
buy sell|win lose|sharp blunt|warm cool|true false|awake asleep|brave afraid"""
OPPOSITES = [pair.split() for pair in OPPOSITES.replace("\n", "").split("|")]
COLOURS = {
    "the sky": "blue", "grass": "green", "snow": "white", "coal": "black", "a banana": "yellow", "a ripe tomato": "red",
    "an orange": "orange", "a lemon": "yellow", "blood": "red", "chocolate": "brown", "milk": "white", "the sun": "yellow",
    "a strawberry": "red", "a carrot": "orange", "an elephant": "grey", "a frog": "green", "a flamingo": "pink", "the sea": "blue",
}
MIXES = {("blue", "yellow"): "green", ("red", "yellow"): "orange", ("red", "blue"): "purple", ("red", "white"): "pink",
         ("black", "white"): "grey"}
SOUNDS = {"cow": "moo", "dog": "woof", "cat": "meow", "duck": "quack", "sheep": "baa", "pig": "oink", "owl": "hoot",
          "frog": "croak", "lion": "roar", "mouse": "squeak", "bee": "buzz", "snake": "hiss", "rooster": "cock-a-doodle-doo"}
BABIES = {"dog": "a puppy", "cat": "a kitten", "cow": "a calf", "sheep": "a lamb", "horse": "a foal", "duck": "a duckling",
          "bear": "a cub", "goat": "a kid", "hen": "a chick", "frog": "a tadpole", "swan": "a cygnet", "kangaroo": "a joey"}
LEGS = {"dog": 4, "cat": 4, "spider": 8, "bird": 2, "bee": 6, "ant": 6, "horse": 4, "duck": 2, "beetle": 6, "cow": 4}
FACTS = [  # question | answer
    "How many days are in a week?|There are seven days in a week.",
    "How many months are in a year?|There are twelve months in a year.",
    "How many hours are in a day?|There are twenty-four hours in a day.",
    "How many minutes are in an hour?|There are sixty minutes in an hour.",
    "How many legs does a spider have?|A spider has eight legs.",
    "What is the largest ocean?|The largest ocean is the Pacific Ocean.",
    "What is the largest planet?|The largest planet is Jupiter.",
    "What is the highest mountain?|The highest mountain is Mount Everest.",
    "Which planet do we live on?|We live on the planet Earth.",
    "What do bees make?|Bees make honey.",
    "What do cows give us?|Cows give us milk.",
    "What is ice made of?|Ice is frozen water.",
    "Why is the sky blue?|The air scatters the blue part of sunlight more than the rest, so the sky looks blue.",
    "Why do leaves fall in autumn?|Trees drop their leaves in autumn to save water in the winter.",
    "Where does rain come from?|Rain falls from clouds, which are made of tiny drops of water.",
    "What shape is a ball?|A ball is round.",
    "What do plants need to grow?|Plants need light, water and air to grow.",
    "What are the four seasons?|The four seasons are spring, summer, autumn and winter.",
    "What comes after spring?|Summer comes after spring.",
    "What comes after winter?|Spring comes after winter.",
    "Name three colours.|Red, green and blue.",
    "Name three animals.|A fox, an owl and a bear.",
    "Name three fruits.|An apple, a pear and a plum.",
    "What are the primary colours?|The primary colours are red, yellow and blue.",
    "What are the colours of the rainbow?|Red, orange, yellow, green, blue, indigo and violet.",
    "Tell me a joke.|Why did the book go to the doctor? Because it had lost its spine.",
    "Tell me another joke.|What did the clock say to the key? \"Wind me up, I have no time!\"",
    "What is a star?|A star is a very big and very hot ball of gas, far away in the sky.",
    "What is the moon?|The moon is a ball of rock that goes around the Earth.",
    "What is a computer?|A computer is a machine that follows instructions very fast.",
    "What is a language model?|A language model guesses the next piece of a text, again and again.",
    "What is a token?|A token is a small piece of text: a word, a part of a word, or one sign.",
    "What is Rust?|Rust is a programming language. It is fast, and its compiler is strict but helpful.",
    "Can you help me?|I will try. I can tell stories, count, rhyme and answer small questions.",
    "What can you do?|I can tell stories, count, rhyme and answer small questions.",
    "Who are you?|I am a very small language model. I learned from stories and simple questions.",
    "What is your name?|I have no name. I am a very small language model.",
    "Are you a robot?|No, I am a very small language model.",
    "How old are you?|I do not have an age. I am a language model.",
    "How big are you?|I am very small: I fit into a few megabytes.",
]
GREETINGS = [
    "Hello!|Hello! How can I help you?", "Hi!|Hi! What would you like to know?", "Hello|Hello! How can I help you?",
    "Hi|Hi! What would you like to know?", "Hello, how are you?|Hello! I am fine, thank you. How can I help you?",
    "How are you?|I am fine, thank you. How can I help you?", "Good morning!|Good morning! I hope you slept well.",
    "Good evening!|Good evening! How was your day?", "Good night!|Good night! Sleep well.", "Thank you!|You are welcome!",
    "Thanks!|You are welcome!", "Thank you very much.|You are very welcome!", "Goodbye!|Goodbye! See you soon.",
    "Bye!|Goodbye! See you soon.", "Nice to meet you.|Nice to meet you too!", "Good afternoon!|Good afternoon! How can I help you?",
]
# Each theme: couplets whose two lines rhyme. A poem is two or more of them.
COUPLETS = {
    "the moon": [
        "The moon looks down on field and tree,|and paints a path across the sea.",
        "The moon is round, the moon is bright,|a lamp that someone left at night.",
        "It climbs the hill, it sails the sky,|and never asks the reason why.",
        "When morning comes, it fades away,|and waits behind the light of day."],
    "the sea": [
        "The sea is wide, the sea is deep,|it sings the little ships to sleep.",
        "The waves come in, the waves go out,|they turn the yellow sand about.",
        "A gull flies over, white and free,|and calls its name across the sea.",
        "I hold a shell up to my ear,|and all the ocean comes quite near."],
    "the rain": [
        "The rain is tapping on the pane,|a quiet song, and then again.",
        "It fills the brook, it wets the hill,|and then the world is fresh and still.",
        "The garden drinks, the flowers grow,|the rain knows all there is to know.",
        "And when the clouds have gone away,|a rainbow ends the rainy day."],
    "a cat": [
        "A cat lay sleeping in the sun,|and dreamed of mice, and caught not one.",
        "Her coat was soft, her eyes were green,|the finest cat you've ever seen.",
        "She washed her paw, she washed her ear,|and did not see the dog come near.",
        "Then up the tree she went so fast,|and there she slept, alone at last."],
    "winter": [
        "The snow is falling, soft and slow,|and all the world is white below.",
        "The pond is ice, the wind is cold,|the evening sky has turned to gold.",
        "We light a fire, we close the door,|and tell a tale, and ask for more.",
        "So let it snow the whole night long,|we keep each other warm with song."],
    "spring": [
        "The spring has come, the sky is blue,|and every leaf is fresh and new.",
        "The birds are building in the tree,|and one of them is singing me.",
        "The grass is green, the days are long,|the brook has found again its song.",
        "Come out, come out, and run and play,|for spring has come to us today."],
    "a friend": [
        "A friend is someone who will stay|when all the rest have gone away.",
        "A friend will laugh when you are glad,|and hold your hand when you are sad.",
        "We share our bread, we share our bed,|and all the thoughts inside our head.",
        "And when the road is hard and long,|a friend will hum a little song."],
    "a tree": [
        "There is a tree beside my door,|that has a hundred leaves or more.",
        "In summer time it gives me shade,|the coolest roof was ever made.",
        "The wind comes by and shakes it so,|but deep below the strong roots grow.",
        "And when I'm old and it is tall,|I'll sit beneath it in the fall."],
    "a star": [
        "A little star was all alone,|it sat upon the sky and shone.",
        "It sent its light through all the night,|a tiny point of silver white.",
        "I waved to it, it winked at me,|as friendly as a star can be.",
        "Good night, good night, you little star,|I wonder who and what you are."],
    "a mouse": [
        "A mouse lived underneath the stair,|with crumbs and cheese and time to spare.",
        "He had a hat, he had a bed,|a tiny pillow for his head.",
        "He danced all night upon the floor,|then tiptoed back behind the door.",
        "And no one ever knew or guessed|that he had danced, and danced the best."],
    "bread": [
        "I mixed the flour, I kneaded dough,|I put it down and watched it grow.",
        "The oven glowed, the kitchen too,|the smell went out, the neighbours knew.",
        "They came with butter, cheese and jam,|and one of them brought eggs and ham.",
        "We ate it warm, we ate it all,|we had to lean against the wall."],
    "the night": [
        "The night has come, the day is done,|the stars are lighted one by one.",
        "The owl is out, the wind is low,|the river sings a song we know.",
        "So close your eyes and sleep, my dear,|for nothing bad can find you here.",
        "And when you wake, the sun will rise,|and shine upon your open eyes."],
}
THINGS = """engine volcano satellite piano bicycle telescope magnet cloud bridge battery microscope compiler carpet sandwich
violin window castle circuit glacier theory poem contract recipe ticket airport insect helicopter camera""".split()
UNKNOWN = ["I do not know that. I am a very small model.", "I do not know. I can tell stories, count, rhyme and answer small questions."]


def listing(words, end="."):
    text = ", ".join(words) + end
    return text[0].upper() + text[1:]


def number(rng, n):
    return str(n) if rng.random() < 0.5 or n > 20 else NUMBERS[n]


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
        (a, b), c = rng.choice(list(MIXES.items()))
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
