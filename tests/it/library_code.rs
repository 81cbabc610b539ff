//! Where library code stands between: what it lends, what it keeps, what it calls for what was handed to it, and what it cannot call.
//!
//! ```go
//! type guarded struct{ sync.Mutex }       // has the methods of `locker`, and none of the mutex's calls comes back to it
//! ```

use crate::verdicts::{ask, folder, is_complete, is_open, names, set};

const DIALER: &str = "package main\n\nimport (\n\t\"crypto/tls\"\n\t\"net\"\n)\n\ntype dialer interface {\n\tDial(network, addr string) (net.Conn, \
                      error)\n}\n\ntype fake struct{}\n\nfunc (fake) Dial(network, addr string) (net.Conn, error) { return nil, nil }\n\nfunc \
                      build(secure bool) dialer {\n\tif secure {\n\t\treturn &tls.Dialer{}\n\t}\n\treturn &net.Dialer{}\n}\n\nfunc direct() { \
                      build(true).Dial(\"tcp\", \"x\") }\n\nfunc later() {\n\td := build(false)\n\td.Dial(\"tcp\", \"x\")\n}\n\nfunc declared() {\n\tvar d \
                      dialer = &net.Dialer{}\n\td.Dial(\"tcp\", \"x\")\n}\n\nfunc main() {\n\tdirect()\n\tlater()\n\tdeclared()\n}\n";

#[test]
fn an_interface_is_called_where_only_library_objects_come() {
    let (_folder, reader) = folder([("a.go", DIALER)]);
    let answer = ask(&reader, "callers", "dialer.Dial", false);
    assert_eq!(names(&answer), set(["declared", "direct", "later"]));
    assert!(ask(&reader, "callers", "fake.Dial", false).results.is_empty());
}

#[test]
fn what_a_structure_embeds_of_a_library_lends_it_methods() {
    let (_folder, reader) = folder([(
        "a.go",
        "package main\n\nimport (\n\t\"sync\"\n\n\t\"example.com/bolt\"\n)\n\ntype Txn interface {\n\tSize() int64\n\tStop()\n}\n\ntype txn struct{ *bolt.Tx \
         }\n\nfunc (t *txn) Stop() {}\n\ntype other struct{ *bolt.Tx }\n\nfunc (o *other) Stop() {}\n\nfunc begin(db *bolt.DB) Txn { return \
         &txn{db.Begin()} }\n\ntype locker interface {\n\tLock()\n\tUnlock()\n}\n\ntype guarded struct {\n\tsync.Mutex\n\tn int\n}\n\nfunc (g *guarded) \
         Apply(n int) int { g.n += n; return g.n }\n\nfunc with(l locker) { l.Lock() }\n\nfunc main() {\n\tbegin(nil).Stop()\n\tg := \
         &guarded{}\n\twith(g)\n\tg.Apply(1)\n}\n",
    )]);
    assert_eq!(names(&ask(&reader, "implementations", "Txn", false)), set(["txn"]));
    assert_eq!(
        names(&ask(&reader, "implementations", "locker", false)),
        set(["guarded"])
    );
    // A mutex calls nothing of what it stands in.
    let answer = ask(&reader, "callers", "guarded.Apply", false);
    assert_eq!(names(&answer), set(["main"]));
    is_complete(&answer);
}

#[test]
fn a_class_that_a_librarys_class_keeps_is_used_by_it() {
    let (_folder, reader) = folder([(
        "app.py",
        "from rest_framework import viewsets\n\nclass Shown:\n    def to_representation(self, value):\n        return value\n\nclass Pager:\n    def \
         paginate(self, rows):\n        return rows\n\nclass Own:\n    def unused(self):\n        return 1\n\nclass View(viewsets.ModelViewSet):\n    \
         serializer_class = Shown\n    pagination_classes = [Pager]\n\nclass Plain:\n    kept = Own\n",
    )]);
    for name in ["to_representation", "paginate"] {
        let answer = ask(&reader, "callers", name, false);
        assert!(answer.results.is_empty());
        is_open(&answer, "called-from-outside", "may find it");
    }
    is_complete(&ask(&reader, "callers", "unused", false));
}

#[test]
fn attrs_calls_what_its_attributes_name() {
    let (_folder, reader) = folder([(
        "app.py",
        "import attr\n\ndef check(user, attribute, value):\n    return value\n\ndef text_of(value):\n    return str(value)\n\ndef audit(user, attribute, \
         new):\n    return new\n\ndef idle(user):\n    return user\n\n@attr.define\nclass User:\n    name: str = attr.field(converter=text_of, \
         validator=[check])\n    owner: bool = attr.field(default=False, on_setattr=audit)\n",
    )]);
    for name in ["app.check", "app.text_of", "app.audit"] {
        assert!(!ask(&reader, "callers", name, false).results.is_empty(), "{name}");
    }
    assert!(ask(&reader, "callers", "app.idle", false).results.is_empty());
}

#[test]
fn a_property_is_written_and_taken_away_by_what_it_names() {
    let (_folder, reader) = folder([(
        "app.py",
        "class Plain:\n    def _get(self):\n        return self._v\n\n    def _drop(self):\n        del self._v\n\n    v = property(_get, None, \
         _drop)\n\ndef read(self):\n    return 1\n\ndef write(self, value):\n    pass\n\nclass Other:\n    w = property(read, write)\n\ndef \
         drop_it():\n    p = Plain()\n    del p.v\n\ndef set_it():\n    o = Other()\n    o.w = 3\n\ndef get_it():\n    return Other().w\n",
    )]);
    for (name, caller) in [("_drop", "drop_it"), ("app.write", "set_it"), ("app.read", "get_it")] {
        assert_eq!(names(&ask(&reader, "callers", name, false)), set([caller]), "{name}");
    }
}

#[test]
fn keys_that_a_class_declares_are_written_by_constants_and_inside() {
    let (_folder, reader) = folder([(
        "app.py",
        "from typing import Optional, TypedDict\n\nclass Stats(TypedDict):\n    seen: int\n    right: float\n\nclass Report(TypedDict):\n    stats: \
         Stats\n    many: list[Stats]\n\ndef flat() -> Stats:\n    return {'seen': 3}\n\ndef maybe() -> Optional[Stats]:\n    return \
         dict(seen=1)\n\ndef filled() -> Stats:\n    stats: Stats = {}\n    stats['right'] = 1.0\n    stats.update({'seen': 2})\n    return \
         stats\n\ndef inside() -> Report:\n    return {'stats': {'seen': 1}, 'many': []}\n\ndef other():\n    return {'seen': 1}\n\ndef \
         deep(report: Report):\n    return report['stats']['seen']\n\ndef each(report: Report):\n    return [one['seen'] for one in report['many']]\n",
    )]);
    let answer = ask(&reader, "readers_writers", "Stats.seen", false);
    assert_eq!(
        names(&answer),
        set(["deep", "each", "filled", "flat", "inside", "maybe"])
    );
    assert_eq!(
        names(&ask(&reader, "readers_writers", "Stats.right", false)),
        set(["filled"])
    );
}
