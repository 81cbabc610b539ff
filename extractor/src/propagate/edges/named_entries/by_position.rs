//! Names and values that stand in two lists: what is at the position of a name has that name.
//!
//! ```python
//! for position, name in enumerate(NAMES): out[name] = row[position]
//! for position, value in enumerate(row): out[NAMES[position]] = value
//! dict(zip(NAMES, numpy.array(row)))
//! ```

use super::{Entries, Finder, Read, Way};
use crate::facts::ContainerKind;
use crate::link::{Part, PlaceIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

/// Library code that gives each part of what it is given in its place, whatever it makes of it, by the last part of its name.
const IN_PLACE: &[&str] = &[
    "abs",
    "absolute",
    "array",
    "asarray",
    "astype",
    "clip",
    "exp",
    "list",
    "log",
    "log1p",
    "map",
    "nan_to_num",
    "ravel",
    "round",
    "sqrt",
    "tanh",
    "to_numpy",
    "tolist",
    "tuple",
];

/// Most of these one after the other.
const IN_PLACE_LIMIT: usize = 4;

impl Finder<'_, '_> {
    /// What two reads bring of which one is a name.
    pub(super) fn entries_by_position(&self, key: &Read, value: &Read) -> Entries {
        let more = (&[][..], value.called);
        let at = |read: &Read| read.index.filter(|_| read.ways.as_slice() == [Way::Value]);
        let over = |read: &Read| self.gone_through(read);
        let sides = match (at(key), at(value)) {
            (Some(name_at), Some(value_at)) => self.first(name_at) == self.first(value_at),
            (Some(name_at), None) => over(value).is_some_and(|list| self.counted_over(name_at) == Some(list)),
            (None, Some(value_at)) => over(key).is_some_and(|list| self.counted_over(value_at) == Some(list)),
            (None, None) => false,
        };
        let list = |read: &Read| at(read).map(|_| read.item).or_else(|| over(read));
        match (list(key), list(value)) {
            (Some(names), Some(values)) if sides => self.entries_side_by_side(names, values, more),
            _ => Vec::new(),
        }
    }

    /// What is at the positions of the texts of a list.
    pub(super) fn entries_side_by_side(
        &self,
        names: PlaceIndex,
        values: PlaceIndex,
        more: (&[Way], Option<u32>),
    ) -> Entries {
        let solver = self.solver;
        let mut entries = Vec::new();
        let values = self.in_place(values);
        for (_, object) in solver.held(names) {
            let Object::Container { site, .. } = object else {
                continue;
            };
            for (id, _) in solver.held(values) {
                for (part, place) in solver.parts.get(&id).into_iter().flatten() {
                    if let Part::Index(index) = part
                        && let Some(name) = self.texts.get(&(site, *index))
                    {
                        entries.extend(self.found(*place, more).into_iter().map(|source| (*name, source)));
                    }
                }
            }
        }
        entries
    }

    /// Where the parts of what is in a place were put in the order that they have there.
    fn in_place(&self, place: PlaceIndex) -> PlaceIndex {
        let solver = self.solver;
        let has_parts = |place: PlaceIndex| {
            let mut held = solver.contents(place).iter();
            held.any(|id| {
                solver
                    .parts
                    .get(id)
                    .is_some_and(|parts| parts.iter().any(|(part, _)| matches!(part, Part::Index(_))))
            })
        };
        let mut at = place;
        for _ in 0..IN_PLACE_LIMIT {
            if has_parts(at) {
                return at;
            }
            let Some(call) = self.calls.get(&self.first(at)) else {
                break;
            };
            let row = &solver.calls[*call as usize];
            let name = solver.program.symbols.text(row.text);
            let name = name.rsplit('.').next().unwrap_or(name);
            let is_outside = row.targets.iter().all(|target| matches!(target, Target::External(_)));
            let of_numpy = |target: &Target| match target {
                Target::External(name) => solver.program.symbols.text(*name).starts_with("numpy."),
                _ => false,
            };
            let is_method = row.receiver.is_some() && !row.targets.iter().any(of_numpy);
            let mut given = solver.call_arguments(*call).iter().skip(usize::from(name == "map"));
            let given = match is_method {
                true => row.receiver,
                false => given.next().and_then(|given| given.place),
            };
            match given.filter(|_| is_outside && IN_PLACE.contains(&name)) {
                Some(given) => at = given,
                None => break,
            }
        }
        place
    }

    /// The list of which a loop brings one part after another.
    fn gone_through(&self, read: &Read) -> Option<PlaceIndex> {
        match read.ways.as_slice() {
            [Way::Value] if read.index.is_none() => Some(read.item),
            [Way::Part(1)] => self.enumerated(read.item),
            _ => None,
        }
    }

    /// The list of which a loop brings one position after another.
    fn counted_over(&self, position: PlaceIndex) -> Option<PlaceIndex> {
        let read = self.name_read(position)?;
        match read.ways.as_slice() {
            [Way::Key] => Some(read.item),
            [Way::Part(0)] => self.enumerated(read.item),
            _ => None,
        }
    }

    /// What `enumerate` is given, where that gives these pairs.
    fn enumerated(&self, pairs: PlaceIndex) -> Option<PlaceIndex> {
        let solver = self.solver;
        let mut given = self.containers(pairs, ContainerKind::Tuple).into_iter().map(|pair| {
            let Object::Container { site, .. } = solver.objects.get(pair) else {
                return None;
            };
            let call = *self.tuple_calls.get(&site)?;
            let is_it = match solver.calls[call as usize].targets.as_slice() {
                [Target::External(callee)] => solver.program.symbols.text(*callee) == "enumerate",
                _ => false,
            };
            // `enumerate(names, 1)` counts from elsewhere.
            let [list] = solver.call_arguments(call) else {
                return None;
            };
            let list = list.place?;
            is_it.then(|| self.first(list))
        });
        given.next().flatten().filter(|_| given.next().is_none())
    }
}
