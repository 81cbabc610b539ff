//! Mappings that library code makes of another one, with a part more: `context.WithValue(ctx, key, value)`.
//!
//! ```go
//! inner := context.WithValue(outer, userKey, "guest")     // what is in `outer`, and this in place of what is there under the key
//! ```

use super::Heap;
use super::contents::{Edit, Item};
use crate::propagate::library::{Effect, End, EndPart, Subject};
use crate::propagate::solve::Solver;

/// What one flow of such an entry does.
enum Layer {
    /// All that is in this argument is there.
    All(usize),
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
    let (
        End {
            subject: Subject::Argument(given),
            part,
        },
        Subject::Result,
    ) = (from, &to.subject)
    else {
        return None;
    };
    match (part, &to.part) {
        (EndPart::Same, EndPart::Same) => Some(Layer::All(*given)),
        (EndPart::Whole, EndPart::Under(key)) => Some(Layer::Under {
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
        let edits = flows.iter().filter_map(layer_of).map(|layer| match layer {
            Layer::All(given) => {
                let place = arguments.get(given)?.place?;
                match self.points_of(place) {
                    [root] if self.is_followed(*root) => Some(Edit::Add(*root)),
                    _ => None,
                }
            }
            Layer::Under { value, key } => {
                let key = solver.constant_known(arguments.get(key)?)?;
                let value = arguments.get(value)?.place;
                Some(Edit::Put(key, value.map_or(Item::Nothing, Item::Of)))
            }
        });
        edits.collect::<Option<_>>().unwrap_or_else(|| vec![Edit::Unknown])
    }
}
