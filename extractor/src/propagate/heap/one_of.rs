//! Keys of which there may be several: each of the objects that a method is called on has its own.
//!
//! ```python
//! class Feature:
//!     def __init__(self, field): self.field = field
//!     def take(self, event): return event[self.field]
//! class Vector:
//!     def __init__(self, *features): self.features = features
//!     def of(self, event): return [feature.take(event) for feature in self.features]   # under what each of `self.features` keeps
//! Vector(Feature("mail"), Feature("city")).of(event)                                   # the parts `["mail"]` and `["city"]`, and no other
//! ```
//!
//! A caller that knows all of them means each of these parts. One that finds the objects in what it is given itself leaves it to its callers.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::keys::Field;
use super::{Heap, RootId, RootKind, Roots, Site};
use crate::link::{Part, Step};

/// Most keys, and most objects that keep one, of which each is told by itself.
const LIMIT: usize = 16;

/// Keys that may be meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Keys {
    /// Those that are known.
    constants: SmallVec<[Part; 2]>,
    /// Objects that a caller knows, with the field that holds the key.
    open: SmallVec<[(RootId, Field); 1]>,
}

/// All sets of keys, by number.
#[derive(Debug, Default)]
pub(super) struct KeySets {
    sets: Vec<Keys>,
    numbers: FxHashMap<Keys, u32>,
}

impl Heap {
    /// The keys that a step of a callee's goes by, if objects keep them.
    fn keys_of(&self, step: Step) -> Option<Keys> {
        match step {
            Step::Part(Part::Under(key)) => {
                let (parameter, field) = self.kept_keys.field(key)?;
                let root = self.made.get(&parameter)?;
                Some(Keys {
                    constants: SmallVec::new(),
                    open: SmallVec::from_slice(&[(*root, field)]),
                })
            }
            Step::Part(Part::OneOf(number)) => self.key_sets.sets.get(number as usize).cloned(),
            _ => None,
        }
    }

    /// What a caller calls a step of its callee's that goes by keys which objects keep; none for another.
    pub(super) fn our_kept_step(&self, site: &Site, step: Step) -> Option<Step> {
        let keys = self.keys_of(step)?;
        let ours = self.our_keys(site, &keys);
        let part = ours.and_then(|ours| self.part_under_keys(&ours));
        Some(Step::Part(part.unwrap_or(Part::Any)))
    }

    /// Makes room for what [`Heap::our_kept_step`] gives. Whether that is known by now: where no object is found yet, one may be later.
    pub(super) fn note_kept_step(&mut self, site: &Site, step: Step) -> bool {
        let Some(keys) = self.keys_of(step) else { return true };
        for (root, _) in &keys.open {
            self.open_way(site, *root);
        }
        let is_found = |root: RootId| self.keepers(site, root).is_none_or(|given| !given.is_empty());
        if self.waits && !keys.open.iter().all(|(root, _)| is_found(*root)) {
            self.has_waited = true;
            return false;
        }
        if let Some(ours) = self.our_keys(site, &keys)
            && self.part_under_keys(&ours).is_none()
        {
            let number = self.key_sets.sets.len() as u32;
            self.key_sets.sets.push(ours.clone());
            self.key_sets.numbers.insert(ours, number);
        }
        true
    }

    /// The objects of ours that a callee finds keys in; none where nothing is known of them.
    fn keepers(&self, site: &Site, root: RootId) -> Option<Roots> {
        match self.get(root).kind {
            RootKind::Parameter(parameter) => Some(self.given_as(site, parameter)),
            _ => self.found_by(site, root),
        }
    }

    /// The steps that one step may stand for.
    pub(super) fn meant_by(&self, step: Step) -> SmallVec<[Step; 1]> {
        match self.keys_known(step) {
            Some(known) => known.iter().map(|part| Step::Part(*part)).collect(),
            None => SmallVec::from_slice(&[step]),
        }
    }

    /// The constants that one step may stand for, where these are all.
    fn keys_known(&self, step: Step) -> Option<&[Part]> {
        let Step::Part(Part::OneOf(number)) = step else {
            return None;
        };
        let keys = self.key_sets.sets.get(number as usize)?;
        keys.open.is_empty().then_some(&keys.constants)
    }

    /// What is under keys of a callee's is, to its caller, under these; none where it may be under any.
    fn our_keys(&self, site: &Site, keys: &Keys) -> Option<Keys> {
        let mut ours = Keys {
            constants: keys.constants.clone(),
            open: SmallVec::new(),
        };
        for (root, field) in keys.open.iter().copied() {
            let given = self.keepers(site, root)?;
            if given.is_empty() {
                return None;
            }
            for root in given {
                match self.get(root).kind {
                    RootKind::Nothing => {}
                    RootKind::Made(place) if !self.kept_keys.may_read(place, field) => {}
                    RootKind::Made(place) => ours.constants.push(self.kept_keys.constant(place, field)?),
                    RootKind::Parameter(_) | RootKind::Inside(_) if !self.is_lost(root) && !self.is_shared(root) => {
                        ours.open.push((root, field));
                    }
                    _ => return None,
                }
            }
        }
        ours.constants.sort_unstable();
        ours.constants.dedup();
        ours.open.sort_unstable();
        ours.open.dedup();
        (ours.constants.len() + ours.open.len() <= LIMIT).then_some(ours)
    }

    /// The part under these keys; none where their set has no number yet.
    fn part_under_keys(&self, keys: &Keys) -> Option<Part> {
        match (keys.constants.as_slice(), keys.open.as_slice()) {
            // The method that reads the key is called on none of the objects that are handed over.
            ([], []) => Some(self.no_part()),
            ([part], []) => Some(*part),
            ([], [(root, field)]) if let Some(key) = self.key_of_parameter(*root, *field) => Some(Part::Under(key)),
            _ => self.key_sets.numbers.get(keys).map(|number| Part::OneOf(*number)),
        }
    }
}
