//! Callers and readers that are not in the index, or of which only the name is: exported functions, methods that stand in for others, functions that were put
//! away, objects that library code was given.
//!
//! ```go
//! func GetTaskID(s string) string { return s + "!" }     // `callers GetTaskID` finds nobody: other modules may import it
//! ```

use crate::verdicts::{ask_as, folder, is_complete, is_open};

#[test]
fn what_is_exported_may_be_called_by_other_modules() {
    let queue = "package queue\n\ntype Client struct{ n int }\n\nfunc Open(name string) string { return name + \"!\" }\n\nfunc open() int { return 1 \
                 }\n\nfunc (c *Client) Slot() int { return c.n }\n\nfunc init() { table[\"a\"] = open2() }\n\nvar table = map[string]int{}\n\nfunc \
                 open2() int { return 2 }\n";
    let (_folder, reader) = folder([
        ("go.mod", "module example.com/queue\n\ngo 1.23\n"),
        ("queue.go", queue),
        (
            "internal/disk/disk.go",
            "package disk\n\nfunc Sync() int { return 1 }\n",
        ),
        ("cmd/run/main.go", "package main\n\nfunc main() {}\n\nfunc Help() {}\n"),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    let other = "package `example.com/queue` hands it out";
    is_open(&callers("example.com/queue.Open"), "called-from-outside", other);
    is_open(&callers("example.com/queue.Client.Slot"), "called-from-outside", other);
    is_open(
        &callers("example.com/queue.init"),
        "called-from-outside",
        "as a program begins",
    );
    is_open(
        &callers("example.com/queue/cmd/run.main"),
        "called-from-outside",
        "as a program begins",
    );
    is_complete(&callers("example.com/queue.open"));
    is_complete(&callers("example.com/queue/internal/disk.Sync"));
    is_complete(&callers("example.com/queue/cmd/run.Help"));
    let (_folder, own) = folder([("go.mod", "module queue\n\ngo 1.23\n"), ("queue.go", queue)]);
    is_complete(&ask_as(&own, "callers", "queue.Open", None));
}

#[test]
fn a_class_hands_out_what_it_has_from_one_that_is_not() {
    let (_folder, reader) = folder([
        (
            "shop/__init__.py",
            "def opened():\n    return 1\n\ndef _kept():\n    return 1\n",
        ),
        (
            "shop/views.py",
            "def dead():\n    return 1\n\ndef _own():\n    return 1\n",
        ),
        ("web/__init__.py", "from ._client import *\n"),
        (
            "web/_client.py",
            "__all__ = ['Client']\n\nclass BaseClient:\n    def close(self):\n        return 1\n\nclass Client(BaseClient):\n    def get(self):\n        \
             return 1\n\nclass Pool:\n    def shut(self):\n        return 1\n",
        ),
        (
            "codes.py",
            "from enum import IntEnum\n\nclass Codes(IntEnum):\n    def __new__(cls, value, phrase=''):\n        made = int.__new__(cls, \
             value)\n        made._value_ = value\n        return made\n    OK = 200, 'OK'\n",
        ),
    ]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(
        &callers("BaseClient.close"),
        "called-from-outside",
        "`web/_client.py` hands it out",
    );
    is_complete(&callers("Pool.shut"));
    is_open(
        &callers("shop.views.dead"),
        "called-from-outside",
        "module `shop/views.py` hands it out",
    );
    is_complete(&callers("shop.views._own"));
    // The file that a package begins with is a module of it like any other.
    is_open(
        &callers("shop.opened"),
        "called-from-outside",
        "module `shop/__init__.py` hands it out",
    );
    is_complete(&callers("shop._kept"));
    is_open(&callers("Codes.__new__"), "called-from-outside", "special methods");
}

#[test]
fn who_has_a_caller_may_still_be_called_by_others() {
    let (_folder, reader) = folder([(
        "channel.py",
        "class Channel:\n    def __init__(self, connection):\n        self.connection = connection\n        self.handlers = {'BRPOP': self._brpop}\n\n    def \
             consume(self, queue):\n        self.connection.callbacks[queue] = self._callback\n\n    def _brpop(self):\n        return 1\n\n    def \
             _callback(self):\n        return 1\n\n    def _closed(self):\n        return 1\n\n    def close(self):\n        self._brpop()\n        \
             self._closed()\n\ndef on_readable(chan, kind):\n    chan.handlers[kind]()\n",
    )]);
    let callers = |name: &str| ask_as(&reader, "callers", name, None);
    is_open(&callers("Channel._brpop"), "called-from-outside", "as a value");
    is_open(
        &callers("Channel._callback"),
        "called-from-outside",
        "of which nothing more is known",
    );
    is_complete(&callers("Channel._closed"));
}

#[test]
fn fields_of_what_others_have_may_be_read_there() {
    let (_folder, reader) = folder([
        (
            "rows.py",
            "import lib\n\nclass Row:\n    def __init__(self, name):\n        self.name = name\n\nclass Own:\n    def __init__(self, title):\n        \
             self.title = title\n\ndef save(row: Row):\n    lib.insert(row)\n\nsave(Row('x'))\nOwn('y')\n",
        ),
        (
            "request.py",
            "class Request:\n    def __init__(self, url, on_ready=None):\n        self.url, self.on_ready, self.seen = url, on_ready, 1\n\ndef process(curl):\n    \
             request = curl.info['request']\n    request.on_ready(200)\n\nRequest('u', print)\n",
        ),
        (
            "form.py",
            "class Unbound:\n    def __init__(self):\n        self.counter = 1\n        self.total = 2\n\nclass Form:\n    a = Unbound()\n\ndef order(cls):\n    for \
             name in dir(cls):\n        print(getattr(cls, name).counter)\n\norder(Form)\n",
        ),
        (
            "policy.py",
            "class Policy:\n    def missing(self, host): pass\n\nclass Reject(Policy):\n    def missing(self, host):\n        return 'no'\n\nclass \
             AutoAdd(Policy):\n    def missing(self, host):\n        return host\n\nclass Client:\n    def __init__(self):\n        self._policy = Reject()\n    def \
             set_policy(self, policy):\n        self._policy = policy\n    def connect(self, host):\n        \
             self._policy.missing(host)\n    def alone(self, port):\n        return port\n\nClient().connect('h')\n",
        ),
    ]);
    let users = |name: &str| ask_as(&reader, "readers_writers", name, None);
    is_open(&users("Row.name"), "unknown-library", "may read or write it");
    is_complete(&users("Own.title"));
    is_open(&users("Request.on_ready"), "unknown-receivers", "`on_ready` of objects");
    is_complete(&users("Request.seen"));
    is_open(&users("Unbound.counter"), "unknown-receivers", "`counter` of objects");
    is_complete(&users("Unbound.total"));
    let flows = |name: &str| ask_as(&reader, "flows", name, None);
    is_open(&flows("Client.connect.host"), "unresolved-calls", "`missing`");
    is_complete(&flows("Client.alone.port"));
}
