//! What objects are made with: the texts that their makers put in members, and what else they put there.
//!
//! ```go
//! var all = []feature{{"north", north}, {name: "promo", of: promo}}     // "north" in `name` with `north` in `of`, and so on
//! ```
//!
//! Objects of one class are told apart by where they are made. In Python, by the arguments of the constructor; where a class binds the
//! member itself (`name = "north"`, `func (North) Name() string { return "north" }`), all objects of that class have it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Constant, ElementKey, MadeFrom};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::made_with::set_by_constructors;
use crate::propagate::object::Object;
use crate::propagate::solve::{ArgumentRow, RowKey, Solver, Target};

/// What one object is made with.
#[derive(Debug, Default)]
pub(super) struct MadeHere {
    pub texts: FxHashMap<Symbol, Symbol>,
    pub places: FxHashMap<Symbol, PlaceIndex>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Made {
    by_class: FxHashMap<TypeIndex, Vec<MadeHere>>,
    /// What classes bind members to.
    of_classes: FxHashMap<(TypeIndex, Symbol), Symbol>,
    /// What methods give back, each time.
    returned: FxHashMap<FunctionIndex, Symbol>,
}

impl Made {
    pub(super) fn new(solver: &Solver<'_>) -> Self {
        let mut made = Self::default();
        let program = &*solver.program;
        for (index, file) in program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for (class, member, key, is_member) in &file.facts.class_constants {
                let (ElementKey::Text(text), false) = (key, *is_member) else {
                    continue;
                };
                if let [class] = program.types_named(index, program.symbol(index, *class)) {
                    let class = program.type_index(index, *class);
                    let text = program.symbol(index, *text);
                    made.of_classes.insert((class, program.symbol(index, *member)), text);
                }
            }
            for (class, member, constant) in &file.facts.bound_in_classes {
                if let Constant::Text(text) = constant {
                    let (class, member) = (program.type_index(index, *class), program.symbol(index, *member));
                    made.of_classes.insert((class, member), program.symbol(index, *text));
                }
            }
            for (function, text) in &file.facts.texts_returned {
                let function = program.function(index, *function);
                made.returned.insert(function, program.symbol(index, *text));
            }
        }
        made.add_literals(solver);
        made.add_constructed(solver);
        made
    }

    /// The objects of a class that something is known of.
    pub(super) fn of(&self, class: TypeIndex) -> &[MadeHere] {
        self.by_class.get(&class).map_or(&[], Vec::as_slice)
    }

    /// The text that a class, or the first base that has the member, gives for it.
    pub(super) fn text_of_class(&self, solver: &Solver<'_>, class: TypeIndex, member: Symbol) -> Option<Symbol> {
        let mut order = solver.program.types[class.at()].order.iter();
        let owner = *order.find(|base| solver.program.types[base.at()].members.contains_key(&member))?;
        let bound = self.of_classes.get(&(owner, member)).copied();
        bound.or_else(|| {
            let place = solver.program.types[owner.at()].members.get(&member)?;
            self.returned.get(solver.method_at.get(place)?).copied()
        })
    }

    /// Literals of structures.
    fn add_literals(&mut self, solver: &Solver<'_>) {
        let program = &*solver.program;
        let mut literals: FxHashMap<PlaceIndex, MadeHere> = FxHashMap::default();
        let class_of = |place: PlaceIndex| {
            solver.held(place).find_map(|(_, object)| match object {
                Object::Instance(class) => Some(class),
                _ => None,
            })
        };
        let field_of = |place: PlaceIndex, position: u32| {
            let field = solver.field_at(class_of(place)?, RowKey::Index(position))?;
            Some(program.member_of(field)?.name)
        };
        for (index, file) in program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for (literal, field, text, _) in &file.facts.texts_in_fields {
                let made = literals.entry(program.place(index, *literal)).or_default();
                made.texts
                    .insert(program.symbol(index, *field), program.symbol(index, *text));
            }
            for (literal, text, position) in &file.facts.texts_listed {
                let literal = program.place(index, *literal);
                if let Some(field) = position.and_then(|position| field_of(literal, position)) {
                    let made = literals.entry(literal).or_default();
                    made.texts.insert(field, program.symbol(index, *text));
                }
            }
        }
        if literals.is_empty() {
            return;
        }
        for row in &solver.stores {
            if let (Some(made), Some(from)) = (literals.get_mut(&row.base), row.from) {
                made.places.insert(row.member, from);
            }
        }
        for row in &solver.element_stores {
            if let Some(made) = literals.get_mut(&row.base)
                && let RowKey::Index(position) = row.key
            {
                made.places
                    .extend(field_of(row.base, position).map(|field| (field, row.value)));
            }
        }
        for (literal, made) in literals {
            if let Some(class) = class_of(literal) {
                self.by_class.entry(class).or_default().push(made);
            }
        }
    }

    /// What constructors are given.
    fn add_constructed(&mut self, solver: &Solver<'_>) {
        let program = &*solver.program;
        let mut names: FxHashSet<Symbol> = FxHashSet::default();
        for (index, file) in program.files.iter().enumerate() {
            let made = file.facts.fields_made.iter();
            names.extend(made.map(|row| program.symbol(FileIndex(index as u32), row.field)));
        }
        let (fields, _) = set_by_constructors(solver, &names);
        let mut by_constructor: FxHashMap<FunctionIndex, Vec<(Symbol, PlaceIndex)>> = FxHashMap::default();
        for ((function, field), from) in fields {
            if let MadeFrom::Parameter(parameter) = from {
                by_constructor.entry(function).or_default().push((field, parameter));
            }
        }
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            let is_named = solver
                .call_arguments(call as u32)
                .iter()
                .any(|argument| argument.text.is_some());
            for target in row.targets.iter().filter(|_| is_named) {
                let (class, given): (_, Vec<(Symbol, ArgumentRow)>) = match *target {
                    Target::Class(class) => {
                        let filled = solver.filled_fields(call as u32, class).into_iter();
                        let named = filled.filter_map(|(field, given)| Some((program.member_of(field)?.name, given)));
                        (class, named.collect())
                    }
                    Target::Constructor { function, class } => {
                        let Some(kept) = by_constructor.get(&function) else {
                            continue;
                        };
                        let given = solver.arguments_given(call as u32, function, true);
                        let of = |parameter: &PlaceIndex| given.iter().find(|(to, _)| to == parameter);
                        let kept = kept.iter();
                        let kept = kept.filter_map(|(field, parameter)| Some((*field, of(parameter)?.1?)));
                        (class, kept.collect())
                    }
                    _ => continue,
                };
                let mut made = MadeHere::default();
                for (field, argument) in given {
                    made.texts.extend(argument.text.map(|text| (field, text)));
                    made.places.extend(argument.place.map(|place| (field, place)));
                }
                if !made.texts.is_empty() {
                    self.by_class.entry(class).or_default().push(made);
                }
            }
        }
    }
}
