//! Classes that have what a protocol asks for, without deriving from it.
//!
//! `class Drawable(Protocol): def draw(self): …` is any class with a `draw`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::Object;
use super::solve::Solver;
use crate::link::{Base, PlaceIndex, Symbol, TypeIndex};

/// Most classes that have what a protocol asks for; of more, it asks for too little to say anything.
const CLASS_LIMIT: usize = 128;

impl Solver<'_> {
    /// For each protocol the classes with all of its members.
    pub(super) fn find_protocols(&mut self) {
        let types = || (0..self.program.types.len() as u32).map(TypeIndex);
        let protocols: Vec<TypeIndex> = types().filter(|index| self.is_protocol(*index)).collect();
        if protocols.is_empty() {
            return;
        }
        let mut owners: FxHashMap<Symbol, Vec<TypeIndex>> = FxHashMap::default();
        for index in types().filter(|index| self.untyped.contains(&self.program.types[index.at()].file)) {
            for name in self.program.types[index.at()].members.keys() {
                owners.entry(*name).or_default().push(index);
            }
        }
        for protocol in protocols {
            let found = self.classes_with(&self.asked_members(protocol), &owners);
            if !found.is_empty() && found.len() <= CLASS_LIMIT {
                self.implementers.insert(protocol, found);
            }
        }
    }

    /// The classes that stand for a protocol: those of which objects are seen to come where it is declared; of a protocol for which none are
    /// seen, all that have what it asks for.
    pub(super) fn note_conforming(&mut self) {
        let protocols = self.implementers.keys().filter(|index| self.is_protocol(**index));
        let mut unseen: FxHashSet<TypeIndex> = protocols.copied().collect();
        if unseen.is_empty() {
            return;
        }
        let protocols = unseen.clone();
        let mut found = FxHashSet::default();
        for slot in &self.slots {
            let held = || slot.contents.iter().map(|object| self.objects.get(*object));
            for protocol in held() {
                let Object::AnyOf(protocol) = protocol else { continue };
                if !protocols.contains(&protocol) {
                    continue;
                }
                let seen = held().filter_map(|object| match object {
                    Object::Instance(class) if self.conforms(class, protocol) => Some((class, protocol)),
                    _ => None,
                });
                let before = found.len();
                found.extend(seen);
                if found.len() > before {
                    unseen.remove(&protocol);
                }
            }
        }
        for protocol in unseen {
            let classes = self.implementers.get(&protocol).into_iter().flatten();
            found.extend(classes.map(|class| (*class, protocol)));
        }
        self.implementations.extend(found);
        self.implementations.sort_unstable();
        self.implementations.dedup();
    }

    /// Whether a class is written as a protocol; those that derive from one are classes as any other.
    fn is_protocol(&self, index: TypeIndex) -> bool {
        self.program.types[index.at()].bases.iter().any(|base| match base {
            Base::External(name) => {
                let name = self.program.symbols.text(*name);
                name == "Protocol" || name.ends_with(".Protocol")
            }
            Base::Type(_) => false,
        })
    }

    fn asked_members(&self, protocol: TypeIndex) -> Vec<Symbol> {
        let order = &self.program.types[protocol.at()].order;
        let protocols = order.iter().filter(|base| self.is_protocol(**base));
        let mut names: Vec<Symbol> = protocols
            .flat_map(|base| self.program.types[base.at()].members.keys().copied())
            .filter(|name| !matches!(self.program.symbols.text(*name), "__slots__" | "__doc__"))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn classes_with(&self, names: &[Symbol], owners: &FxHashMap<Symbol, Vec<TypeIndex>>) -> Vec<TypeIndex> {
        let lists = names.iter().map(|name| owners.get(name).map_or(&[][..], Vec::as_slice));
        let rarest = lists.min_by_key(|list| list.len()).unwrap_or_default();
        let types = &self.program.types;
        let derived = rarest.iter().flat_map(|owner| &types[owner.at()].subtypes);
        let mut found: Vec<TypeIndex> = rarest.iter().chain(derived).copied().collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|class| {
            let has = |name: &Symbol| self.program.find_member(*class, *name).is_some();
            !self.is_protocol(*class) && names.iter().all(has)
        });
        found
    }

    /// Whether a class has what a protocol asks for.
    pub(super) fn conforms(&self, class: TypeIndex, protocol: TypeIndex) -> bool {
        self.implementers
            .get(&protocol)
            .is_some_and(|list| list.contains(&class))
    }

    /// What a member of a protocol may be in a class that has it: its own, or what it inherits from a class that is no protocol's.
    pub(super) fn conforming_member(&self, class: TypeIndex, protocol: TypeIndex, name: Symbol) -> Option<PlaceIndex> {
        let place = self.program.find_member(class, name)?;
        let owner = self.program.member_of(place)?.owner;
        (owner == class || !self.conforms(owner, protocol)).then_some(place)
    }
}
