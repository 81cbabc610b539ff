//! Functions that are handed on as values: who calls them there may be nobody that the index knows.
//!
//! ```python
//! @app.route("/")             # library code is given `index`, and calls it when somebody asks for the page
//! def index(): ...
//!
//! def logged(function):
//!     def inner(): ...
//!     return inner            # and whoever calls `logged` has `inner`
//! ```
//!
//! So a function is followed as any value is. Where it comes to calls that tell no more of it, into something of which nothing is known, or out of a
//! function that nobody in the index calls, the callers that were found need not be all. Nor are they where it is kept in a field, and calls by the
//! name of that field were not resolved. And where it is taken as a value, and nobody is seen to call it as one, something was not followed.

use std::collections::BTreeSet;

use ripple_graphdb::Net;
use ripple_graphdb::net::{Arrow, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, NodeKind, Rule};

use super::calls::{CALLS, CONTAINS};
use super::laid_in::laid_in;
use super::unknown::Unknown;
use super::value::FLOWS;
use super::verdict::reason;
use super::walk::{PASSES, Reach, VALUE_DOWN, Walk};
use super::{Room, outside, published, verdict};
use crate::Error;
use crate::view::Reason;

/// Most steps that one is followed.
const DEPTH: u32 = 64;

const HANDED_ON: EdgeKinds = EdgeKinds::of(&[EdgeKind::FlowsTo, EdgeKind::PassesTo, EdgeKind::Summarizes]);
const KEPT: EdgeKinds = EdgeKinds::of(&[EdgeKind::FlowsTo, EdgeKind::PacksInto]);
const WRITES: EdgeKinds = EdgeKinds::of(&[EdgeKind::Writes]);
const TAKEN: EdgeKinds = HANDED_ON.and(EdgeKinds::of(&[EdgeKind::PacksInto]));

/// What keeps the callers of these functions from being all that call them; what tests do counts where they are asked for.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32], tests: bool) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    // What tests have among themselves is handed on in tests.
    let tests = tests || functions.iter().any(|function| net.is_test(*function));
    let (mut starts, mut classes, mut methods_of) = (Vec::new(), Vec::new(), Vec::new());
    for &function in functions.iter().take(outside::MOST) {
        if net.leaving(function, HANDED_ON).next().is_some() {
            starts.push(function);
        }
        methods_of.extend(outside::class_of(net, function).filter(|_| !outside::is_hidden(net, function)));
        // Who has a class has its methods, but for those that are nobody else's. Where the index makes objects of it the calls are known.
        let Some(own) = outside::class_of(net, function) else {
            continue;
        };
        let name = net.card(function)?.name;
        let with_it = outside::with_it(net, function, own).into_iter();
        for class in with_it.filter(|class| tests || !net.is_test(*class)) {
            if net.leaving(class, HANDED_ON).next().is_none() {
                continue;
            }
            match name.as_str() {
                // Who calls the class calls this.
                "__init__" | "__new__" => starts.push(class),
                _ if !outside::is_hidden(net, function) => classes.push(class),
                _ => {}
            }
        }
    }
    let mut reasons = Vec::new();
    if !starts.is_empty() {
        let reach = walk(net).run(&starts, None);
        reasons = Unknown::of(room, reach.nodes(), tests).reasons(room, "it is handed on as a value, into")?;
        if let Some((first, count)) = given_out(room, &reach)? {
            let message = format!("it is handed on as a value, out of `{first}`, which nobody in the index calls");
            reasons.push(reason("called-from-outside", message, count));
        }
        reasons.extend(put_away(room, &reach, "it is", tests)?);
        reasons.extend(instead_of_library(room, &reach)?);
        reasons.extend(by_other_names(room, &reach)?);
    }
    let handed = Unknown::of(room, classes.iter().copied(), tests).only_libraries();
    reasons.extend(handed.reasons(room, "its class is handed on as a value, into")?);
    if !classes.is_empty() {
        let nearby = Walk { depth: 1, ..walk(net) };
        reasons.extend(put_away(room, &nearby.run(&classes, None), "its class is", tests)?);
    }
    methods_of.sort_unstable();
    methods_of.dedup();
    reasons.extend(kept_below_library(room, &methods_of)?);
    let uncalled = functions.iter().take(outside::MOST).copied();
    let uncalled: Vec<u32> = uncalled
        .filter(|function| !published::is_called(room, *function))
        .collect();
    reasons.extend(objects_below_library(room, &uncalled)?);
    reasons.extend(raised(room, &uncalled)?);
    if reasons.is_empty() {
        reasons.extend(taken(room, functions, tests)?);
    }
    if reasons.is_empty() {
        reasons.extend(decorated(room, functions)?);
    }
    Ok(reasons)
}

/// Classes of which nobody is seen to make an object, and that library code knows by a method: `@view_config(…)` on one.
fn decorated(room: &Room<'_>, functions: &[u32]) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let classes = functions.iter().take(outside::MOST);
    let classes = classes.filter(|class| net.label(**class) == NodeKind::Type && !is_made(net, **class));
    let methods = classes.flat_map(|class| net.leaving(*class, CONTAINS).map(|part| part.node));
    let (mut first, mut count) = (None, 0);
    for method in methods.filter(|part| net.label(*part) == NodeKind::Function) {
        let mut handed = net.leaving(method, PASSES);
        if let Some(handed) = handed.find(|arrow| net.rule(arrow.edge) == Rule::IntoLibrary) {
            count += 1;
            first.get_or_insert((method, handed.node));
        }
    }
    let Some((method, library)) = first else {
        return Ok(None);
    };
    let (name, library) = (net.card(method)?.name, net.card(library)?.qualified_name);
    let message = format!(
        "`{name}` of its class is handed to `{library}`, which is not in the index and may make an object to call it on"
    );
    Ok(Some(reason("called-from-outside", message, count)))
}

/// Whether somebody is seen to make objects of a class.
fn is_made(net: &Net, class: u32) -> bool {
    let methods = net.leaving(class, CONTAINS).map(|part| part.node);
    let makes = |part: &u32| {
        let name = net.card(*part).map(|card| card.name);
        name.is_ok_and(|name| outside::MAKING.contains(&name.as_str()))
    };
    let mut makers = methods.filter(makes).chain([class]);
    makers.any(|maker| net.entering(maker, CALLS).next().is_some())
}

/// Functions that are taken as values, and of which no call of a value is known.
fn taken(room: &Room<'_>, functions: &[u32], tests: bool) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let (mut first, mut count) = (None, 0);
    for &function in functions.iter().take(outside::MOST) {
        // What is told of library code tells all that it does with it, but for what it makes something of that keeps it:
        // `price = property(get, set)`, `load = partial(json.loads, object_hook=make)`.
        let takers = net.leaving(function, TAKEN).map(|arrow| arrow.node);
        // And what runs it elsewhere, when a message says so.
        let keeps = |name: &str| {
            let name = name.trim_end_matches("()");
            matches!(
                name,
                "property" | "partial" | "partialmethod" | "task" | "shared_task" | "actor"
            )
        };
        let is_kept = |taker: u32| net.card(taker).is_ok_and(|card| keeps(&card.name));
        let takers = takers.filter(|taker| net.label(*taker) != NodeKind::External || is_kept(*taker));
        let takers = takers.filter(|taker| tests || !net.is_test(*taker)).count() as u64;
        // By name is called what nobody needs to have, and of its own object a method of its class.
        let by_name = [Rule::Scope, Rule::SelfMember, Rule::SelfOverride];
        let calls = net.entering(function, CALLS).filter(|call| call.node != function);
        // What tests call it by says nothing of who has it elsewhere.
        let mut calls = calls.filter(|call| tests || !net.is_test(call.node));
        let is_known = match net.label(function) {
            NodeKind::Function => calls.any(|call| !by_name.contains(&net.rule(call.edge))),
            // Classes are taken as values by much that makes no objects: conditions, annotations, tables of types.
            NodeKind::Type => is_made(net, function),
            _ => true,
        };
        if takers > 0 && !is_known {
            count += takers;
            first.get_or_insert(net.card(function)?.name);
        }
    }
    let told = |name| {
        let message = format!("`{name}` is taken as a value, and no call of that value is known");
        reason("called-from-outside", message, count)
    };
    Ok(first.map(told))
}

fn walk(net: &Net) -> Walk<'_> {
    Walk {
        net,
        phases: VALUE_DOWN,
        backwards: false,
        ground: None,
        through_tests: false,
        test_code: true,
        depth: DEPTH,
        min_confidence: 0.0,
    }
}

/// What is put into something of which nothing is known, or of library code: `app.on_error = handler`.
fn put_away(room: &Room<'_>, reach: &Reach, what: &str, tests: bool) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let (mut first, mut count) = (None, 0);
    for node in reach.nodes().filter(|node| tests || !net.is_test(*node)) {
        for arrow in net
            .leaving(node, FLOWS)
            .filter(|arrow| arrow.how == How::Store || arrow.how.is_put() && arrow.how != How::Decode)
        {
            let is_outside = matches!(net.label(arrow.node), NodeKind::External | NodeKind::Key);
            if is_outside || net.rule(arrow.edge) == Rule::UnknownContents {
                count += 1;
                first.get_or_insert(arrow.node);
            }
        }
    }
    let Some(first) = first else { return Ok(None) };
    let name = net.card(first)?.name;
    let message = format!("{what} put into `{name}`, of which nothing more is known: who finds it there may call it");
    Ok(Some(reason("called-from-outside", message, count)))
}

/// Classes that are kept in a class below one of a library, or in a list there: `serializer_class = OrderSerializer`. The library reads that by
/// its name.
fn kept_below_library(room: &Room<'_>, classes: &[u32]) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let all = classes.iter().flat_map(|class| outside::with_those_below(net, *class));
    let kept = all.flat_map(|class| net.leaving(class, KEPT).map(|arrow| arrow.node));
    let (mut first, mut fields) = (None, BTreeSet::new());
    for field in kept.filter(|node| net.label(*node) == NodeKind::Field) {
        if let Some(owner) = outside::class_of(net, field)
            && let Some(above) = outside::library_above(room, owner)?
            && fields.insert(field)
        {
            first.get_or_insert((field, above));
        }
    }
    let Some((field, above)) = first else { return Ok(None) };
    let name = net.card(field)?.name;
    let message = format!("its class is kept as `{name}`, where {above}, which is not in the index, may find it");
    Ok(Some(reason("called-from-outside", message, fields.len() as u64)))
}

/// Methods that nobody calls of objects that lie in an object below a class of a library: `self.client = Client()`. The library may ask them.
fn objects_below_library(room: &Room<'_>, methods: &[u32]) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    for &method in methods {
        let Some(class) = outside::class_of(net, method).filter(|_| !outside::is_hidden(net, method)) else {
            continue;
        };
        for field in laid_in(room, class)?
            .into_iter()
            .filter(|place| net.label(*place) == NodeKind::Field)
        {
            if let Some(owner) = outside::class_of(net, field)
                && let Some(above) = outside::library_above(room, owner)?
            {
                let (method, field) = (net.card(method)?.name, net.card(field)?.name);
                let message = format!(
                    "objects of its class are kept as `{field}`, where {above}, which is not in the index, may find them, and call `{method}`"
                );
                return Ok(Some(reason("called-from-outside", message, 1)));
            }
        }
    }
    Ok(None)
}

/// Methods that nobody calls of exceptions: whoever catches one has it, and library code catches what it calls.
fn raised(room: &Room<'_>, methods: &[u32]) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    for &method in methods {
        let class = outside::class_of(net, method).filter(|_| !outside::is_hidden(net, method));
        if let Some(class) = class
            && is_exception(net, class)?
        {
            let name = net.card(method)?.name;
            let message = format!("objects of its class are raised: library code that catches one may call `{name}`");
            return Ok(Some(reason("called-from-outside", message, 1)));
        }
    }
    Ok(None)
}

/// Whether a class is below one of the language's own exceptions.
fn is_exception(net: &Net, class: u32) -> Result<bool, Error> {
    for class in outside::with_those_above(net, class) {
        for above in net.leaving(class, outside::INHERITS) {
            let name = net.card(above.node)?.qualified_name;
            let is_own = !name.contains('.') && (name.ends_with("Exception") || name.ends_with("Error"));
            if net.label(above.node) == NodeKind::External && is_own {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Functions that code outside of a class puts on objects of it, where library code above it may have a method of that name: `parser.error = fail`.
fn instead_of_library(room: &Room<'_>, reach: &Reach) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let (mut first, mut fields) = (None, BTreeSet::new());
    for field in reach.nodes().filter(|node| net.label(*node) == NodeKind::Field) {
        let card = net.card(field)?;
        let Some(owner) = outside::class_of(net, field).filter(|_| card.kind == "attribute") else {
            continue;
        };
        let is_own = |writer: u32| outside::class_of(net, writer) == Some(owner);
        let mut writers = net.entering(field, WRITES).map(|arrow| arrow.node).peekable();
        let is_put = writers.peek().is_some() && !writers.any(is_own);
        if is_put && let Some(above) = outside::library_above(room, owner)? {
            fields.insert(field);
            first.get_or_insert((card.name, above));
        }
    }
    let told = |(name, above)| {
        let message = format!(
            "it is kept as `{name}`, where {above}, which is not in the index, may have a method of that name, and call it"
        );
        reason("called-from-outside", message, fields.len() as u64)
    };
    Ok(first.map(told))
}

/// Calls that were not resolved, by the names of the fields that it is kept in.
fn by_other_names(room: &Room<'_>, reach: &Reach) -> Result<Vec<Reason>, Error> {
    /// Most fields that are looked at.
    const MOST: usize = 20;
    let net = &room.net;
    let fields = reach.nodes().filter(|node| net.label(*node) == NodeKind::Field);
    let mut names = BTreeSet::new();
    for field in fields.take(MOST) {
        let card = net.card(field)?;
        names.insert((card.language, card.name));
    }
    let mut reasons = Vec::new();
    for (language, name) in names {
        let (unresolved, cut) = verdict::unknown_calls(net, &language, &name);
        let mut told = |code, count: u64, what: &str| {
            if count > 0 {
                let calls = verdict::counted(count, "call");
                let message = format!("it is kept as `{name}`, and {calls} of something called so {what}");
                reasons.push(reason(code, message, count));
            }
        };
        told("unresolved-calls", unresolved, "could not be resolved");
        told(verdict::BUDGET, cut, "may call more than is followed");
    }
    Ok(reasons)
}

/// Functions that nobody in the index calls and that give out what the walk follows: the first, and how many there are.
fn given_out(room: &Room<'_>, reach: &Reach) -> Result<Option<(String, u64)>, Error> {
    let net = &room.net;
    // What lies in a container goes where that goes.
    let goes_out = |node: &u32| matches!(net.role(*node), Role::Result | Role::Element) && !net.is_test(*node);
    let results = reach.nodes().filter(goes_out);
    let owners = results.filter_map(|result| net.owner(result));
    let owners = owners.filter(|owner| net.label(*owner) == NodeKind::Function);
    // What library code calls gives out to that.
    let is_known = |arrow: Arrow| net.rule(arrow.edge) != Rule::HandedToLibrary;
    let mut open: Vec<u32> = owners
        .filter(|owner| !net.entering(*owner, CALLS).any(is_known))
        .collect();
    open.sort_unstable();
    open.dedup();
    let (mut first, mut count) = (None, 0);
    for owner in open {
        let card = net.card(owner)?;
        // What a module keeps is not given to anyone, and what special methods give is a text, a number, a part.
        // Nor does anyone get anything of what the program begins with.
        if card.kind != "initializer" && card.name != "main" && !outside::is_special(&card) {
            count += 1;
            first.get_or_insert(card.name);
        }
    }
    Ok(first.map(|first| (first, count)))
}
