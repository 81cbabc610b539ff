//! Members of embedded parts: `top.text` is `top.Base.text`, and a method of `Base` gets `top.Base`, not `top`.
//!
//! Both ways have to lead to one cell, so that the short one is laid out as the long one: a read of the embedded part into a place
//! of its own, which then stands for the base.

use rustc_hash::FxHashMap;

use super::{Access, Heap, When};
use crate::facts::order::Point;
use crate::facts::{Position, TypeKind};
use crate::link::scope::TypeMeaning;
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// Most embedded parts inside one another.
const DEPTH_LIMIT: usize = 4;

/// Most ways in which what one place holds embeds the same type.
const WAY_LIMIT: usize = 4;

/// Where the embedded parts of what is in a place are.
#[derive(Debug, Default)]
pub(super) struct Promoted {
    /// The part of this type.
    parts: FxHashMap<(PlaceIndex, TypeIndex), PlaceIndex>,
    /// The part that has this member.
    members: FxHashMap<(PlaceIndex, Symbol), PlaceIndex>,
    /// What each part is read from, and by which field.
    read_from: FxHashMap<PlaceIndex, (PlaceIndex, PlaceIndex)>,
}

impl Promoted {
    /// The place of the part that has the member: the base itself, where nothing is embedded.
    pub(super) fn holder(&self, base: PlaceIndex, member: Symbol) -> PlaceIndex {
        self.members.get(&(base, member)).copied().unwrap_or(base)
    }

    /// The place of the part that a method of a type gets.
    pub(super) fn receiver(&self, base: PlaceIndex, owner: Option<TypeIndex>) -> PlaceIndex {
        let part = owner.and_then(|owner| self.parts.get(&(base, owner)));
        part.copied().unwrap_or(base)
    }
}

impl Heap {
    /// The embedded fields by which a method of a type is asked of what a place holds, from inside out, each behind the place that holds it.
    pub(in crate::propagate) fn promoting_method(
        &self,
        base: PlaceIndex,
        owner: Option<TypeIndex>,
    ) -> impl Iterator<Item = (PlaceIndex, PlaceIndex)> {
        self.promoting(base, self.promoted.receiver(base, owner))
    }

    /// The same of a member.
    pub(in crate::propagate) fn promoting_member(
        &self,
        base: PlaceIndex,
        member: Symbol,
    ) -> impl Iterator<Item = (PlaceIndex, PlaceIndex)> {
        self.promoting(base, self.promoted.holder(base, member))
    }

    fn promoting(&self, base: PlaceIndex, mut part: PlaceIndex) -> impl Iterator<Item = (PlaceIndex, PlaceIndex)> {
        std::iter::from_fn(move || {
            let read_from = self.promoted.read_from.get(&part).copied().filter(|_| part != base)?;
            part = read_from.0;
            Some(read_from)
        })
    }

    /// Finds what is read, written and called by way of embedded parts.
    pub(super) fn lay_out_promoted(&mut self, solver: &mut Solver<'_>) {
        let mut chains = FxHashMap::default();
        let loads = solver.loads.iter().filter(|row| !row.silent);
        let loads = loads.map(|row| (row.base, row.member, row.function, (row.file, row.position)));
        let stores = solver.stores.iter();
        let stores = stores.map(|row| (row.base, row.member, row.function, (row.file, row.position)));
        for (base, member, function, at) in loads.chain(stores).collect::<Vec<_>>() {
            let owner = structures(solver, base).find_map(|index| {
                let place = solver.program.find_attribute_owner(index, member)?;
                let row = solver.program.member_of(place)?;
                row.field.is_some().then_some(row.owner)
            });
            let part = owner.and_then(|owner| self.part_of(solver, &mut chains, (base, owner), function, at));
            if let Some(part) = part {
                self.promoted.members.insert((base, member), part);
            }
        }
        for call in 0..solver.calls.len() {
            let row = &solver.calls[call];
            if row.silent {
                continue;
            }
            let (function, at) = (row.function, (row.file, row.position));
            for target in row.targets.clone() {
                if let Target::Function {
                    function: callee,
                    base: Some(base),
                    ..
                } = target
                    && let Some(owner) = solver.program.functions[callee.at()].owner
                {
                    self.part_of(solver, &mut chains, (base, owner), function, at);
                }
            }
        }
    }

    /// The place of the embedded part of a type: one for what is embedded in another way, and the base itself where some of what it holds is of
    /// the type.
    fn part_of(
        &mut self,
        solver: &mut Solver<'_>,
        chains: &mut FxHashMap<(TypeIndex, TypeIndex), Vec<Symbol>>,
        (base, owner): (PlaceIndex, TypeIndex),
        function: FunctionIndex,
        at: (FileIndex, Position),
    ) -> Option<PlaceIndex> {
        if let Some(known) = self.promoted.parts.get(&(base, owner)) {
            return Some(*known);
        }
        let held: Vec<TypeIndex> = structures(solver, base)
            .filter(|index| *index == owner || solver.program.types[index.at()].order.contains(&owner))
            .collect();
        // Each way once, with a type that has it; a way of no step is that of the type itself.
        let mut ways: Vec<(TypeIndex, Vec<Symbol>)> = Vec::new();
        for index in held {
            let chain = match chains.get(&(index, owner)) {
                Some(known) => known.clone(),
                None => {
                    let found = chain(solver, index, owner, DEPTH_LIMIT).unwrap_or_default();
                    chains.insert((index, owner), found.clone());
                    found
                }
            };
            if chain.is_empty() && index != owner {
                return None;
            }
            if ways.iter().all(|(_, names)| *names != chain) {
                ways.push((index, chain));
            }
        }
        if ways.len() > WAY_LIMIT || ways.iter().all(|(_, names)| names.is_empty()) {
            return None;
        }
        let is_mixed = ways.len() > 1;
        let mut parts: Vec<PlaceIndex> = Vec::new();
        for (outer, names) in ways {
            parts.push(self.follow_embedded(solver, (base, outer), &names, (function, at)));
        }
        let place = match is_mixed {
            true => solver.derive_place(DerivedPlace::Passing(function)),
            false => parts[0],
        };
        let copies = &mut self.locals[function.at()].copies;
        copies.extend(parts.into_iter().filter(|_| is_mixed).map(|part| (part, place)));
        self.promoted.parts.insert((base, owner), place);
        Some(place)
    }

    /// Reads embedded fields, one in the other.
    fn follow_embedded(
        &mut self,
        solver: &mut Solver<'_>,
        (mut place, outer): (PlaceIndex, TypeIndex),
        names: &[Symbol],
        (function, at): (FunctionIndex, (FileIndex, Position)),
    ) -> PlaceIndex {
        let mut outer = Some(outer);
        for &name in names {
            let part = solver.derive_place(DerivedPlace::Passing(function));
            let field = outer.and_then(|outer| solver.program.find_attribute_owner(outer, name));
            outer = field.and_then(|field| embedded_type(solver, field));
            if let Some(field) = field {
                self.promoted.read_from.insert(part, (place, field));
            }
            let step = field.map_or(Step::Member(name), |field| self.member_step(name, field));
            self.locals[function.at()].reads.push(Access {
                base: place,
                step,
                value: Some(part),
                fields: field.into_iter().collect(),
                at,
                when: When::certain(Point::default()),
                function,
            });
            place = part;
        }
        place
    }
}

/// The type of an embedded field, by itself or of what it points at.
fn embedded_type(solver: &mut Solver<'_>, field: PlaceIndex) -> Option<TypeIndex> {
    let member = *solver.program.member_of(field)?;
    let file = solver.program.types[member.owner.at()].file;
    let fields = &solver.program.type_facts(member.owner).fields;
    let declared = fields.get(member.declared? as usize)?.declared?;
    match solver.program.head_type(file, declared, 0) {
        TypeMeaning::Type(inner) => Some(inner),
        _ => None,
    }
}

/// The structures that a place holds.
fn structures(solver: &Solver<'_>, place: PlaceIndex) -> impl Iterator<Item = TypeIndex> {
    solver.held(place).filter_map(|(_, object)| match object {
        Object::Instance(index) if solver.program.type_facts(index).kind == TypeKind::Struct => Some(index),
        _ => None,
    })
}

/// The names of the embedded fields that lead from a structure to a type.
fn chain(solver: &mut Solver<'_>, from: TypeIndex, to: TypeIndex, depth: usize) -> Option<Vec<Symbol>> {
    if from == to || depth == 0 {
        return (from == to).then(Vec::new);
    }
    let file = solver.program.types[from.at()].file;
    let fields = solver
        .program
        .type_facts(from)
        .fields
        .iter()
        .filter(|field| field.embedded);
    let fields: Vec<_> = fields.filter_map(|field| Some((field.name, field.declared?))).collect();
    for (name, declared) in fields {
        let TypeMeaning::Type(inner) = solver.program.head_type(file, declared, 0) else {
            continue;
        };
        if let Some(rest) = chain(solver, inner, to, depth - 1) {
            let mut names = vec![solver.program.symbol(file, name)];
            names.extend(rest);
            return Some(names);
        }
    }
    None
}
