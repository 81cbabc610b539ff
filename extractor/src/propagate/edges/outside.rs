//! What library code may keep of the values that it is given, and where they may come out again.
//!
//! ```python
//! state.current = mail        # of a library: what reads `state.current` elsewhere finds it
//! fill(settings, mail)        # nobody knows whether `settings` holds the mail now: the edge's rule says so
//! register(handler)           # nobody knows when `handler` is called: so does this one's
//! ```
//!
//! What a variable of the index holds is followed by that variable. The rest is here: without it an answer would be called complete though
//! the value went on where nobody looked.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite, End, NO_CALL, ValueEdge};
use crate::builtins::is_kept_object;
use crate::facts::{ArgumentKind, ContainerKind, PlaceKind};
use crate::link::{Part, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::rows::{ElementRow, LoadRow, RowKey, StoreRow};

impl Collector<'_, '_> {
    /// Whether a call of library code of which nothing is told may put one of the things that it is given into another.
    pub(super) fn may_be_put_together(&self, call: u32) -> bool {
        let arguments = self.solver.call_arguments(call);
        let given = arguments.iter().filter(|argument| argument.place.is_some()).count();
        if let Some(receiver) = self.solver.calls[call as usize].receiver
            && (self.is_kept(receiver) || self.is_of_a_field(receiver))
            && self.takes_in(receiver, true)
        {
            return given > 0;
        }
        let is_whole = |kind| !matches!(kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        let mut whole = arguments.iter().filter(|argument| is_whole(argument.kind));
        let is_open = |place| self.is_kept(place) && self.takes_in(place, false);
        given > 1 && whole.any(|argument| argument.place.is_some_and(is_open))
    }

    /// An object that is made where it is handed over (`run(Handler())`) comes from nowhere else: its class stands for it.
    pub(super) fn hand_made(&mut self, call: u32, place: PlaceIndex, (to, how): (End, How), site: EdgeSite) {
        let is_value = matches!(self.place_kind(place), Some(PlaceKind::Value | PlaceKind::CallValue));
        if !is_value || self.tables.load_of.contains_key(&place) || self.tables.given_by.contains_key(&place) {
            return;
        }
        for (_, object) in self.solver.held(place).collect::<Vec<_>>() {
            let Object::Instance(class) = object else { continue };
            self.hand_over(End::Type(class), (to, how), site, call);
        }
    }

    /// What lies in a container that goes to library code of which nothing is known: who is handed `[handler]` may call `handler`.
    pub(super) fn hand_parts(&mut self, call: u32, place: PlaceIndex, (to, how): (End, How), site: EdgeSite) {
        /// Containers in containers.
        const DEPTH_LIMIT: u32 = 3;
        let (mut open, mut ends) = (vec![(place, 0)], FxHashSet::default());
        while let Some((place, depth)) = open.pop() {
            for (id, object) in self.solver.held(place).collect::<Vec<_>>() {
                let end = match object {
                    Object::Container { .. } if depth < DEPTH_LIMIT => {
                        let parts = self.solver.elements.get(&(id, Part::All)).copied();
                        open.extend(parts.map(|parts| (parts, depth + 1)));
                        continue;
                    }
                    Object::Function(function) | Object::Bound { function, .. } if depth > 0 => End::Function(function),
                    Object::Class(class) | Object::Instance(class) if depth > 0 => End::Type(class),
                    _ => continue,
                };
                if ends.insert(end) {
                    self.hand_over(end, (to, how), site, call);
                }
            }
        }
    }

    /// The types of what goes, and of what lies in it, where a structure or container goes to library code of which nothing is known: a template, a decoder, a mapper of
    /// rows reads and writes their fields as well. Of languages that declare them.
    pub(super) fn hand_inner(&mut self, call: u32, place: PlaceIndex, (to, how): (End, How), site: EdgeSite) {
        /// Most types that are told.
        const MOST: usize = 64;
        /// Most places that are looked at.
        const MOST_PLACES: usize = 2000;
        if self.solver.untyped.contains(&site.file) {
            return;
        }
        let solver = self.solver;
        let (mut seen, mut types) = (FxHashSet::default(), FxHashSet::default());
        let mut open = vec![place];
        while let Some(place) = open.pop().filter(|_| types.len() < MOST && seen.len() < MOST_PLACES) {
            if !seen.insert(place) {
                continue;
            }
            let mut objects = solver.contents(place).to_vec();
            while let Some(id) = objects.pop() {
                match solver.objects.get(id) {
                    Object::Instance(class) | Object::AnyOf(class) if types.insert(class) => {
                        self.hand_over(End::Type(class), (to, how), site, call);
                        open.extend(solver.program.own_fields(class));
                        objects.extend(self.names.underlying(class));
                    }
                    Object::Typed { element, .. } => objects.extend(solver.objects.list(element)),
                    Object::Container { .. } => {
                        let parts = solver.parts.get(&id).into_iter().flatten();
                        open.extend(parts.map(|(_, part)| *part));
                    }
                    Object::Address(target) => open.push(target),
                    _ => {}
                }
            }
        }
    }

    /// `env.ParseAs[Config]()`: the library makes objects of the type itself, and has them.
    pub(super) fn hand_type_arguments(&mut self, call: u32, to: End) {
        let Some(arguments) = self.solver.type_arguments.get(&call) else {
            return;
        };
        let (solver, site) = (self.solver, self.call_site(call));
        let objects = arguments
            .iter()
            .filter_map(|argument| solver.type_cache.get(&(site.file, argument.0)));
        let types: FxHashSet<TypeIndex> = objects
            .flatten()
            .filter_map(|object| match solver.objects.get(*object) {
                Object::Instance(class) | Object::AnyOf(class) => Some(class),
                _ => None,
            })
            .collect();
        for class in types {
            self.hand_over(End::Type(class), (to, How::Positional), site, call);
        }
    }

    /// A method of what library code gave, or keeps for an object (`self.object`), is the library's by its name alone: where methods of the index
    /// have that name, it may be one of them.
    pub(super) fn method_of_unknown(&mut self, call: u32, text: &str) {
        let Some((of, method)) = text.rsplit_once('.') else {
            return;
        };
        let Some(name) = self.solver.program.symbols.find(method) else {
            return;
        };
        if !self.names.is_of_a_method(name) {
            return;
        }
        let row = &self.solver.calls[call as usize];
        let is_kept = || {
            let receiver = row.receiver.filter(|_| self.solver.untyped.contains(&row.file));
            receiver.is_some_and(|receiver| self.is_answered_by_library(receiver))
        };
        let language = self.solver.program.files[row.file.at()].language;
        if of.ends_with("()") || is_kept() || is_kept_object(language, of) {
            self.call_edge(call, End::Unresolved(name), Rule::UnresolvedReceiver, How::None);
        }
    }

    /// Whether it has something to call: a function, a class, an object of a class of the index.
    pub(super) fn may_be_called(&self, place: PlaceIndex) -> bool {
        self.solver.held(place).any(|(_, object)| match object {
            Object::Function(_)
            | Object::Bound { .. }
            | Object::Partial(_)
            | Object::Class(_)
            | Object::Instance(_)
            | Object::AnyOf(_) => true,
            // Who has its address has it.
            Object::Address(target) => {
                let mut pointed = self.solver.held(target);
                pointed.any(|(_, object)| matches!(object, Object::Instance(_)))
            }
            _ => false,
        })
    }

    /// What is put in an attribute of something of a library's.
    pub(super) fn attribute_outside(&mut self, row: &StoreRow, from: PlaceIndex, site: EdgeSite) {
        // What a variable of a file holds is found there, whatever function asks it.
        let is_outside = |(_, object)| matches!(object, Object::External(_));
        if let Some(globals) = self.tables.globals_used.get(&row.base)
            && self.solver.held(row.base).any(is_outside)
        {
            for global in globals {
                self.between(from, *global, How::Store, Rule::UnknownContents, site);
            }
        }
        for name in self.attributes(row.base, row.member) {
            self.flow(
                End::Place(from),
                End::External(name),
                How::Store,
                Rule::Propagated,
                site,
            );
        }
    }

    /// What the index has put in an attribute of something of a library's comes out where that is read.
    pub(super) fn read_outside(&mut self, row: &LoadRow, site: EdgeSite) {
        for name in self.attributes(row.base, row.member) {
            self.flow(
                End::External(name),
                End::Place(row.to),
                How::Load,
                Rule::Propagated,
                site,
            );
        }
    }

    /// What is put in a container of a library's under a key that is not known.
    pub(super) fn part_outside(&mut self, row: &ElementRow, site: EdgeSite) {
        if self.is_kept(row.base) || matches!(row.key, RowKey::Text(_)) {
            return;
        }
        for (_, object) in self.solver.held(row.base) {
            let Object::External(name) = object else { continue };
            self.hand_over(End::Place(row.value), (End::External(name), How::Put), site, NO_CALL);
        }
    }

    /// Library code, or what a call calls that nobody knows, gets something.
    pub(super) fn hand_over(&mut self, from: End, (to, how): (End, How), site: EdgeSite, call: u32) {
        self.flows.values.push(ValueEdge {
            kind: EdgeKind::PassesTo,
            from,
            to,
            how,
            rule: match to {
                End::Unresolved(_) => Rule::UnresolvedReceiver,
                _ => Rule::IntoLibrary,
            },
            site,
            call,
        });
    }

    /// The names of an attribute that the index writes, where no variable holds what it is an attribute of.
    fn attributes(&self, base: PlaceIndex, member: Symbol) -> Vec<Symbol> {
        if !self.names.is_of_an_attribute(member) || self.is_kept(base) {
            return Vec::new();
        }
        let held = self.solver.held(base).filter_map(|(_, object)| match object {
            Object::External(of) => self.names.of_attribute(of, member),
            _ => None,
        });
        held.collect()
    }

    /// Whether a variable of the index holds it, so that what is put there is found there.
    fn is_kept(&self, place: PlaceIndex) -> bool {
        let is_value = matches!(
            self.place_kind(place),
            Some(PlaceKind::Binding | PlaceKind::Value | PlaceKind::CallValue)
        );
        !is_value || self.tables.globals_used.contains_key(&place)
    }

    /// Whether it was read from a field of the index.
    fn is_of_a_field(&self, place: PlaceIndex) -> bool {
        let load = self.tables.load_of.get(&place);
        let base = load.map(|load| self.solver.loads[*load as usize].base);
        base.is_some_and(|base| {
            let mut held = self.solver.held(base);
            held.any(|(_, object)| matches!(object, Object::Instance(_) | Object::AnyOf(_) | Object::Class(_)))
        })
    }

    /// Whether something can be put into what a place holds; `by_itself`: by a method of its own.
    fn takes_in(&self, place: PlaceIndex, by_itself: bool) -> bool {
        self.solver.held(place).any(|(_, object)| match object {
            Object::Container { kind, .. } | Object::Typed { kind, .. } => {
                !matches!(kind, ContainerKind::Tuple | ContainerKind::Generator)
            }
            Object::Instance(_) | Object::AnyOf(_) | Object::Address(_) => true,
            Object::External(_) => by_itself,
            _ => false,
        })
    }
}
