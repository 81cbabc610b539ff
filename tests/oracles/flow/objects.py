#!/usr/bin/env python3
"""Makes Python programs of a few classes that share objects and containers, the same ones from the same seeds.

    python3 objects.py SEED [--links]      # prints one

Where `snippets.py` asks one feature at a time, these ask how objects hang together: one to three classes with fields that are texts, dicts,
lists, functions and objects of the classes before, which constructors are given, make, or take over from another object; methods that put
in, take out, hand on and replace; functions and objects of the file; and a function that makes some, calls this and that, and
looks what arrived. With `--links` objects hang on others of their class, as in lists and trees, and methods walk along them.

    class C1_3:
        def __init__(self, p5_3):
            self.f2_3 = {}
            self.f4_3 = p5_3
        def m6_3(self, p7_3):
            self.f2_3[self.f4_3] = p7_3

    G8_3 = C1_3('a')

    def run():
        o9_3 = C1_3('b')
        G8_3.m6_3(source('s1'))
        o9_3.f2_3 = G8_3.f2_3
        sink('t1', o9_3.f2_3.get('a', ''))

Every expression has a type, so that programs run; what one cannot be made of is made anew. Names have the seed's number, as those of
`snippets.py` have.
"""

import random
import sys

TEXT, TABLE, LIST, KEY, CALL = "text", "table", "list", "key", "call"
KEYS = ("a", "b", "c")

# How many of each a program has, at random.
CLASSES, METHODS, FIELDS, STATEMENTS = (1, 2, 3), (2, 3, 4), (1, 2, 3, 4), (4, 5, 6, 7, 8)
SINKS = 4

# How far methods walk along objects of their own class: they may hang together in a ring.
WALK = 3


def program(seed, has_links=False):
    """The program of a seed."""
    return Maker(seed, has_links).program()


class Kind:
    """A class of the program: the types of its fields, what its methods take and give, what its constructor takes."""

    def __init__(self, name, base=None):
        self.name, self.base = name, base
        self.fields, self.methods, self.given = {}, {}, []
        self.links = base.links if base else None


class Links:
    """How an object hangs on others of its class: one field for the next, one for a list of them, and two methods that walk along."""

    def __init__(self, kind, next, list, last, each):
        self.kind, self.next, self.list, self.last, self.each = kind, next, list, last, each

    def from_(self, name):
        """Expressions for what hangs on an object, or the object itself."""
        listed = f"{name}.{self.list}"
        return [
            f"({name}.{self.next} or {name})",
            f"({listed}[0] if {listed} else {name})",
            f"({listed}[-1] if {listed} else {name})",
            f"{name}.{self.last}({WALK})",
        ]


class Maker:
    """Makes one program. An *environment* is the types of the names that can be used at a place."""

    def __init__(self, seed, has_links):
        self.random = random.Random(seed)
        self.number = seed
        self.count = 0
        self.sources = self.sinks = 0
        self.kinds, self.functions, self.globals = [], {}, {}
        self.has_links = has_links

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}_{self.number}"

    def chance(self, share):
        return self.random.random() < share

    def pick(self, *options):
        return self.random.choice(options)

    # Expressions.

    def expr(self, type, env, depth=2):
        """An expression of a type: a name, a member, a call, or something new."""
        if type == TEXT and "#sources" in env and depth > 0 and self.chance(0.6):
            self.sources += 1
            return f"source('s{self.sources}')"
        ways = [self.name_of, self.name_of, self.member_of, self.member_of]
        if depth > 0:
            ways += [self.call_of, self.call_of]
        self.random.shuffle(ways)
        for way in ways:
            if self.chance(0.85):
                found = way(type, env, depth)
                if found:
                    return found
        return self.made(type, env, depth)

    def name_of(self, type, env, depth):
        names = [name for name, other in env.items() if other == type]
        return self.random.choice(names) if names else None

    def objects(self, env):
        return [(name, kind) for name, kind in env.items() if isinstance(kind, Kind)]

    def member_of(self, type, env, depth):
        found = []
        for name, kind in self.objects(env):
            for field, other in kind.fields.items():
                if other == type:
                    found.append(f"{name}.{field}")
                if isinstance(other, Kind):
                    found += [f"{name}.{field}.{inner}" for inner, of in other.fields.items() if of == type]
            for linked in kind.links.from_(name) if kind.links else ():
                if kind.links.kind == type:
                    found.append(linked)
                found += [f"{linked}.{field}" for field, of in kind.links.kind.fields.items() if of == type]
        return self.random.choice(found) if found else None

    def container(self, type, env, named):
        """A container that there is: in so many cases one with a name of its own, else one in an object."""
        return self.name_of(type, env, 1) if self.chance(named) else self.member_of(type, env, 1)

    def call_of(self, type, env, depth):
        found = []
        for name, kind in self.objects(env):
            found += [(f"{name}.{method}", takes) for method, (takes, gives) in kind.methods.items() if gives == type]
            for field, other in kind.fields.items():
                if isinstance(other, Kind):
                    found += [
                        (f"{name}.{field}.{method}", takes) for method, (takes, gives) in other.methods.items() if gives == type
                    ]
        found += [(name, takes) for name, (takes, gives) in self.functions.items() if gives == type]
        if not found:
            return None
        called, takes = self.random.choice(found)
        return f"{called}({', '.join(self.expr(one, env, depth - 1) for one in takes)})"

    def made(self, type, env, depth):
        """Something new of a type."""
        if isinstance(type, Kind):
            return f"{type.name}({', '.join(self.expr(one, env, depth - 1) for one in type.given)})"
        if type == TEXT:
            return self.text(env, depth)
        if type == KEY:
            return f"'{self.pick(*KEYS)}'"
        if type == TABLE:
            return self.pick("{}", "{}", f"{{'{self.pick(*KEYS)}': {self.text(env, depth - 1)}}}")
        if type == LIST:
            return self.pick("[]", "[]", f"[{self.text(env, depth - 1)}]")
        return self.callable(env, depth)

    def callable(self, env, depth):
        names = [name for name, (takes, gives) in self.functions.items() if takes == [TEXT] and gives == TEXT]
        for name, kind in self.objects(env):
            names += [f"{name}.{method}" for method, (takes, gives) in kind.methods.items() if takes == [TEXT] and gives == TEXT]
        given = self.fresh("g")
        names.append(f"lambda {given}: {given} + '!'")
        found = self.random.choice(names)
        return f"({found})" if found.startswith("lambda") else found

    def text(self, env, depth):
        """A text that is read out of something, or made."""
        ways = ["literal"]
        if depth > 0:
            ways += ["source"] * env.get("#sources", 0) + ["table"] * 4 + ["list"] * 4 + ["made"] + ["called"] * 2
        way = self.random.choice(ways)
        if way == "source":
            self.sources += 1
            return f"source('s{self.sources}')"
        if way == "table":
            table = self.container(TABLE, env, 0.4)
            if table:
                key = self.expr(KEY, env, 0)
                return self.pick(
                    f"{table}.get({key}, '')",
                    f"{table}.get({key}, '')",
                    f"({table}[{key}] if {key} in {table} else '')",
                    f"''.join({table}.values())",
                    f"{table}.pop({key}, '')",
                )
        if way == "list":
            listed = self.container(LIST, env, 0.4)
            if listed:
                return self.pick(
                    f"''.join({listed})",
                    f"({listed}[0] if {listed} else '')",
                    f"({listed}[-1] if {listed} else '')",
                    f"({listed}.pop() if {listed} else '')",
                )
        if way == "made":
            return f"{self.expr(TEXT, env, depth - 1)} + '.'"
        if way == "called":
            called = self.name_of(CALL, env, depth) or self.member_of(CALL, env, depth)
            if called:
                return f"{called}({self.expr(TEXT, env, depth - 1)})"
        found = self.name_of(TEXT, env, depth) or self.member_of(TEXT, env, depth)
        return found if found and way != "literal" else "'x'"

    def read(self, env):
        """A text that is read out of an object, if any can be."""
        for _ in range(8):
            found = self.call_of(TEXT, env, 1) if self.chance(0.3) else self.text(env, 2)
            if found and "x'" not in found:
                return found
        return self.expr(TEXT, env)

    # Statements.

    def statement(self, env, depth=1):
        """Lines of one statement; what they bind is in the environment from there on."""
        often = {"put": 5, "append": 4, "set": 3, "do": 4, "name": 3, "if": depth, "for": depth, "sink": 2 * env.get("#sinks", 0)}
        way = self.random.choice([way for way, times in often.items() for _ in range(times)])
        if way == "put":
            table = self.container(TABLE, env, 0.3)
            if table:
                key, value = self.expr(KEY, env, 0), self.expr(TEXT, env)
                return [
                    self.pick(
                        f"{table}[{key}] = {value}",
                        f"{table}[{key}] = {value}",
                        f"{table}.setdefault({key}, {value})",
                        f"{table}.update({{{key}: {value}}})",
                    )
                ]
            way = "do"
        linked = [(name, kind.links) for name, kind in self.objects(env) if kind.links]
        if way == "append" and linked and self.chance(0.5):
            name, links = self.random.choice(linked)
            return [f"{name}.{links.list}.append({self.expr(links.kind, env)})"]
        if way == "set" and linked and self.chance(0.5):
            name, links = self.random.choice(linked)
            return [f"{name}.{links.next} = {self.expr(links.kind, env)}"]
        if way == "for" and linked and self.chance(0.7):
            name, links = self.random.choice(linked)
            each = self.fresh("i")
            body = self.block(env | {each: links.kind}, 1, depth - 1)
            return [f"for {each} in {name}.{links.each}({WALK}):", *("    " + line for line in body)]
        if way == "append":
            listed = self.container(LIST, env, 0.3)
            if listed:
                value = self.expr(TEXT, env)
                return [
                    self.pick(
                        f"{listed}.append({value})",
                        f"{listed}.append({value})",
                        f"{listed}.insert(0, {value})",
                        # A name would be a variable of this function from here on.
                        f"{listed} += [{value}]" if "." in listed else f"{listed}.extend([{value}])",
                    )
                ]
            way = "do"
        if way == "set":
            found = [
                (f"{name}.{field}", type)
                for name, kind in self.objects(env)
                for field, type in kind.fields.items()
                if type != KEY and not isinstance(type, Kind) or self.chance(0.3)
            ]
            if found:
                target, type = self.random.choice(found)
                return [f"{target} = {self.expr(type, env)}"]
            way = "do"
        if way == "do":
            found = []
            for name, kind in self.objects(env):
                found += [(f"{name}.{method}", takes) for method, (takes, gives) in kind.methods.items() if gives is None or self.chance(0.2)]
                for field, other in kind.fields.items():
                    if isinstance(other, Kind):
                        found += [(f"{name}.{field}.{method}", takes) for method, (takes, gives) in other.methods.items() if gives is None]
            found += [(name, takes) for name, (takes, gives) in self.functions.items() if gives is None]
            if found:
                called, takes = self.random.choice(found)
                return [f"{called}({', '.join(self.expr(one, env) for one in takes)})"]
            way = "name"
        if way == "name":
            types = [TEXT, TEXT, TABLE, LIST, CALL, *self.kinds]
            type = self.random.choice(types)
            value = self.expr(type, env)
            name = self.fresh("v")
            env[name] = type
            return [f"{name} = {value}"]
        if way == "if":
            inner = dict(env)
            body = self.block(inner, self.pick(1, 2), depth - 1)
            lines = ["if flip():", *("    " + line for line in body)]
            if self.chance(0.4):
                lines += ["else:", *("    " + line for line in self.block(dict(env), 1, depth - 1))]
            return lines
        if way == "for":
            listed = self.name_of(LIST, env, 1) or self.member_of(LIST, env, 1)
            table = self.name_of(TABLE, env, 1) or self.member_of(TABLE, env, 1)
            if listed and (not table or self.chance(0.5)):
                name = self.fresh("i")
                inner = env | {name: TEXT}
                return [f"for {name} in list({listed}):", *("    " + line for line in self.block(inner, 1, depth - 1))]
            if table:
                key, name = self.fresh("k"), self.fresh("i")
                inner = env | {name: TEXT, key: KEY}
                return [f"for {key}, {name} in list({table}.items()):", *("    " + line for line in self.block(inner, 1, depth - 1))]
            return ["pass"]
        self.sinks += 1
        return [f"sink('t{self.sinks}', {self.expr(TEXT, env)})"]

    def block(self, env, count, depth=1):
        lines = []
        for _ in range(count):
            lines += self.statement(env, depth)
        return lines

    # Definitions.

    def kind(self):
        """Lines of a class."""
        base = self.random.choice(self.kinds) if self.kinds and self.chance(0.25) else None
        kind = Kind(self.fresh("C"), base)
        lines = [f"class {kind.name}({base.name}):" if base else f"class {kind.name}:"]
        body = []
        env = {}
        parameters = []
        if kind.base:
            given = []
            for type in kind.base.given:
                name = self.fresh("p")
                parameters.append(name)
                kind.given.append(type)
                env[name] = type
                given.append(name)
            body.append(f"super().__init__({', '.join(given)})")
            kind.fields.update(kind.base.fields)
            kind.methods.update(kind.base.methods)
            env["self"] = kind
        walks = []
        if self.has_links and not kind.links:
            kind.links = Links(kind, *(self.fresh(stem) for stem in ("n", "n", "w", "w")))
            body += [f"self.{kind.links.next} = None", f"self.{kind.links.list} = []"]
            walks = self.walks(kind.links)
        for _ in range(self.pick(*FIELDS)):
            type = self.random.choice([TEXT, TABLE, TABLE, LIST, LIST, KEY, CALL, *self.kinds * 2])
            field = self.fresh("f")
            if type == KEY and self.chance(0.6):
                lines.append(f"    {field} = '{self.pick(*KEYS)}'")
                kind.fields[field] = KEY
                env["self"] = kind
                continue
            how = self.random.random()
            if how < (0.3 if type in (TABLE, LIST) else 0.5):
                name = self.fresh("p")
                parameters.append(name)
                kind.given.append(type)
                env[name] = type
                value = name
            elif how < 0.75 and type not in (TEXT, KEY, CALL):
                value = self.made(type, env, 1)
            else:
                value = self.expr(type, env, 1)
            body.append(f"self.{field} = {value}")
            kind.fields[field] = type
            env["self"] = kind
        if body or parameters:
            lines.append(f"    def __init__({', '.join(['self', *parameters])}):")
            lines += ["        " + line for line in body or ["pass"]]
        lines += ["    " + line for line in walks]
        for _ in range(self.pick(*METHODS)):
            lines += ["    " + line for line in self.function(kind)]
        self.kinds.append(kind)
        return lines

    def hung_on(self, name, links, env):
        """Lines that hang a few objects on one, and on each other."""
        lines, ends = [], [name]
        for _ in range(self.pick(1, 2, 3)):
            new, end = self.fresh("o"), self.random.choice(ends)
            lines.append(f"{new} = {self.made(links.kind, env, 2)}")
            lines.append(self.pick(f"{end}.{links.next} = {new}", f"{end}.{links.list}.append({new})"))
            ends.append(new)
            if self.chance(0.6):
                env[new] = links.kind
        return lines

    def walks(self, links):
        """Lines of the methods that walk along objects."""
        along = f"self.{links.next}"
        last = self.pick(
            [f"return self if not left or {along} is None else {along}.{links.last}(left - 1)"],
            ["found = self", "while left and found." + links.next + ":", f"    left, found = left - 1, found.{links.next}", "return found"],
        )
        inner = f"for kid in self.{links.list}:"
        each = self.pick(
            ["yield self", "if left:", f"    {inner}", f"        yield from kid.{links.each}(left - 1)"],
            ["found = [self]", "if left:", f"    {inner}", f"        found.extend(kid.{links.each}(left - 1))", "return found"],
        )
        return [
            f"def {links.last}(self, left):",
            *("    " + line for line in last),
            f"def {links.each}(self, left):",
            *("    " + line for line in each),
        ]

    def function(self, kind=None):
        """Lines of a function, or of a method of a class."""
        override = kind and kind.base and kind.base.methods and self.chance(0.4)
        if override:
            name = self.random.choice(list(kind.base.methods))
            takes, gives = kind.base.methods[name]
        else:
            name = self.fresh("m")
            takes = [self.random.choice([TEXT, TEXT, TEXT, KEY, KEY, TABLE, LIST, CALL, *self.kinds]) for _ in range(self.pick(0, 1, 1, 2))]
            gives = self.random.choice([None, None, TEXT, TEXT, TABLE, LIST, *self.kinds])
        names = [self.fresh("p") for _ in takes]
        env = dict(zip(names, takes)) | {name: type for name, type in self.globals.items()}
        if kind:
            env["self"] = kind
        body = self.block(env, self.pick(0, 1, 1, 2))
        if override and self.chance(0.5):
            body.insert(0, f"super().{name}({', '.join(names)})")
        if gives is not None:
            body.append(f"return {self.expr(gives, env)}")
        shown = [*(["self"] if kind else []), *names]
        if kind:
            kind.methods[name] = (takes, gives)
        else:
            self.functions[name] = (takes, gives)
        return [f"def {name}({', '.join(shown)}):", *("    " + line for line in body or ["pass"])]

    def program(self):
        lines = ["from tracks import flip, sink, source", ""]
        for _ in range(self.pick(*CLASSES)):
            lines += [*self.kind(), ""]
            if self.chance(0.4):
                lines += [*self.function(), ""]
            if self.chance(0.4):
                name = self.fresh("G")
                type = self.random.choice([TABLE, LIST, *self.kinds])
                lines += [f"{name} = {self.made(type, dict(self.globals), 1)}", ""]
                self.globals[name] = type
        # Only here is anything marked, so that it is marked once.
        env = dict(self.globals) | {"#sources": 6, "#sinks": 3}
        body = []
        for kind in self.random.sample(self.kinds, min(len(self.kinds), self.pick(1, 2))):
            for _ in range(self.pick(1, 2)):
                name = self.fresh("o")
                body.append(f"{name} = {self.made(kind, env, 2)}")
                env[name] = kind
                if kind.links:
                    body += self.hung_on(name, kind.links, env)
        body += self.block(env, self.pick(*STATEMENTS))
        env.pop("#sources")
        for _ in range(SINKS):
            self.sinks += 1
            body.append(f"sink('t{self.sinks}', {self.read(env)})")
        lines += ["def run():", *("    " + line for line in body), "", "run()"]
        return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(program(int(sys.argv[1]), "--links" in sys.argv), end="")
