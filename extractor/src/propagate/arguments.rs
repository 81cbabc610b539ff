//! Which argument of a call goes to which parameter: by position, by name, gathered into one, spread from one.
//!
//! ```python
//! def send(to, *texts, **options): …
//! send(user, "a", *more, late=True)     # user to `to`; "a" is part 0 of `texts`, what is in `more` follows; True is `options["late"]`
//! ```

use ripple_schema::{How, Language};

use super::conditions::default_of;
use super::object::{Object, ObjectId};
use super::solve::{ArgumentRow, Solver, Target};
use crate::facts::{self, ArgumentKind, Binding, Constant, ParameterKind};
use crate::link::{FunctionIndex, Part, PlaceIndex, Symbol};

/// An argument's way to a parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passing {
    pub from: PlaceIndex,
    pub to: PlaceIndex,
    pub how: How,
    pub position: facts::Position,
    /// The parameter gathers several arguments: its container holds this as that part.
    pub gathered: Option<Part>,
    /// The argument is spread: its parts are passed, not itself.
    pub spread: Option<Spread>,
}

impl Passing {
    /// Whether it is that of a receiver of which the object is known.
    pub(super) fn is_receiver_known(&self, receiver: Option<ObjectId>) -> bool {
        self.how == How::Receiver && receiver.is_some()
    }
}

/// Which parts of a spread argument go to a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    /// The one at this position.
    At(u32),
    /// The one under this name.
    Named(Symbol),
    /// Those that no parameter takes, so many positions further on than where they are.
    Moved(i32),
    /// All that are left.
    Rest,
    /// Any: what stands behind another one that is spread.
    Any,
}

impl Solver<'_> {
    /// The container that a gathering parameter holds.
    pub(super) fn gathering(&self, parameter: PlaceIndex) -> Vec<ObjectId> {
        let own = |object: &Object| matches!(object, Object::Container { site, .. } if *site == parameter);
        self.held(parameter)
            .filter(|(_, object)| own(object))
            .map(|(id, _)| id)
            .collect()
    }

    /// From which place to which a value really goes: spread arguments give their parts, gathering parameters take theirs.
    pub(super) fn ways(&self, passing: Passing) -> Vec<(PlaceIndex, PlaceIndex)> {
        let mut sources: Vec<(PlaceIndex, Option<Part>)> = Vec::new();
        match passing.spread {
            None => sources.push((passing.from, passing.gathered)),
            Some(spread) => {
                let mut whole = true;
                let except = self.names_taken(passing);
                let is_left = |part: &Part| !matches!(part, Part::Text(name) if except.contains(name));
                for (id, object) in self.held(passing.from) {
                    if let Object::Container { .. } = object {
                        whole = self.open.contains(&id);
                        let parts = self.parts.get(&id).into_iter().flatten();
                        for (part, place) in parts.filter(|(part, _)| is_left(part)) {
                            if let Some(part) = spread_part(spread, *part) {
                                sources.push((*place, passing.gathered.map(|_| part)));
                            }
                        }
                    }
                }
                if whole {
                    sources.push((passing.from, passing.gathered.map(|_| Part::Any)));
                }
            }
        }
        let mut ways = Vec::new();
        for (from, part) in sources {
            let Some(part) = part else {
                ways.push((from, passing.to));
                continue;
            };
            let elements = self.gathering(passing.to).into_iter();
            let elements: Vec<PlaceIndex> = elements
                .filter_map(|container| self.elements.get(&(container, part)).copied())
                .collect();
            // A part that is not known by its key is carried by the parameter itself.
            if elements.is_empty() || part == Part::Any {
                ways.push((from, passing.to));
            }
            ways.extend(elements.into_iter().map(|to| (from, to)));
        }
        ways
    }

    /// The names that parameters take out of a mapping whose rest another one gathers.
    pub(super) fn names_taken(&self, passing: Passing) -> Vec<Symbol> {
        let gathers = passing.spread == Some(Spread::Rest);
        let owner = self.program.owner_of(passing.to).filter(|_| gathers);
        let Some(function) = owner else { return Vec::new() };
        let file = self.program.functions[function.at()].file;
        let parameters = self.program.function_facts(function).parameters.iter();
        let named = parameters.filter(|own| matches!(own.kind, ParameterKind::Normal | ParameterKind::KeywordOnly));
        named.map(|own| self.program.symbol(file, own.name)).collect()
    }

    /// The function of the index that a call enters as this target, whether it is bound to something, and where that is.
    pub(super) fn entered_as(&self, call: u32, target: Target) -> Option<(FunctionIndex, bool, Option<PlaceIndex>)> {
        match target {
            Target::Function {
                function,
                receiver,
                base,
            } => Some((function, receiver.is_some(), base)),
            Target::Constructor { function, .. } => Some((function, true, self.call_results(call).first().copied())),
            _ => None,
        }
    }

    /// Which result of a function a place is.
    pub(super) fn result_index(&self, function: FunctionIndex, place: PlaceIndex) -> Option<usize> {
        let file = self.program.functions[function.at()].file;
        let mut results = self.program.function_facts(function).results.iter();
        results.position(|own| self.program.place(file, *own) == place)
    }

    /// The place of a function's receiver: Go's own, Python's first parameter.
    pub(super) fn receiver_place(&self, function: FunctionIndex) -> Option<PlaceIndex> {
        let facts = self.program.function_facts(function);
        let file = self.program.functions[function.at()].file;
        let place = match facts.receiver {
            Some(receiver) => Some(receiver),
            None if facts.owner.is_some() && facts.binding != Binding::Static => {
                facts.parameters.first().map(|parameter| parameter.place)
            }
            None => None,
        };
        place.map(|place| self.program.place(file, place))
    }

    /// Which argument goes to which parameter.
    pub(super) fn passings(
        &self,
        call: u32,
        function: FunctionIndex,
        bound: bool,
        base: Option<PlaceIndex>,
    ) -> Vec<Passing> {
        let row = &self.calls[call as usize];
        let facts = self.program.function_facts(function);
        let file = self.program.functions[function.at()].file;
        let place = |parameter: &facts::Parameter| self.program.place(file, parameter.place);
        let mut passings = Vec::new();
        let heard = self.arguments_after(call, function);
        let mut arguments = heard.as_deref().unwrap_or_else(|| self.call_arguments(call));
        let is_method = facts.receiver.is_some() || facts.owner.is_some();
        if let (Some(base), true) = (base, bound && is_method)
            && let Some(to) = self.receiver_place(function)
        {
            let (how, position) = (How::Receiver, row.position);
            passings.push(Passing {
                from: base,
                to,
                how,
                position,
                gathered: None,
                spread: None,
            });
        }
        // A Go method called through its type gets its receiver as the first argument.
        if facts.receiver.is_some()
            && !bound
            && let (Some(to), Some((first, rest))) = (self.receiver_place(function), arguments.split_first())
        {
            if let Some(from) = first.place {
                let how = How::Receiver;
                passings.push(Passing {
                    from,
                    to,
                    how,
                    position: first.position,
                    gathered: None,
                    spread: None,
                });
            }
            arguments = rest;
        }
        // Python's own first parameter is taken when a receiver is bound.
        let skip = usize::from(bound && facts.receiver.is_none() && facts.owner.is_some());
        let parameters = facts.parameters.get(skip..).unwrap_or(&[]);
        let by_position: Vec<&facts::Parameter> = parameters
            .iter()
            .filter(|parameter| matches!(parameter.kind, ParameterKind::Normal | ParameterKind::PositionalOnly))
            .collect();
        let rest = parameters
            .iter()
            .find(|parameter| parameter.kind == ParameterKind::Rest);
        let rest_keywords = parameters
            .iter()
            .find(|parameter| parameter.kind == ParameterKind::RestKeywords);
        let mut next = 0usize;
        // A function that became a method takes what it is bound to like any argument.
        if let (Some(base), true) = (base, bound && !is_method) {
            let (to, gathered) = match (by_position.first(), rest) {
                (Some(parameter), _) => (Some(place(parameter)), None),
                (None, rest) => (rest.map(place), Some(Part::Index(0))),
            };
            passings.extend(to.map(|to| Passing {
                from: base,
                to,
                how: How::Receiver,
                position: row.position,
                gathered,
                spread: None,
            }));
            next = 1;
        }
        // Behind what is spread nobody knows the positions.
        let mut spreads = false;
        let is_left = |parameter: &facts::Parameter| {
            let name = Some(self.program.symbol(file, parameter.name));
            let by_name = |argument: &ArgumentRow| matches!(argument.kind, ArgumentKind::Keyword(_));
            !arguments
                .iter()
                .any(|argument| by_name(argument) && argument.name == name)
        };
        for argument in arguments {
            let Some(from) = argument.place else {
                next += usize::from(argument.kind == ArgumentKind::Positional);
                continue;
            };
            let mut add = |to, how, gathered, spread| {
                passings.push(Passing {
                    from,
                    to,
                    how,
                    position: argument.position,
                    gathered,
                    spread,
                });
            };
            match argument.kind {
                ArgumentKind::Positional if spreads => {
                    for parameter in by_position.iter().skip(next).filter(|own| is_left(own)) {
                        add(place(parameter), How::Positional, None, None);
                    }
                    if let Some(rest) = rest {
                        add(place(rest), How::Variadic, Some(Part::Any), None);
                    }
                }
                ArgumentKind::Positional => {
                    match by_position.get(next) {
                        Some(parameter) => add(place(parameter), How::Positional, None, None),
                        None => {
                            if let Some(rest) = rest {
                                let part = Part::Index((next - by_position.len()) as u32);
                                add(place(rest), How::Variadic, Some(part), None);
                            }
                        }
                    }
                    next += 1;
                }
                ArgumentKind::Keyword(_) => {
                    let named = parameters.iter().find(|parameter| {
                        Some(self.program.symbol(file, parameter.name)) == argument.name
                            && matches!(parameter.kind, ParameterKind::Normal | ParameterKind::KeywordOnly)
                    });
                    match (named, rest_keywords, argument.name) {
                        (Some(parameter), _, _) => add(place(parameter), How::Keyword, None, None),
                        (None, Some(rest), Some(name)) => {
                            add(place(rest), How::Variadic, Some(Part::Text(name)), None);
                        }
                        _ => {}
                    }
                }
                ArgumentKind::Spread => {
                    let is_go = self.program.files[file.at()].language == Language::Go;
                    if let (Some(rest), true) = (rest, is_go) {
                        add(place(rest), How::Variadic, None, None);
                        continue;
                    }
                    for (index, parameter) in (0..).zip(by_position.iter().skip(next)).filter(|(_, own)| is_left(own)) {
                        let part = if spreads { Spread::Any } else { Spread::At(index) };
                        add(place(parameter), How::Variadic, None, Some(part));
                    }
                    if let Some(rest) = rest {
                        let further = next as i32 - by_position.len() as i32;
                        let parts = if spreads { Spread::Any } else { Spread::Moved(further) };
                        add(place(rest), How::Variadic, Some(Part::Any), Some(parts));
                    }
                    spreads = true;
                }
                ArgumentKind::SpreadKeywords => {
                    let given = by_position.get(..next).unwrap_or(&by_position);
                    for parameter in parameters {
                        let is_given = given.iter().any(|given| given.place == parameter.place);
                        if is_given || !is_left(parameter) {
                            continue;
                        }
                        if matches!(parameter.kind, ParameterKind::Normal | ParameterKind::KeywordOnly) {
                            let name = self.program.symbol(file, parameter.name);
                            add(place(parameter), How::Variadic, None, Some(Spread::Named(name)));
                        }
                    }
                    if let Some(rest) = rest_keywords {
                        add(place(rest), How::Variadic, Some(Part::Any), Some(Spread::Rest));
                    }
                }
            }
        }
        passings
    }

    /// The parameters that a call gives something to, be it a literal. A spread argument may leave any out.
    pub(super) fn parameters_given(&self, call: u32, function: FunctionIndex, bound: bool) -> Vec<PlaceIndex> {
        let given = self.arguments_given(call, function, bound).into_iter();
        given.map(|(parameter, _)| parameter).collect()
    }

    /// Whether a call has more arguments by position than its callee has parameters for, or keywords of no other, so that a
    /// parameter that gathers what is left gets some, if only literals.
    pub(super) fn gathers_literals(
        &self,
        call: u32,
        function: FunctionIndex,
        (bound, gathering): (bool, PlaceIndex),
    ) -> bool {
        let facts = self.program.function_facts(function);
        let file = self.program.functions[function.at()].file;
        let skip = usize::from(bound && facts.receiver.is_none());
        let own = facts
            .parameters
            .iter()
            .find(|own| self.program.place(file, own.place) == gathering);
        let by_name = own.is_some_and(|own| own.kind == ParameterKind::RestKeywords);
        let by_position = |kind| matches!(kind, ParameterKind::Normal | ParameterKind::PositionalOnly);
        let places = facts.parameters.iter().filter(|own| by_position(own.kind)).count();
        let mut given = self.call_arguments(call).iter();
        match by_name {
            true => given.any(|argument| {
                let is_named = |own: &facts::Parameter| Some(self.program.symbol(file, own.name)) == argument.name;
                matches!(argument.kind, ArgumentKind::Keyword(_)) && !facts.parameters.iter().any(is_named)
            }),
            false => {
                let given = given
                    .filter(|argument| argument.kind == ArgumentKind::Positional)
                    .count();
                given + skip > places
            }
        }
    }

    /// The constant that a call gives for a parameter, or leaves it at; none where too little is known.
    pub(super) fn constant_for(
        &self,
        call: u32,
        (function, bound): (FunctionIndex, bool),
        parameter: PlaceIndex,
    ) -> Option<Constant<Symbol>> {
        let given = self.arguments_given(call, function, bound);
        if let Some((_, argument)) = given.iter().find(|(to, _)| *to == parameter) {
            return argument.as_ref()?.constant;
        }
        let is_spread = |kind| matches!(kind, ArgumentKind::Spread | ArgumentKind::SpreadKeywords);
        let has_spread = self
            .call_arguments(call)
            .iter()
            .any(|argument| is_spread(argument.kind));
        default_of(self, function, parameter).filter(|_| !has_spread)
    }

    /// As [`Solver::parameters_given`], with what each is given; none for what a function is bound to.
    pub(super) fn arguments_given(
        &self,
        call: u32,
        function: FunctionIndex,
        bound: bool,
    ) -> Vec<(PlaceIndex, Option<ArgumentRow>)> {
        let facts = self.program.function_facts(function);
        let file = self.program.functions[function.at()].file;
        let skip = usize::from(bound && facts.receiver.is_none() && facts.owner.is_some());
        let parameters = facts.parameters.get(skip..).unwrap_or(&[]);
        let mut by_position = parameters
            .iter()
            .filter(|parameter| matches!(parameter.kind, ParameterKind::Normal | ParameterKind::PositionalOnly));
        let mut given = Vec::new();
        if bound && facts.receiver.is_none() && facts.owner.is_none() {
            given.extend(
                by_position
                    .next()
                    .map(|parameter| (self.program.place(file, parameter.place), None)),
            );
        }
        let heard = self.arguments_after(call, function);
        for argument in heard.as_deref().unwrap_or_else(|| self.call_arguments(call)) {
            let parameter = match argument.kind {
                ArgumentKind::Positional => by_position.next(),
                ArgumentKind::Keyword(_) => parameters
                    .iter()
                    .find(|parameter| Some(self.program.symbol(file, parameter.name)) == argument.name),
                ArgumentKind::Spread | ArgumentKind::SpreadKeywords => break,
            };
            let place = parameter.map(|parameter| self.program.place(file, parameter.place));
            given.extend(place.map(|place| (place, Some(*argument))));
        }
        given
    }
}

/// As which part a part of a spread argument arrives; none if it goes elsewhere.
fn spread_part(spread: Spread, part: Part) -> Option<Part> {
    match (spread, part) {
        (Spread::At(wanted), Part::Index(index)) => (wanted == index).then_some(part),
        (Spread::Named(wanted), Part::Text(name)) => (wanted == name).then_some(part),
        (Spread::Moved(further), Part::Index(index)) => index.checked_add_signed(further).map(Part::Index),
        (Spread::Any, Part::Index(_) | Part::Any) => Some(Part::Any),
        (Spread::Rest, Part::Text(_)) => Some(part),
        _ => None,
    }
}
