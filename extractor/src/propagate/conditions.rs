//! What does not flow in a function that is handed constants: `show(text, masked=True)` never comes to `return text`.
//!
//! ```python
//! def show(text, masked=False):
//!     if masked: return "***"
//!     return text              # where `masked` is false
//! show(secret)                 # the default says so
//! show(secret, masked=True)    # nothing of the secret comes back
//! ```
//!
//! The constants of a call's arguments answer the questions that its callee asks of its parameters. A parameter that is handed on is
//! answered by the call before. The flows under conditions that do not hold make an instance of the callee: see [`super::contexts`].

mod gathered;
mod made;
pub(super) mod of_class;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::edges::Flows;
use super::made_with::ByConstructors;
use super::object::{Object, ObjectId};
use super::solve::{Solver, Target};
use crate::facts::order::Point;
use crate::facts::{
    ArgumentKind, AskedPart, Condition, ConditionId, Constant, ContainerKind, ElementKey, FileFacts, ParameterKind,
    PlaceId, PlaceKind, Question, TypeKind,
};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol};

/// Most calls, one inside the other, through which a constant is handed on.
pub(super) const HANDED_ON_LIMIT: usize = 3;

/// Most callees of a call that may not happen.
const TARGET_LIMIT: usize = 8;

/// What is put in an object: from where, in which cell, by which function, when.
type Put = (Pair, FunctionIndex, Point);

/// The fields that something was made with, with their constants.
type MadeWith = Vec<(Symbol, Option<Constant<Symbol>>)>;

/// A flow, by its ends.
pub(super) type Pair = (PlaceIndex, PlaceIndex);

/// A parameter, and the constant that it is.
pub(super) type Known = (PlaceIndex, Constant<Symbol>);

/// What callers may decide in the functions of a program.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    /// Flows under conditions, by the function that they are in. A flow that happens under several holds where any of these does.
    flows: FxHashMap<FunctionIndex, Vec<(Pair, Vec<ConditionId>)>>,
    /// All of these flows.
    conditional: FxHashSet<Pair>,
    /// Of which parameter they ask for what, where that is no parameter but a part of one.
    parts: FxHashMap<PlaceIndex, (PlaceIndex, AskedPart)>,
    /// The parameters that conditions ask for.
    asked: FxHashMap<FunctionIndex, Vec<PlaceIndex>>,
    /// Calls under conditions, by the function that they are in.
    calls: FxHashMap<FunctionIndex, Vec<(u32, ConditionId)>>,
    /// Whether all types of a name are no interfaces, nor other names.
    concrete: FxHashMap<Symbol, bool>,
    /// Whether all types of a name are structures.
    structures: FxHashMap<Symbol, bool>,
    /// Fields of what parameters bring, by what stands for them: the parameter or receiver, and the field.
    fields: FxHashMap<PlaceIndex, (PlaceIndex, Symbol)>,
    of_fields: FxHashMap<(PlaceIndex, Symbol), PlaceIndex>,
    /// What constructors put in fields.
    made_with: Arc<ByConstructors>,
    /// Fields that are asked for as the caller left them, and that something assigns at some time.
    as_left: FxHashSet<PlaceIndex>,
    /// Arguments and receivers of which all fields are told; whether nothing can happen to them on their way.
    made: FxHashMap<(u32, Option<u32>), (MadeWith, bool)>,
    /// Look-ups that conditions ask for, by what stands for their outcome: the table, and the parameter that brings the key.
    lookups: FxHashMap<PlaceIndex, (PlaceIndex, PlaceIndex)>,
    /// The texts under which a display puts something in a mapping, by where that is made.
    keys: FxHashMap<PlaceIndex, Vec<Symbol>>,
    /// What is taken out of mappings that displays make.
    taken_out: FxHashMap<ObjectId, Vec<Option<Part>>>,
    /// What calls are asked beside what they give, and of which of their results.
    answers: FxHashMap<(u32, u32), Option<Constant<Symbol>>>,
    /// Values that functions give back with all fields told.
    made_values: FxHashMap<PlaceIndex, MadeWith>,
    /// Tests of classes that are asked of parameters.
    of_class: of_class::Tests,
    /// What calls give for them.
    given: FxHashMap<(u32, FunctionIndex), Vec<(PlaceIndex, Given)>>,
}

/// What a parameter gets from a call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given {
    Constant(Constant<Symbol>),
    /// What is in a parameter of the caller.
    Parameter(PlaceIndex),
}

impl Conditions {
    pub(super) fn new(solver: &Solver<'_>, flows: &Flows) -> Self {
        let mut conditions = Self::default();
        conditions.note_lookups(solver);
        let mut put: FxHashMap<FileIndex, Vec<Put>> = FxHashMap::default();
        for row in &flows.put {
            put.entry(solver.program.functions[row.1.at()].file)
                .or_default()
                .push(*row);
        }
        let mut calls: FxHashMap<FileIndex, Vec<u32>> = FxHashMap::default();
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            let has_conditions = !solver.program.files[row.file.at()].facts.points_under.is_empty();
            if has_conditions && row.targets.len() <= TARGET_LIMIT && callees(solver, call as u32).next().is_some() {
                calls.entry(row.file).or_default().push(call as u32);
            }
        }
        for file in (0..solver.program.files.len() as u32).map(FileIndex) {
            let put = put.get(&file).map_or(&[][..], Vec::as_slice);
            let calls = calls.get(&file).map_or(&[][..], Vec::as_slice);
            conditions.read(solver, file, (put, calls));
        }
        conditions.note_concrete(solver);
        conditions.note_fields(solver);
        conditions.read_calls(solver);
        conditions
    }

    /// What is asked where these points are, and what calls give for it.
    pub(super) fn of_points(solver: &Solver<'_>, under: &FxHashMap<FunctionIndex, Vec<(Point, ConditionId)>>) -> Self {
        let mut conditions = Self::default();
        if under.is_empty() {
            return conditions;
        }
        conditions.note_concrete(solver);
        conditions.note_fields(solver);
        conditions.note_lookups(solver);
        for (function, points) in under {
            let file = solver.program.functions[function.at()].file;
            for (_, id) in points {
                conditions.ask(solver, file, *function, *id);
            }
        }
        conditions.read_calls(solver);
        conditions
    }

    fn read_calls(&mut self, solver: &Solver<'_>) {
        for (index, file) in solver.program.files.iter().enumerate() {
            let Some(first) = solver.first_calls.get(index).copied() else {
                continue;
            };
            for row in &file.facts.answers {
                let text = |text| solver.program.symbol(FileIndex(index as u32), text);
                let constant = row.constant.map(|constant| constant.map(text));
                self.answers.insert((first + row.call, row.result), constant);
            }
        }
        let mut more: FxHashSet<FunctionIndex> = self.asked.keys().copied().collect();
        for _ in 0..HANDED_ON_LIMIT {
            if more.is_empty() {
                return;
            }
            let mut asks = vec![false; solver.program.functions.len()];
            more.drain().for_each(|function| asks[function.at()] = true);
            for call in 0..solver.calls.len() as u32 {
                for function in callees(solver, call).filter(|function| asks[function.at()]) {
                    more.extend(self.read_call(solver, call, function));
                }
            }
        }
    }

    /// Fields that conditions ask for, and what calls are given that was made with all its fields told.
    fn note_fields(&mut self, solver: &Solver<'_>) {
        let files = || {
            let files = solver.program.files.iter().enumerate();
            files.map(|(index, file)| (FileIndex(index as u32), &file.facts))
        };
        let mut assigned: FxHashSet<Symbol> = FxHashSet::default();
        if files().all(|(_, facts)| facts.fields_asked.is_empty()) {
            return;
        }
        for (file, facts) in files() {
            let names = facts.fields_assigned.iter();
            assigned.extend(names.map(|name| solver.program.symbol(file, *name)));
        }
        let asked = files().flat_map(|(file, facts)| facts.fields_asked.iter().map(move |row| (file, row.field)));
        let asked: FxHashSet<Symbol> = asked.map(|(file, field)| solver.program.symbol(file, field)).collect();
        self.made_with = solver
            .made_with
            .get_or_init(|| ByConstructors::new(solver, &asked).into())
            .clone();
        for (file, facts) in files() {
            for row in &facts.fields_asked {
                let field = solver.program.symbol(file, row.field);
                let base = solver.program.place(file, row.base);
                let asked = solver.program.place(file, row.place);
                if !assigned.contains(&field) || self.made_with.has(field) {
                    self.fields.insert(asked, (base, field));
                    self.of_fields.insert((base, field), asked);
                } else if row.is_untouched {
                    self.fields.insert(asked, (base, field));
                    self.as_left.insert(asked);
                }
            }
        }
        if !self.fields.is_empty() {
            self.note_made_values(solver);
        }
        for (file, facts) in files().filter(|_| !self.fields.is_empty()) {
            let Some(first) = solver.first_calls.get(file.at()).copied() else {
                continue;
            };
            for row in &facts.made_arguments {
                let fields = row.fields.iter().map(|(name, constant)| {
                    let constant = constant.map(|own| own.map(|text| solver.program.symbol(file, text)));
                    (solver.program.symbol(file, *name), constant)
                });
                self.made
                    .insert((first + row.call, row.argument), (fields.collect(), row.is_direct));
            }
        }
    }

    /// What a call gives for a field of a parameter, or of the receiver.
    fn field_given(
        &mut self,
        solver: &Solver<'_>,
        (call, function, bound): (u32, FunctionIndex, bool),
        asked: PlaceIndex,
    ) -> Option<Given> {
        let (base, field) = *self.fields.get(&asked)?;
        let receiver = receiver_of(solver, function);
        let row = &solver.calls[call as usize];
        let bound_to = row.targets.iter().find_map(|target| match target {
            Target::Function {
                function: own, base, ..
            } if *own == function => *base,
            _ => None,
        });
        let (which, place) = if receiver == Some(base) {
            (None, row.receiver?)
        } else if bound && bound_to.is_some() && solver.first_parameter(function) == Some(base) {
            (None, bound_to?)
        } else {
            let arguments = solver.arguments_given(call, function, bound);
            let given = arguments.iter().find(|(to, _)| *to == base)?.1?;
            let mut all = solver.call_arguments(call).iter();
            let index = all.position(|own| own.position == given.position && own.place == given.place)?;
            (Some(index as u32), given.place?)
        };
        if let Some(given) = self.made_with.given(solver, place, field) {
            return Some(given);
        }
        let brought = || {
            let mut own = solver.program.function_facts(row.function).parameters.iter();
            own.any(|parameter| solver.program.place(row.file, parameter.place) == place)
        };
        if self.made_with.has(field) {
            return brought().then(|| Given::Parameter(self.field_of(place, field)));
        }
        let mut held = solver.held(place).map(|(_, object)| object);
        let class = match (held.next(), held.next()) {
            (Some(Object::Instance(class)), None) => class,
            _ => return None,
        };
        let is_own = receiver != Some(base) || solver.program.functions[function.at()].owner == Some(class);
        let facts = solver.program.type_facts(class);
        let file = solver.program.types[class.at()].file;
        let is_field = facts.kind == TypeKind::Struct
            && facts
                .fields
                .iter()
                .any(|own| !own.embedded && solver.program.symbol(file, own.name) == field);
        if !is_own || !is_field {
            return None;
        }
        let is_as_left = self.as_left.contains(&asked);
        let made = self.made.get(&(call, which));
        if let Some((made, _)) = made.filter(|(_, is_direct)| *is_direct || !is_as_left) {
            return match made.iter().find(|(name, _)| *name == field) {
                Some((_, constant)) => constant.map(Given::Constant),
                None => Some(Given::Constant(Constant::Zero)),
            };
        }
        if let Some(made) = self.made_values.get(&place).filter(|_| !is_as_left) {
            return match made.iter().find(|(name, _)| *name == field) {
                Some((_, constant)) => constant.map(Given::Constant),
                None => Some(Given::Constant(Constant::Zero)),
            };
        }
        // The same field of what the caller was given.
        let is_brought = receiver_of(solver, row.function) == Some(place) || brought();
        (is_brought && !is_as_left).then(|| Given::Parameter(self.field_of(place, field)))
    }

    /// What stands for a field of what a parameter brings; a number that is no place where nobody asks for it there.
    fn field_of(&mut self, base: PlaceIndex, field: Symbol) -> PlaceIndex {
        let next = PlaceIndex(u32::MAX - self.fields.len() as u32);
        let known = *self.of_fields.entry((base, field)).or_insert(next);
        self.fields.insert(known, (base, field));
        known
    }

    fn note_concrete(&mut self, solver: &Solver<'_>) {
        let mut asked = solver.program.files.iter().flat_map(|file| &file.facts.conditions);
        if !asked.any(|row| row.question == Question::IsOf) {
            return;
        }
        for (index, file) in solver.program.files.iter().enumerate() {
            for row in &file.facts.types {
                let name = solver.program.symbol(FileIndex(index as u32), row.name);
                let is_concrete = matches!(row.kind, TypeKind::Struct | TypeKind::Named);
                *self.concrete.entry(name).or_insert(true) &= is_concrete;
                *self.structures.entry(name).or_insert(true) &= row.kind == TypeKind::Struct;
            }
        }
    }

    fn read(&mut self, solver: &Solver<'_>, file: FileIndex, (put, calls): (&[Put], &[u32])) {
        let facts = &solver.program.files[file.at()].facts;
        if facts.conditions.is_empty() {
            return;
        }
        for row in &facts.parts_asked {
            let parameter = solver.program.place(file, row.parameter);
            let place = solver.program.place(file, row.place);
            self.parts.insert(place, (parameter, row.part));
        }
        let made_here = |row: &Condition| is_of_variable(facts, row.parameter);
        let mut always = FxHashSet::default();
        let mut found: FxHashMap<Pair, Vec<ConditionId>> = FxHashMap::default();
        for flow in &facts.flows {
            let pair = (
                solver.program.place(file, flow.from),
                solver.program.place(file, flow.to),
            );
            let function = |place: PlaceId| facts.places.get(place.0 as usize).map(|place| place.function);
            // A condition of a function around says nothing of what this one does when it is called.
            let mut rows = rows(flow.condition, &facts.conditions);
            let own = function(flow.to).filter(|own| own.0 != 0);
            match rows.find(|row| own.is_some() && function(row.parameter) == own && !made_here(row)) {
                Some(_) => found.entry(pair).or_default().push(flow.condition),
                None => {
                    always.insert(pair);
                }
            }
        }
        // What is put in objects.
        let under: FxHashMap<_, _> = facts
            .points_under
            .iter()
            .map(|(function, point, condition)| ((*function, *point), *condition))
            .collect();
        for (pair, function, point) in put {
            let local = solver.program.functions[function.at()].local;
            let is_own = |row: &Condition| {
                local.0 != 0 && facts.places[row.parameter.0 as usize].function == local && !made_here(row)
            };
            match under
                .get(&(local, *point))
                .filter(|id| rows(**id, &facts.conditions).any(is_own))
            {
                Some(id) => found.entry(*pair).or_default().push(*id),
                None => _ = always.insert(*pair),
            }
        }
        for call in calls {
            let row = &solver.calls[*call as usize];
            let local = solver.program.functions[row.function.at()].local;
            let is_own = |row: &Condition| {
                local.0 != 0 && facts.places[row.parameter.0 as usize].function == local && !made_here(row)
            };
            let id = under.get(&(local, row.point));
            if let Some(id) = id.filter(|id| rows(**id, &facts.conditions).any(is_own)) {
                self.calls.entry(row.function).or_default().push((*call, *id));
                self.ask(solver, file, row.function, *id);
            }
        }
        found.retain(|pair, _| !always.contains(pair));
        for (pair, under) in found {
            let Some(function) = solver.program.owner_of(pair.1) else {
                continue;
            };
            for id in &under {
                self.ask(solver, file, function, *id);
            }
            self.conditional.insert(pair);
            self.flows.entry(function).or_default().push((pair, under));
        }
        self.flows.values_mut().for_each(|flows| flows.sort_unstable());
    }

    /// Gives the caller, if parameters of it are asked for now that were not before.
    fn read_call(&mut self, solver: &Solver<'_>, call: u32, function: FunctionIndex) -> Option<FunctionIndex> {
        let asked = self.asked.get(&function)?.clone();
        let row = &solver.calls[call as usize];
        let facts = solver.program.function_facts(row.function);
        let own: Vec<PlaceIndex> = facts
            .parameters
            .iter()
            .map(|parameter| solver.program.place(row.file, parameter.place))
            .collect();
        let bound = row.targets.iter().any(|target| match target {
            Target::Function {
                function: own,
                receiver,
                ..
            } => *own == function && receiver.is_some(),
            Target::Constructor { function: own, .. } => *own == function,
            _ => false,
        });
        let arguments = solver.arguments_given(call, function, bound);
        let is_spread = |kind| matches!(kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        let has_spread = solver
            .call_arguments(call)
            .iter()
            .any(|argument| is_spread(argument.kind));
        let mut given = Vec::new();
        for place in &asked {
            if let Some((parameter, part)) = self.parts.get(place) {
                let argument = arguments.iter().find(|(to, _)| to == parameter);
                let constant = argument.and_then(|(_, argument)| argument.as_ref()?.constant);
                let of = solver.program.functions[function.at()].file;
                let answer = match argument {
                    None if !has_spread => {
                        gathered::gathered_part(solver, (call, function, bound), *parameter, (of, *part))
                    }
                    _ => constant.and_then(|constant| part_of(solver, (row.file, constant), (of, *part))),
                };
                given.extend(answer.map(|answer| (*place, Given::Constant(answer))));
                continue;
            }
            if let Some(index) = solver.result_index(function, *place) {
                let result = solver.program.function_facts(row.function).results.get(index);
                let found = match self.answers.get(&(call, index as u32)) {
                    Some(Some(constant)) => Some(Given::Constant(*constant)),
                    Some(None) => result.map(|own| Given::Parameter(solver.program.place(row.file, *own))),
                    None => None,
                };
                given.extend(found.map(|found| (*place, found)));
                continue;
            }
            if self.fields.contains_key(place) {
                let found = self.field_given(solver, (call, function, bound), *place);
                given.extend(found.map(|found| (*place, found)));
                continue;
            }
            if self.lookups.contains_key(place) {
                continue;
            }
            let parameter = place;
            let found = match arguments.iter().find(|(to, _)| to == parameter) {
                Some((_, Some(argument))) => match (argument.constant, argument.place) {
                    (Some(Constant::Display(index)), _) => {
                        let displays = &solver.program.files[row.file.at()].facts.displays;
                        let kind = displays.get(index as usize).map(|display| display.kind);
                        kind.map(|kind| Given::Constant(Constant::Container(kind)))
                    }
                    (Some(constant), _) => Some(Given::Constant(constant)),
                    (None, Some(place)) if own.contains(&place) => Some(Given::Parameter(place)),
                    (None, Some(place)) => {
                        let made = self.of_class.made(solver, (row.file, place), *parameter);
                        made.map(Given::Constant)
                    }
                    _ => None,
                },
                Some((_, None)) => None,
                None if has_spread => None,
                None if is_gathered(solver, function, *parameter) => {
                    let target = row.targets.iter().find_map(|target| solver.entered_as(call, *target));
                    let target = target.filter(|(entered, ..)| *entered == function && row.targets.len() == 1);
                    target.map(|(function, bound, base)| {
                        let passings = solver.passings(call, function, bound, base);
                        let is_any = passings.iter().any(|passing| passing.to == *parameter)
                            || solver.gathers_literals(call, function, (bound, *parameter));
                        Given::Constant(match is_any {
                            true => Constant::Truth(true),
                            false => Constant::Empty,
                        })
                    })
                }
                None => default_of(solver, function, *parameter).map(Given::Constant),
            };
            given.extend(found.map(|found| (*parameter, found)));
        }
        let mut new = false;
        for (asked_for, given) in &given {
            if let Given::Parameter(place) = given {
                self.of_class.hand_on(*asked_for, *place);
                let asked = self.asked.entry(row.function).or_default();
                if !asked.contains(place) {
                    asked.push(*place);
                    new = true;
                }
            }
        }
        let caller = row.function;
        if !given.is_empty() {
            self.given.insert((call, function), given);
        }
        new.then_some(caller)
    }

    /// The parameters of a condition are asked for.
    fn ask(&mut self, solver: &Solver<'_>, file: FileIndex, function: FunctionIndex, id: ConditionId) {
        let asked = self.asked.entry(function).or_default();
        let facts = &solver.program.files[file.at()].facts;
        for row in rows(id, &facts.conditions).filter(|row| !is_of_variable(facts, row.parameter)) {
            let parameter = solver.program.place(file, row.parameter);
            self.of_class.ask(solver, file, row, parameter);
            let key = self.lookups.get(&parameter).map(|(_, key)| *key);
            for place in std::iter::once(parameter).chain(key) {
                if !asked.contains(&place) {
                    asked.push(place);
                }
            }
        }
    }

    /// Whether a condition does not hold where these parameters of a function are known.
    pub(super) fn fails(&self, solver: &Solver<'_>, function: FunctionIndex, id: ConditionId, known: &[Known]) -> bool {
        let file = solver.program.functions[function.at()].file;
        let conditions = &solver.program.files[file.at()].facts.conditions;
        let fails_alone = |row: &Condition| {
            let parameter = solver.program.place(file, row.parameter);
            let asked = row.constant.map(|text| solver.program.symbol(file, text));
            let known = known.iter().find(|(own, _)| *own == parameter);
            let answer = known.and_then(|(_, constant)| match (*constant, asked) {
                (Constant::OfType(own) | Constant::Made(own), Constant::OfType(asked)) => {
                    self.is_of(solver, own, asked)
                }
                (constant, Constant::OfType(asked)) => self.is_constant_of(solver, constant, asked),
                (constant, Constant::Test(test)) => self.of_class.passes(solver, (file, test), constant),
                (Constant::InstanceOf(class), _) if row.question == Question::IsTrue => {
                    of_class::is_true(solver, class)
                }
                (constant, asked) => constant.answer(row.question, asked),
            });
            answer.is_some_and(|answer| answer != row.holds)
        };
        rows(id, conditions).any(|row| {
            let mut others = std::iter::successors(Some(row), |row| row.or.row(conditions));
            others.all(fails_alone)
        })
    }

    /// The calls of a function that do not happen where these of its parameters are known.
    pub(super) fn calls_dropped(&self, solver: &Solver<'_>, function: FunctionIndex, known: &[Known]) -> Vec<u32> {
        let calls = self.calls.get(&function).filter(|_| !known.is_empty());
        let calls = calls.into_iter().flatten();
        calls
            .filter(|(_, id)| self.fails(solver, function, *id, known))
            .map(|(call, _)| *call)
            .collect()
    }

    /// Whether flows of a function depend on what callers hand over.
    pub(super) fn has_flows(&self, function: FunctionIndex) -> bool {
        self.flows.contains_key(&function)
    }

    /// Whether a value of one type is of the other, as both are written; none where one of them may be an interface, or another name.
    fn is_of(&self, solver: &Solver<'_>, own: Symbol, asked: Symbol) -> Option<bool> {
        let is_told = |name: &Symbol| {
            let is_concrete = || crate::builtins::is_concrete(solver.program.symbols.text(*name));
            self.concrete.get(name).copied().unwrap_or_else(is_concrete)
        };
        match own == asked {
            true => Some(true),
            false => [own, asked].iter().all(is_told).then_some(false),
        }
    }

    /// Whether a constant is of a type, as that is written; none where it may be.
    fn is_constant_of(&self, solver: &Solver<'_>, constant: Constant<Symbol>, asked: Symbol) -> Option<bool> {
        let text = solver.program.symbols.text(asked);
        if constant == Constant::Nothing {
            return Some(false);
        }
        let may_be = crate::builtins::may_hold(text, constant);
        let is_other = self.structures.get(&asked).copied();
        let is_other = is_other.unwrap_or_else(|| crate::builtins::is_concrete(text));
        (!may_be && is_other).then_some(false)
    }

    /// Whether a flow depends on what callers hand over.
    pub(super) fn is_conditional(&self, flow: Pair) -> bool {
        self.conditional.contains(&flow)
    }

    /// Calls that hand over constants which their callees ask for, or a parameter: (call, callee, whether all is known here).
    pub(super) fn calls(&self) -> Vec<(u32, FunctionIndex, bool)> {
        let is_constant = |(_, given): &(PlaceIndex, Given)| matches!(given, Given::Constant(_));
        let rows = self.given.iter();
        let mut rows: Vec<_> = rows
            .map(|((call, callee), given)| (*call, *callee, given.iter().any(is_constant)))
            .collect();
        rows.sort_unstable();
        rows
    }

    /// The parameters of a function that are constants where it was entered through these calls, the last one first.
    pub(super) fn known(&self, solver: &Solver<'_>, function: FunctionIndex, calls: &[u32]) -> Vec<Known> {
        let asked = self.asked.get(&function).into_iter().flatten();
        asked
            .filter_map(|parameter| Some((*parameter, self.constant(solver, function, *parameter, calls)?)))
            .collect()
    }

    /// The flows of a function that do not happen where these of its parameters are known.
    pub(super) fn dropped(&self, solver: &Solver<'_>, function: FunctionIndex, known: &[Known]) -> Vec<Pair> {
        let flows = self.flows.get(&function).map_or(&[][..], Vec::as_slice);
        if known.is_empty() {
            return Vec::new();
        }
        let gone = flows
            .iter()
            .filter(|(_, under)| under.iter().all(|id| self.fails(solver, function, *id, known)));
        gone.map(|(pair, _)| *pair).collect()
    }

    fn constant(
        &self,
        solver: &Solver<'_>,
        function: FunctionIndex,
        parameter: PlaceIndex,
        calls: &[u32],
    ) -> Option<Constant<Symbol>> {
        if let Some((table, key)) = self.lookups.get(&parameter) {
            return match self.constant(solver, function, *key, calls)? {
                Constant::Text(key) => self.has(solver, *table, key),
                _ => None,
            };
        }
        let (call, before) = calls.split_first()?;
        let given = self.given.get(&(*call, function))?;
        match given.iter().find(|(own, _)| *own == parameter)?.1 {
            Given::Constant(constant) => Some(constant),
            Given::Parameter(place) => {
                let caller = solver.calls[*call as usize].function;
                self.constant(solver, caller, place, before)
            }
        }
    }
}

/// What is asked of a part of what a call hands over, where its display says so.
fn part_of(
    solver: &Solver<'_>,
    (file, constant): (FileIndex, Constant<Symbol>),
    (of, part): (FileIndex, AskedPart),
) -> Option<Constant<Symbol>> {
    let Constant::Display(index) = constant else {
        let is_type = matches!(constant, Constant::OfType(_));
        let is_asked = matches!(part, AskedPart::IsSequence | AskedPart::IsMap);
        return (is_asked && !is_type).then_some(Constant::Truth(false));
    };
    let display = solver.program.files[file.at()].facts.displays.get(index as usize)?;
    let is_map = display.kind == ContainerKind::Map;
    let is_sequence = matches!(display.kind, ContainerKind::List | ContainerKind::Tuple);
    let name = |key: ElementKey| match key {
        ElementKey::Text(name) => Some(solver.program.symbol(file, name)),
        _ => None,
    };
    match part {
        AskedPart::IsSequence => Some(Constant::Truth(is_sequence)),
        AskedPart::IsMap => Some(Constant::Truth(is_map)),
        AskedPart::Length if is_sequence => Some(Constant::Number(i32::try_from(display.parts.len()).ok()?)),
        AskedPart::Has(wanted) if is_map => {
            let wanted = Some(solver.program.symbol(of, wanted));
            Some(Constant::Truth(
                display.parts.iter().any(|(key, _)| name(*key) == wanted),
            ))
        }
        AskedPart::Element(wanted) => {
            let is_it = |key: ElementKey| match wanted {
                ElementKey::Text(wanted) => name(key) == Some(solver.program.symbol(of, wanted)),
                wanted => key == wanted,
            };
            let (_, constant) = display.parts.iter().find(|(key, _)| is_it(*key))?;
            Some((*constant)?.map(|text| solver.program.symbol(file, text)))
        }
        AskedPart::Length | AskedPart::Has(_) => None,
    }
}

/// Whether what is asked is no caller's to answer: it is of a variable that the function fills itself.
fn is_of_variable(facts: &FileFacts, asked: PlaceId) -> bool {
    let is_local =
        |place: PlaceId| facts.places.get(place.0 as usize).map(|place| place.kind) == Some(PlaceKind::Local);
    let mut fields = facts.fields_asked.iter();
    is_local(asked) || fields.any(|row| row.place == asked && is_local(row.base))
}

/// What holds where something happens, the last of it first.
pub(super) fn rows(id: ConditionId, conditions: &[Condition]) -> impl Iterator<Item = &Condition> {
    std::iter::successors(id.row(conditions), |row| row.outer.row(conditions))
}

/// The receiver of a method, where that is not among its parameters.
fn receiver_of(solver: &Solver<'_>, function: FunctionIndex) -> Option<PlaceIndex> {
    let file = solver.program.functions[function.at()].file;
    let receiver = solver.program.function_facts(function).receiver;
    receiver.map(|place| solver.program.place(file, place))
}

/// Whether a parameter gathers what is left.
fn is_gathered(solver: &Solver<'_>, function: FunctionIndex, parameter: PlaceIndex) -> bool {
    let file = solver.program.functions[function.at()].file;
    let mut parameters = solver.program.function_facts(function).parameters.iter();
    parameters.any(|own| {
        let gathers = matches!(own.kind, ParameterKind::Rest | ParameterKind::RestKeywords);
        gathers && solver.program.place(file, own.place) == parameter
    })
}

/// The functions of the index that a call calls.
pub(super) fn callees<'s>(solver: &'s Solver<'_>, call: u32) -> impl Iterator<Item = FunctionIndex> + use<'s> {
    let row = &solver.calls[call as usize];
    let targets = row.targets.iter().filter(|_| !row.silent);
    targets.filter_map(|target| match target {
        Target::Function { function, .. } | Target::Constructor { function, .. } => Some(*function),
        _ => None,
    })
}

pub(super) fn default_of(
    solver: &Solver<'_>,
    function: FunctionIndex,
    parameter: PlaceIndex,
) -> Option<Constant<Symbol>> {
    let file = solver.program.functions[function.at()].file;
    let facts = solver.program.function_facts(function);
    let row = facts
        .parameters
        .iter()
        .find(|row| solver.program.place(file, row.place) == parameter)?;
    Some(row.default?.map(|text| solver.program.symbol(file, text)))
}
