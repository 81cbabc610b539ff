#!/usr/bin/env python3
"""Makes small Python programs from a grammar, the same ones from the same seeds.

    python3 snippets.py DIR FIRST COUNT     # DIR/snippet00000.py and so on, DIR/tracks.py

Each program is about one feature and touches others. The grammar is a table of templates: what stands at the top of the file, what stands in
the function that runs, and which names hold a text afterwards. One use of

    Use("attributes", '''
        class $Box:
            def __init__(self, $v):
                self.$v = $v
        ''', '''
        $p = $Box(?)
        sink(#, $p.$v)
        ''')

becomes, in the program of seed 17,

    class Box_17:
        def __init__(self, v_17):
            self.v_17 = v_17

    def run():
        p_17 = Box_17(source("a"))
        sink("s1", p_17.v_17)

  $name        a name, fresh for this use; its number keeps apart programs that are indexed together
  ?            some text: a name that holds one, something made of it, a new source, a literal
  #            in `sink(#, …)` and `source(#)`: a fresh one
  «a|b»        one of these
  %maybe LINE  the line, or nothing
  %scope A B   from here on, these names hold texts and no others (a function's parameters)
  %more        some use of another feature, here
  %keep A B    from here to the end of this block, these names hold texts too
"""

import random
import re
import string
import sys
from pathlib import Path

TRACKS = '''\
"""What a snippet marks its texts with."""


def source(name):
    value = name
    return value


def sink(name, value):
    shown = value


def flip():
    return True
'''

# Sources in one program, and lines from which on nothing is added.
SOURCES = 6
LINES = 36


def main(arguments):
    if len(arguments) != 3:
        print("usage: snippets.py DIR FIRST COUNT", file=sys.stderr)
        return 2
    folder, first, count = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tracks.py").write_text(TRACKS)
    for seed in range(first, first + count):
        feature, text = snippet(seed)
        (folder / f"snippet{seed:05}.py").write_text(f"# {feature}\n{text}")
    return 0


def features():
    """The names of the features, in the order of the table."""
    return list(dict.fromkeys(use.feature for use in USES))


def feature_of(seed):
    """What a seed's program is about: they come in turn."""
    return features()[seed % len(features())]


def snippet(seed):
    """The feature that a seed's program is about, and its text."""
    maker = Maker(seed)
    return feature_of(seed), maker.program(feature_of(seed))


class Use:
    """One way to use a feature: at the top, in the running function, and what holds a text then."""

    def __init__(self, feature, top, body, give=""):
        self.feature, self.give = feature, give.split()
        self.top, self.body = dedented(top), dedented(body)


def dedented(text):
    lines = [line for line in text.split("\n") if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return [line[margin:] for line in lines]


class Maker:
    """One program in the making."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed, self.taken = seed, {}
        self.sources = self.sinks = 0
        self.top = []

    def program(self, feature):
        body, scope = [], []
        others = [use for use in USES if use.feature != feature]
        steps = [feature, feature] + self.random.choices([use.feature for use in others], k=self.random.randint(0, 2))
        self.random.shuffle(steps)
        for step in steps:
            if len(self.top) + len(body) < LINES:
                self.use(step, body, scope, "", 0)
        for name in self.random.sample(scope, min(len(scope), 3)):
            body.append(f"sink({self.sink()}, {name})")
        lines = ["from tracks import flip, sink, source", *self.top, "", ""]
        if self.random.random() < 0.15 and not any("nonlocal" in line or "yield" in line for line in body):
            return "\n".join(lines + body) + "\n"
        lines += ["def run():", *("    " + line for line in body), "", "", "run()"]
        return "\n".join(lines) + "\n"

    def use(self, feature, body, scope, margin, depth):
        """Uses a feature once: adds to the top, to the body at this margin, and to the scope."""
        use = self.random.choice([use for use in USES if use.feature == feature])
        names = {}
        top = []
        self.render(use.top, top, [], "", names, depth)
        if top:
            self.top += ["", "", *top]
        self.render(use.body, body, scope, margin, names, depth)
        given = [self.named(names, name) for name in use.give]
        scope += [name for name in given if name not in scope]
        for name in given:
            if self.random.random() < 0.7:
                body.append(f"{margin}sink({self.sink()}, {name})")

    def render(self, template, lines, scope, margin, names, depth):
        outer, kept = scope, ""
        for line in template:
            inner = margin + line[: len(line) - len(line.lstrip())]
            if len(inner) < len(kept):
                scope, kept = outer, ""
            line = line.strip()
            if line.startswith("%maybe "):
                if self.random.random() < 0.5:
                    continue
                line = line.removeprefix("%maybe ")
            line = re.sub(r"«([^«»]*)»", lambda found: self.random.choice(found[1].split("|")), line)
            line = re.sub(r"\$(\w+)", lambda found: self.named(names, found[1]), line)
            if line.startswith("%scope"):
                scope = line.split()[1:]
            elif line.startswith("%keep"):
                scope, kept = scope + line.split()[1:], inner
            elif line == "%more":
                if depth < 2 and len(self.top) + len(lines) < LINES and self.random.random() < 0.6:
                    simple = [use.feature for use in USES if not use.top]
                    chosen = simple if depth else [use.feature for use in USES]
                    # What it defines is defined here only, and perhaps never: nothing behind it may name it.
                    self.use(self.random.choice(chosen), lines, list(scope), inner, depth + 1)
            else:
                line = re.sub(r"\?", lambda _: self.value(scope), line)
                line = re.sub(r"(?<=source\()#", lambda _: self.source(), line)
                lines.append(inner + re.sub(r"(?<=sink\()#", lambda _: self.sink(), line))

    def named(self, names, word):
        if word not in names:
            number = self.taken[word] = self.taken.get(word, 0) + 1
            names[word] = f"{word}{number if number > 1 else ''}_{self.seed}"
        return names[word]

    def sink(self):
        self.sinks += 1
        return f'"s{self.sinks}"'

    def source(self):
        self.sources += 1
        return f'"{string.ascii_lowercase[self.sources - 1]}"'

    def value(self, scope):
        """An expression that is a text."""
        chance = self.random.random()
        if self.sources < SOURCES and (chance < 0.35 or not scope and chance < 0.9):
            return f"source({self.source()})"
        if not scope or chance > 0.93:
            return '"plain"'
        name, other = self.random.choice(scope), self.random.choice(scope)
        if chance < 0.8:
            return name
        return self.random.choice(
            [
                f'{name} + "!"',
                f"{name}.upper()",
                f'f"{{{name}}}-{{{other}}}"',
                f'"%s/%s" % ({name}, {other})',
                f'"{{}} {{}}".format({name}, {other})',
                f'", ".join([{name}, {other}])',
                f"{name}[:2]",
                f"({name} if flip() else {other})",
            ]
        )


USES = [
    # Texts and names.
    Use("assignment", "", """
        $x = ?
        $y = $x
        %maybe sink(#, $y)
        $x = «?|"plain"|$y + "."»
        $y = «f"{$y}:{$x}"|$y.strip()|$y|$x.replace("a", "b")|"<%s>" % $x|$x + $y»
        """, "x y"),
    Use("assignment", "", """
        $x = $y = ?
        $y += «?|"."»
        """, "x y"),
    Use("assignment", "", """
        if ($x := ?):
            sink(#, $x)
        $y = str($x) «+|+ ? +» "."
        """, "x y"),
    Use("overwriting", "", """
        $x = ?
        sink(#, $x)
        $x = ?
        %maybe sink(#, $x)
        $x = «"plain"|?»
        """, "x"),
    Use("overwriting", "", """
        $x = ?
        $y = $x
        del $x
        $x = ?
        $x, $y = $y, $x
        """, "x y"),
    Use("overwriting", "", """
        $x = ?
        if flip():
            $x = ?
            %maybe sink(#, $x)
        else:
            sink(#, $x)
            %maybe $x = "plain"
        """, "x"),
    # Unpacking.
    Use("tuples", "", """
        $p, $q = ?, ?
        %maybe $p, $q = $q, $p
        """, "p q"),
    Use("tuples", "", """
        $pair = (?, ?)
        $p = $pair[«0|1|-1»]
        $q, _ = $pair
        """, "p q"),
    Use("tuples", "", """
        ($p, ($q, $r)) = (?, (?, ?))
        """, "p q r"),
    Use("tuples", """
        def $split($x, $y):
            %scope $x $y
            %more
            return «$x, $y|$y, $x|$x, "plain"|?, $y»
        """, """
        $p, $q = $split(?, ?)
        %maybe sink(#, $split(?, "plain")[«0|1»])
        """, "p q"),
    Use("starred", "", """
        $first, *$rest = [?, ?, ?]
        $p = $rest[«0|1|-1»]
        """, "first p"),
    Use("starred", "", """
        *$rest, $last = ?, ?, ?
        $p, $q = $rest
        """, "last p q"),
    Use("starred", "", """
        $xs = [?, ?]
        $ys = [*$xs, ?]
        $p = $ys[«0|1|2|-1»]
        """, "p"),
    # Containers.
    Use("dicts", "", """
        $d = {"$k": ?, "$l": ?}
        $p = $d["$k"]
        %maybe $d["$k"] = «?|"plain"»
        $q = $d«["$k"]|["$l"]|.get("$l")|.get("$k", "plain")|.pop("$k")»
        """, "p q"),
    Use("dicts", "", """
        $d = {}
        $d["$k"] = ?
        $d["$l"] = ?
        %maybe $d.update({"$k": ?})
        %maybe del $d["$l"]
        %maybe $d.setdefault("$m", ?)
        $p = $d["$k"]
        """, "p"),
    Use("dicts", "", """
        $d = dict($k=?, $l=?)
        $e = {**$d, "$l": ?}
        $p = $e["«$k|$l»"]
        $q = $d["$l"]
        """, "p q"),
    Use("dicts", "", """
        $d = {"$k": ?, "$l": «?|"plain"»}
        for $key, $value in $d.items():
            if flip():
                break
            sink(#, $value)
            sink(#, $key)
        """),
    Use("dicts", "", """
        $d = {?: "plain", "$k": ?}
        for $key in $d:
            if flip():
                sink(#, $key)
        $p = "+".join($d.values())
        """, "p"),
    Use("lists", "", """
        $xs = [?, ?]
        %maybe $xs[0] = «?|"plain"»
        $p = $xs[«0|1|-1»]
        $q = $xs.pop()
        """, "p q"),
    Use("lists", "", """
        $xs = []
        $xs.append(?)
        %maybe $xs.append(?)
        %maybe $xs.extend([?, "plain"])
        %maybe $xs.insert(0, ?)
        for $item in «$xs|reversed($xs)|sorted($xs)|$xs[:2]»:
            sink(#, $item)
        $p = $xs[0]
        """, "p"),
    Use("lists", "", """
        $xs = [?] + [?]
        $ys = «$xs|list($xs)|$xs.copy()|$xs[:]»
        $ys.append(?)
        $p = $ys[-1]
        $q = ", ".join($xs)
        """, "p q"),
    Use("nested containers", "", """
        $d = {"$k": [?], "$l": {"$m": ?}}
        $d["$k"].append(?)
        $p = $d["$k"][«0|1|-1»]
        $q = $d["$l"]["$m"]
        """, "p q"),
    Use("nested containers", "", """
        $rows = [{"$k": ?, "$l": ?}, {"$k": "plain", "$l": ?}]
        for $row in $rows:
            sink(#, $row["$k"])
        $p = $rows[«0|1»]["«$k|$l»"]
        """, "p"),
    Use("nested containers", "", """
        $pairs = [(?, ?), ("plain", ?)]
        for $p, $q in $pairs:
            sink(#, $p)
            sink(#, $q)
        for $i, ($p, $q) in enumerate($pairs):
            sink(#, «$p|$q»)
        """),
    # Objects.
    Use("attributes", """
        class $Box:
            def __init__(self, $v):
                self.$v = $v
                self.$w = "plain"
        """, """
        $one = $Box(?)
        $two = $Box(?)
        %maybe $two.$w = ?
        $p = $one.$v
        $q = $two.«$v|$w»
        %maybe sink(#, $one.$w)
        """, "p q"),
    Use("attributes", """
        class $Pair:
            pass
        """, """
        $one, $two = $Pair(), $Pair()
        $one.$v = ?
        $two.$v = ?
        $three = «$one|$two»
        $three.$v = ?
        $p = $one.$v
        $q = $two.$v
        """, "p q"),
    Use("attributes", """
        class $Box:
            def __init__(self, $v):
                self.$v = $v
        """, """
        $boxes = [$Box(?), $Box(?)]
        $p = $boxes[«0|1»].$v
        for $box in $boxes:
            sink(#, $box.$v)
        $d = {"$k": $boxes[0], "$l": $Box("plain")}
        $q = $d["«$k|$l»"].$v
        """, "p q"),
    Use("attributes", """
        class $Box:
            def __init__(self, $v):
                self.$v = $v
        """, """
        $one = $Box(?)
        $p = $one.$v
        $one.$v = «"plain"|?»
        $q = $one.$v
        """, "p q"),
    Use("methods", """
        class $Cell:
            def __init__(self):
                self.$v = "plain"

            def $put(self, $x):
                self.$v = $x
                return self

            def $get(self):
                return self.$v
        """, """
        $one, $two = $Cell(), $Cell()
        $one.$put(?)
        $two.$put(?)
        $p = «$one|$two|$Cell().$put(?)».$get()
        $q = $two.$get()
        """, "p q"),
    Use("methods", """
        class $Shop:
            def $echo(self, $x, $y="plain"):
                %scope $x $y
                %more
                return «$x|$y|?»

            def $twice(self, $x):
                return self.$echo($x, «$x|"plain"»)
        """, """
        $shop = $Shop()
        $p = $shop.$echo(?)
        $q = $shop.$twice(?)
        $f = $shop.$echo
        %maybe sink(#, $f(?, $y=?))
        """, "p q"),
    Use("constructors", """
        class $Name:
            def __init__(self, $first, $last="plain"):
                self.$first = $first
                self.$full = f"{$first} {$last}"
                self.$parts = [$first, $last]
        """, """
        $n = $Name(?, «?|$last=?»)
        $p = $n.$first
        $q = $n.$full
        sink(#, $n.$parts[«0|1»])
        """, "p q"),
    Use("constructors", """
        from dataclasses import dataclass, field

        @dataclass
        class $Order:
            $who: str
            $what: str = "plain"
            $notes: list = field(default_factory=list)
        """, """
        $o = $Order(?, $what=?)
        $o.$notes.append(?)
        $p = $o.$who
        $q = $o.$what
        %maybe sink(#, $o.$notes[0])
        """, "p q"),
    Use("constructors", """
        from collections import namedtuple

        $Point = namedtuple("$Point", "$h $v")
        """, """
        $at = $Point(?, $v=?)
        $p = $at.$h
        $_, $q = $at
        """, "p q"),
    Use("class attributes", """
        class $Kind:
            $label = "plain"

            def $show(self):
                return self.$label
        """, """
        %maybe sink(#, $Kind.$label)
        $one, $two = $Kind(), $Kind()
        «$Kind|$one».$label = ?
        $p = $two.$show()
        $q = $one.$label
        """, "p q"),
    Use("class attributes", """
        class $Log:
            $seen = []

            def $add(self, $x):
                self.$seen.append($x)

            @classmethod
            def $last(cls):
                return cls.$seen[-1]

            @staticmethod
            def $clean($x):
                return «$x.strip()|"plain"|$x»
        """, """
        $Log().$add(?)
        $p = $Log.$last()
        $q = $Log.$clean(?)
        """, "p q"),
    Use("inheritance", """
        class $Base:
            def __init__(self, $v):
                self.$v = $v

            def $show(self):
                return self.$v

            def $say(self, $x):
                return "base " + $x


        class $Sub($Base):
            def __init__(self, $v, $w):
                super().__init__($v)
                self.$w = $w

            def $say(self, $x):
                return «"plain"|super().$say($x)|self.$w|self.$w + $x»
        """, """
        $one, $two = $Base(?), $Sub(?, ?)
        $p = $two.$show()
        $q = $two.$say(?)
        %maybe sink(#, $one.$say(?))
        $any = $one if flip() else $two
        %maybe sink(#, $any.$say(?))
        %maybe sink(#, $one.$show())
        """, "p q"),
    Use("inheritance", """
        class $Step:
            def $run(self, $x):
                return self.$part($x)

            def $part(self, $x):
                raise NotImplementedError


        class $Loud($Step):
            def $part(self, $x):
                return $x + "!"


        class $Mute($Step):
            def $part(self, $x):
                return "plain"
        """, """
        $p = $Loud().$run(?)
        $q = $Mute().$run(?)
        for $step in [$Loud(), $Mute()]:
            sink(#, $step.$run(?))
        """, "p q"),
    Use("properties", """
        class $Temp:
            def __init__(self, $v):
                self._$v = $v

            @property
            def $v(self):
                return self._$v «|+ "."»

            @$v.setter
            def $v(self, $new):
                self._$v = $new
        """, """
        $one, $two = $Temp(?), $Temp(?)
        $p = $one.$v
        $two.$v = ?
        $q = $two.$v
        """, "p q"),
    Use("special methods", """
        class $Money:
            def __init__(self, $v):
                self.$v = $v

            def __add__(self, $other):
                return $Money(self.$v + $other.$v)

            def __str__(self):
                return self.$v

            def __getitem__(self, $i):
                return self.$v

            def __call__(self, $x):
                return «$x|self.$v|self.$v + $x»

            def __iter__(self):
                yield self.$v
        """, """
        $one, $two = $Money(?), $Money(?)
        $p = «str($one)|f"{$one}"|$one[0]|$one(?)|str($one + $two)»
        for $q in $two:
            sink(#, $q)
        $r = «($one + $two).$v|$two("plain")|$two[1]|"%s" % $two»
        """, "p r"),
    # Functions.
    Use("calls", """
        def $inner($x, $y):
            %scope $x $y
            %more
            return «$x|$y|$x + $y|?»


        def $outer($x, $y):
            return $inner($x, «$y|"plain"|$x»)
        """, """
        $p = $outer(?, ?)
        $q = $outer(«?|"plain"», ?)
        %maybe sink(#, $inner(?, "plain"))
        """, "p q"),
    Use("calls", """
        def $echo($x):
            return $x


        def $pass_on($x):
            $y = $echo($x)
            %scope $x $y
            %more
            return «$y|?»
        """, """
        $p = $pass_on(?)
        $q = $echo(?)
        $r = $pass_on($echo("plain"))
        """, "p q r"),
    Use("calls", """
        def $fill($target, $x):
            $target.append($x)


        def $first($items):
            return $items[0]
        """, """
        $xs, $ys = [], []
        $fill($xs, ?)
        $fill($ys, ?)
        $p = $first($xs)
        $q = $ys[0]
        """, "p q"),
    Use("calls", """
        def $deep($x, $n):
            if $n == 0:
                return «$x|$x + "."»
            return $deep($x, $n - 1)
        """, """
        $p = $deep(?, 2)
        $q = $deep("plain", 1)
        """, "p q"),
    Use("calls", """
        def $early($x, $y):
            if flip():
                return $x
            %scope $x $y
            %more
            $x = «$y|"plain"»
            return $x
        """, """
        $p = $early(?, ?)
        $q = $early("plain", ?)
        """, "p q"),
    Use("defaults", """
        $usual = «source(#)|"plain"»


        def $greet($x, $y=$usual, *, $z="plain"):
            return «$x + $y|$y|$z|f"{$y}{$z}"»
        """, """
        $p = $greet(?)
        $q = $greet(?, «?|$z=?»)
        """, "p q"),
    Use("defaults", """
        def $gather($x, $into=None):
            if $into is None:
                $into = []
            $into.append($x)
            return $into
        """, """
        $p = $gather(?)[0]
        $xs = $gather(?, [?])
        $q = $xs[«0|1»]
        """, "p q"),
    Use("args and kwargs", """
        def $pick(*$args, **$kwargs):
            return «$args[0]|$args[1]|$kwargs["k"]|$kwargs.get("l", "plain")»


        def $forward(*$args, **$kwargs):
            return $pick(*$args, **$kwargs)
        """, """
        $p = $forward(?, ?, k=?)
        $q = $pick(?, "plain", k=?, l=?)
        """, "p q"),
    Use("args and kwargs", """
        def $three($x, $y, $z="plain"):
            return «$x|$y|$z|$x + $z»
        """, """
        $xs = [?, ?]
        $p = $three(*$xs)
        $opts = {"$y": ?, "$z": ?}
        $q = $three(?, **$opts)
        """, "p q"),
    Use("args and kwargs", """
        def $each($x, *$more, $sep=", "):
            $all = $x
            for $m in $more:
                $all = $all + $sep + $m
            return «$all|$x|$sep»
        """, """
        $p = $each(?, ?, ?)
        $q = $each(?, ?, $sep=?)
        """, "p q"),
    Use("closures", "", """
        $x = ?

        def $show($y):
            return «$x|$x + $y|$y»

        $p = $show(?)
        %maybe $x = ?
        $q = $show("plain")
        """, "p q"),
    Use("closures", """
        def $make($x):
            def $inner($y):
                return «$x|$x + $y|$y»
            return $inner
        """, """
        $f, $g = $make(?), $make(?)
        $p = $f(?)
        $q = $g("plain")
        """, "p q"),
    Use("closures", """
        def $cell():
            $kept = "plain"

            def $put($x):
                nonlocal $kept
                $kept = $x

            def $get():
                return $kept
            return $put, $get
        """, """
        $put, $get = $cell()
        $before = $get()
        $put(?)
        $p = $get()
        """, "before p"),
    Use("closures", "", """
        $f = lambda $x, $y=?: «$x|$y|$x + $y»
        $p = $f(?)
        $q = $f("plain", ?)
        """, "p q"),
    Use("functions as values", """
        def $loud($x):
            return $x + "!"


        def $mute($x):
            return "plain"


        def $apply($f, $x):
            return $f($x)
        """, """
        $p = $apply($loud, ?)
        $q = $apply($mute, ?)
        $table = {"$k": $loud, "$l": $mute}
        $r = $table["«$k|$l»"](?)
        $f = $loud if flip() else $mute
        sink(#, $f(?))
        """, "p q r"),
    Use("functions as values", "", """
        $xs = [?, ?]
        $p = list(map(«str.upper|lambda $x: $x + "."|lambda $x: "plain"», $xs))[0]
        $q = ", ".join(sorted($xs, key=lambda $x: len($x)))
        $r = ", ".join(filter(lambda $x: $x != "never", [?, ?]))
        """, "p q r"),
    Use("functions as values", """
        import functools


        def $two($x, $y):
            return «$x|$y|$x + $y»
        """, """
        $half = functools.partial($two, ?)
        $p = $half(?)
        $q = functools.reduce($two, [?, ?])
        """, "p q"),
    Use("decorators", """
        import functools


        def $loud($f):
            @functools.wraps($f)
            def $wrapper(*$args, **$kwargs):
                return $f(*$args, **$kwargs) «+ "!"|»
            return $wrapper


        @$loud
        def $echo($x):
            return $x


        @$loud
        def $mute($x):
            return "plain"
        """, """
        $p = $echo(?)
        $q = $mute(?)
        """, "p q"),
    Use("decorators", """
        $known = {}


        def $named($name):
            def $register($f):
                $known[$name] = $f
                return $f
            return $register


        @$named("$k")
        def $first($x, $y):
            return $x
        """, """
        $p = $first(?, ?)
        $q = $known["$k"](?, ?)
        """, "p q"),
    Use("decorators", """
        def $instead($x):
            def $wrap($f):
                def $inner($y):
                    return «$x|$f($y)|$f($x)»
                return $inner
            return $wrap


        @$instead(«source(#)|"plain"»)
        def $say($x):
            return «$x|$x + "."|"plain"»
        """, """
        $p = $say(?)
        """, "p"),
    # Generators and comprehensions.
    Use("generators", """
        def $each($x, $y):
            yield $x
            %maybe yield "plain"
            yield $y
        """, """
        for $item in $each(?, ?):
            sink(#, $item)
        $p = next($each(?, ?))
        $q = list($each(«"plain"|?», ?))[«0|1|-1»]
        """, "p q"),
    Use("generators", """
        def $low($x):
            yield $x


        def $high($x, $y):
            yield from $low($x)
            %maybe yield $y
        """, """
        $p = ", ".join($high(?, ?))
        $q, *$rest = $high(?, ?)
        """, "p q"),
    Use("generators", """
        def $talk($x):
            $got = yield $x
            yield $got
        """, """
        $t = $talk(?)
        $p = next($t)
        $q = $t.send(?)
        """, "p q"),
    Use("comprehensions", "", """
        $xs = [$x + "!" for $x in [?, ?] «|if $x != "plain"»]
        $p = $xs[0]
        $q = ", ".join($y for $y in $xs)
        """, "p q"),
    Use("comprehensions", "", """
        $d = {$k: $v for $k, $v in [("$m", ?), ("$n", ?)]}
        $p = $d["$m"]
        $q = "".join(sorted({$x for $x in [?, "plain"]}))
        """, "p q"),
    Use("comprehensions", "", """
        $pairs = [($x, $y) for $x in [?] for $y in [?, "plain"]]
        $p = $pairs[0][«0|1»]
        $q = [$y for _, $y in $pairs][0]
        $r = [$a + $b for $a, $b in zip([?], ["plain"])][0]
        """, "p q r"),
    # Control.
    Use("exceptions", """
        class $Failure(Exception):
            def __init__(self, $text):
                super().__init__($text)
                self.$text = $text


        def $check($x, $y):
            if flip():
                raise $Failure($x)
            return $y
        """, """
        try:
            $p = $check(?, ?)
        except $Failure as $e:
            $p = «$e.$text|"plain"|str($e)»
        """, "p"),
    Use("exceptions", "", """
        $p = ?
        try:
            $p = ?
            if flip():
                raise ValueError(?)
            $p = ?
        except ValueError as $e:
            sink(#, $p)
            sink(#, «str($e)|$e.args[0]|f"{$e}"»)
        finally:
            sink(#, $p)
            %more
        """, "p"),
    Use("exceptions", """
        def $risky($x):
            if flip():
                raise KeyError($x)
            return $x
        """, """
        try:
            $p = $risky(?)
        except KeyError:
            $p = ?
        else:
            sink(#, $p)
            %maybe $p = "plain"
        """, "p"),
    Use("with", """
        class $Open:
            def __init__(self, $x):
                self.$x = $x

            def __enter__(self):
                return «self|self»

            def __exit__(self, *$info):
                return False

            def $read(self):
                return self.$x
        """, """
        with $Open(?) as $f, $Open(?) as $g:
            $p = $f.$read()
            $q = $g.$x
            %keep $p $q
            %more
        """, "p q"),
    Use("with", """
        from contextlib import contextmanager


        @contextmanager
        def $lent($x):
            yield «$x|$x + "."|"plain"»
        """, """
        with $lent(?) as $p:
            %keep $p
            sink(#, $p)
            %more
        """, "p"),
    Use("with", """
        class $Lock:
            def __init__(self, $x):
                self.$x = $x

            def __enter__(self):
                return self.$x

            def __exit__(self, *$info):
                return False
        """, """
        with $Lock(?) as $p:
            sink(#, $p)
            %keep $p
            %more
        """, "p"),
    Use("loops", "", """
        $all = ""
        for $item in [?, ?, "plain"]:
            sink(#, $all)
            $all = $all + $item
            %maybe if flip(): break
        """, "all"),
    Use("loops", "", """
        $last, $now = ?, ?
        while flip():
            $last, $now = $now, ?
            %keep $last $now
            %more
        """, "last now"),
    Use("loops", "", """
        for $item in [?, ?]:
            if flip():
                $p = $item
                break
        else:
            $p = ?
        """, "p"),
    Use("loops", "", """
        $x = ?
        while flip():
            sink(#, $x)
            if flip():
                $x = ?
                continue
            $x = «"plain"|?»
        """, "x"),
    Use("conditionals", "", """
        if flip():
            $p = ?
            %keep $p
            %more
        elif flip():
            $p = ?
        else:
            $p = «"plain"|?»
        """, "p"),
    Use("conditionals", "", """
        $p, $q = ?, ?
        if flip():
            $p = $q
            %maybe sink(#, $p)
            $q = "plain"
        $r = $p if flip() else $q
        """, "p q r"),
    Use("conditionals", "", """
        $p = ?
        if $p == ?:
            sink(#, $p)
        $q = "yes" if $p > "m" else "no"
        %maybe sink(#, $q)
        """, "p q"),
    # Beyond the function.
    Use("globals", """
        $state = "plain"


        def $set($x):
            global $state
            $state = $x


        def $get():
            return $state
        """, """
        %maybe sink(#, $get())
        $set(?)
        $p = $get()
        """, "p"),
    Use("globals", """
        $table = {"$k": "plain"}
        $queue = []


        def $keep($x):
            $table["$k"] = $x
            $queue.append($x)
        """, """
        $keep(?)
        $p = $table["$k"]
        $q = $queue[0]
        %maybe sink(#, $table.get("$l", ?))
        """, "p q"),
    Use("globals", """
        $a = source(#)
        $b = $a «+ "!"|»


        def $read():
            return $b
        """, """
        $p = $read()
        """, "p"),
]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
