//! What a function calls that no call in it says: operators and conversions of values that nobody knows, members under computed names, and what
//! library code gave; and methods that a class is given by a loop. And who reads what lies in an object that library code gets.
//!
//! ```python
//! def same(left, right): return left == right      # the `__eq__` of whatever that is: `callees same` is a lower bound
//! template.render(order=order)                     # reads the lines of the order, too
//! ```

use crate::verdicts::{ask_as, folder, found, is_complete, is_open};

#[test]
fn what_the_language_may_call_is_left_open() {
    let (_folder, reader) = folder([(
        "cards.py",
        "import somelib\n\n\nclass Card:\n    def __init__(self, name):\n        self.name = name\n\n    def __eq__(self, other):\n        return True\n\n    def \
         __hash__(self):\n        return 1\n\n    def __len__(self):\n        return 0\n\n    @property\n    def title(self):\n        return self.name\n\n\nclass \
         Setting:\n    def __get__(self, owner, kind):\n        return 1\n\n    def __set__(self, owner, value):\n        pass\n\n\nclass Options:\n    speed = \
         Setting()\n\n\ndef same(left, right):\n    return left == right\n\n\ndef count(rows):\n    return len(rows)\n\n\ndef index(key):\n    return {key: \
         1}\n\n\ndef hand(name):\n    card = Card(name)\n    seen = {card}\n    return seen\n\n\ndef show(thing, member):\n    return getattr(thing, \
         member)\n\n\ndef run(request):\n    return somelib.lookup(\"view\")(request)\n\n\ndef slow(options):\n    return options.speed\n\n\ndef plain(text: \
         str):\n    return text.strip() == \"x\"\n\n\nhand(\"ace\")\n",
    )]);
    let callees = |name: &str| ask_as(&reader, "callees", &format!("cards.{name}"), None);
    is_open(&callees("same"), "unknown-receivers", "`__eq__`");
    is_open(&callees("count"), "unknown-receivers", "`__len__`");
    is_open(&callees("index"), "unknown-receivers", "`__hash__`");
    is_open(&callees("show"), "unknown-receivers", "computed names (`*`)");
    is_open(&callees("run"), "unknown-library", "`lookup()`");
    is_open(&callees("slow"), "unresolved-calls", "1 call in it");
    is_complete(&callees("plain"));
    let hashed = found(&reader, "callees", "cards.hand");
    assert!(hashed.contains("__hash__"), "a card goes into a set: {hashed:?}");
    assert!(!hashed.contains("__len__"), "nobody asks how long it is: {hashed:?}");
}

#[test]
fn who_gets_the_whole_may_read_what_lies_in_it() {
    let (_folder, reader) = folder([(
        "orders.py",
        "import jinja2\n\n\nclass Line:\n    def __init__(self, price):\n        self.price = price\n\n    def label(self):\n        return \"x\"\n\n\nclass \
         Note:\n    def __init__(self, text):\n        self.text = text\n\n    def short(self):\n        return self.text\n\n\nclass Order:\n    def \
         __init__(self):\n        self.lines = []\n        self.lines.append(Line(1))\n\n\ndef read():\n    return Line(3).label() + \
         Note(\"n\").short()\n\n\ndef main():\n    order = Order()\n    return jinja2.Template(\"\").render(order=order)\n\n\nread()\nmain()\n",
    )]);
    let ask = |operation: &str, name: &str| ask_as(&reader, operation, name, None);
    is_open(
        &ask("callers", "Line.label"),
        "called-from-outside",
        "jinja2.Template.render",
    );
    is_open(&ask("readers_writers", "Line.price"), "unknown-library", "`render`");
    is_complete(&ask("callers", "Note.short"));
    is_complete(&ask("readers_writers", "Note.text"));
}

#[test]
fn a_class_that_a_loop_fills_may_have_the_method() {
    let (_folder, reader) = folder([(
        "rpc.py",
        "METHODS = {}\n\n\ndef remote(function):\n    name = function.__name__\n    def call(self, *given):\n        return self.send(name, \
         given)\n    METHODS[name] = call\n    return function\n\n\nclass Local:\n    @remote\n    def ping(self):\n        return \
         1\n    @remote\n    def peek(self):\n        return 2\n\n\nclass Remote:\n    def send(self, name, given):\n        return name, \
         given\n\n\nclass Plain:\n    pass\n\n\nfor name, method in METHODS.items():\n    setattr(Remote, name, method)\n\n\ndef \
         either(box):\n    return box.ping()\n\n\ndef one(box):\n    return box.ping()\n\n\ndef mocked(box):\n    return box.peek()\n\n\ndef \
         sent():\n    return Remote().send(1, 2)\n\n\nfake = Remote()\nfake.peek = \
         len\nmocked(Local())\nmocked(Remote())\neither(Local())\neither(Remote())\none(Local())\none(Plain())\nsent()\n",
    )]);
    let callees = |name: &str| ask_as(&reader, "callees", &format!("rpc.{name}"), None);
    is_open(&callees("either"), "unresolved-calls", "1 call in it");
    // What one object is given says nothing of the others.
    is_open(&callees("mocked"), "unresolved-calls", "1 call in it");
    is_complete(&callees("one"));
    is_complete(&callees("sent"));
}

#[test]
fn library_code_that_is_replaced_calls_what_was_put_there() {
    let source = "import time\n\ndef now():\n    return time.time()\n\ndef wait():\n    time.sleep(1)\n\ndef fix(t):\n    time.time = lambda: t\n";
    let (_folder, reader) = folder([("app.py", source)]);
    let callees = |name: &str| ask_as(&reader, "callees", name, None);
    is_open(
        &callees("now"),
        "unknown-library",
        "library code that it calls is replaced (`time`)",
    );
    is_complete(&callees("wait"));
}
