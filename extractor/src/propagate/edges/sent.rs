//! What goes out of the program by its name: the keys of mappings, and the tags of structures, that library code is given of which nothing is told.
//!
//! ```python
//! sessions.insert_one({"visits": body["count"]})     # whoever reads `visits` from there reads this
//! ```
//!
//! And values that go where nobody of the index takes them: a method of an interface that no type of it implements.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite, End, ValueEdge};
use crate::facts::{ArgumentKind, TypeKind};
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::object::Object;
use crate::propagate::solve::{RowKey, Target};

/// Mappings in mappings and lists.
const DEPTH_LIMIT: u8 = 4;

/// Most keys that one call is told to send, and places that are looked into for them.
const KEYS_LIMIT: usize = 256;
const PLACES_LIMIT: usize = 1024;

impl Collector<'_, '_> {
    /// The keys of what a call of library code is given of which nothing is told.
    pub(super) fn send_keys(&mut self, call: u32, name: &str) {
        let function = self.solver.calls[call as usize].function;
        // What a test compares with goes nowhere.
        if self.solver.program.function_facts(function).test || name.rsplit('.').next().is_some_and(is_assertion) {
            return;
        }
        let takes_structures = sends(name);
        let mut sent: Vec<(PlaceIndex, Symbol, EdgeSite)> = Vec::new();
        for argument in self.solver.call_arguments(call) {
            let is_whole = matches!(argument.kind, ArgumentKind::Positional | ArgumentKind::Keyword(_));
            let Some(place) = argument.place.filter(|_| is_whole) else {
                continue;
            };
            let site = EdgeSite {
                file: self.solver.calls[call as usize].file,
                position: argument.position,
            };
            let mut seen = FxHashSet::default();
            self.keys_within((place, DEPTH_LIMIT), takes_structures, &mut seen, &mut |part, key| {
                if sent.len() < KEYS_LIMIT {
                    sent.push((part, key, site));
                }
            });
        }
        for (part, key, site) in sent {
            self.written_by_key(function, (part, key), Rule::IntoLibrary, site);
        }
    }

    fn keys_within(
        &self,
        (place, depth): (PlaceIndex, u8),
        takes_structures: bool,
        seen: &mut FxHashSet<PlaceIndex>,
        note: &mut dyn FnMut(PlaceIndex, Symbol),
    ) {
        if depth == 0 || seen.len() > PLACES_LIMIT || !seen.insert(place) {
            return;
        }
        for (id, object) in self.solver.held(place) {
            match object {
                Object::Container { .. } => {
                    let parts = self.solver.parts.get(&id).into_iter().flatten();
                    for (part, inner) in parts.take(PLACES_LIMIT) {
                        if let Part::Text(key) = part
                            && let Some(key) = self.wire_name(RowKey::Text(*key))
                            && !self.solver.program.symbols.text(key).starts_with('$')
                        {
                            note(*inner, key);
                        }
                        self.keys_within((*inner, depth - 1), takes_structures, seen, note);
                    }
                }
                Object::Address(target) => self.keys_within((target, depth - 1), takes_structures, seen, note),
                Object::Instance(class) if takes_structures => {
                    for field in self.solver.program.own_fields(class) {
                        for key in self.keys_of_field(field).into_iter().flatten() {
                            note(field, key);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The names that a field says it goes by outside; none where it says nothing.
    pub(super) fn keys_of_field(&self, place: PlaceIndex) -> Option<Vec<Symbol>> {
        let program = &self.solver.program;
        let member = program.member_of(place)?;
        let own = program.types[member.owner.at()].file;
        let fields = &program.type_facts(member.owner).fields;
        let field = fields.get(member.declared? as usize)?;
        let keys = field.keys.iter().filter(|key| key.0 != 0);
        let keys: Vec<Symbol> = keys.map(|key| program.symbol(own, *key)).collect();
        (!keys.is_empty()).then_some(keys)
    }

    /// Values that go into methods of interfaces that no type of the index implements.
    pub(super) fn sent_unseen(&mut self) {
        for call in 0..self.solver.calls.len() as u32 {
            let row = &self.solver.calls[call as usize];
            if row.silent || row.how == How::Implicit {
                continue;
            }
            let unseen = row.targets.iter().find_map(|target| match target {
                Target::Function { function, .. } if self.is_unseen(*function) => Some(*function),
                _ => None,
            });
            let Some(function) = unseen else { continue };
            let facts = self.solver.program.function_facts(function);
            let name = self
                .solver
                .program
                .symbol(self.solver.program.functions[function.at()].file, facts.name);
            self.give_to_unresolved(call, name, Rule::UnresolvedMember);
            let name = self.solver.program.symbols.text(name).to_owned();
            self.send_keys(call, &name);
        }
    }

    /// What a call is given goes to something of this name, and nobody sees what.
    pub(super) fn give_to_unresolved(&mut self, call: u32, name: Symbol, rule: Rule) {
        let file = self.solver.calls[call as usize].file;
        for argument in self.solver.call_arguments(call).to_vec() {
            let Some(place) = argument.place else { continue };
            let site = EdgeSite {
                file,
                position: argument.position,
            };
            let to = (End::Unresolved(name), How::Positional);
            self.hand_made(call, place, to, site);
            self.hand_parts(call, place, to, site);
            for from in self.solver.with_inside(call, place) {
                self.flows.values.push(ValueEdge {
                    kind: EdgeKind::PassesTo,
                    from: End::Place(from),
                    to: End::Unresolved(name),
                    how: How::Positional,
                    rule,
                    site,
                    call,
                });
            }
        }
    }

    /// Whether a function is the method of an interface that nothing in the index implements.
    fn is_unseen(&self, function: FunctionIndex) -> bool {
        let owner = self.solver.program.functions[function.at()].owner;
        owner.is_some_and(|owner| {
            self.solver.program.type_facts(owner).kind == TypeKind::Interface && self.solver.subtypes(owner).is_empty()
        })
    }
}

/// Whether a function of a library that is not known is named as one that writes what it is given somewhere: by its first word, `insert_one`, `PutItem`.
fn sends(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "add", "create", "emit", "encode", "index", "insert", "marshal", "produce", "publish", "push", "put", "save",
        "send", "set", "store", "update", "upsert", "write",
    ];
    let function = name.rsplit('.').next().unwrap_or(name);
    let begins = |index: usize, letter: char| index > 0 && (letter == '_' || letter.is_uppercase());
    let end = function.char_indices().find(|(index, letter)| begins(*index, *letter));
    let first = end.map_or(function, |(index, _)| &function[..index]);
    WORDS.contains(&first.to_lowercase().as_str())
}

fn is_assertion(name: &str) -> bool {
    name.to_lowercase().starts_with("assert")
}
