//! Names that objects and classes bring: what an object gives, keeps or asks for has the name that it says.
//!
//! ```go
//! func (s scorer) Name() string { return s.name }                     // or a field, or a constant of its class
//! for _, s := range []scorer{{"caps", caps}, {"kb", size}} { out[s.Name()] = s.of(mail) }
//! ```

use super::handed_on::functions_called;
use super::{Entries, Finder, PAIR_LIMIT, PLACE_LIMIT, Source, Way};
use crate::facts::PlaceKind;
use crate::link::{PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::{Object, ObjectId};

impl Finder<'_, '_> {
    /// The texts that objects have in a member.
    pub(super) fn names_of_objects(&self, item: PlaceIndex, name: Symbol) -> Vec<Symbol> {
        let mut names = Vec::new();
        for class in self.classes(self.solver.contents(item)) {
            let name = self.field_given(class, name).unwrap_or(name);
            let made = self.made.of(class).iter();
            names.extend(made.filter_map(|made| made.texts.get(&name)));
            names.extend(self.made.text_of_class(self.solver, class, name));
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What objects of classes give that have a name: `out[cls.name] = cls(mail).give()`.
    pub(super) fn entries_of_classes(
        &self,
        item: PlaceIndex,
        name: Symbol,
        (ways, called): (&[Way], Option<u32>),
    ) -> Entries {
        let [Way::Member(method)] = ways else { return Vec::new() };
        let mut entries = Vec::new();
        for (_, object) in self.solver.held(item) {
            if let Object::Class(class) = object
                && let Some(text) = self.made.text_of_class(self.solver, class, name)
            {
                let given = self.called_on(&[class], *method, called).into_iter();
                entries.extend(given.map(|source| (text, source)));
            }
        }
        entries
    }

    /// What objects bring of which one member is a name.
    pub(super) fn entries_of_objects(
        &self,
        item: PlaceIndex,
        (name, member): (Symbol, Symbol),
        called: Option<u32>,
        depth: usize,
    ) -> Entries {
        let mut entries = Vec::new();
        for class in self.classes(self.solver.contents(item)) {
            let name = self.field_given(class, name).unwrap_or(name);
            let (kept_in, kept_called) = match self.field_called(class, member) {
                Some((field, call)) if called.is_some() => (field, Some(call)),
                _ => (self.field_given(class, member).unwrap_or(member), called),
            };
            let asked = match called {
                Some(_) => self.fields_asking(class, member),
                None => Vec::new(),
            };
            // Each object that is made says its name, and what it keeps.
            let mut texts: Vec<Symbol> = Vec::new();
            for made in self.made.of(class) {
                let kept = made.places.get(&kept_in);
                let Some(text) = made.texts.get(&name) else {
                    // Or it has its name from an item itself.
                    if let (Some(name), Some(kept), true) = (made.places.get(&name), kept, depth < PAIR_LIMIT) {
                        entries.extend(self.entries(*name, *kept, depth + 1));
                    }
                    continue;
                };
                let kept = kept.into_iter();
                let kept = kept.flat_map(|place| self.found(*place, (&[], kept_called)));
                entries.extend(kept.map(|source| (*text, source)));
                let asked = asked.iter().filter_map(|field| made.texts.get(field));
                entries.extend(asked.map(|key| (*text, Source::Key(*key))));
                texts.push(*text);
            }
            // What its class does is of that name, too, where all its objects have the same.
            texts.extend(self.made.text_of_class(self.solver, class, name));
            texts.sort_unstable();
            texts.dedup();
            if let [text] = texts.as_slice() {
                let given = self.called_on(&[class], member, called).into_iter();
                entries.extend(given.map(|source| (*text, source)));
            }
        }
        entries
    }

    /// The field of its object that a method does nothing but give: `func (s scorer) Name() string { return s.name }`.
    pub(super) fn field_given(&self, class: TypeIndex, member: Symbol) -> Option<Symbol> {
        let result = self.result_of(class, member)?;
        let places = std::iter::successors(Some(result), |place| self.same(*place));
        let mut fields = places.take(PLACE_LIMIT).filter_map(|place| self.own_field(place));
        fields.next()
    }

    /// The field of its object that a method does nothing but call, and that call.
    pub(super) fn field_called(&self, class: TypeIndex, member: Symbol) -> Option<(Symbol, u32)> {
        let result = self.first(self.result_of(class, member)?);
        let call = *self.calls.get(&result)?;
        let callee = self.first(self.solver.calls[call as usize].callee);
        Some((self.own_field(callee)?, call))
    }

    /// The fields of its object under whose texts a method asks for what comes from outside: `def of(self, mail): return mail[self.source]`.
    pub(super) fn fields_asking(&self, class: TypeIndex, member: Symbol) -> Vec<Symbol> {
        let Some(result) = self.result_of(class, member) else {
            return Vec::new();
        };
        let reads = self.reads(result).reads.into_iter();
        let asked = reads.filter(|read| read.ways.as_slice() == [Way::Value] && self.is_from_outside(read));
        asked
            .filter_map(|read| self.own_field(self.first(read.index?)))
            .collect()
    }

    /// Where the one result of a method is.
    pub(super) fn result_of(&self, class: TypeIndex, member: Symbol) -> Option<PlaceIndex> {
        let method = self.solver.program.find_member(class, member)?;
        let function = self.solver.method_at.get(&method)?;
        match self.solver.function_results(*function).as_slice() {
            [result] => Some(*result),
            _ => None,
        }
    }

    /// The member of its own object that a method reads into a place.
    pub(super) fn own_field(&self, place: PlaceIndex) -> Option<Symbol> {
        let row = self.solver.loads[*self.tables.load_of.get(&place)? as usize];
        let base = self.first(row.base);
        (self.solver.program.place_kind(base) == Some(PlaceKind::Receiver)).then_some(row.member)
    }

    /// The classes of objects, those below one of which any is meant included.
    pub(super) fn classes(&self, objects: &[ObjectId]) -> Vec<TypeIndex> {
        let mut classes = Vec::new();
        for id in objects {
            match self.solver.objects.get(*id) {
                Object::Instance(class) => classes.push(class),
                Object::AnyOf(class) => {
                    classes.push(class);
                    classes.extend(&self.solver.program.types[class.at()].subtypes);
                }
                _ => {}
            }
        }
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// The methods that a call calls on objects of some classes.
    pub(super) fn called_on(&self, classes: &[TypeIndex], method: Symbol, called: Option<u32>) -> Vec<Source> {
        let Some(call) = called else { return Vec::new() };
        let program = &self.solver.program;
        let called = functions_called(self.solver, call);
        let mut given = Vec::new();
        for class in classes {
            let member = program.find_member(*class, method);
            let own = member.and_then(|member| self.solver.method_at.get(&member));
            if let Some(function) = own.filter(|function| called.contains(function)) {
                given.extend(self.given_for(*class, call, *function));
            }
        }
        given.sort_unstable();
        given.dedup();
        given
    }
}
