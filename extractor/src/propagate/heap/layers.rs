//! Mappings that library code makes of others, one over the other: `context.WithValue(ctx, key, value)`, `dict(row, name=value)`.
//!
//! ```go
//! inner := context.WithValue(outer, userKey, "guest")     // what is in `outer`, and this in place of what is there under the key
//! ```

use super::Heap;
use super::contents::{Edit, Item};
use super::lay_out::container_at;
use crate::facts::{ArgumentKind, ContainerKind};
use crate::link::{Part, PlaceIndex};
use crate::propagate::library::{Effect, EndPart, Subject};
use crate::propagate::solve::Solver;

/// A call whose value is such a mapping.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layered {
    pub(super) call: u32,
    pub(super) result: PlaceIndex,
    /// A plain copy, which counts where something else is done to it.
    pub(super) is_copy: bool,
}

/// What one flow of such an entry does.
enum Layer {
    /// All that is in the receiver is there.
    Receiver,
    /// All that is in this argument is there.
    All(usize),
    /// Arguments by keyword are there, under their names.
    Keywords,
    /// This argument is there, under the key that is the other.
    Under { value: usize, key: usize },
}

/// Whether all that an entry says is what lies in its result at first, part by part.
pub(super) fn is_layer(flows: &[Effect]) -> bool {
    flows.iter().all(|effect| layer_of(effect).is_some())
}

fn layer_of(effect: &Effect) -> Option<Layer> {
    let Effect::Move { from, to, .. } = effect else {
        return None;
    };
    if to.subject != Subject::Result {
        return None;
    }
    match (&from.subject, &from.part, &to.part) {
        (Subject::Receiver, EndPart::Same, EndPart::Same) => Some(Layer::Receiver),
        (Subject::Argument(given), EndPart::Same, EndPart::Same) => Some(Layer::All(*given)),
        (Subject::Keywords, EndPart::Whole, EndPart::Same) => Some(Layer::Keywords),
        (Subject::Argument(given), EndPart::Whole, EndPart::Under(key)) => Some(Layer::Under {
            value: *given,
            key: *key,
        }),
        _ => None,
    }
}

impl Heap {
    /// What such a call puts in its result, in order; unknown where that cannot be told.
    pub(super) fn edits_of_layers(&self, solver: &Solver<'_>, call: u32, flows: &[Effect]) -> Vec<Edit> {
        let arguments = solver.call_arguments(call);
        let is_spread = |kind| !matches!(kind, ArgumentKind::Positional | ArgumentKind::Keyword(_));
        if arguments.iter().any(|argument| is_spread(argument.kind)) {
            return vec![Edit::Unknown];
        }
        let add = |place: PlaceIndex| match self.points_of(place) {
            [root] if self.is_followed(*root) => Some(vec![Edit::Add(*root)]),
            _ => None,
        };
        let by_position = arguments
            .iter()
            .filter(|argument| argument.kind == ArgumentKind::Positional);
        let by_position: Vec<_> = by_position.collect();
        let is_mapping = |place: &PlaceIndex| container_at(solver, *place) == Some(ContainerKind::Map);
        let edits = flows.iter().filter_map(layer_of).map(|layer| match layer {
            Layer::Receiver => solver.calls[call as usize].receiver.filter(is_mapping).and_then(add),
            Layer::All(given) => match by_position.get(given) {
                Some(argument) => argument.place.filter(is_mapping).and_then(add),
                None => Some(Vec::new()),
            },
            Layer::Keywords => {
                let named = arguments
                    .iter()
                    .filter_map(|argument| Some((argument.name?, argument.place)));
                let put = |(name, place): (_, Option<PlaceIndex>)| {
                    Edit::Put(Part::Text(name), place.map_or(Item::Nothing, Item::Of))
                };
                Some(named.map(put).collect())
            }
            Layer::Under { value, key } => {
                let key = solver.constant_known(arguments.get(key)?)?;
                let value = arguments.get(value)?.place;
                Some(vec![Edit::Put(key, value.map_or(Item::Nothing, Item::Of))])
            }
        });
        let edits: Option<Vec<Vec<Edit>>> = edits.collect();
        edits.map_or_else(|| vec![Edit::Unknown], |edits| edits.concat())
    }
}
