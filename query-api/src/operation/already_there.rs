//! Objects that a function finds, and what lies in those that it is given: whoever changes the function does not change them.
//!
//! ```python
//! def enqueue(self, order):
//!     queue = self.app.queue        # the queue is the one that it was,
//!     body = render(order)          # and what it is sent may be another text
//!     queue.send(body)
//! ```

use ripple_graphdb::Net;
use ripple_graphdb::net::{Arrow, EdgeKinds, Role};
use ripple_schema::{EdgeKind, How, NodeKind, Rule};

/// How values come to a variable.
const VALUES: EdgeKinds = EdgeKinds::of(&[
    EdgeKind::FlowsTo,
    EdgeKind::PassesTo,
    EdgeKind::ReturnsTo,
    EdgeKind::Summarizes,
    EdgeKind::UnpacksTo,
    EdgeKind::PacksInto,
]);

/// Leaves the places of functions that were there before, but for those that were asked for.
pub(super) fn forget_found(net: &Net, places: &mut Vec<u32>, seeds: &[u32]) {
    let is_of_function = |place: u32| net.label(place) == NodeKind::Variable && !seeds.contains(&place);
    places.retain(|place| match net.role(*place) {
        _ if !is_of_function(*place) => true,
        Role::Plain | Role::Value => !holds_found(net, *place),
        Role::Element => !is_given(net, *place),
        _ => true,
    });
}

/// Whether a part lies in what callers hand over, and is as they left it.
fn is_given(net: &Net, part: u32) -> bool {
    let mut ways = net.entering(part, VALUES).peekable();
    ways.peek().is_some() && ways.all(|way| net.kind(way.edge) == EdgeKind::PassesTo)
}

/// Whether a variable holds an object of the program: read from somewhere, or given by a function of the index.
fn holds_found(net: &Net, place: u32) -> bool {
    const OF_TYPE: EdgeKinds = EdgeKinds::of(&[EdgeKind::HasType]);
    const HANDED: EdgeKinds = EdgeKinds::of(&[EdgeKind::PassesTo]);
    let mut ways = net.entering(place, VALUES).filter(|way| net.how(way.edge) != How::Test);
    let is_found = |way: Arrow| match net.kind(way.edge) {
        EdgeKind::FlowsTo => matches!(
            net.how(way.edge),
            How::Load | How::Element | How::Global | How::Capture | How::Channel
        ),
        EdgeKind::ReturnsTo => net.label(way.node) == NodeKind::Variable,
        EdgeKind::Summarizes => net.rule(way.edge) == Rule::Summary,
        EdgeKind::UnpacksTo => true,
        _ => false,
    };
    let is_object = || {
        let mut types = net.leaving(place, OF_TYPE);
        let mut handed = net.leaving(place, HANDED);
        types.any(|of| net.label(of.node) == NodeKind::Type) || handed.any(|way| net.how(way.edge) == How::Receiver)
    };
    ways.next().is_some_and(|first| is_found(first) && ways.all(is_found)) && is_object()
}
