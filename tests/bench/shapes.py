"""Source that no person writes, of any size: what it costs at a size, at twice and at four times that is a row of the benchmark.

The same forms are tested for what the graph holds, in `tests/it/bad_input/pathological.rs`.
"""

SHAPES = {}


def shape(size, name):
    """A form of source: its largest size, and how a file of a size is written."""

    def note(make):
        SHAPES[make.__name__] = (size, name, make)
        return make

    return note


def lines(count, line):
    return "".join(f"{line(number)}\n" for number in range(count))


@shape(20_000, "a.py")
def chain(n):
    return "def f(v0):\n" + lines(n, lambda i: f"    v{i + 1} = v{i}") + f"    return v{n}\n"


@shape(20_000, "a.py")
def branches(n):
    return "def f(p, x):\n" + lines(n, lambda i: f"    if p > {i}:\n        x = p + {i}") + "    return x\n"


@shape(20_000, "a.py")
def variables_in_a_loop(n):
    first, again = lines(n, lambda i: f"    v{i} = p"), lines(n, lambda i: f"        v{i} = v{(i * 7 + 1) % n}")
    return f"def f(p):\n{first}    while p:\n{again}    return v0\n"


@shape(50_000, "a.py")
def table_of_lambdas(n):
    return "T = {\n" + lines(n, lambda i: f"    'k{i}': lambda x: x + {i},") + "}\ndef f(p, k):\n    return T[k](p)\n"


@shape(100_000, "a.py")
def table_of_texts(n):
    return "T = {\n" + lines(n, lambda i: f"    'k{i}': ('v{i}', {i}),") + "}\ndef f(k):\n    return T[k][0]\n"


@shape(5_000, "a.py")
def appends_and_reads(n):
    return "def f(p):\n    a = []\n" + lines(n, lambda i: f"    a.append(p)\n    b{i} = a[0]") + "    return a\n"


@shape(5_000, "a.py")
def closures_over_one_variable(n):
    code = lines(n, lambda i: f"    hs.append(lambda: x)\n    x = p + {i}")
    return f"def f(p):\n    x = p\n    hs = []\n{code}    return hs\n"


@shape(5_000, "a.py")
def registered_by_decorator(n):
    head = "all = {}\ndef put(name, given):\n    all[name] = given\n    return given\n"
    head += "def register(name):\n    def inner(given):\n        return put(name, given)\n    return inner\n"
    return head + lines(n, lambda i: f"@register('h{i}')\ndef h{i}(x):\n    return x\ndef u{i}(x): return h{i}(x)")


@shape(5_000, "a.py")
def everybody_fills_and_calls(n):
    return "ALL = []\n" + lines(n, lambda i: f"def f{i}(x):\n    ALL.append(f{i})\n    return ALL[0](x)")


@shape(1_000, "a.py")
def mutual_recursion(n):
    return lines(n, lambda i: f"def f{i}(x, y):\n    return f{(i + 1) % n}(y, x) or f{(i * 7 + 3) % n}(x, y)")


@shape(800, "a.py")
def overridden_methods(n):
    classes = lines(n, lambda i: f"class D{i}(C):\n    def m(self, v):\n        return super().m(v) + {i}")
    return "class C:\n    def m(self, v): return v\n" + classes + lines(n, lambda i: f"def f{i}(c: C, v):\n    return c.m(v)")


@shape(20_000, "a.go")
def jumps(n):
    code = lines(n, lambda i: f"L{i}:\n\tx = x + p\n\tif x > {i} {{\n\t\tgoto L{(i * 7 + 1) % n}\n\t}}")
    return f"package main\n\nfunc f(p int) int {{\n\tx := 0\n{code}\treturn x\n}}\n"


@shape(200, "a.go")
def embedded_interfaces(n):
    wide = lines(n - 1, lambda i: f"type I{i + 1} interface {{\n\tI{i}\n\tM{i + 1}()\n}}")
    has = lines(n, lambda i: f"func (T) M{i}() {{}}")
    return f"package main\n\ntype I0 interface{{ M0() }}\n{wide}type T struct{{}}\n{has}"


@shape(5_000, "a.go")
def interfaces(n):
    code = lines(n, lambda i: f"type I{i} interface {{\n\tM{i}()\n\tClose()\n}}\ntype T{i} struct{{}}\nfunc (T{i}) M{i}() {{}}\nfunc (T{i}) Close() {{}}\nfunc c{i}(v I{i}) {{ v.Close() }}")
    made = lines(n, lambda i: f"\tall(T{i}{{}})\n\tc{i}(T{i}{{}})")
    return f"package main\n\n{code}type C interface{{ Close() }}\nfunc all(c C) {{ c.Close() }}\nfunc main() {{\n{made}}}\n"
