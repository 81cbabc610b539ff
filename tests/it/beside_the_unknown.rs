//! What one known value hides: others that nobody knows, stand-ins of tests, what lies in containers that go to a library; and fields that are
//! changed in place.
//!
//! ```python
//! def cancel(store, order): return store.drop_order(order)     # a test hands over a mock, and the program what a setting names
//! ```

use crate::verdicts::{ask, ask_as, folder, is_complete, is_open, names, set};

#[test]
fn a_stand_in_of_a_test_does_not_close_a_call() {
    let (_folder, reader) = folder([
        (
            "main.py",
            "import importlib\n\nfrom service import Service, cancel\n\n\ndef main(config):\n    module = \
             importlib.import_module(config[\"module\"])\n    store = getattr(module, config[\"class\"])()\n    \
             Service(store).place(1)\n    cancel(store, 1)\n",
        ),
        (
            "service.py",
            "class Service:\n    def __init__(self, store):\n        self.store = store\n\n    def place(self, order):\n        return \
             self.store.save_order(order)\n\n\ndef cancel(store, order):\n    return store.drop_order(order), store.rows\n\n\nclass \
             Own:\n    def close_own(self):\n        return 1\n\n\ndef close(own):\n    return own.close_own()\n\n\nclose(Own())\n",
        ),
        (
            "store.py",
            "class Store:\n    def __init__(self):\n        self.rows = []\n\n    def save_order(self, order):\n        return order\n\n    \
             def drop_order(self, order):\n        return order\n",
        ),
        (
            "test_service.py",
            "from unittest.mock import MagicMock\n\nfrom service import Service, cancel\n\n\ndef test_place():\n    store = \
             MagicMock()\n    Service(store).place(1)\n    cancel(store, 1)\n",
        ),
    ]);
    for method in ["Store.save_order", "Store.drop_order"] {
        let callers = ask_as(&reader, "callers", method, None);
        is_open(&callers, "unresolved-calls", "could not be resolved");
    }
    is_open(
        &ask(&reader, "readers_writers", "Store.rows", false),
        "unknown-receivers",
        "`rows`",
    );
    let own = ask_as(&reader, "callers", "Own.close_own", None);
    assert_eq!(names(&own), set(["close"]));
    is_complete(&own);
}

#[test]
fn what_lies_in_a_container_goes_into_the_library_with_it() {
    let (_folder, reader) = folder([(
        "app.py",
        "import sqlite3\n\nfrom flask import request\n\n\ndef submit():\n    body = request.get_json()\n    connection = \
         sqlite3.connect(\"x.db\")\n    connection.execute(\"INSERT INTO t (a) VALUES (?)\", (body[\"inside\"],))\n    return \
         body[\"given\"]\n",
    )]);
    is_open(
        &ask(&reader, "impact", "key:inside", false),
        "unknown-library",
        "`execute`",
    );
    is_complete(&ask(&reader, "impact", "key:given", false));
}

#[test]
fn a_key_of_another_name_reaches_what_is_made_of_it() {
    let (_folder, reader) = folder([(
        "app.py",
        "from dataclasses import dataclass\n\nfrom flask import request\nfrom marshmallow import Schema, fields, post_load\n\n\n\
         @dataclass\nclass Account:\n    spend: float\n    months: int\n\n\nclass AccountSchema(Schema):\n    spend = \
         fields.Float(data_key=\"monthlySpend\", required=True)\n    months = fields.Int(required=True)\n\n    @post_load\n    def \
         make(self, data, **kwargs):\n        return Account(**data)\n\n\ndef by_spend(account: Account):\n    return account.spend * \
         2\n\n\ndef by_months(account: Account):\n    return account.months * 2\n\n\ndef view():\n    account = \
         AccountSchema().load(request.get_json())\n    return [by_spend(account), by_months(account)]\n",
    )]);
    let impact = ask(&reader, "impact", "key:monthlySpend", false);
    let found = names(&impact);
    assert!(found.contains("by_spend") && !found.contains("by_months"), "{found:?}");
}

#[test]
fn fields_are_changed_in_place() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"bytes\"\n\t\"sync/atomic\"\n)\n\ntype pos struct{ x, y int }\n\nfunc (p *pos) reset() { *p = \
             pos{} }\nfunc (p *pos) sum() int { return p.x + p.y }\n\ntype stats struct {\n\thits atomic.Int64\n\tlog bytes.Buffer\n\tat \
             pos\n\tto pos\n\tfar *pos\n}\n\nfunc (s *stats) hit() { s.hits.Add(1) }\nfunc (s *stats) read() int64 { return s.hits.Load() \
             }\nfunc (s *stats) write(m string) { s.log.WriteString(m) }\nfunc (s *stats) clear() { s.at.reset() }\nfunc (s *stats) move() \
             { s.to.x = 1 }\nfunc (s *stats) leave() { s.far.x = 1 }\nfunc (s *stats) look() int { return s.at.sum() }\n\nfunc main() \
             {\n\ts := &stats{far: &pos{}}\n\ts.hit()\n\ts.write(\"x\")\n\ts.clear()\n\ts.move()\n\ts.leave()\n\tprintln(s.read(), \
             s.look())\n}\n",
        ),
    ]);
    let changed = |field: &str| {
        let answer = ask(&reader, "readers_writers", field, false);
        let told = answer.results.iter();
        let told = told.filter(|found| found.relation == "changes what is in it");
        let nodes = told.map(|found| answer.nodes[&found.node].name.clone());
        nodes.collect::<Vec<_>>()
    };
    assert_eq!(changed("stats.hits"), ["hit"]);
    assert_eq!(changed("stats.log"), ["write"]);
    assert_eq!(changed("stats.at"), ["clear"]);
    assert_eq!(changed("stats.to"), ["move"]);
    assert_eq!(changed("stats.far"), [""; 0]);
}

#[test]
fn what_lies_in_an_embedded_interface_of_a_library_is_called() {
    let (_folder, reader) = folder([
        ("go.mod", "module shop\n\ngo 1.22\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"io\"\n\n\t\"example.com/lib\"\n)\n\ntype conn struct{ lib.Runner }\n\ntype tcp \
             struct{}\n\nfunc (*tcp) Run() error { return nil }\n\nfunc direct() error { return conn{&tcp{}}.Run() }\n\ntype file struct{ \
             io.Closer }\n\ntype disk struct{}\n\nfunc (*disk) Close() error { return nil }\n\nfunc std() error { return \
             file{&disk{}}.Close() }\n\nfunc main() {\n\t_ = direct()\n\t_ = std()\n}\n",
        ),
    ]);
    assert_eq!(names(&ask_as(&reader, "callers", "tcp.Run", None)), set(["direct"]));
    assert_eq!(names(&ask_as(&reader, "callers", "disk.Close", None)), set(["std"]));
}
