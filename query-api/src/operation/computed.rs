//! Calls and uses of members that are named while the program runs, which may call a method, or read a field, without saying so.
//!
//! ```python
//! handler = getattr(self, request.method.lower(), self.missing)
//! return handler(request)        # `View.get`? The graph has a call of `View.*` that could not be resolved
//! ```
//!
//! Of an object of unknown type it has one of `*`: that tells who asks for a method of which no caller is known, or for a field that nobody is known to read.

use ripple_extractor::propagate::any_member::ANY_MODULE;
use ripple_graphdb::Net;
use ripple_graphdb::net::EdgeKinds;
use ripple_schema::{Language, NodeId, NodeKind};
use rustc_hash::FxHashSet;

use super::Room;
use super::calls::CALLS;
use super::outside::{INHERITS, MOST, class_of, with_those_above};
use super::published::{self, READS};
use super::verdict::{counted, reason, unresolved_of, used};
use crate::Error;
use crate::view::Reason;

/// What keeps the callers of these functions from being all that call them; what tests do counts where they are asked for.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32], tests: bool) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    let mut reasons = Vec::new();
    let methods = functions.iter().take(MOST).copied();
    let methods = methods.filter(|method| class_of(net, *method).is_some());
    if let Some(Unknown { name, users }) = by_part(room, methods, (CALLS, tests))? {
        let message = format!(
            "what `getattr` finds in objects of unknown type under a name that begins or ends as `{name}` does is called, or handed on, in {}",
            counted(users, "function")
        );
        reasons.push(reason("unresolved-calls", message, users));
    }
    let is_called = |function: u32| {
        net.entering(function, CALLS)
            .any(|arrow| tests || !net.is_test(arrow.node))
    };
    // What nobody calls may be a property, which is read as a field is, or be called by who is given what is read.
    let methods = functions.iter().take(MOST).copied();
    let uncalled = methods.filter(|method| class_of(net, *method).is_some() && !is_called(*method));
    if let Some(found) = find(room, uncalled.clone(), (READS, tests))? {
        reasons.push(of_members(found, READS));
    }
    if let Some(Unknown { name, users }) = of_modules(room, functions, tests)? {
        let message = format!(
            "what is found in modules that are named while the program runs is called, or handed on, in {}; that may be `{name}`",
            counted(users, "function")
        );
        reasons.push(reason("unresolved-calls", message, users));
    }
    let found = find(room, functions.iter().take(MOST).copied(), (CALLS, tests))?;
    let Some(Found { whole, name, users }) = found else {
        let found = of_unknown(room, uncalled, (CALLS, tests))?;
        let told = |Unknown { name, users }: Unknown| {
            let message = format!(
                "what `getattr` finds in objects of unknown type under a name that is put together while the program runs is called, or handed on, in {}; that may be `{name}`",
                counted(users, "function")
            );
            reason("unresolved-calls", message, users)
        };
        reasons.extend(found.map(told));
        return Ok(reasons);
    };
    let message = format!(
        "what is found in `{whole}` under a name that is put together while the program runs is called, or handed on, in {}; that may be `{name}`",
        counted(users, "function")
    );
    reasons.push(reason("unresolved-calls", message, users));
    Ok(reasons)
}

/// What is called of modules of which nobody knows the names, where nobody is seen to call one of these functions and classes:
/// `getattr(import_module(path), name)()`.
fn of_modules(room: &Room<'_>, functions: &[u32], tests: bool) -> Result<Option<Unknown>, Error> {
    let net = &room.net;
    let is_free = |node: u32| class_of(net, node).is_none() && !published::is_called(room, node);
    let mut uncalled = functions.iter().copied().filter(|node| is_free(*node));
    let Some(function) = uncalled.next() else {
        return Ok(None);
    };
    let card = net.card(function)?;
    let any = unresolved_of(net, &card.language, &format!("{ANY_MODULE}.*"));
    let (name, users) = (card.name, users_of(net, any, (CALLS, tests)));
    Ok((users > 0 && !name.starts_with('<')).then_some(Unknown { name, users }))
}

/// What keeps the readers and writers of these fields from being all.
pub(super) fn of_fields(
    room: &Room<'_>,
    nodes: impl Iterator<Item = u32>,
    (kinds, tests): (EdgeKinds, bool),
) -> Result<Option<Reason>, Error> {
    let fields = nodes.filter(|node| room.net.label(*node) == NodeKind::Field);
    let fields: Vec<u32> = fields.take(MOST).collect();
    if let Some(found) = find(room, fields.iter().copied(), (kinds, tests))? {
        return Ok(Some(of_members(found, kinds)));
    }
    let net = &room.net;
    if let Some(Unknown { name, users }) = by_part(room, fields.iter().copied(), (kinds, tests))? {
        let message = format!(
            "members of objects of unknown type are {} under names that begin or end as `{name}` does, in {}",
            used(kinds),
            counted(users, "function")
        );
        return Ok(Some(reason("unknown-receivers", message, users)));
    }
    let is_used = |field: u32| {
        net.entering(field, kinds)
            .any(|arrow| tests || !net.is_test(arrow.node))
    };
    let unused = fields.into_iter().filter(|field| !is_used(*field));
    let told = |Unknown { name, users }: Unknown| {
        let message = format!(
            "members of objects of unknown type are {} under names that are put together while the program runs, in {}; one may be `{name}`",
            used(kinds),
            counted(users, "function")
        );
        reason("unknown-receivers", message, users)
    };
    Ok(of_unknown(room, unused, (kinds, tests))?.map(told))
}

fn of_members(Found { whole, name, users }: Found, kinds: EdgeKinds) -> Reason {
    let message = format!(
        "members of `{whole}` are {} under names that are put together while the program runs, in {}; one may be `{name}`",
        used(kinds),
        counted(users, "function")
    );
    reason("unknown-receivers", message, users)
}

/// What is done by such names with objects of which nothing is known.
struct Unknown {
    /// What may be meant.
    name: String,
    /// In how many functions.
    users: u64,
}

/// How many functions use one of these nodes; tests count where they are asked for.
fn users_of(net: &Net, nodes: impl IntoIterator<Item = u32>, (kinds, tests): (EdgeKinds, bool)) -> u64 {
    let users = nodes.into_iter().flat_map(|node| net.entering(node, kinds));
    let users = users
        .map(|arrow| arrow.node)
        .filter(|user| tests || !net.is_test(*user));
    users.collect::<FxHashSet<u32>>().len() as u64
}

/// Of the first of these members: any of them may be meant.
fn of_unknown(
    room: &Room<'_>,
    mut members: impl Iterator<Item = u32>,
    (kinds, tests): (EdgeKinds, bool),
) -> Result<Option<Unknown>, Error> {
    let net = &room.net;
    let Some(member) = members.next() else { return Ok(None) };
    let card = net.card(member)?;
    let Some(any) = unresolved_of(net, &card.language, "*").filter(|_| !card.name.starts_with("__")) else {
        return Ok(None);
    };
    let (name, users) = (card.name, users_of(net, [any], (kinds, tests)));
    Ok((users > 0).then_some(Unknown { name, users }))
}

/// Of the first of these members that has a name of which a part is known there: `getattr(found, "after_" + signal)`.
fn by_part(
    room: &Room<'_>,
    members: impl Iterator<Item = u32>,
    (kinds, tests): (EdgeKinds, bool),
) -> Result<Option<Unknown>, Error> {
    let net = &room.net;
    for member in members {
        let card = net.card(member)?;
        let name = card.name.as_str();
        let parts = name
            .char_indices()
            .map(|(at, letter)| name.split_at(at + letter.len_utf8()));
        let patterns = parts.flat_map(|(begin, end)| [format!("{begin}*"), format!("*{end}")]);
        let patterns = patterns.filter(|pattern| pattern != "*");
        let known = patterns.filter_map(|pattern| unresolved_of(net, &card.language, &pattern));
        let users = users_of(net, known, (kinds, tests));
        if users > 0 {
            let name = card.name;
            return Ok(Some(Unknown { name, users }));
        }
    }
    Ok(None)
}

/// What is done by such names.
struct Found {
    /// Of which type or module, the first of them.
    whole: String,
    /// What may be meant there.
    name: String,
    /// In how many functions.
    users: u64,
}

fn find(
    room: &Room<'_>,
    members: impl Iterator<Item = u32>,
    (kinds, tests): (EdgeKinds, bool),
) -> Result<Option<Found>, Error> {
    let net = &room.net;
    let (mut users, mut first) = (FxHashSet::default(), None);
    for member in members {
        let card = net.card(member)?;
        let mut languages = Language::ALL.iter().filter(|language| language.name() == card.language);
        let Some(language) = languages
            .next()
            .filter(|_| !card.name.starts_with("__") && !card.name.starts_with('<'))
        else {
            continue;
        };
        for whole in wholes(net, member, &card.qualified_name)? {
            let id = NodeId::of(*language, NodeKind::External, &format!("?.{whole}.*"), 0);
            let uses = net.index(id).into_iter().flat_map(|node| net.entering(node, kinds));
            let before = users.len();
            users.extend(uses.map(|arrow| arrow.node).filter(|user| tests || !net.is_test(*user)));
            if users.len() > before {
                first.get_or_insert((whole, card.name.clone()));
            }
        }
    }
    let count = users.len() as u64;
    Ok(first.map(|(whole, name)| Found {
        whole,
        name,
        users: count,
    }))
}

/// The full names of the types of which objects may have a method, or of the module of a function.
fn wholes(net: &Net, member: u32, qualified_name: &str) -> Result<Vec<String>, Error> {
    let Some(owner) = class_of(net, member) else {
        let module = qualified_name.rsplit_once('.').map(|(module, _)| module.to_owned());
        return Ok(module.into_iter().collect());
    };
    let mut seen = with_those_above(net, owner);
    let mut open = vec![owner];
    while let Some(class) = open.pop() {
        let below = net.entering(class, INHERITS).map(|arrow| arrow.node);
        open.extend(below.filter(|class| seen.insert(*class)));
    }
    let mut names = Vec::new();
    for class in seen {
        names.push(net.card(class)?.qualified_name);
    }
    names.sort_unstable();
    Ok(names)
}
