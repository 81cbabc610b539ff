//! Boxes: variables whose address is taken, as objects with one cell, which the variable's definitions write and its uses read.
//!
//! ```go
//! set := func(where *string) { *where = "plain" }
//! name := secret(); set(&name); send(name)      // the box of `name` is written twice, and read after that
//! ```
//!
//! Boxes of what has parts of its own are none: pointers to such lead to the objects themselves.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Access, Heap, When};

use crate::builtins::{is_builtin, is_open};
use crate::facts::order::Point;
use crate::facts::{self, FileFacts, Load, PlaceId, TypeExpression};
use crate::link::scope::TypeMeaning;
use crate::link::{FileIndex, PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, Solver};

/// Most pointers to pointers.
const DEPTH_LIMIT: u8 = 3;

/// How a variable's box is told from what flows into it, or out of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxUse {
    variable: PlaceIndex,
    is_written: bool,
    point: Point,
}

impl Heap {
    /// Finds the boxes of a file.
    pub(super) fn lay_out_boxes(&mut self, solver: &mut Solver<'_>, file: FileIndex, facts: &FileFacts) {
        if facts.boxed.is_empty() {
            return;
        }
        let loads: FxHashMap<PlaceId, &Load> = facts.loads.iter().map(|load| (load.to, load)).collect();
        let parted: FxHashSet<PlaceId> = facts
            .boxed
            .iter()
            .filter(|row| {
                let load = loads.get(&row.place).filter(|_| row.is_written);
                load.is_some_and(|load| !is_basic_field(solver, file, load))
            })
            .map(|row| row.variable)
            .collect();
        let solver = &*solver;
        let candidates: FxHashSet<PlaceIndex> = facts
            .boxed
            .iter()
            .map(|row| solver.program.place(file, row.variable))
            .collect();
        for row in &facts.boxed {
            let (variable, place) = (
                solver.program.place(file, row.variable),
                solver.program.place(file, row.place),
            );
            if !is_plain(solver, variable, &candidates, 0) || parted.contains(&row.variable) {
                continue;
            }
            self.boxed.insert(variable);
            let made = self.made_at(variable);
            self.put(variable, &[made]);
            let function = solver
                .program
                .function(file, facts.places[row.place.0 as usize].function);
            let access = Access {
                base: variable,
                step: Step::Target,
                value: Some(place),
                fields: vec![variable],
                at: (file, facts.places[row.place.0 as usize].position),
                when: When::certain(row.point),
                function,
            };
            let local = &mut self.locals[function.at()];
            let (ends, accesses) = match row.is_written {
                true => ((place, variable), &mut local.writes),
                false => ((variable, place), &mut local.reads),
            };
            accesses.push(access);
            let used = BoxUse {
                variable,
                is_written: row.is_written,
                point: row.point,
            };
            self.boxes.insert(ends, used);
        }
        for (at, object) in &facts.objects {
            if let facts::Object::Address(target) = object {
                let (variable, pointer) = (solver.program.place(file, *target), solver.program.place(file, *at));
                if let Some(made) = self.box_at(variable) {
                    self.put(pointer, &[made]);
                    self.addresses.insert((variable, pointer));
                }
            }
        }
    }

    /// Whether anything but what was there at first is written into a box, by whoever has its address.
    pub(in crate::propagate) fn is_written_through(&self, variable: PlaceIndex) -> bool {
        let Some(root) = self.box_at(variable) else {
            return false;
        };
        let cell = self.cell_of(root, Step::Target);
        let is_written = cell.is_some_and(|cell| self.cell(cell).by_library || self.versions_made(cell).len() > 1);
        self.is_lost(root) || is_written
    }

    /// Whether a place is a box; `all`: of which all that is done to it is seen.
    pub(in crate::propagate) fn is_box(&self, variable: PlaceIndex, all: bool) -> bool {
        self.box_at(variable).is_some_and(|root| !all || !self.is_lost(root))
    }

    /// The box of a variable.
    pub(super) fn box_at(&self, variable: PlaceIndex) -> Option<super::RootId> {
        let is_box = self.boxed.contains(&variable);
        self.made.get(&variable).copied().filter(|_| is_box)
    }

    /// Whether a place holds pointers to boxes.
    pub(super) fn points_at_boxes(&self, solver: &Solver<'_>, place: PlaceIndex) -> bool {
        variables_at(solver, place).any(|variable| self.boxed.contains(&variable))
    }

    /// Whether a place holds pointers to boxes and nothing else.
    pub(super) fn points_at_boxes_alone(&self, solver: &Solver<'_>, place: PlaceIndex) -> bool {
        let mut held = solver.held(place).peekable();
        held.peek().is_some()
            && held.all(|(_, object)| match object {
                Object::Address(variable) => self.boxed.contains(&variable),
                _ => false,
            })
    }

    /// What a pointer leads to is read.
    pub(super) fn lay_out_target(&mut self, solver: &Solver<'_>, row: &ElementRow) {
        let fields: Vec<PlaceIndex> = variables_at(solver, row.base).collect();
        if !fields.is_empty() {
            self.locals[row.function.at()].reads.push(Access {
                base: row.base,
                step: Step::Target,
                value: Some(row.value),
                fields,
                at: (row.file, row.position),
                when: When::certain(row.point),
                function: row.function,
            });
        }
    }

    /// What a pointer leads to is written.
    pub(super) fn write_target(&mut self, solver: &Solver<'_>, row: &ElementRow, filled: &FxHashSet<PlaceIndex>) {
        self.locals[row.function.at()].writes.push(Access {
            base: row.base,
            step: Step::Target,
            value: Some(row.value),
            fields: variables_at(solver, row.base).collect(),
            at: (row.file, row.position),
            when: When::certain(row.point),
            function: row.function,
        });
        if is_another(solver, row, filled) {
            self.lead_elsewhere(solver, row);
        }
    }

    /// The variables of the same function that `*base = &other` gives another pointer.
    pub(super) fn pointers_at(&self, solver: &Solver<'_>, row: &ElementRow) -> Option<Vec<PlaceIndex>> {
        let (file, local) = solver.program.local_place(row.value)?;
        let facts = &solver.program.files[file.at()].facts;
        let address = |place: PlaceId| {
            let mut objects = facts.objects.iter().filter(|(at, _)| *at == place);
            objects.any(|(_, object)| matches!(object, facts::Object::Address(_)))
        };
        let variables: Vec<PlaceIndex> = variables_at(solver, row.base).collect();
        let is_own = |place: &PlaceIndex| solver.program.owner_of(*place) == Some(row.function);
        (address(local) && !variables.is_empty() && variables.iter().all(is_own)).then_some(variables)
    }

    /// `*base = &other`: the pointer there leads elsewhere from then on, and what it led to stays what it is.
    pub(super) fn lead_elsewhere(&mut self, solver: &Solver<'_>, row: &ElementRow) {
        self.locals[row.function.at()].escapes.push(row.value);
        for variable in variables_at(solver, row.base) {
            if let Some(owner) = solver.program.owner_of(variable) {
                self.locals[owner.at()].unknown.push(variable);
            }
        }
    }

    /// By way of which places a flow into a box goes, or out of one; none where the variable itself has to say it.
    pub(in crate::propagate) fn boxed(
        &self,
        from: PlaceIndex,
        to: PlaceIndex,
    ) -> Option<Vec<(PlaceIndex, PlaceIndex)>> {
        if self.addresses.contains(&(from, to)) {
            let cell = self.place_of(self.box_at(from)?, Step::Target);
            return cell.map(|_| Vec::new());
        }
        let used = self.boxes.get(&(from, to))?;
        let (cell, _) = self.place_of(self.box_at(used.variable)?, Step::Target)?;
        let when = When::certain(used.point);
        Some(match used.is_written {
            // Who does not know the box looks at the variable.
            true => {
                let version = self.version_written(cell, when).into_iter();
                version.map(|version| (from, version)).chain([(from, to)]).collect()
            }
            false => {
                let versions = self.versions_seen(cell, when).into_iter();
                versions.map(|version| (version, to)).collect()
            }
        })
    }

    /// What is ever written into the box that a flow writes at first, call by call.
    pub(in crate::propagate) fn put_in_box(&self, from: PlaceIndex, to: PlaceIndex) -> Vec<PlaceIndex> {
        let used = self.boxes.get(&(from, to)).filter(|used| used.is_written);
        let root = used.and_then(|used| self.box_at(used.variable));
        let cell = root.and_then(|root| self.place_of(root, Step::Target));
        let versions = cell.map_or(Vec::new(), |(cell, _)| self.versions_made(cell));
        versions.into_iter().map(|(version, _)| version).collect()
    }
}

/// The variables that the pointers in a place lead to.
pub(super) fn variables_at(solver: &Solver<'_>, place: PlaceIndex) -> impl Iterator<Item = PlaceIndex> {
    solver.held(place).filter_map(|(_, object)| match object {
        Object::Address(variable) => Some(variable),
        _ => None,
    })
}

/// Whether what is written where a pointer leads is another container than was there before: what has parts is no box. What `append` gives is
/// the one that was there, and an empty one is filled by way of the pointer.
fn is_another(solver: &Solver<'_>, row: &ElementRow, filled: &FxHashSet<PlaceIndex>) -> bool {
    let sites = solver.held(row.value).filter_map(|(_, object)| match object {
        Object::Container { site, .. } => Some(site),
        _ => None,
    });
    let (made, others): (Vec<PlaceIndex>, Vec<PlaceIndex>) = sites.partition(|site| *site == row.value);
    match made.is_empty() {
        true => !others.is_empty(),
        false => others.is_empty() && filled.contains(&row.value),
    }
}

/// Whether a field is declared with a type of the language that has no parts.
fn is_basic_field(solver: &mut Solver<'_>, file: FileIndex, load: &Load) -> bool {
    let base = solver.program.place(file, load.base);
    let name = solver.program.symbol(file, load.member);
    let owners: Vec<TypeIndex> = solver
        .held(base)
        .filter_map(|(_, object)| match object {
            Object::Instance(owner) | Object::AnyOf(owner) => Some(owner),
            _ => None,
        })
        .collect();
    !owners.is_empty()
        && owners
            .into_iter()
            .all(|owner| declares_basic(solver, owner, name).unwrap_or(false))
}

fn declares_basic(solver: &mut Solver<'_>, owner: TypeIndex, name: Symbol) -> Option<bool> {
    let field = solver.program.find_attribute_owner(owner, name)?;
    let member = *solver.program.member_of(field)?;
    let own = solver.program.types[member.owner.at()].file;
    let field = solver
        .program
        .type_facts(member.owner)
        .fields
        .get(member.declared? as usize)?;
    let TypeExpression::Path { parts, function } = solver.program.type_expression(own, field.declared?).clone() else {
        return Some(false);
    };
    let is_own = matches!(solver.program.type_named(own, function, &parts), TypeMeaning::Type(_));
    let row = &solver.program.files[own.at()];
    let [only] = parts.as_slice() else { return Some(false) };
    let text = row.facts.text(*only);
    Some(!is_own && is_builtin(row.language, text) && !is_open(row.language, text))
}

/// Whether nothing that is in a variable has parts of its own, but pointers to other such variables.
fn is_plain(solver: &Solver<'_>, variable: PlaceIndex, candidates: &FxHashSet<PlaceIndex>, depth: u8) -> bool {
    depth <= DEPTH_LIMIT
        && solver.held(variable).all(|(_, object)| match object {
            Object::Address(target) => candidates.contains(&target) && is_plain(solver, target, candidates, depth + 1),
            Object::Container { .. }
            | Object::Typed { .. }
            | Object::Instance(_)
            | Object::AnyOf(_)
            | Object::External(_)
            | Object::AnyExternal(_)
            | Object::Function(_)
            | Object::Bound { .. } => false,
            _ => true,
        })
}

/// Whether what is written where a pointer leads is a pointer, too, as far as that is declared.
pub(super) fn gives_pointer(solver: &Solver<'_>, row: &ElementRow) -> bool {
    let declared = |place: PlaceIndex| {
        let (file, local) = solver.program.local_place(place)?;
        match *solver
            .program
            .type_expression(file, solver.program.declared_type(file, local)?)
        {
            TypeExpression::Pointer(to) => Some((file, to)),
            _ => None,
        }
    };
    let leads_to_pointer = declared(row.base)
        .is_some_and(|(file, to)| matches!(solver.program.type_expression(file, to), TypeExpression::Pointer(_)));
    leads_to_pointer || declared(row.value).is_some()
}
