//! Functions that nobody in the index calls, and fields that nobody reads, which others may import.
//!
//! ```python
//! # structlog/__init__.py
//! from structlog.processors import ExceptionPrettyPrinter     # nobody here calls its methods: whoever uses the package does
//! ```
//!
//! Only where no code but tests calls a function is this said: who has callers is needed anyway, and what one may import is much.
//! It is what a module lists in `__all__`, what the `__init__.py` of a package above imports, all that is public in a module of a package, and in one
//! beside the packages that nothing in the index imports or runs.
//! A method is handed out by its class, and by those below that. In Go it is what is exported by a package that code of other modules can import: one
//! that is neither `main` nor `internal`, of a module that has a host in its path.

use std::ops::Range;

use ripple_graphdb::Net;
use ripple_graphdb::net::{Arrow, Card, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, Language, NodeId, NodeKind};

use super::Room;
use super::calls::{CALLED, CALLS, CONTAINS, is_interface};
use super::outside::{EMBEDS, HELD, IMPLEMENTS, MOST, class_of, is_of_main, library_above, with_those_below};
use super::texts::exported;
use super::verdict::reason;
use crate::Error;
use crate::view::Reason;

const IMPORTS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Imports]);
pub(super) const READS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Reads]);

/// The file that a package of Python begins with.
const PACKAGE_FILE: &str = "__init__.py";

/// What keeps "nobody calls these functions" from being all that is to be said of them.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Option<Reason>, Error> {
    let (mut first, mut count) = (None, 0);
    for &function in functions.iter().take(MOST) {
        if matches!(room.net.label(function), NodeKind::Function | NodeKind::Type)
            && !is_called(room, function)
            && let Some(by) = published_by(room, function)?
        {
            count += 1;
            let who = if room.net.entering(function, CALLED).next().is_some() {
                "no code but tests"
            } else {
                "nothing in the index"
            };
            first.get_or_insert((who, name_among(&room.net, function, functions)?, by));
        }
    }
    let told = |(who, name, by): (&str, String, String)| {
        let message = format!("{who} calls `{name}`, and {by} hands it out: code elsewhere may import it");
        reason("called-from-outside", message, count)
    };
    Ok(first.map(told))
}

/// What one of several is called: its full name, where another has the same.
fn name_among(net: &Net, one: u32, all: &[u32]) -> Result<String, Error> {
    let card = net.card(one)?;
    let mut others = all.iter().filter(|other| **other != one);
    let is_another = others.any(|other| net.card(*other).is_ok_and(|other| other.name == card.name));
    Ok(if is_another { card.qualified_name } else { card.name })
}

/// What keeps "nobody reads these fields and globals" from being all that is to be said of them.
pub(super) fn of_values(room: &Room<'_>, values: impl Iterator<Item = u32>) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    let (mut first, mut count) = (None, 0);
    let is_kept = |value: &u32| net.label(*value) == NodeKind::Field || net.role(*value) == Role::Global;
    for value in values.filter(is_kept).take(MOST) {
        let mut readers = net.entering(value, READS);
        if readers.any(|arrow| !net.is_test(arrow.node)) {
            continue;
        }
        let card = net.card(value)?;
        // `__name` is nobody else's.
        let is_own = card.name.starts_with("__") && !card.name.ends_with("__");
        let above = match class_of(net, value).filter(|_| !is_own) {
            Some(class) => library_above(room, class)?.map(|above| format!("{above} stands above its class")),
            None => None,
        };
        let by = match above {
            Some(above) => Some(above),
            None => handed_out_by(room, value, &card)?.map(|by| format!("{by} hands it out")),
        };
        if let Some(by) = by {
            count += 1;
            first.get_or_insert((card.name, by));
        }
    }
    let told = |(name, by): (String, String)| {
        let message = format!("nothing in the index reads `{name}`, and {by}: code elsewhere may read it");
        reason("read-from-outside", message, count)
    };
    Ok(first.map(told))
}

/// Whether code other than tests calls it.
pub(super) fn is_called(room: &Room<'_>, function: u32) -> bool {
    let mut callers = room.net.entering(function, CALLED);
    callers.any(|arrow| !room.net.is_test(arrow.node) && arrow.node != function)
}

/// What hands a function, or the class that it is a method of, out to whoever imports its package.
fn published_by(room: &Room<'_>, function: u32) -> Result<Option<String>, Error> {
    let card = room.net.card(function)?;
    match card.kind.as_str() {
        "function" | "method" | "class" => handed_out_by(room, function, &card),
        _ => Ok(None),
    }
}

/// What hands something at file level, or the class that it is a member of, out.
fn handed_out_by(room: &Room<'_>, node: u32, card: &Card) -> Result<Option<String>, Error> {
    let net = &room.net;
    let is_open = |node: u32| is_open(net, node);
    if card.language == Language::Go.name()
        && let Some(interface) = by_interface(room, node, card)?
    {
        return Ok(Some(format!("interface `{interface}`")));
    }
    if !is_open(node) {
        return Ok(None);
    }
    if card.language == Language::Go.name() {
        let owner = class_of(net, node);
        let is_given = |owner: u32| is_open(owner) || is_given_out(room, owner);
        if !owner.is_none_or(is_given) || is_of_main(room, &card.file)? {
            return Ok(None);
        }
        let mut package = card.qualified_name.strip_suffix(&format!(".{}", card.name));
        if let Some(owner) = owner {
            let name = net.card(owner)?.name;
            package = package.and_then(|package| package.strip_suffix(&format!(".{name}")));
        }
        let package = package.filter(|package| is_importable_in_go(package));
        return Ok(package.map(|package| format!("package `{package}`")));
    }
    let Some(class) = class_of(net, node) else {
        return handed_out(room, &card.file, &card.name);
    };
    for class in with_those_below(net, class).into_iter().filter(|class| is_open(*class)) {
        let card = net.card(class)?;
        if let Some(by) = handed_out(room, &card.file, &card.name)? {
            return Ok(Some(by));
        }
    }
    // A class that others cannot name: what they can name may give its objects.
    for giver in open_givers(net, class) {
        let card = net.card(class_of(net, giver).unwrap_or(giver))?;
        if let Some(by) = handed_out(room, &card.file, &card.name)? {
            return Ok(Some(by));
        }
    }
    Ok(None)
}

/// Whether what others can import gives them objects of a type that they cannot name: the result of a function, a field or a variable.
fn is_given_out(room: &Room<'_>, owner: u32) -> bool {
    let net = &room.net;
    // Who embeds it has its members as its own.
    let mut embedding = net.entering(owner, EMBEDS).map(|arrow| arrow.node);
    embedding.any(|node| is_open(net, node)) || open_givers(net, owner).next().is_some()
}

/// Whether others can name it.
fn is_open(net: &Net, node: u32) -> bool {
    net.is_exported(node) && !net.is_test(node)
}

/// What others can name that gives them objects of a type: functions, globals, fields.
fn open_givers(net: &Net, owner: u32) -> impl Iterator<Item = u32> {
    let places = net.entering(owner, HELD).map(|arrow| arrow.node);
    let givers = places.filter_map(|place| match net.role(place) {
        Role::Result => net.owner(place),
        Role::Global => Some(place),
        _ => (net.label(place) == NodeKind::Field).then_some(place),
    });
    givers.filter(|giver| is_open(net, *giver) && class_of(net, *giver).is_none_or(|class| is_open(net, class)))
}

/// What keeps the readers of what a structure of Go embeds from being all: a method of it that is called through the structure reads it, and by way
/// of an interface nobody sees that.
pub(super) fn of_promoted(room: &Room<'_>, fields: impl Iterator<Item = u32>) -> Result<Option<Reason>, Error> {
    let net = &room.net;
    for field in fields.filter(|field| net.label(*field) == NodeKind::Field) {
        let card = net.card(field)?;
        let mut readers = net.entering(field, READS);
        let Some(owner) = class_of(net, field).filter(|_| card.language == Language::Go.name()) else {
            continue;
        };
        if readers.any(|arrow| !net.is_test(arrow.node)) {
            continue;
        }
        for embedded in net.leaving(owner, EMBEDS) {
            // Only by way of an interface is it not seen who calls a method.
            let has_methods = || {
                let mut parts = net.leaving(embedded.node, CONTAINS);
                parts.any(|part| net.label(part.node) == NodeKind::Function)
            };
            let is_called_unseen = net.label(embedded.node) == NodeKind::External
                || is_interface(net, embedded.node)
                || has_methods() && net.leaving(owner, IMPLEMENTS).next().is_some();
            if is_called_unseen && net.card(embedded.node)?.name == card.name {
                let message = format!(
                    "methods of `{0}` are called through `{1}`, which embeds it: where that is an interface's method, who does so is not seen",
                    card.name,
                    net.card(owner)?.name
                );
                return Ok(Some(reason("unknown-receivers", message, 1)));
            }
        }
    }
    Ok(None)
}

/// The interface that others can import, and that a method stands in for: its type need not be exported for who is given one.
fn by_interface(room: &Room<'_>, method: u32, card: &Card) -> Result<Option<String>, Error> {
    let net = &room.net;
    let Some(owner) = class_of(net, method).filter(|_| net.label(method) == NodeKind::Function) else {
        return Ok(None);
    };
    for interface in net.leaving(owner, IMPLEMENTS).map(|arrow| arrow.node) {
        if !net.is_exported(interface) || net.is_test(interface) {
            continue;
        }
        let of = net.card(interface)?;
        let package = of.qualified_name.strip_suffix(&format!(".{}", of.name));
        let mut methods = net.leaving(interface, CONTAINS).map(|part| part.node);
        let has_it = methods.any(|own| net.card(own).is_ok_and(|own| own.name == card.name));
        if has_it && package.is_some_and(is_importable_in_go) && !is_of_main(room, &of.file)? {
            return Ok(Some(of.qualified_name));
        }
    }
    Ok(None)
}

/// Whether code of other modules can import a package.
///
/// <https://go.dev/ref/mod#module-path>, <https://go.dev/doc/go1.4#internalpackages>
fn is_importable_in_go(package: &str) -> bool {
    let mut parts = package.split('/');
    let has_host = parts.clone().next().is_some_and(|host| host.contains('.'));
    has_host && parts.all(|part| part != "internal")
}

/// What hands a name of a module of Python out.
fn handed_out(room: &Room<'_>, path: &str, name: &str) -> Result<Option<String>, Error> {
    let source = room.reader.source(path)?.unwrap_or_default();
    if says(&source, exported(&source), name) {
        return Ok(Some(format!("`{path}`")));
    }
    let mut folder = path;
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        let package = match folder.is_empty() {
            true => PACKAGE_FILE.to_owned(),
            false => format!("{folder}/{PACKAGE_FILE}"),
        };
        if !is_there(room, &package) {
            break;
        }
        let source = room.reader.source(&package)?.unwrap_or_default();
        let named = exported(&source).chain(imported(&source));
        if package != path && says(&source, named, name) {
            return Ok(Some(format!("`{package}`")));
        }
    }
    let (folder, module) = path.rsplit_once('/').unwrap_or(("", path));
    // What begins with a line is for its own package alone; `__main__` is run, and not imported.
    let is_open =
        (module == PACKAGE_FILE || !module.starts_with('_')) && !folder.split('/').any(|part| part.starts_with('_'));
    let is_package = !folder.is_empty() && is_there(room, &format!("{folder}/{PACKAGE_FILE}"));
    let is_handed_out = is_open && (is_package || is_left_to_others(room, path, &source)?);
    Ok(is_handed_out.then(|| format!("module `{path}`")))
}

/// Whether a module stands beside the packages of a program, nothing in the index imports it, and it does not run by itself: what begins with it is
/// somewhere else, as of migrations, of plug-ins, and of what a server is pointed at.
fn is_left_to_others(room: &Room<'_>, path: &str, source: &str) -> Result<bool, Error> {
    if source.contains("__main__") || !is_left_alone(&room.net, path) {
        return Ok(false);
    }
    let files = room.reader.files()?;
    Ok(files
        .iter()
        .any(|file| file.path.rsplit('/').next() == Some(PACKAGE_FILE)))
}

/// Whether nothing in the index imports a module of Python, and it calls nothing of its own as it is read.
pub(super) fn is_left_alone(net: &Net, path: &str) -> bool {
    let file = net.index(NodeId::of(Language::Python, NodeKind::File, path, 0));
    let Some((file, package)) = file.and_then(|file| Some((file, net.owner(file)?))) else {
        return false;
    };
    let mut importers = net.entering(package, IMPORTS);
    let is_imported = importers.any(|importer| importer.node != file && !net.is_test(importer.node));
    // A script begins with a call of what it has.
    let bodies = net.leaving(file, CONTAINS).filter(|part| {
        let card = net.card(part.node);
        card.is_ok_and(|card| card.kind == "initializer")
    });
    let mut calls = bodies.flat_map(|body| net.leaving(body.node, CALLS));
    let begins = |call: Arrow| net.label(call.node) == NodeKind::Function && call.how == How::Direct;
    !is_imported && !calls.any(begins)
}

/// Whether the index has a file, be there anything in it or not.
fn is_there(room: &Room<'_>, path: &str) -> bool {
    room.net
        .index(NodeId::of(Language::Python, NodeKind::File, path, 0))
        .is_some()
}

/// Where a module of Python imports from others.
fn imported(source: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let lines = source.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    });
    let imports = lines.filter(|(_, line)| line.trim_start().starts_with("from "));
    imports.map(|(at, line)| {
        let close = if line.contains('(') { ')' } else { '\n' };
        at..source[at..].find(close).map_or(source.len(), |end| at + end)
    })
}

/// Whether the name stands in one of these parts of a source, as a word.
fn says(source: &str, parts: impl Iterator<Item = Range<usize>>, name: &str) -> bool {
    let mut words =
        parts.flat_map(|part| source[part].split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_other_modules_are_imported() {
        assert!(
            ["github.com/shop/queue", "gopkg.in/yaml.v3", "example.com/queue/v2"]
                .into_iter()
                .all(is_importable_in_go)
        );
        assert!(
            !["shop/queue", "queue", "example.com/queue/internal/disk"]
                .into_iter()
                .any(is_importable_in_go)
        );
    }

    #[test]
    fn a_package_hands_out_what_it_imports() {
        let source = "\"\"\"Talks of run.\"\"\"\nfrom .a import (\n    fetch,\n    Client as Session,\n)\nfrom .b import send\nrun = 1\n";
        let hands_out = |name: &str| says(source, imported(source), name);
        assert!(["fetch", "Client", "Session", "send"].into_iter().all(hands_out));
        assert!(!hands_out("run") && !hands_out("fetc"));
        assert!(says(
            "__all__ = ['open']\nclose",
            exported("__all__ = ['open']\nclose"),
            "open"
        ));
    }
}
