//! Who may call a function without a call that the index could hold.
//!
//! ```python
//! class Links(HTMLParser):                    # the parser is library code,
//!     def handle_starttag(self, tag, attributes): ...   # and calls this by itself
//! ```
//!
//! Nobody in the index calls `handle_starttag`, and yet it is not safe to delete. The same is true of special methods, which the language calls where
//! operators, containers and conversions ask for them, of what an interface from outside asks for, and of tests.

use ripple_graphdb::net::{Card, EdgeKinds};
use ripple_schema::{EdgeKind, Language, NodeKind};
use rustc_hash::FxHashSet;

use super::Room;
use super::verdict::reason;
use crate::Error;
use crate::view::Reason;

/// Most functions of one question that are looked at.
const MOST: usize = 50;

const INHERITS: EdgeKinds = EdgeKinds::of(&[EdgeKind::Inherits]);

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

/// Special methods that are called where an object is made: those calls are in the index.
const MAKING: &[&str] = &["__init__", "__new__", "__post_init__"];

/// Methods that interfaces of Go's library ask for.
const ASKED_FOR: &[&str] = &[
    "As",
    "Close",
    "Error",
    "Format",
    "GoString",
    "Is",
    "Len",
    "Less",
    "MarshalJSON",
    "MarshalText",
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
    "UnmarshalJSON",
    "UnmarshalText",
    "Unwrap",
    "Value",
    "Write",
    "WriteTo",
];

/// What keeps the callers of these functions from being all that call them.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Vec<Reason>, Error> {
    let (mut special, mut below, mut tests) = (Named::default(), Named::default(), Named::default());
    for &function in functions.iter().take(MOST) {
        if room.net.label(function) != NodeKind::Function {
            continue;
        }
        let card = room.net.card(function)?;
        if is_special(&card) {
            special.note(&card.name, None);
            continue;
        }
        if is_test(room, function, &card) {
            tests.note(&card.name, None);
        }
        if let Some(above) = asked_from_outside(room, function, &card)? {
            below.note(&card.name, Some(above));
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
    add(below, &|named| {
        let (name, above) = (&named.first, &named.above);
        format!("{above}, which is not in the index, may call `{name}`")
    });
    add(tests, &|named| {
        format!("`{}` is a test: what runs the tests calls it", named.first)
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

/// A method that Python calls by itself.
fn is_special(card: &Card) -> bool {
    let name = card.name.as_str();
    let is_special = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    is_special && card.language == Language::Python.name() && !MAKING.contains(&name)
}

fn is_test(room: &Room<'_>, function: u32, card: &Card) -> bool {
    let heads = ["test", "Test", "Benchmark", "Fuzz", "Example"];
    room.net.is_test(function) && heads.iter().any(|head| card.name.starts_with(head))
}

/// What is not in the index, stands above the type of a method, and may call it.
fn asked_from_outside(room: &Room<'_>, function: u32, card: &Card) -> Result<Option<String>, Error> {
    let net = &room.net;
    let Some(owner) = net.owner(function).filter(|owner| net.label(*owner) == NodeKind::Type) else {
        return Ok(None);
    };
    if card.language == Language::Go.name() && ASKED_FOR.contains(&card.name.as_str()) {
        return Ok(Some("an interface of the library".to_owned()));
    }
    // `__name` is nobody else's.
    if card.language != Language::Python.name() || card.name.starts_with("__") {
        return Ok(None);
    }
    let mut seen = FxHashSet::default();
    let mut open = vec![owner];
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
