#!/usr/bin/env python3
"""Drives the public face of `rich`, whose archives carry no tests: what is in them to be run are the modules' own demonstrations.

First the demonstrations (`python -m rich.table` and so on), then every public renderable and the objects around them, written from rich's
documentation. What is printed is thrown away; an exception in one part is told, and the other parts go on.
"""

import builtins
import collections
import contextlib
import dataclasses
import io
import logging
import os
import runpy
import sys
import tempfile
import time
import traceback
from datetime import datetime
from pathlib import Path

SOURCE = '''import os


class Shelf:
    """What stands on it."""

    def __init__(self, width: int = 3) -> None:
        self.books = ["a"] * width  # three of them

    def lend(self, name):
        return f"{name!r} of {len(self.books)}" if name in self.books else None


print(Shelf().lend("a"), os.getcwd(), 0x1F, 1e3)
'''

ERRORS = '''def deep(number):
    local = {"number": number}
    if number:
        deep(number - 1)
    raise ValueError("[bold]deep", local)


def chained():
    try:
        deep(1)
    except ValueError as error:
        raise RuntimeError("chained") from error


def recursive():
    recursive()


def broken():
    compile("a = = 1", "broken.py", "exec")
'''

MARKDOWN = """# A title

## A chapter

A paragraph with *stress*, **weight**, `code`, ~~nothing~~ and [a link](https://example.com "why").

> A quotation
> of two lines

* one
* two
    * two and a half

1. first
2. second

```python
print("code")
```

    indented

---

![a picture](picture.png)

| left | right |
|:-----|------:|
| 1    | 2     |
"""

DEMONSTRATIONS = """
    __main__ _log_render _ratio _wrap abc align box cells color columns console control default_styles diagnose emoji highlighter
    layout live logging markup padding palette panel pretty progress progress_bar repr rule scope segment spinner status styled table
    text theme traceback tree
"""


def main():
    time.sleep, sleeps = Naps(), time.sleep
    failed = 0
    for name in DEMONSTRATIONS.split():
        failed += attempt(f"python -m rich.{name}", lambda: demonstrate(name))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "page.md").write_text(MARKDOWN, encoding="utf-8")
        (Path(folder) / "shelf.py").write_text(SOURCE, encoding="utf-8")
        (Path(folder) / "data.json").write_text('{"a": [1, 2.5, null, true, "b"]}', encoding="utf-8")
        for name, more in (
            ("markdown", "page.md -y -c"),
            ("markdown", "page.md -i python -j -w 60"),
            ("syntax", "shelf.py -l -i -c"),
            ("syntax", "shelf.py -r -w 40 -t ansi_dark"),
            ("json", "data.json"),
        ):
            arguments = [os.path.join(folder, word) if "." in word else word for word in more.split()]
            failed += attempt(f"python -m rich.{name}", lambda: demonstrate(name, arguments))
        attempts = [part for name, part in sorted(globals().items()) if name.startswith("part_")]
        for part in attempts:
            failed += attempt(part.__name__, lambda: part(Path(folder)))
    time.sleep = sleeps
    print(f"{failed} parts failed")
    return 1 if failed else 0


class Naps:
    """Instead of `time.sleep`: nothing waits long, and a demonstration that never ends does."""

    def __init__(self):
        self.sleep, self.left = time.sleep, 0

    def __call__(self, seconds):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        self.sleep(min(seconds, 0.0005))


def attempt(name, part):
    time.sleep.left = 150
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            part()
    except (KeyboardInterrupt, SystemExit):
        return 0
    except Exception:
        print(f"{name} failed: {traceback.format_exc(limit=-1).strip()}", file=sys.__stdout__)
        return 1
    return 0


def demonstrate(name, arguments=()):
    arguments, sys.argv = sys.argv, [name, *arguments]
    try:
        runpy.run_module(f"rich.{name}", run_name="__main__")
    finally:
        sys.argv = arguments


def console(**options):
    from rich.console import Console

    settings = {"file": io.StringIO(), "force_terminal": True, "width": 80, "height": 25, "color_system": "truecolor", "record": True}
    return Console(**{**settings, **options})


def part_console(folder):
    from rich.console import Console, Group, group
    from rich.style import Style
    from rich.text import Text
    from rich.theme import Theme

    for system in ("standard", "256", "truecolor", "windows", None, "auto"):
        console(color_system=system).print("[bold red on #112233]x[/] [link=https://example.com]y[/link] [color(9)]z[/]", style="italic")
    c = console(theme=Theme({"warm": "bold red"}, inherit=True), log_time_format=lambda when: Text(when.isoformat()), emoji=True)
    c.print("[warm]hot[/warm] :smile: 'text' 1.5 True None https://example.com /usr/lib", justify="center", highlight=True)
    c.print({"a": 1}, [1, 2], Text("t"), "overflow " * 30, overflow="ellipsis", no_wrap=True, crop=True)
    c.print("soft " * 40, soft_wrap=True, end="")
    for justify in ("left", "right", "full", "center"):
        c.print("some words that take more than a line " * 4, justify=justify)
    c.log("a", {"b": 2}, log_locals=True)
    c.rule("[b]chapter", align="left")
    c.rule()
    c.print_json('{"a": [1, {"b": null}]}')
    c.print_json(data={"b": 1}, indent=None, sort_keys=True)
    c.line(2)
    c.bell()
    c.clear()
    c.show_cursor(False)
    c.set_window_title("title")
    c.out("plain", "text", style="red")
    with c.capture() as capture:
        c.print("captured")
    capture.get()
    with c.pager(pager=type("Pager", (), {"show": lambda self, text: None})(), styles=True):
        c.print("paged")
    with c.use_theme(Theme({"warm": "green"})):
        c.print("[warm]cool")
    with c.screen(style="on blue") as screen:
        screen.update("s", style="red")
    with c.status("s", spinner="moon") as status:
        status.update("t", spinner="dots", speed=2)
    c.update_screen_lines([[]]) if c.is_alt_screen else None
    c.push_render_hook(type("Hook", (), {"process_renderables": lambda self, what: what})())
    c.print("hooked")
    c.pop_render_hook()
    c.begin_capture()
    c.print("x")
    c.end_capture()
    c.render_str("[b]x[/b] :heart:", style="red", emoji=True, highlight=True)
    c.get_style("nothing", default="red")
    with contextlib.suppress(Exception):
        c.get_style("no such style at all")
    c.measure("some words")
    c.render_lines(Text("a\nb"), pad=True, new_lines=True)
    c.size, c.options, c.encoding, c.is_dumb_terminal, c.is_terminal, c.file, c.color_system
    c.size = (70, 20)
    c.options.update(width=10, justify="left", height=3).update_dimensions(5, 5).reset_height().update_height(3).ascii_only
    c.export_text(clear=False, styles=True)
    c.export_html(clear=False, inline_styles=True)
    c.export_html(clear=False)
    c.export_svg(title="x", clear=False)
    c.save_text(str(folder / "a.txt"), clear=False)
    c.save_html(str(folder / "a.html"), clear=False)
    c.save_svg(str(folder / "a.svg"))
    ask = builtins.input
    builtins.input = lambda *_: "answer"
    try:
        c.input("[b]question ")
    finally:
        builtins.input = ask

    @group()
    def lines():
        yield "one"
        yield Text("two", style=Style(color="red", bold=True))

    c.print(lines(), Group("three", "four"))
    with console(stderr=True), console(quiet=True) as quiet:
        quiet.print("x")
    Console(file=io.StringIO(), force_jupyter=False, no_color=True, soft_wrap=True, tab_size=4, markup=False).print("[b]x\ty")
    Console(file=io.StringIO(), legacy_windows=True, safe_box=True).print("x", style="bold")
    try:
        1 / 0
    except ZeroDivisionError:
        c.print_exception(show_locals=True, extra_lines=2, max_frames=4)


def part_tables(_):
    from rich import box
    from rich.columns import Columns
    from rich.constrain import Constrain
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.table import Column, Table

    c = console()
    boxes = [value for value in vars(box).values() if isinstance(value, box.Box)]
    for number, kind in enumerate(boxes):
        table = Table(
            "a",
            Column("b", justify="right", ratio=1, footer="sum"),
            box=kind,
            title="title",
            caption="caption",
            show_footer=True,
            show_lines=number % 2 == 0,
            row_styles=["red", "blue"],
            expand=number % 3 == 0,
            leading=number % 2,
            highlight=True,
        )
        table.add_column("c", style="green", no_wrap=True, min_width=4, max_width=12, vertical="middle", overflow="fold")
        table.add_row("1", "2\n3", Panel("x"), style="bold", end_section=True)
        table.add_row("long words " * 8, "2")
        table.add_section()
        table.add_row()
        c.print(table)
        c.print(table, width=30)
        kind.substitute(c.options, safe=True)
        kind.get_plain_headed_box()
        kind.get_top([1, 2]), kind.get_row([1, 2], "head"), kind.get_bottom([1, 2])
        str(kind), repr(kind)
    grid = Table.grid("x", "y", padding=(0, 1), expand=True, pad_edge=False)
    grid.add_row("a", "b")
    grid.padding = 1
    grid.row_count, grid.expand, grid.get_row_style(c, 0)
    c.print(grid, Constrain(grid, 20), Padding.indent("x", 4), Padding("x", (1, 2, 3, 4), style="on blue", expand=False))
    c.print(Columns(["a", Panel("b"), "c" * 30] * 4, equal=True, expand=True, title="cols"), Columns(map(str, range(30)), column_first=True, right_to_left=True))
    Columns().add_renderable("x")
    c.print(Panel.fit("fit", title="t", subtitle="s", border_style="red"), Panel("p", height=5, width=30, title_align="left", highlight=True, padding=1))
    c.measure(table), c.measure(Panel("x")), c.measure(grid)


def part_text(_):
    from rich.emoji import Emoji
    from rich.markup import escape, render
    from rich.style import Style, StyleStack
    from rich.text import Span, Text

    c = console()
    text = Text("The quick brown fox\tjumps over", style="bold", justify="left", overflow="fold", tab_size=4)
    text.stylize("red", 4, 9)
    text.stylize(Style(italic=True), -5)
    text.stylize_before("on blue", 0, 3)
    text.highlight_words(["fox", "quick"], "green", case_sensitive=False)
    text.highlight_regex(r"(?P<animal>f\w+)", style_prefix="test.")
    text.highlight_regex("over", lambda word: Style(bold=True))
    text.apply_meta({"a": 1}, 0, 3)
    text.on({"b": 2}, click="f()")
    text.append(" more", "red").append(Text("!", "blue")).append_text(Text("?")).append_tokens([("a", "red"), ("b", None)])
    text.append(Span.__name__)
    text.copy(), text.blank_copy("x"), text[3], text[2:7], len(text), bool(text), str(text), repr(text), text + "x", "fox" in text, text == text.copy()
    text.get_style_at_offset(c, 5), text.markup, text.spans, text.plain, text.cell_len, hash(Span(0, 1, "x"))
    text.expand_tabs(8)
    text.pad(2), text.pad_left(1), text.pad_right(1), text.align("center", 60), text.truncate(50, overflow="ellipsis", pad=True), text.set_length(45), text.right_crop(2), text.rstrip(), text.rstrip_end(30)
    text.remove_suffix("x"), text.extend_style(3), text.copy_styles(Text("y", "red"))
    text.plain = "new text that is longer"
    text.spans = [Span(0, 3, "red")]
    Span(2, 8, "red").split(4), Span(2, 8, "red").move(2), Span(2, 8, "red").right_crop(5), Span(1, 2, "x").extend(3), bool(Span(0, 0, ""))
    text.split(" "), text.divide([3, 8]), text.fit(10), text.detect_indentation(), Text("  a\n    b").with_indent_guides(2)
    for line in text.wrap(c, 9, justify="full", tab_size=4, no_wrap=False):
        c.print(line)
    text.wrap(c, 9, justify="right", overflow="ellipsis"), text.wrap(c, 9, justify="center")
    Text(", ").join([Text("a"), Text("b")])
    Text.from_markup("[b]x[/b] :smile:", style="red", justify="right")
    Text.from_ansi("\x1b[1;31mred\x1b[0m \x1b[38;5;9mx\x1b[48;2;1;2;3my\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\")
    Text.assemble("a", ("b", "red"), Text("c"), meta={"x": 1})
    Text.styled("x", "red")
    c.print(text, Text("x").markup, escape("[b]"), render("[@click=go(1)]x[/]"), Emoji("heart"), Emoji.replace(":heart:"), repr(Emoji("cat", variant="emoji")))
    for bad in ("[/b]", "[b]x[/i]"):
        with contextlib.suppress(Exception):
            render(bad)
    style = Style.parse("bold not italic red on white link https://example.com underline2")
    styles = [style, Style.null(), Style(color="color(9)", bgcolor="rgb(1,2,3)", meta={"a": 1}), Style.from_color(), Style.from_meta({"a": 1}), Style.on(click="x"), Style.normalize("RED bold"), Style.pick_first(None, "x")]
    style + styles[2], Style.combine(styles[:3]), Style.chain(*styles[:3]), style.copy(), style.clear_meta_and_links(), style.update_link("x"), style.without_color, style.background_style, style.render("x"), style.test("x"), str(style), repr(style), hash(style), style == styles[1], style != styles[1], style.get_html_style(), style.link_id, style.transparent_background, bool(style), style.meta, style.link, style.color, style.bgcolor
    stack = StyleStack(Style.null())
    stack.push(style), stack.current, stack.pop(), repr(stack)


def part_color_and_segments(_):
    from rich.cells import cell_len, chop_cells, set_cell_size
    from rich.color import Color, ColorTriplet, blend_rgb, parse_rgb_hex
    from rich.control import Control, strip_control_codes
    from rich.filesize import decimal, pick_unit_and_suffix
    from rich.measure import Measurement, measure_renderables
    from rich.segment import ControlType, Segment, Segments, SegmentLines
    from rich.style import Style
    from rich.terminal_theme import DIMMED_MONOKAI, TerminalTheme

    c = console()
    for name in ("red", "color(200)", "#ff8800", "rgb(1,2,3)", "default", "bright_blue"):
        color = Color.parse(name)
        color.get_truecolor(), color.get_truecolor(DIMMED_MONOKAI, foreground=False), color.get_ansi_codes(), color.is_default, color.is_system_defined, color.system, repr(color)
        for system in (1, 2, 3, 4):
            color.downgrade(type(color.system)(system))
        c.print(color)
    Color.from_ansi(5), Color.from_triplet(ColorTriplet(1, 2, 3)), Color.from_rgb(1, 2, 3), Color.default()
    ColorTriplet(1, 2, 3).hex, ColorTriplet(1, 2, 3).rgb, ColorTriplet(1, 2, 3).normalized, blend_rgb(ColorTriplet(0, 0, 0), ColorTriplet(9, 9, 9)), parse_rgb_hex("ff0000")
    TerminalTheme((0, 0, 0), (255, 255, 255), [(0, 0, 0)] * 8)
    with contextlib.suppress(Exception):
        Color.parse("no such color")
    cell_len("日本" * 300), set_cell_size("日本語", 5), chop_cells("some 日本語 text", 4), decimal(1_234_567), pick_unit_and_suffix(3000, ["a", "b"], 1000)
    red = Style.parse("red")
    segments = [Segment("some\ntext", red), Segment("日本"), Segment.line(), Segment("", None, [(ControlType.BELL,)])]
    list(Segment.split_lines(segments)), list(Segment.split_and_crop_lines(segments, 3, style=red)), Segment.adjust_line_length(segments, 20, style=red), Segment.adjust_line_length(segments, 2)
    list(Segment.apply_style(segments, red, red)), list(Segment.filter_control(segments)), list(Segment.simplify(segments)), list(Segment.strip_links(segments)), list(Segment.strip_styles(segments)), list(Segment.remove_color(segments)), list(Segment.divide(segments, [2, 5]))
    Segment("日本語").split_cells(3), Segment("abc").split_cells(2), Segment.get_line_length(segments), bool(segments[0]), segments[0].cell_length, segments[3].is_control, repr(segments[3])
    lines = [[Segment("a")], [Segment("bb")]]
    Segment.set_shape(lines, 5, 5), Segment.get_shape(lines)
    for align in (Segment.align_top, Segment.align_bottom, Segment.align_middle):
        align(lines, 5, 6, red)
    c.print(Segments(segments, new_lines=True), SegmentLines(lines, new_lines=True))
    controls = [Control.bell(), Control.home(), Control.move(1, -2), Control.move_to(3, 4), Control.move_to_column(2, 1), Control.clear(), Control.show_cursor(True), Control.alt_screen(False), Control.title("x")]
    for control in controls:
        c.control(control)
        str(control)
    strip_control_codes("a\x07b")
    a, b = Measurement(1, 10), Measurement(5, 3)
    a.span, b.normalize(), a.with_maximum(4), a.with_minimum(4), a.clamp(2, 5), a.clamp(None, None), Measurement.get(c, c.options, "text"), measure_renderables(c, c.options, ["a", "bb"])


def part_layouts(_):
    from rich.align import Align, VerticalCenter
    from rich.bar import Bar
    from rich.layout import Layout
    from rich.panel import Panel
    from rich.rule import Rule
    from rich.screen import Screen
    from rich.styled import Styled
    from rich.tree import Tree

    c = console()
    layout = Layout(name="root")
    layout.split_column(Layout(name="head", size=3), Layout(name="body", ratio=2), Layout(name="foot", visible=False))
    layout["body"].split_row(Layout(Panel("left"), name="left"), Layout(name="right", minimum_size=10))
    layout["body"].add_split(Layout(name="third"))
    layout["head"].update("head")
    layout["right"].split("a", "b", splitter="column")
    layout["right"].unsplit()
    layout.get("nothing"), layout.map, layout.tree, layout.children, layout.renderable, repr(layout)
    c.print(layout, height=20)
    c.print(layout.tree)
    layout.refresh_screen(c, "nothing") if False else None
    with c.screen() as screen:
        screen.update(layout)
        layout.refresh_screen(c, "head")
    c.print(Align("x", "right", vertical="middle", height=5, style="on red", pad=False), Align.center("x"), Align.left("x"), Align.right("x"), VerticalCenter("x"), height=10)
    c.print(Bar(100, 10, 60, width=30), Bar(10, 5, 5), Rule("a title that is longer than a line " * 4), Rule("t", align="right", characters="=-"), Rule("t", align="left", end=""), Styled(Panel("x"), "red"), Screen("x", style="red", application_mode=True))
    tree = Tree("root", guide_style="bold", highlight=True, hide_root=False)
    branch = tree.add("[b]branch", guide_style="red", style="on blue")
    branch.add(Panel("leaf")).add("x", expanded=False).add("hidden")
    tree.add("last", highlight=True)
    for options in ({}, {"legacy_windows": True}, {"color_system": None}):
        console(**options).print(tree)
    c.measure(tree), c.measure(Rule()), c.measure(layout), c.measure(Align("x"))
    c.print(Tree("x", hide_root=True))


def part_live(folder):
    from rich import progress
    from rich.live import Live
    from rich.progress import Progress, track, wrap_file
    from rich.progress_bar import ProgressBar
    from rich.spinner import Spinner
    from rich.status import Status
    from rich.table import Table

    c = console()
    list(track(range(5), "t", console=c, auto_refresh=False))
    list(track(iter(range(5)), total=5, console=c, transient=True, update_period=0.01))
    columns = [
        progress.SpinnerColumn(finished_text="done"),
        progress.TextColumn("{task.description}", justify="right"),
        progress.RenderableColumn("x"),
        progress.BarColumn(None),
        progress.TaskProgressColumn(show_speed=True),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        progress.FileSizeColumn(),
        progress.TotalFileSizeColumn(),
        progress.MofNCompleteColumn(),
        progress.DownloadColumn(binary_units=True),
        progress.TransferSpeedColumn(),
        "{task.percentage:>3.0f}%",
    ]
    with Progress(*columns, console=c, auto_refresh=False, expand=True, speed_estimate_period=5) as bars:
        first, second = bars.add_task("one", total=10), bars.add_task("two", total=None, start=False, visible=True, extra=1)
        for number in range(10):
            bars.update(first, advance=1, description=f"n {number}", refresh=number == 3)
            bars.advance(second, 2)
        bars.start_task(second), bars.stop_task(second), bars.reset(second, total=5, start=True, description="again"), bars.update(second, completed=3, total=4, visible=False, more=1)
        bars.tasks, bars.task_ids, bars.finished, bars.tasks[0].speed, bars.tasks[0].time_remaining, bars.tasks[0].elapsed, bars.tasks[0].percentage, bars.tasks[0].remaining
        columns[0].set_spinner("moon")
        bars.refresh()
        list(bars.track([1, 2, 3], description="inner"))
        with bars.open(folder / "page.md", "r", description="read") as file:
            file.read(5), file.readline(), file.readlines(), file.tell(), file.seek(0), file.name, file.closed, file.fileno(), file.isatty(), file.readable(), file.seekable(), file.writable()
            list(file)
        with bars.open(folder / "page.md", "rb", buffering=1024) as file:
            file.readinto(bytearray(4))
        with open(folder / "page.md", "rb") as raw, bars.wrap_file(raw, total=20) as file:
            file.read()
        bars.remove_task(first)
        bars.print("between", end="\n")
        bars.log("between")
        print("to the screen")
    with progress.open(folder / "page.md", "rb", console=c) as file:
        file.read()
    with open(folder / "page.md", "rb") as raw, wrap_file(raw, 10, console=c) as file:
        file.read()
    for pulse in (False, True):
        c.print(ProgressBar(100, 30, width=20, pulse=pulse), ProgressBar(None, animation_time=2), ProgressBar(100, 100, finished_style="red"))
        console(color_system=None).print(ProgressBar(100, 30, pulse=pulse), Spinner("dots"))
    ProgressBar(3).update(2, total=5)
    for overflow in ("crop", "visible", "ellipsis"):
        with Live(Table("x"), console=console(height=3), auto_refresh=False, vertical_overflow=overflow) as live:
            live.update("\n".join("abcdefgh"), refresh=True)
            live.console.print("above")
            live.is_started, live.renderable
    with Live(get_renderable=lambda: "x", console=c, screen=True, refresh_per_second=50, redirect_stderr=False):
        time.sleep(0.1)
    spinner = Spinner("line", text="[b]x", style="green", speed=2)
    c.print(spinner)
    spinner.render(1.5), spinner.update(text="y", style="red", speed=1)
    with Status("x", console=c) as status:
        status.update("y"), status.renderable, status.console
    with contextlib.suppress(KeyError):
        Spinner("no such spinner")


def part_pretty(_):
    import rich.abc
    from rich.abc import RichRenderable
    from rich.pretty import Node, Pretty, install, pprint, pretty_repr, traverse
    from rich.repr import auto, rich_repr

    c = console()

    @dataclasses.dataclass
    class Point:
        x: int
        y: list = dataclasses.field(default_factory=list, repr=True)
        z: int = dataclasses.field(default=3, repr=False)

    @auto(angular=True)
    class Automatic:
        def __init__(self, a, b=2, *, c=3):
            self.a, self.b, self.c = a, b, c

    @rich_repr
    class Manual:
        def __rich_repr__(self):
            yield "x"
            yield "name", 1
            yield "other", 2, 2

    Pair = collections.namedtuple("Pair", "left right")
    loop = [1]
    loop.append(loop)
    values = {
        "list": list(range(50)),
        "nested": {"a": ({1, 2}, frozenset([3]), b"bytes", "text" * 40), "b": collections.deque([1], maxlen=3)},
        "maps": [collections.OrderedDict(a=1), collections.defaultdict(list, a=[1]), collections.Counter("aab"), os.environ.__class__({}, str, str, str, str) if False else {}],
        "objects": [Point(1), Automatic(1, b=5), Manual(), Pair(1, 2), object, len],
        "loop": loop,
        "array": __import__("array").array("i", [1, 2]),
        "empty": [[], (), {}, set(), (1,)],
    }
    pprint(values, console=c, max_length=5, max_string=10, max_depth=3, expand_all=True, indent_guides=True)
    pretty_repr(values, max_width=40), traverse(values), repr(Automatic(1)), repr(Manual()), str(Node("x", "y"))
    c.print(Pretty(values, indent_guides=True, insert_line=True, margin=4, no_wrap=True), c.measure(Pretty([1, 2])))
    hook = sys.displayhook
    install(console=c, max_length=3)
    sys.displayhook(values)
    sys.displayhook = hook
    for what in (Point, len, Point(1), rich.abc):
        rich.inspect(what, console=c, methods=True, docs=True, private=True, dunder=True, sort=True)
        rich.inspect(what, console=c, all=True, help=True, title="t", value=False)
    rich.print("x", file=io.StringIO())
    rich.print_json('{"a": 1}')
    rich.get_console(), rich.reconfigure(file=io.StringIO())
    isinstance(c, RichRenderable), isinstance(Pretty(1), RichRenderable)


def part_documents(folder):
    from rich.json import JSON
    from rich.markdown import Markdown
    from rich.syntax import ANSISyntaxTheme, PygmentsSyntaxTheme, Syntax

    c = console()
    for options in ({}, {"hyperlinks": False, "inline_code_lexer": "python", "code_theme": "ansi_dark"}, {"justify": "full", "style": "red"}):
        c.print(Markdown(MARKDOWN, **options))
    for options in ({}, {"line_numbers": True, "indent_guides": True, "highlight_lines": {3}, "start_line": 5}, {"word_wrap": True, "code_width": 30, "padding": 1}, {"theme": "ansi_light", "line_range": (2, 6), "background_color": "red"}, {"dedent": True, "tab_size": 2, "line_numbers": True, "word_wrap": True}):
        syntax = Syntax(SOURCE, "python", **options)
        syntax.stylize_range("red", (1, 0), (3, 4))
        c.print(syntax)
        c.measure(syntax)
        syntax.highlight(SOURCE, line_range=(1, 4)), syntax.lexer, syntax.default_lexer
    console(color_system=None, legacy_windows=True).print(Syntax(SOURCE, "python", line_numbers=True, indent_guides=True))
    c.print(Syntax("x", "no such lexer"), Syntax.from_path(str(folder / "shelf.py"), line_numbers=True), Syntax.guess_lexer("x.py", SOURCE))
    Syntax.get_theme("monokai"), Syntax.get_theme("no such theme"), Syntax.get_theme(PygmentsSyntaxTheme("default")), ANSISyntaxTheme({}).get_background_style()
    c.print(JSON('{"a": [1, "b", null, true, 1.5e3]}', indent=4), JSON.from_data({"a": {"b": [1]}}, sort_keys=True))


def part_errors(folder):
    from rich.console import Console
    from rich.logging import RichHandler
    from rich.traceback import Traceback, install

    c = console()

    # In a short file of their own: each frame of a traceback is shown with its whole file parsed.
    (folder / "errors.py").write_text(ERRORS, encoding="utf-8")
    deep, chained, recursive, broken = map(runpy.run_path(str(folder / "errors.py")).get, ("deep", "chained", "recursive", "broken"))
    for part in (chained, recursive, broken):
        try:
            part()
        except Exception as error:
            c.print(Traceback(show_locals=True, width=70, extra_lines=1, theme="ansi_dark", word_wrap=True, indent_guides=False, suppress=[contextlib], max_frames=3, locals_max_length=2))
            c.print(Traceback.from_exception(type(error), error, error.__traceback__, locals_hide_dunder=False, locals_hide_sunder=True))
    logger = logging.getLogger("rich-driver")
    logger.propagate = False
    logger.handlers = [RichHandler(console=c, rich_tracebacks=True, tracebacks_show_locals=True, tracebacks_extra_lines=1, markup=True, keywords=["GET"], show_path=True, enable_link_path=True)]
    logger.setLevel("DEBUG")
    try:
        broken()
    except SyntaxError:
        logger.exception("[b]failed[/b] GET %s", "x", extra={"markup": True})
    logger.handlers = [RichHandler(level="INFO", console=c, show_time=False, show_level=False, log_time_format="[%X]", omit_repeated_times=False)]
    logger.info("one"), logger.warning({"a": 1}), logger.debug("no")
    with contextlib.suppress(ValueError):
        Traceback()
    hook = sys.excepthook
    install(console=Console(file=io.StringIO()), show_locals=True)
    try:
        deep(1)
    except ValueError:
        sys.excepthook(*sys.exc_info())
    sys.excepthook = hook


def part_questions(_):
    from rich.prompt import Confirm, FloatPrompt, IntPrompt, Prompt, PromptBase

    c = console()
    Prompt.ask("name", console=c, default="x", stream=io.StringIO("\n"))
    Prompt.ask("fruit", console=c, choices=["a", "b"], stream=io.StringIO("c\nb\n"), show_choices=True)
    IntPrompt.ask("number", console=c, stream=io.StringIO("x\n7\n"))
    FloatPrompt.ask("number", console=c, stream=io.StringIO("1.5\n"), default=2.0, show_default=True)
    Confirm.ask("sure", console=c, stream=io.StringIO("maybe\ny\n"), default=False)
    Confirm("sure", console=c)(stream=io.StringIO("n\n"))
    PromptBase("x", console=c, password=False).make_prompt("d")


def part_others(folder):
    from rich import box, containers, highlighter, region, theme, themes
    from rich.ansi import AnsiDecoder
    from rich.file_proxy import FileProxy
    from rich.jupyter import JupyterMixin
    from rich.live_render import LiveRender
    from rich.markup import Tag
    from rich.pager import SystemPager
    from rich.protocol import is_renderable, rich_cast
    from rich.scope import render_scope
    from rich.text import Text

    c = console()
    for kind in (highlighter.ReprHighlighter, highlighter.JSONHighlighter, highlighter.ISO8601Highlighter, highlighter.NullHighlighter):
        c.print(kind()("{'a': 1} <x y=1> 2024-01-02T03:04:05 127.0.0.1 uuid()"))
        kind()(Text("x"))
    with contextlib.suppress(TypeError):
        highlighter.ReprHighlighter()(3)
    (folder / "theme.ini").write_text("[styles]\nwarm = red\n", encoding="utf-8")
    mine = theme.Theme.read(str(folder / "theme.ini"))
    mine.config
    stack = theme.ThemeStack(mine)
    stack.push_theme(themes.DEFAULT), stack.pop_theme()
    with contextlib.suppress(theme.ThemeStackError):
        stack.pop_theme()
    lines = containers.Lines([Text("a b c"), Text("d")])
    lines.append(Text("e")), lines.extend([Text("f")]), lines.pop(), lines[0], lines[0:1], len(lines), list(lines), lines.justify(c, 10, "full")
    renderables = containers.Renderables(["a", "b"])
    renderables.append("c"), list(renderables), c.print(renderables), c.measure(renderables), c.print(lines)
    list(AnsiDecoder().decode("\x1b[31ma\nb\x1b[0m"))
    proxy = FileProxy(c, io.StringIO())
    proxy.write("a\nb"), proxy.flush(), proxy.rich_proxied_file, proxy.getvalue()
    live = LiveRender("a\nb")
    c.print(live)
    live.set_renderable("c"), live.position_cursor(), live.restore_cursor()
    str(Tag("b", "x")), Tag("b", None).markup
    pydoc_pager = __import__("pydoc").pager
    __import__("pydoc").pager = lambda text: None
    SystemPager().show("x")
    __import__("pydoc").pager = pydoc_pager
    is_renderable("x"), rich_cast(type("Cast", (), {"__rich__": lambda self: Text("cast")})())
    c.print(type("Cast", (), {"__rich__": lambda self: "cast"})(), render_scope({"a": 1, "_b": [2]}, title="t", sort_keys=False, indent_guides=True, max_length=2))
    region.Region(1, 2, 3, 4), box.Box("┌─┬┐\n│ ││\n├─┼┤\n│ ││\n├─┼┤\n├─┼┤\n│ ││\n└─┴┘\n")
    JupyterMixin._repr_mimebundle_(Text("x"), include=["text/plain"], exclude=[])
    c.log(datetime.now())


if __name__ == "__main__":
    sys.exit(main())
