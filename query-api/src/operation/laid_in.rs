//! What objects of a class are laid in as they are made: fields and variables that are written where the constructor is called.
//!
//! ```python
//! self.lines.append(Line(price))              # in `Order.lines`
//! rows = {"first": [Row()], "last": [Row()]}  # in `rows`
//! yield Page(rows)                            # in what the function gives
//! ```
//!
//! The graph tells the type of what a place holds, and not of what lies in it. Who gets the whole gets its parts: a template that is handed an
//! order reads the lines.

use std::collections::BTreeMap;

use ripple_graphdb::net::{Card, EdgeKinds};
use ripple_schema::{EdgeKind, How, NodeKind};
use rustc_hash::FxHashSet;

use super::Room;
use super::calls::{CALLS, CONTAINS};
use super::outside::MOST;
use crate::Error;

const WRITES: EdgeKinds = EdgeKinds::of(&[EdgeKind::Writes]);

/// Most variables of a function that are looked at.
const MOST_VARIABLES: usize = 200;

/// Whether one of these lines of a function gives what it makes to whoever goes through what the function gives.
fn yields(room: &Room<'_>, function: &Card, lines: &FxHashSet<u32>) -> Result<bool, Error> {
    let source = room.reader.source(&function.file)?.unwrap_or_default();
    let mut numbered = (1u32..).zip(source.lines());
    Ok(numbered.any(|(number, line)| lines.contains(&number) && line.trim_start().starts_with("yield ")))
}

/// Fields and variables that are written on lines where code other than tests makes objects of this class, and functions that yield them there.
pub(super) fn laid_in(room: &Room<'_>, class: u32) -> Result<Vec<u32>, Error> {
    let net = &room.net;
    let methods = net.leaving(class, CONTAINS).map(|part| part.node);
    let methods = methods.filter(|part| net.label(*part) == NodeKind::Function);
    let mut made: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for target in methods.chain([class]) {
        let calls = net.entering(target, CALLS).filter(|call| call.how == How::Constructor);
        for call in calls.filter(|call| !net.is_test(call.node)).take(MOST) {
            made.entry(call.node).or_default().push(call.edge);
        }
    }
    let mut places = Vec::new();
    for (function, calls) in made.into_iter().take(MOST) {
        let sites = net.sites(&calls)?;
        let lines: FxHashSet<u32> = sites.into_iter().map(|site| site.line).collect();
        if yields(room, &net.card(function)?, &lines)? {
            places.push(function);
        }
        let writes: Vec<_> = net.leaving(function, WRITES).collect();
        let edges: Vec<u32> = writes.iter().map(|write| write.edge).collect();
        let written = writes.iter().zip(net.sites(&edges)?);
        places.extend(
            written
                .filter(|(_, site)| lines.contains(&site.line))
                .map(|(write, _)| write.node),
        );
        let variables = net.leaving(function, CONTAINS).map(|part| part.node);
        let variables = variables.filter(|part| net.label(*part) == NodeKind::Variable);
        for variable in variables.take(MOST_VARIABLES) {
            if lines.contains(&net.card(variable)?.line) {
                places.push(variable);
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    Ok(places)
}
