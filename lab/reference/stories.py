"""Small stories: a character, a place, a problem, an end.

A story is grown from templates. `[a|b|c]` picks one of the phrasings (the first is the likeliest, so that a model
trained on the text has a clear favourite), `{N}` and its relatives are filled in from the cast. Every sentence here was
written for this project.
"""

import re

# ---------------------------------------------------------------- the cast

GIRLS = """Mia Lily Anna Rosa Nora Ella Clara Emma Lena Sara Maya Ida Julia Tilda Olga Vera Nina Flora Greta Hanna Lucy Molly
Ruby Poppy Daisy Amy Betty Sophie Alice Marie""".split()
BOYS = """Leo Tom Ben Max Sam Oscar Hugo Felix Jonas Paul Finn Jack Milo Otto Theo Adam Noah Luis Karim Omar Peter Simon
Martin Robin Anton Emil Nico Bruno Arthur Oliver""".split()
# Never seen in training: they show whether a name is carried through a story by copying it.
HELD_GIRLS = "Zelda Frida Wilma Petra Amara Ingrid Yuki Odette Sanna Mirabel".split()
HELD_BOYS = "Viktor Casper Rufus Dario Kenji Walter Ivan Tariq Magnus Quentin".split()

# Made-up names, some thousands of them, so that no single name can be learnt by heart. A name's ending tells
# whether its bearer is "she" or "he", as in many languages.
ONSETS = "B Br C D Dr F Fl G Gr H J K L M N P Pl R S St T Tr V W Y Z".split()
VOWELS = "a e i o u".split()
MIDDLES = "b l ll m mm n nd p r rr s t tt v z lb rt nk".split()
SHE_ENDS = "a a a i elle ina etta y".split()
HE_ENDS = "o o us in ek or an op".split()
HELD_MIDDLES = "mb x sk".split()

KINDS = {  # kind of character -> plots it likes best first
    "girl": ["kite", "lost", "lantern", "seed", "bird", "star"],
    "boy": ["boat", "kite", "lost", "colours", "bird", "map"],
    "fox": ["shy", "bridge", "map", "race", "lost"],
    "rabbit": ["race", "seed", "storm", "share", "lost"],
    "mouse": ["lantern", "cheese", "storm", "lost", "boat"],
    "bear": ["honey", "shy", "sleep", "bake", "share"],
    "cat": ["sleep", "lost", "shy", "star", "boat"],
    "dog": ["lost", "bird", "map", "river", "race"],
    "owl": ["star", "sleep", "lantern", "song"],
    "duck": ["river", "boat", "song", "storm"],
    "hedgehog": ["share", "shy", "storm", "seed"],
    "squirrel": ["share", "storm", "lost", "race", "kite"],
    "frog": ["song", "river", "race", "well"],
    "turtle": ["race", "river", "boat", "bridge"],
    "bird": ["song", "storm", "star", "shy"],
    "robot": ["colours", "well", "bird", "bake", "star"],
    "dragon": ["bake", "lantern", "shy", "song", "well"],
    "baker": ["bake", "share", "well"],
    "farmer": ["well", "seed", "bridge", "storm"],
    "painter": ["colours", "star", "kite"],
    "pony": ["bridge", "race", "river", "shy"],
    "lamb": ["storm", "star", "river", "sleep"],
}
HELD_PLOTS = ["letter", "clock"]  # whole templates that only validation sees
TRAITS = "little small curious brave kind young clever shy quiet cheerful gentle busy sleepy funny careful happy".split()

PLACE_FIRST = """Willow Amber Maple Stony Foggy Sunny Silver Green Windy Apple Cherry Clover Golden Pebble Misty Honey Rose Oak
Blue Copper""".split()
PLACE_LAST = "Hill Brook Bay Valley Meadow Bridge Corner Lake Wood Harbour Field Rock".split()
PLACE_MORE = """silk feather paper winter summer autumn candle pepper salt marble thunder button barley ginger ivory iron
purple scarlet shadow mirror hazel cedar birch elder violet tulip raven otter badger falcon salmon cricket pumpkin walnut almond sugar butter
ember frost dew hollow narrow broad lower upper north south east west dragon giant king queen miller sailor tinker""".split()
PLACE_LAST_MORE = "Cove Moor Mill Island Falls Garden Gate Shore Glen Cross Green Heath Town End Fields Castle Dale Ridge".split()
LETTERS, CONSONANTS = "abcdefghijklmnopqrstuvwxyz", "bbcddffgghjjkkllmmnnpprrssttvvwwzq"
HELD_FIRST = ["Lemon", "Crystal", "Juniper", "Velvet"]
HELD_LAST = ["Point", "Creek"]
PLACES = [  # long form, short form
    ("a small village by the sea", "the village"), ("a little house near the forest", "the house"),
    ("a quiet valley", "the valley"), ("an old mill by the river", "the mill"),
    ("a tall lighthouse by the sea", "the lighthouse"), ("a small town", "the town"),
    ("a little wood behind the hills", "the wood"), ("a green forest", "the forest"),
    ("a farm on a hill", "the farm"), ("a garden full of flowers", "the garden"),
]

# ---------------------------------------------------------------- beginnings and ends

OPENINGS = [
    "Once upon a time, [there was a {a} {k} named {N}. {N} lived in {L}.|a {a} {k} named {N} lived in {L}.|in {L}, there lived a {a} {k} named {N}.|there lived a {a} {k} in {L}. {His} name was {N}.]",
    "{N} was a {a} {k} who lived in {L}.",
    "In {L}, there lived a {a} {k} [named|called] {N}.",
    "There once was a {a} {k} named {N}. {He} lived in {L}.",
    "Long ago, in {L}, [there lived|there was] a {a} {k} [named|called] {N}.",
    "[A|The] {a} {k} lived in {L}. {His} name was {N}.",
    "Far away, in {L}, a {a} {k} named {N} [had a small home|lived with {his} friends].",
    "One [{t}], {N} the {k} [sat at the window of {his} home|looked out of the window] in {L}.",
    "{N} the {k} lived in {L}.",
    "Once upon a time, a {k} named {N} lived in {L}.",
    "{N} lived in {L}. {He} was a {a} {k}.",
    "{N} the {k} and {F} the {fk} were friends. They lived in {L}.",
    "There was once a {a} {k} [named|called] {N}, who lived in {L}.",
    "One [{t}], a {a} {k} named {N} went for a walk near {L}.",
]
HABITS = [
    "", "",
    "{N} [liked|loved] [to sing in the morning|to look at the clouds|warm bread with honey|to listen to the rain|long walks|to learn new things|the smell of flowers].",
    "Every [day|morning], {N} [went for a walk|said hello to all the neighbours|watched the sun come up|swept the floor and sang a song].",
    "The best friend of {N} was [a {fk} named {F}|{F} the {fk}].",
    "{N} was always [kind to everyone|ready to help|full of ideas].",
]
TIMES = "morning evening day afternoon".split()
ENDINGS = [
    "[That night|That evening], {N} [went to bed with a smile|slept very well|fell asleep and dreamed of the next day].",
    "From that day on, {N} and {F} were [best friends|the best of friends].",
    "{N} [smiled|was very happy]. It had been a good day.",
    "And [everyone in {S} was happy|all of {S} was glad] that {N} [was there|had not given up].",
    "{N} learned that [it is good to ask for help|a friend makes every problem smaller|being kind is never wasted|small steps can go a long way].",
    "Then they all [went home and had hot soup|sat down and ate cake together|laughed and danced until the moon came up].",
]

# ---------------------------------------------------------------- plots: a list of beats each

PLOTS = {
    "lost": [
        "One {t}, {N} [could not find|lost] {his} {o}.",
        "[{He} looked under the bed, but it was not there.|{He} looked behind the door and under the table.|{He} searched the whole house.] [There was only dust.|{He} found only an old sock.|It was nowhere.]",
        "\"[Have you seen my {o}?|Where is my {o}?]\" {N} asked {F} the {fk}.",
        "\"No,\" said {F}, \"but [I will help you look|let us look together|four eyes see more than two].\"",
        "They [walked back along the path|looked by the well|went down to the big tree], [step by step|slowly and carefully].",
        "[At last|Then], {F} saw something [shine|move] in the grass. It was the {o}!",
        "\"Thank you!\" said {N}, and {he} [gave {F} a big hug|shared an apple with {F}|held the {o} tight].",
    ],
    "kite": [
        "One windy {t}, {N} [took|carried] {his} {c} kite to the top of the hill.",
        "The kite went up, [up, up into the sky|higher than the trees]. [But then|Suddenly] the wind turned, and the kite [got stuck|was caught] in a tall tree.",
        "{N} [pulled the string|jumped as high as {he} could], but the kite did not come down.",
        "{F} the {fk} [came by|heard {him} and came to help]. \"[Do not pull|Do not be sad],\" said {F}. \"[I can climb|I know what to do].\"",
        "{F} climbed [slowly|from branch to branch] and [set the kite free|untied the string].",
        "[Soon|A moment later] the {c} kite was dancing in the wind again, and {N} and {F} held the string together.",
    ],
    "bridge": [
        "One {t}, {N} wanted to visit {F} the {fk} on the other side of the river. But the old bridge was broken.",
        "[A storm had taken three planks away.|Two big planks had fallen into the water.] {N} [could not cross|looked at the gap and sighed].",
        "\"[What shall we do?|How can we meet now?]\" called {F} from the other side.",
        "{N} thought [for a while|hard]. Then {he} [had an idea|found some wood and a long rope].",
        "{N} worked on one side and {F} worked on the other. [Plank by plank|Little by little], the bridge grew.",
        "When the sun went down, [they met in the middle|they stood in the middle of the new bridge] and [shook hands|laughed].",
    ],
    "storm": [
        "One {t}, dark clouds came over {S}. The wind [blew hard|began to howl], and [the rain fell like stones|thunder rolled over the hills].",
        "{N} was [safe and warm at home|afraid, but {he} stayed calm]. Then {he} heard a [small voice|knock] at the door.",
        "It was {F} the {fk}, [wet and cold|wet from head to toe]. \"[My home is full of water|The wind took my roof],\" said {F}.",
        "\"Come in!\" said {N}. {He} [gave {F} a blanket and a cup of tea|lit a fire and made some soup].",
        "[All night|For hours] they told each other stories, and [the storm did not seem so bad|soon they forgot the storm].",
        "In the morning the sky was blue. {N} helped {F} [build a new roof|dry the house], and [it was stronger than before|it was done by noon].",
    ],
    "shy": [
        "One {t}, {N} [saw|met] a {fk} who was hiding behind a [bush|big stone].",
        "\"Hello,\" said {N}. [But the {fk} did not answer.|But the {fk} only looked at the ground.]",
        "{N} did not [go away|come too close]. {He} [sat down in the grass|put a red apple on the ground] and [waited|began to hum a song].",
        "After a while, the {fk} took one step. Then it took [another|two more]. \"[My name is {F}|I am {F}],\" it said [softly|in a very small voice]. \"I am [a little shy|not good at talking].\"",
        "\"That is all right,\" said {N}. \"[We do not have to talk|We can just sit here].\"",
        "So they [watched the clouds together|sat side by side and looked at the river], and [the next day {F} came back|soon {F} was not shy any more].",
    ],
    "race": [
        "One {t}, there was a big race near {S}. [Everyone wanted to win.|The prize was a golden cup.]",
        "{N} stood at the start beside {F} the {fk}. \"[You are too slow|I am faster than you],\" said {F}. {N} [only smiled|said nothing].",
        "One, two, three, go! {F} ran [ahead|like the wind], and {N} [was soon far behind|came after, step by step].",
        "But [at the last corner|near the river] {F} [fell over a root|slipped on the wet grass] and hurt a foot.",
        "{N} could have [run on|won the race]. [But {he} stopped.|Instead, {he} stopped.] \"[Hold on to me|Take my hand],\" {he} said.",
        "They [walked over the line together|came in last, side by side], and everyone [cheered|clapped]. {F} said, \"[You are the real winner|I am sorry for what I said].\"",
    ],
    "bake": [
        "One {t}, {N} wanted to bake a [cake|big {f} pie|loaf of bread] for {F} the {fk}.",
        "{He} took flour, [eggs and milk|butter and honey], and [mixed them in a big bowl|stirred until {his} arm was tired].",
        "But {he} [forgot to look at the clock|put in salt and not sugar]. [Oh no!|What a mess!] The cake was [black as coal|not good at all].",
        "{N} was [sad|close to tears]. Then {F} came in and said, \"[Let us try again together|Everybody makes mistakes].\"",
        "This time they [tasted everything first|sat by the oven and waited]. [Soon the whole house smelled sweet.|The cake came out golden and round.]",
        "They [ate it while it was warm|gave a piece to every neighbour], and [not one crumb was left|everyone asked for more].",
    ],
    "lantern": [
        "One {t}, a thick fog came over {S}. [Nobody could see the path.|It was so thick that {N} could not see {his} own feet.]",
        "\"{F} the {fk} is still [out there|in the woods],\" thought {N}. \"[I must do something|Someone has to help].\"",
        "{He} [lit|took] {his} [small|old] {c} lantern and [went out into the fog|climbed to the top of the hill].",
        "{He} held the light up high and [called as loud as {he} could|rang a little bell]. \"{F}! [Come this way|Follow the light]!\"",
        "[For a long time|At first] there was no answer. Then {he} heard [steps|a voice], and {F} came out of the fog.",
        "\"I saw your light,\" said {F}. [\"It was like a star.\"|\"It was small, but it was enough.\"] They [walked home|went home] hand in hand.",
    ],
    "seed": [
        "One {t}, {N} found a [tiny|strange] seed [on the path|in {his} pocket]. {He} put it in the ground [behind the house|beside the gate] and gave it some water.",
        "The next day, nothing had happened. [The day after that, nothing had happened.|After a week, there was still nothing.] \"[It will never grow|Maybe it is only a stone],\" said {F} the {fk}.",
        "But {N} [did not give up|came back every morning with {his} can of water].",
        "Then, one [warm|bright] morning, there was a [green leaf|little green point in the brown earth].",
        "It grew [and grew|taller every day], until it was [a tall {c} flower|a tree full of {f}s].",
        "\"[Now I see|You were right],\" said {F}. \"[Good things need time|Some things only need someone who waits].\"",
    ],
    "star": [
        "One {t}, when it was dark, {N} saw a star fall [from the sky|behind the hill].",
        "{He} [ran|walked] through the grass and found it in [the pond|a nest of leaves]. It was [small and warm|no bigger than a nut], and it was crying.",
        "\"[I want to go home|I miss my sisters],\" said the star. \"But the sky is [so far away|too high for me].\"",
        "{N} asked {F} the {fk} for help. Together they [climbed the highest hill|built a tall ladder].",
        "{N} [held the star up|threw the star] as high as {he} could. The wind [took it|lifted it] up and up, until it [was back in its place|shone again among the others].",
        "Since then, one star [winks at {N} every night|shines a little brighter over {S}].",
    ],
    "boat": [
        "One {t}, {N} built a small boat [out of wood|from an old box]. It had a {c} sail.",
        "{He} put it on the [river|lake], and the wind [pushed it|carried it] away. [Soon it was too far to reach.|It went faster and faster.]",
        "{N} ran along the bank, but the boat was [too fast|already near the waterfall]. \"[Stop!|Come back!]\" {he} called.",
        "{F} the {fk} was [fishing there|sitting by the water]. {F} [put a long stick into the water|jumped in with a splash] and [caught the boat|stopped it just in time].",
        "\"[Is this yours?|What a fine boat!]\" asked {F}. \"[Yes, it is|It is mine],\" said {N}. \"Thank you so much!\"",
        "They [tied a string to it|made a second boat], and [played until it was dark|sailed it all day long].",
    ],
    "bird": [
        "One cold {t}, {N} found a [little bird|small bird] in the snow. [Its wing was hurt.|It could not fly.]",
        "{He} [picked it up|warmed it in {his} hands] and [took it home|carried it home under {his} coat].",
        "{F} the {fk} [brought some seeds|made a soft bed from wool]. \"[Will it be well again?|Can it still fly?]\" asked {F}. \"[We must wait and see|I hope so],\" said {N}.",
        "Every day they gave it [bread and water|seeds and water], and every day it [sang a little louder|was a little stronger].",
        "When spring came, {N} opened the window. The bird [flew around the room|looked at them once] and then [flew out into the sun|went up into the blue sky].",
        "[{N} was a little sad, but also glad.|{N} waved for a long time.] And [the next morning, the bird sat at the window and sang|every spring it came back to {S}].",
    ],
    "colours": [
        "One {t}, {N} wanted to paint [a picture of {S}|the old gate]. But there was only [red, blue and yellow|a little paint left].",
        "\"How can I paint the green grass?\" {he} asked. {F} the {fk} [laughed|did not know].",
        "{N} [mixed|put together] some blue and some yellow. [Look! It was green.|And there it was: green!]",
        "Then {he} mixed red and yellow, and it was orange. {He} mixed red and blue, and it was purple.",
        "\"[That is magic!|How did you do that?]\" said {F}. \"[No,\" said {N}, \"I only tried.\"|It is easy,\" said {N}. \"Try it yourself.\"]",
        "They painted [until the sun went down|all day], and [the picture had every colour of the rainbow|in the end even their noses were green].",
    ],
    "map": [
        "One {t}, {N} found an old map [in a bottle|under the stairs]. There was a red cross on it.",
        "\"[A treasure!|Maybe it is a treasure!]\" said {F} the {fk}. They took [a spade and a lamp|some bread and a spade] and [went off|followed the map].",
        "They went [over the hill|through the woods], past [three tall trees|the old well], and [around the lake|along the stream].",
        "At the red cross they [dug a deep hole|began to dig]. [They found a box.|There was a small box.] [In it was no gold|But there was no gold in it]. There was only a note.",
        "It said: \"[The treasure is the friend who came with you|Look beside you: that is your treasure].\"",
        "{N} looked at {F}, and {F} looked at {N}, and they [both began to laugh|laughed all the way home].",
    ],
    "share": [
        "One {t}, {N} found [a big basket of {f}s|ten sweet {f}s under a tree]. \"[They are all mine|I will keep them all],\" {he} said.",
        "{He} ate one, and it was [very good|sweet]. Then {he} saw {F} the {fk}, who [had nothing to eat|looked hungry].",
        "{N} [thought about it|looked at the basket and then at {F}]. \"[Would you like some?|Do you want one?]\" {he} asked.",
        "\"[Oh, yes, please!|Thank you, I would!]\" said {F}. They sat [in the sun|under the tree] and [ate together|told jokes].",
        "The next week, {N} had [no food|nothing] at all. [But there was|Then came] {F} with [a bowl of nuts|a bag full of {f}s]. \"[Now it is my turn|Half of it is for you],\" said {F}.",
    ],
    "river": [
        "One {t}, {N} heard a cry [from the river|near the water]. [A little duckling|A small duckling] sat on a stone in the middle of the stream.",
        "\"[I lost my mother|I cannot find my mother],\" it cried, \"and the water is too [fast|cold] for me.\"",
        "{N} [went into the water|swam out] without [a second thought|waiting]. \"[Climb on my back|Hold on to me],\" {he} said.",
        "On the bank stood {F} the {fk} with a [warm|big] towel. \"[I know where the ducks live|I saw a duck by the old bridge],\" said {F}.",
        "They walked [along the river|through the tall grass] until they heard a loud quack. [There was the mother!|It was the mother duck!]",
        "The duckling [ran to her|jumped into the water], and [the whole family said thank you|they swam away in a line].",
    ],
    "song": [
        "One {t}, there was a [show|feast] in {S}, and {N} was going to sing. But {he} was [afraid|so afraid that {his} knees shook].",
        "\"[What if I forget the words?|What if nobody likes it?]\" {he} asked. {F} the {fk} said, \"[Then look at me|Sing it just for me].\"",
        "{N} went up and opened {his} mouth. [No sound came out.|At first, only a tiny sound came out.] It was very quiet.",
        "Then {F} began to [hum the song|clap slowly], and {N} [took a deep breath|closed {his} eyes].",
        "{He} sang of [the sea and the stars|summer and the green hills], and {his} voice grew [strong and clear|louder and louder].",
        "When it was over, [everyone clapped|the whole place cheered]. \"[Once more!|Again, again!]\" they cried.",
    ],
    "well": [
        "One dry summer, the well near {S} had no more water. [The flowers hung their heads.|Everyone was thirsty.]",
        "{N} [looked down into the well|let down a bucket], but there was [only dry sand|nothing in it].",
        "\"[There is water under the hill|I can hear water under the ground],\" said {F} the {fk}. \"[But a big stone is in the way|But we must dig for it].\"",
        "So {N} [took a spade|called all the neighbours], and they [dug for three days|pushed the stone with all their strength].",
        "On the third day [there was a soft sound|the ground grew wet]. Then [fresh water came up|clear water ran out], and it [filled the well|ran all the way to {S}].",
        "They [drank and laughed|gave the first cup to {N}], and [soon everything was green again|the flowers opened again].",
    ],
    "cheese": [
        "One {t}, {N} smelled something good. [It was cheese!|On the table was a big yellow cheese!]",
        "{He} [ran up to it|wanted to carry it home], but it was [much too heavy|bigger than {he} was].",
        "{He} pulled and pushed, but [it did not move|the cheese stayed where it was]. Then {F} the {fk} came by.",
        "\"[Let us roll it!|It is round, so we can roll it!]\" said {F}. [That was a good idea.|They pushed it together.]",
        "The cheese rolled [out of the door|down the hill], faster and faster, and they [ran after it|could not stop it], until it hit {N}'s own front door.",
        "There they [cut it into pieces|had a feast], and [everyone in {S} got some|they ate until they were full].",
    ],
    "honey": [
        "One {t}, {N} was [very hungry|hungry for honey]. {He} [found|saw] a bee tree, but the bees were [angry|not friendly].",
        "\"[Go away!|This is our honey!]\" they [said|buzzed]. {N} [stepped back|ran to the pond and hid].",
        "{F} the {fk} said, \"[Why not ask them nicely?|You took it without asking.]\" {N} [thought about it|felt a little sorry].",
        "The next day {he} [came back with flowers|planted flowers all around the tree]. \"[These are for you|I am sorry],\" {he} told the bees.",
        "The bees were [so glad|surprised] that they [gave {him} a whole pot of honey|danced in the air].",
        "{N} [shared it with {F}|took it home], and [it was the best honey in the world|it tasted of summer].",
    ],
    "sleep": [
        "One {t}, {N} could not sleep. [The moon was too bright.|The night was too quiet.]",
        "{He} [turned to the left and to the right|counted to a hundred]. [It did not help.|But {he} was still awake.]",
        "So {he} [went outside|put on {his} shoes], and there was {F} the {fk}. \"[Can you not sleep?|Are you awake too?]\" asked {F}.",
        "\"No,\" said {N}. \"[My head is full of thoughts|I keep thinking of tomorrow].\" \"[Then tell me about them|Then let us talk a little],\" said {F}.",
        "They sat [on the steps|under the stars], and {N} [talked and talked|told {F} everything]. [One by one|Little by little], the thoughts grew small.",
        "[In the end|Soon] {N} [closed {his} eyes|began to yawn], and {F} [put a blanket over {him}|softly sang a song].",
    ],
    # The next two are for validation only.
    "letter": [
        "One {t}, {N} got a letter, but the rain had washed the words away.",
        "{He} could only read the name of {F} the {fk}. \"I will go and ask {F} what it says,\" {he} thought.",
        "The way was long, and {N} walked until {his} feet hurt.",
        "When {F} opened the door, there was music, and a table with a cake on it.",
        "\"You came!\" said {F}. \"I asked you to my birthday, but you did not answer.\"",
        "{N} laughed and showed {F} the wet letter.",
    ],
    "clock": [
        "One {t}, the big clock of {S} stood still. Nobody knew when to get up or when to have lunch.",
        "{N} climbed up the tower. Between two wheels there was a nest, and in the nest sat {F} the {fk}.",
        "\"Please do not send me away,\" said {F}. \"It is so warm up here.\"",
        "So {N} built a small house for {F} beside the bell and moved the nest there, very slowly.",
        "Tick, tock, went the clock, and {F} sang with it.",
    ],
}
OBJECTS = ["key", "red ball", "scarf", "silver bell", "green hat", "spoon", "blue button", "book", "whistle"]
COLOURS = ["red", "yellow", "blue", "green", "white", "orange"]
FRUITS = ["apple", "plum", "pear", "berry", "nut"]
FRIENDS = "fox rabbit mouse bear cat dog owl duck hedgehog squirrel frog turtle goat goose".split()
LATE = {"star": ["evening", "night"], "sleep": ["night"], "storm": ["evening"], "lantern": ["evening", "day"],
        "race": ["morning", "day"], "bridge": ["morning", "day"]}


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
