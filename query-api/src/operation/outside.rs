//! Who may call a function without a call that the index could hold.
//!
//! ```python
//! class Links(HTMLParser):                    # the parser is library code,
//!     def handle_starttag(self, tag, attributes): ...   # and calls this by itself
//! ```
//!
//! Nobody in the index calls `handle_starttag`, and yet it is not safe to delete. The same is true of special methods, which the language calls where
//! operators, containers and conversions ask for them, of what an interface from outside asks for, of tests, of what stands in for a method that is called
//! where objects of its class are made elsewhere, and of objects that library code was given.

use std::sync::LazyLock;

use ripple_extractor::propagate::signatures::Signatures;
use ripple_graphdb::Net;
use ripple_graphdb::net::{Card, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, Language, NodeKind, Rule};
use rustc_hash::FxHashSet;

use super::Room;
use super::calls::{CALLS, CONTAINS};
use super::laid_in::laid_in;
use super::value::FLOWS;
use super::verdict::reason;
use super::walk::PASSES;
use crate::Error;
use crate::view::Reason;

/// Most functions of one question that are looked at.
pub(super) const MOST: usize = 50;

pub(super) const INHERITS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Inherits]);
const OVERRIDES: EdgeKinds = EdgeKinds::of(&[EdgeKind::Overrides]);
pub(super) const IMPLEMENTS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Implements]);
pub(super) const EMBEDS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Embeds]);
pub(super) const HELD: EdgeKinds = EdgeKinds::of(&[EdgeKind::HasType]);
const PACKS: EdgeKinds = EdgeKinds::of(&[EdgeKind::PacksInto]);
const GIVEN: EdgeKinds = EdgeKinds::of(&[
    EdgeKind::FlowsTo,
    EdgeKind::PassesTo,
    EdgeKind::PacksInto,
    EdgeKind::UnpacksTo,
]);

/// How deep an object may lie in what is handed over: containers in containers, fields of objects in fields.
const HOLDERS: usize = 3;

/// Bases of library code that call nothing of what is written below them but special methods.
const QUIET: &[&str] = &[
    "abc.ABC",
    "enum.Enum",
    "enum.Flag",
    "enum.IntEnum",
    "enum.IntFlag",
    "enum.StrEnum",
    "typing.Generic",
    "typing.NamedTuple",
    "typing.Protocol",
    "typing.TypedDict",
];

/// Modules of Python's library whose functions work on texts, numbers and times, and call nothing of what they are given but special methods.
const PLAIN: &[&str] = &[
    "ast",
    "base64",
    "collections",
    "datetime",
    "decimal",
    "fractions",
    "hashlib",
    "logging",
    "math",
    "os",
    "random",
    "re",
    "string",
    "struct",
    "time",
    "typing",
    "typing_extensions",
    "uuid",
];

/// Methods that keep what they are given, or write it down, whoever has them: what they ask it for are special methods.
const KEEPING: &[&str] = &[
    "append",
    "appendleft",
    "count",
    "critical",
    "debug",
    "discard",
    "error",
    "exception",
    "extend",
    "format",
    "get",
    "index",
    "info",
    "insert",
    "join",
    "pop",
    "push",
    "put",
    "put_nowait",
    "remove",
    "setdefault",
    "update",
    "warning",
];

/// Special methods that are called where an object is made: those calls are in the index.
pub(super) const MAKING: &[&str] = &["__init__", "__new__", "__post_init__"];

/// Methods that interfaces of Go's library ask for, and encoders of other formats in wide use.
const ASKED_FOR: &[&str] = &[
    "As",
    "Close",
    "Error",
    "Format",
    "GobDecode",
    "GobEncode",
    "GoString",
    "Is",
    "IsZero",
    "Len",
    "Less",
    "LogValue",
    "MarshalBinary",
    "MarshalJSON",
    "MarshalText",
    "MarshalXML",
    "MarshalXMLAttr",
    "MarshalYAML",
    "Pop",
    "Push",
    "Read",
    "ReadFrom",
    "RoundTrip",
    "Scan",
    "Seek",
    "ServeHTTP",
    "Set",
    "String",
    "Swap",
    "Temporary",
    "Timeout",
    "UnmarshalBinary",
    "UnmarshalJSON",
    "UnmarshalText",
    "UnmarshalXML",
    "UnmarshalXMLAttr",
    "UnmarshalYAML",
    "Unwrap",
    "Value",
    "Write",
    "WriteTo",
];

/// Go's own library: which of its types are interfaces.
static STANDARD: LazyLock<Signatures> = LazyLock::new(|| Signatures::read(ripple_extractor::go::STANDARD));

/// What keeps the callers of these functions from being all that call them.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    let (mut special, mut below, mut tests) = (Named::default(), Named::default(), Named::default());
    let (mut instead, mut handed, mut passed) = (Named::default(), Named::default(), Named::default());
    let (mut hooks, mut begins, mut linked) = (Named::default(), Named::default(), Named::default());
    for &function in functions.iter().take(MOST) {
        if net.label(function) != NodeKind::Function {
            continue;
        }
        let card = net.card(function)?;
        let of_members = matches!(card.name.as_str(), "__new__" | "_missing_" | "_generate_next_value_");
        if is_special(&card)
            || card.name == "keys" && is_mapping(net, function)?
            || of_members && is_enumeration(net, function)?
        {
            special.note(&card.name, None);
            continue;
        }
        if begins_program(room, &card)? {
            begins.note(&card.name, None);
            continue;
        }
        if is_linked(room, &card)? {
            linked.note(&card.name, None);
            continue;
        }
        if is_test(room, function, &card) {
            tests.note(&card.name, None);
        } else if is_of_pytest(room, function, &card)? {
            hooks.note(&card.name, None);
        }
        if let Some(above) = asked_from_outside(room, function, &card)? {
            below.note(&card.name, Some(above));
        }
        let Some(owner) = class_of(net, function) else {
            continue;
        };
        // Whatever is called is called on an object, and who has one may call what leads here.
        if let Some(above) = match called_above(net, function) {
            None => called_by_interface(net, owner, function, &card.name)?,
            above => above,
        } {
            instead.note(&card.name, Some(net.card(above)?.qualified_name));
        } else if let Some(caller) = passed_over(net, function, owner) {
            passed.note(&card.name, Some(net.card(caller)?.qualified_name));
        }
        if !is_hidden(net, function)
            && let Some(library) = handed_with(room, owner)?
        {
            handed.note(&card.name, Some(net.card(library)?.qualified_name));
        }
    }
    let mut reasons = Vec::new();
    let mut add = |named: Named, message: &dyn Fn(&Named) -> String| {
        if named.count > 0 {
            reasons.push(reason("called-from-outside", message(&named), named.count));
        }
    };
    add(special, &|named| {
        let name = &named.first;
        format!(
            "the language calls special methods such as `{name}` by itself (operators, containers, conversions), and not all of these calls are seen"
        )
    });
    add(begins, &|named| {
        format!("the language calls `{}` by itself, as a program begins", named.first)
    });
    add(linked, &|named| {
        format!(
            "`{}` is exported to the linker: code of other languages may call it",
            named.first
        )
    });
    add(below, &|named| {
        let (name, above) = (&named.first, &named.above);
        format!("{above}, which is not in the index, may call `{name}`")
    });
    add(tests, &|named| {
        format!("`{}` is a test: what runs the tests calls it", named.first)
    });
    add(hooks, &|named| {
        let name = &named.first;
        format!("pytest finds `{name}` by its name, and calls it where a test asks for it, or runs")
    });
    add(instead, &|named| {
        let (name, above) = (&named.first, &named.above);
        format!(
            "`{name}` stands in for `{above}`, and is not called where that or another is: where others have an object of its class, who calls `{name}` calls this one"
        )
    });
    add(passed, &|named| {
        let (name, caller) = (&named.first, &named.above);
        format!(
            "`{caller}` calls `{name}` of its own object; where code outside the index asks that of an object of this class, it calls this one"
        )
    });
    add(handed, &|named| {
        let (name, library) = (&named.first, &named.above);
        format!("objects of its class are handed to `{library}`, which is not in the index and may call `{name}`")
    });
    Ok(reasons)
}

/// The first function of a kind, and how many there are.
#[derive(Default)]
struct Named {
    first: String,
    above: String,
    count: u64,
}

impl Named {
    fn note(&mut self, name: &str, above: Option<String>) {
        if self.count == 0 {
            self.first = name.to_owned();
            self.above = above.unwrap_or_default();
        }
        self.count += 1;
    }
}

/// A function of [`PLAIN`].
fn is_plain(card: &Card) -> bool {
    let module = card.qualified_name.split('.').next().unwrap_or_default();
    card.language == Language::Python.name() && PLAIN.contains(&module)
}

/// Whether nobody calls a function by its name but its own class or package.
pub(super) fn is_hidden(net: &Net, function: u32) -> bool {
    net.card(function)
        .is_ok_and(|card| match card.language == Language::Go.name() {
            true => !net.is_exported(function),
            false => card.name.starts_with('_'),
        })
}

/// A method that Python calls by itself.
pub(super) fn is_special(card: &Card) -> bool {
    let name = card.name.as_str();
    let is_special = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    is_special && name != "__main__" && card.language == Language::Python.name() && !MAKING.contains(&name)
}

/// What Go calls by itself: <https://go.dev/ref/spec#Program_initialization_and_execution>
fn begins_program(room: &Room<'_>, card: &Card) -> Result<bool, Error> {
    if card.language != Language::Go.name() || card.kind != "function" {
        return Ok(false);
    }
    Ok(card.name == "init" || card.name == "main" && is_of_main(room, &card.file)?)
}

/// Whether a directive above a function of Go gives it to the linker: <https://pkg.go.dev/cmd/cgo#hdr-C_references_to_Go>,
/// <https://pkg.go.dev/cmd/compile#hdr-Compiler_Directives>
fn is_linked(room: &Room<'_>, card: &Card) -> Result<bool, Error> {
    if card.language != Language::Go.name() || card.kind != "function" {
        return Ok(false);
    }
    let source = room.reader.source(&card.file)?.unwrap_or_default();
    let lines: Vec<&str> = source.lines().take((card.line as usize).saturating_sub(1)).collect();
    let mut above = lines.iter().rev().take_while(|line| line.starts_with("//"));
    // Without a body it is the other one that is linked to.
    let has_body = source.lines().nth(lines.len()).is_some_and(|line| line.contains('{'));
    Ok(above.any(|line| {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("//export" | "//go:wasmexport"), Some(_), None) => true,
            (Some("//go:linkname"), Some(name), _) => name == card.name && has_body,
            _ => false,
        }
    }))
}

/// Whether a file of Go is of a program, and not of a package that others import.
pub(super) fn is_of_main(room: &Room<'_>, file: &str) -> Result<bool, Error> {
    let source = room.reader.source(file)?.unwrap_or_default();
    let clause = source.lines().find(|line| line.starts_with("package "));
    Ok(clause.is_some_and(|clause| clause.split_whitespace().nth(1) == Some("main")))
}

/// Whether a method is of a class that answers for parts by key: `**order` and `dict(order)` ask it for its keys.
///
/// <https://docs.python.org/3/library/stdtypes.html#dict>
fn is_mapping(net: &Net, method: u32) -> Result<bool, Error> {
    let classes = class_of(net, method).map(|class| with_those_above(net, class));
    for part in classes
        .unwrap_or_default()
        .into_iter()
        .flat_map(|class| net.leaving(class, CONTAINS))
    {
        if net.label(part.node) == NodeKind::Function && net.card(part.node)?.name == "__getitem__" {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a method is of a class whose members are objects of it, which the class of such classes makes.
fn is_enumeration(net: &Net, method: u32) -> Result<bool, Error> {
    for class in class_of(net, method)
        .map(|class| with_those_above(net, class))
        .unwrap_or_default()
    {
        for above in net.leaving(class, INHERITS) {
            if net.card(above.node)?.qualified_name.starts_with("enum.") {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn is_test(room: &Room<'_>, function: u32, card: &Card) -> bool {
    let heads = ["test", "Test", "Benchmark", "Fuzz", "Example"];
    // What `unittest` looks for in a module: <https://docs.python.org/3/library/unittest.html#load-tests-protocol>
    let is_asked = matches!(card.name.as_str(), "load_tests" | "setUpModule" | "tearDownModule");
    is_asked && card.kind == "function"
        || room.net.is_test(function) && heads.iter().any(|head| card.name.starts_with(head))
}

/// Whether a function is one that pytest looks for: a fixture, or a hook in a file that knows of pytest.
fn is_of_pytest(room: &Room<'_>, function: u32, card: &Card) -> Result<bool, Error> {
    let net = &room.net;
    let is_fixture = |library: u32| {
        let name = net.card(library).map(|card| card.qualified_name);
        name.is_ok_and(|name| name.starts_with("pytest.fixture") || name.starts_with("pytest_asyncio.fixture"))
    };
    if card.language != Language::Python.name() {
        return Ok(false);
    }
    if card.name.starts_with("pytest_") {
        let source = room.reader.source(&card.file)?.unwrap_or_default();
        let knows = ["import pytest", "from pytest", "from _pytest"]
            .iter()
            .any(|import| source.contains(import));
        return Ok(knows || card.file.ends_with("conftest.py"));
    }
    Ok(net.leaving(function, PASSES).any(|arrow| is_fixture(arrow.node)))
}

/// The type of a method.
pub(super) fn class_of(net: &Net, function: u32) -> Option<u32> {
    net.owner(function).filter(|owner| net.label(*owner) == NodeKind::Type)
}

/// A class and those of the index that stand above it.
pub(super) fn with_those_above(net: &Net, class: u32) -> FxHashSet<u32> {
    let (mut all, mut open) = (FxHashSet::from_iter([class]), vec![class]);
    while let Some(class) = open.pop() {
        let bases = net.leaving(class, INHERITS).map(|arrow| arrow.node);
        open.extend(bases.filter(|base| net.label(*base) == NodeKind::Type && all.insert(*base)));
    }
    all
}

/// A class and those of the index that stand below it.
pub(super) fn with_those_below(net: &Net, class: u32) -> Vec<u32> {
    let (mut seen, mut open, mut all) = (FxHashSet::from_iter([class]), vec![class], Vec::new());
    while let Some(class) = open.pop() {
        all.push(class);
        let below = net.entering(class, INHERITS).map(|arrow| arrow.node);
        open.extend(below.filter(|class| seen.insert(*class)));
    }
    all
}

/// Places that hold objects of a class or of one below it, its own methods left out.
fn places_of(net: &Net, class: u32) -> Vec<u32> {
    let mut places = Vec::new();
    for class in with_those_below(net, class) {
        let is_own = |place: u32| net.owner(place).and_then(|function| net.owner(function)) == Some(class);
        let held = net.entering(class, HELD);
        let held = held.filter(|arrow| net.rule(arrow.edge) != Rule::SelfMember && !is_own(arrow.node));
        places.extend(held.map(|arrow| arrow.node));
    }
    places
}

/// The method that one stands in for, if other code than tests calls that where it does not call this one; or another that stands in for it, where nobody
/// calls this one.
fn called_above(net: &Net, method: u32) -> Option<u32> {
    let is_uncalled = !is_called(net, method);
    let (mut seen, mut open) = (FxHashSet::default(), vec![method]);
    while let Some(at) = open.pop() {
        for arrow in net.leaving(at, OVERRIDES).filter(|arrow| seen.insert(arrow.node)) {
            let above = arrow.node;
            let mut others = net.entering(above, OVERRIDES).map(|other| other.node);
            if is_called_instead(net, above, method) || is_uncalled && others.any(|other| is_called(net, other)) {
                return Some(above);
            }
            open.push(above);
        }
    }
    None
}

/// Whether other code than tests calls one method, of an object that came to it, and not this one there.
fn is_called_instead(net: &Net, above: u32, method: u32) -> bool {
    let is_uncalled = !is_called(net, method);
    let mut calls = net.entering(above, CALLS).filter(|call| !net.is_test(call.node));
    calls.any(|call| {
        let is_of_object = net.rule(call.edge) == Rule::Propagated && call.node != method;
        is_uncalled || is_of_object && net.leaving(call.node, CALLS).all(|call| call.node != method)
    })
}

/// A method, those that take its place or that it takes the place of, and others that take the place of these.
pub(super) fn family(net: &Net, method: u32) -> FxHashSet<u32> {
    let (mut family, mut open) = (FxHashSet::from_iter([method]), vec![method]);
    family.extend(below(net, method));
    while let Some(method) = open.pop() {
        for arrow in net.leaving(method, OVERRIDES) {
            if family.insert(arrow.node) {
                family.extend(net.entering(arrow.node, OVERRIDES).map(|other| other.node));
                open.push(arrow.node);
            }
        }
    }
    family
}

/// A method that objects of a class have from above, and that calls what a method of it stands in for, or another that does, and not this one.
fn passed_over(net: &Net, method: u32, class: u32) -> Option<u32> {
    let family = family(net, method);
    let mut others: Vec<u32> = family.iter().copied().filter(|other| *other != method).collect();
    if others.is_empty() {
        return None;
    }
    others.sort_unstable();
    let classes = with_those_above(net, class);
    let callers = others
        .into_iter()
        .flat_map(|other| net.entering(other, CALLS))
        .map(|call| call.node);
    // `super().save()` calls the one above, whatever the object.
    let mut callers = callers.filter(|caller| !net.is_test(*caller) && !family.contains(caller));
    callers.find(|caller| {
        class_of(net, *caller).is_some_and(|class| classes.contains(&class))
            && net.leaving(*caller, CALLS).all(|call| call.node != method)
    })
}

/// The methods that take the place of one.
pub(super) fn below(net: &Net, method: u32) -> Vec<u32> {
    let (mut seen, mut open, mut all) = (FxHashSet::from_iter([method]), vec![method], Vec::new());
    while let Some(method) = open.pop() {
        for arrow in net.entering(method, OVERRIDES).filter(|arrow| seen.insert(arrow.node)) {
            all.push(arrow.node);
            open.push(arrow.node);
        }
    }
    all
}

/// The method of an interface that the type of a method has, if that, or the method of another type that has it, is called by other code than tests.
fn called_by_interface(net: &Net, owner: u32, method: u32, name: &str) -> Result<Option<u32>, Error> {
    let method_of = |class: u32| -> Result<Option<u32>, Error> {
        for part in net.leaving(class, CONTAINS) {
            if net.label(part.node) == NodeKind::Function && net.card(part.node)?.name == name {
                return Ok(Some(part.node));
            }
        }
        Ok(None)
    };
    for interface in net.leaving(owner, IMPLEMENTS) {
        let Some(asked) = method_of(interface.node)? else {
            continue;
        };
        if is_called_instead(net, asked, method) {
            return Ok(Some(asked));
        }
        for other in net.entering(interface.node, IMPLEMENTS).take(MOST) {
            if !is_called(net, method) && method_of(other.node)?.is_some_and(|other| is_called(net, other)) {
                return Ok(Some(asked));
            }
        }
    }
    Ok(None)
}

/// Whether code other than tests calls it.
fn is_called(net: &Net, function: u32) -> bool {
    net.entering(function, CALLS).any(|call| !net.is_test(call.node))
}

/// Library code that these are handed to and of which nothing is known, or a function that nobody knows.
fn handed_to(net: &Net, places: &[u32]) -> Option<u32> {
    let code = places.iter().filter(|place| !net.is_test(**place));
    let given = code.flat_map(|place| net.leaving(*place, PASSES).map(|arrow| (*place, arrow)));
    let mut open = given.filter(|(place, arrow)| match net.rule(arrow.edge) {
        // A text that names it is no code.
        Rule::IntoLibrary => arrow.how != How::Reference,
        rule if rule.is_unresolved() => {
            // What is made for it is most likely registered there; a variable may go into a set.
            let is_made = net.label(*place) == NodeKind::Type;
            let is_kept = |name: &str| KEEPING.contains(&name) || name == "add" && !is_made;
            net.label(arrow.node) == NodeKind::External && net.card(arrow.node).is_ok_and(|card| !is_kept(&card.name))
        }
        _ => false,
    });
    let found = open.find(|(_, arrow)| !net.card(arrow.node).is_ok_and(|card| is_plain(&card)));
    found.map(|(_, arrow)| arrow.node)
}

/// Library code that is handed an object of a class, what that lies in, an object that has it in a field, or a function that gives it.
fn handed_with(room: &Room<'_>, class: u32) -> Result<Option<u32>, Error> {
    let net = &room.net;
    let (mut seen, mut classes) = (FxHashSet::from_iter([class]), vec![class]);
    for _ in 0..HOLDERS {
        let mut places: Vec<u32> = classes.iter().flat_map(|class| places_of(net, *class)).collect();
        places.extend(classes.iter().flat_map(|class| with_those_below(net, *class)));
        for class in &classes {
            places.extend(laid_in(room, *class)?);
        }
        places.sort_unstable();
        places.dedup();
        let mut known: FxHashSet<u32> = places.iter().copied().collect();
        let mut wholes = places.clone();
        for _ in 0..HOLDERS {
            let into = wholes.iter().flat_map(|part| net.leaving(*part, PACKS));
            wholes = into
                .map(|arrow| arrow.node)
                .filter(|whole| known.insert(*whole))
                .collect();
            places.extend(&wholes);
        }
        // Who calls a function has what it gives.
        let globals = places.iter().filter(|place| net.role(**place) == Role::Global);
        let returned = globals
            .flat_map(|global| net.leaving(*global, FLOWS))
            .map(|arrow| arrow.node);
        let results = returned
            .chain(places.iter().copied())
            .filter(|place| net.role(*place) == Role::Result);
        let mut giving: FxHashSet<u32> = results.filter_map(|result| net.owner(result)).collect();
        giving.extend(places.iter().filter(|place| net.label(**place) == NodeKind::Function));
        places.extend(&giving);
        if let Some(library) = handed_to(net, &places) {
            return Ok(Some(library));
        }
        let fields = places.iter().filter(|place| net.label(**place) == NodeKind::Field);
        let methods = giving.iter().filter(|method| !is_hidden(net, **method));
        let owners = fields.chain(methods).filter_map(|part| class_of(net, *part));
        classes = owners.filter(|owner| seen.insert(*owner)).collect();
    }
    Ok(None)
}

/// What keeps the readers of these members from being all: an enumeration gives its members by value, by name, and one by one.
pub(super) fn of_members(room: &Room<'_>, fields: impl Iterator<Item = u32>) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    for field in fields.filter(|field| net.label(*field) == NodeKind::Field) {
        let Some(class) = class_of(net, field).filter(|_| is_enumeration(net, field).unwrap_or_default()) else {
            continue;
        };
        let is_asked = net.entering(class, CALLS).next().is_some() || net.leaving(class, GIVEN).next().is_some();
        if is_asked {
            let (field, class) = (net.card(field)?.name, net.card(class)?.name);
            let message =
                format!("`{class}` gives its members by value, by name, or one by one: that may be `{field}`");
            return Ok(Some(reason("unknown-receivers", message, 1)));
        }
    }
    Ok(None)
}

/// Whether the language calls what has such a name, and does not only look at it, as at `__slots__`.
///
/// <https://docs.python.org/3/reference/datamodel.html#special-method-names>
fn is_asked(name: &str) -> bool {
    const ASKED: &[&str] = &[
        "abs", "add", "and", "bool", "bytes", "call", "contains", "delattr", "delete", "delitem", "divmod", "enter",
        "eq", "exit", "float", "floordiv", "format", "ge", "get", "getattr", "getitem", "gt", "hash", "index", "int",
        "invert", "iter", "le", "len", "lshift", "lt", "matmul", "mod", "mul", "ne", "neg", "next", "or", "pos", "pow",
        "repr", "reversed", "rshift", "set", "setattr", "setitem", "str", "sub", "truediv", "xor",
    ];
    let word = name.trim_matches('_');
    let plain = word.strip_prefix(['r', 'i']).unwrap_or(word);
    ASKED.contains(&word) || ASKED.contains(&plain)
}

/// What keeps the readers of these fields from being all: the language asks for special methods by itself, also where they are made elsewhere.
pub(super) fn special_fields(room: &Room<'_>, fields: impl Iterator<Item = u32>) -> Result<Option<Reason>, Error> {
    for field in fields.filter(|field| room.net.label(*field) == NodeKind::Field) {
        let card = room.net.card(field)?;
        if is_special(&card) && is_asked(&card.name) && class_of(&room.net, field).is_some() {
            let message = format!(
                "the language asks for special methods such as `{}` by itself (operators, containers, conversions), and not all of that is seen",
                card.name
            );
            return Ok(Some(reason("called-from-outside", message, 1)));
        }
    }
    Ok(None)
}

/// What keeps the readers and writers of these fields from being all: library code of which nothing is known has objects of their class. A
/// template, a decoder, a mapper of rows reads and writes them by their names.
pub(super) fn of_fields(room: &Room<'_>, fields: impl Iterator<Item = u32>) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let (mut first, mut count) = (None, 0);
    for field in fields.filter(|field| net.label(*field) == NodeKind::Field).take(MOST) {
        if !net.is_exported(field) {
            continue;
        }
        // A field goes with what has it, and with what that lies in.
        let given = match (handed_to(net, &[field]), class_of(net, field)) {
            (None, Some(owner)) => match has_library_base(room, owner)? {
                // A library's own classes are handed around by name, and their objects are told where they are.
                true => handed_to(net, &places_of(net, owner)),
                false => handed_with(room, owner)?,
            },
            (given, _) => given,
        };
        if let Some(library) = given {
            count += 1;
            first.get_or_insert((field, library));
        }
    }
    let Some((field, library)) = first else { return Ok(None) };
    let (field, library) = (net.card(field)?.name, net.card(library)?.name);
    let message = format!(
        "objects that have `{field}` are handed to library code that is not known and may read or write it: `{library}`"
    );
    Ok(Some(reason("unknown-library", message, count)))
}

/// What is not in the index, stands above the type of a method, and may call it.
fn asked_from_outside(room: &Room<'_>, function: u32, card: &Card) -> Result<Option<String>, Error> {
    let net = &room.net;
    let Some(owner) = class_of(net, function) else {
        return Ok(None);
    };
    if card.language == Language::Go.name() {
        if ASKED_FOR.contains(&card.name.as_str()) {
            return Ok(Some("an interface of the library".to_owned()));
        }
        // What stands in an object for something of a library's has that one's methods, but for those that it has anew. An interface has
        // what it declares and no more, and a defined type gives nothing to what it is made of.
        let is_open = net.is_exported(function) && net.card(owner)?.kind == "struct";
        let embedded = net.leaving(owner, EMBEDS).filter(|_| is_open);
        for outside in embedded.filter(|arrow| net.label(arrow.node) == NodeKind::External) {
            let name = net.card(outside.node)?.qualified_name;
            if is_perhaps_interface(&name) {
                return Ok(Some(format!("`{name}`")));
            }
        }
        return Ok(None);
    }
    // `__name` is nobody else's.
    if card.language != Language::Python.name() || card.name.starts_with("__") {
        return Ok(None);
    }
    // Beside a class of a library, what a mixin has is that one's, too: `class OrderList(OwnerMixin, ListView)`.
    let is_test = net.is_test(owner);
    for class in with_it(net, function, owner)
        .into_iter()
        .filter(|class| is_test || !net.is_test(*class))
    {
        if let Some(above) = library_above(room, class)? {
            return Ok(Some(above));
        }
    }
    Ok(None)
}

/// A class and those below it whose objects have a method from it, the first of them.
pub(super) fn with_it(net: &Net, method: u32, class: u32) -> Vec<u32> {
    let instead: FxHashSet<u32> = below(net, method)
        .into_iter()
        .filter_map(|other| class_of(net, other))
        .collect();
    let (mut seen, mut open, mut all) = (FxHashSet::from_iter([class]), vec![class], Vec::new());
    while let Some(class) = open.pop().filter(|_| all.len() < MOST) {
        all.push(class);
        let classes = net.entering(class, INHERITS).map(|arrow| arrow.node);
        open.extend(classes.filter(|class| !instead.contains(class) && seen.insert(*class)));
    }
    all
}

/// Whether what a structure embeds, and the index has not, may be an interface: of Go's own library, whose paths have no host, that is known.
fn is_perhaps_interface(name: &str) -> bool {
    let is_of_other_module = name.split_once('/').is_some_and(|(host, _)| host.contains('.'));
    is_of_other_module || name == "error" || STANDARD.is_interface(name)
}

/// Whether a class of the index has one above it that is not in the index and may use what is written below it.
pub(super) fn has_library_base(room: &Room<'_>, class: u32) -> Result<bool, Error> {
    Ok(library_above(room, class)?.is_some())
}

/// That class.
pub(super) fn library_above(room: &Room<'_>, class: u32) -> Result<Option<String>, Error> {
    let net = &room.net;
    let mut seen = FxHashSet::default();
    let mut open = vec![class];
    while let Some(class) = open.pop() {
        for arrow in net.leaving(class, INHERITS).filter(|arrow| seen.insert(arrow.node)) {
            if net.label(arrow.node) != NodeKind::External {
                open.push(arrow.node);
                continue;
            }
            let above = net.card(arrow.node)?.qualified_name;
            // The language's own classes call special methods alone.
            if above.contains('.') && !QUIET.contains(&above.as_str()) {
                return Ok(Some(format!("`{above}`")));
            }
        }
    }
    Ok(None)
}
