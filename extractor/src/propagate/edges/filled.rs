//! What the manager of a class is given by keyword goes into the fields of its objects: `Order.objects.create(mail=address)`.

use ripple_schema::{EdgeKind, How, Rule};

use super::{Collector, End};
use crate::facts::ArgumentKind;
use crate::link::{Part, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::library::Subject;
use crate::propagate::object::Object;

/// Most calls between the class and the last one: `Order.objects.filter(…).exclude(…).update(…)`.
const CALL_LIMIT: u8 = 6;

impl Collector<'_, '_> {
    /// A library call that fills fields of the class which it is called through, with arguments by keyword or with the parts of one.
    pub(super) fn fill(&mut self, call: u32, subject: &Subject) {
        let Some(class) = self.class_asked(call) else { return };
        let mut given: Vec<(Symbol, PlaceIndex)> = Vec::new();
        if *subject == Subject::Keywords {
            let arguments = self.solver.call_arguments(call).iter();
            given.extend(arguments.filter_map(|argument| argument.name.zip(argument.place)));
            self.fill_from_spread(call, class);
        } else {
            for place in self.solver.subject_places(call, subject) {
                for (id, _) in self.solver.held(place) {
                    let parts = self.solver.parts.get(&id).into_iter().flatten();
                    given.extend(parts.filter_map(|(part, at)| match part {
                        Part::Text(name) => Some((*name, *at)),
                        _ => None,
                    }));
                }
            }
        }
        let function = self.solver.calls[call as usize].function;
        let site = self.call_site(call);
        for (name, from) in given {
            if let Some(field) = self.solver.declared_key(class, name) {
                self.between(from, field, How::Store, Rule::LibraryTable, site);
                self.access(EdgeKind::Writes, function, End::Place(field), Rule::LibraryTable, site);
            }
        }
    }

    /// `create(**body)` of a mapping of which nothing is known: what is in it goes into the fields of its name.
    fn fill_from_spread(&mut self, call: u32, class: TypeIndex) {
        let arguments = self.solver.call_arguments(call).iter();
        let mut spread = arguments.filter(|argument| argument.kind == ArgumentKind::SpreadKeywords);
        let is_unknown = |place: PlaceIndex| {
            let mut held = self.solver.held(place);
            !held.any(|(_, object)| matches!(object, Object::Container { .. }))
        };
        if !spread.any(|argument| argument.place.is_some_and(is_unknown)) {
            return;
        }
        let (function, site) = (self.solver.calls[call as usize].function, self.call_site(call));
        for field in self.solver.fields_of_model(class) {
            self.read_by_key(function, field, Rule::LibraryTable, site);
        }
    }

    /// A library call that gives rows of the class which it is called through: `Order.objects.values("mail")`.
    pub(super) fn pick(&mut self, call: u32) {
        let Some(class) = self.class_asked(call) else { return };
        let function = self.solver.calls[call as usize].function;
        let site = self.call_site(call);
        let result = self.solver.call_results(call).first().copied();
        let named = self.solver.call_arguments(call).iter();
        let named: Vec<Symbol> = named.filter_map(|argument| argument.text).collect();
        let is_one = named.len() == 1;
        for name in named {
            let Some(field) = self.solver.declared_key(class, name) else {
                continue;
            };
            self.access(EdgeKind::Reads, function, End::Place(field), Rule::LibraryTable, site);
            self.flow(End::Place(field), End::Key(name), How::Encode, Rule::LibraryTable, site);
            // Of several, each is read by its name.
            if let Some(result) = result.filter(|_| is_one) {
                self.between(field, result, How::Load, Rule::LibraryTable, site);
            }
        }
    }

    /// The class that is first in `Order.objects.filter(…).update(…)`.
    pub(super) fn class_asked(&self, call: u32) -> Option<TypeIndex> {
        let mut place = self.solver.calls[call as usize].receiver?;
        let class_in = |place: PlaceIndex| {
            self.solver.held(place).find_map(|(_, object)| match object {
                Object::Class(class) => Some(class),
                _ => None,
            })
        };
        for _ in 0..CALL_LIMIT {
            if let Some(class) = class_in(place) {
                return Some(class);
            }
            match self.tables.load_of.get(&place) {
                Some(load) => place = self.solver.loads[*load as usize].base,
                None => {
                    let call = self.solver.call_that_gives(call, place)?;
                    place = self.solver.calls[call as usize].receiver?;
                }
            }
        }
        None
    }
}
