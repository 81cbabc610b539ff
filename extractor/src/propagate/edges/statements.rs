//! Values that statements of SQL put under the names of columns, and take out by position.
//!
//! ```python
//! cursor.execute("INSERT INTO people (age) VALUES (%s)", (body["years"],))      # to the key `age`
//! cursor.execute("SELECT id, age FROM people")
//! for number, years in cursor:                                                  # `years` from the key `age`
//! ```
//!
//! Whoever is given the text of a statement is given its parameters behind it, whatever library it is: one by one, in a sequence or a mapping, or in
//! a sequence of those. Rows that are read by name are no different from others of which nothing is known.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::facts::{ArgumentKind, Position};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol};
use crate::propagate::library::Subject;
use crate::propagate::object::Object;
use crate::propagate::rows::{ArgumentRow, CallRow};
use crate::propagate::solve::{RowKey, Solver, Target};
use crate::sql::{Parameter, Statement};

/// Most places that the rows of one statement are followed to.
const FOLLOWED_LIMIT: usize = 2000;

/// What a place holds of a statement's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    /// Rows, or what gives them.
    Rows,
    /// One of them.
    Row,
}

/// What is looked up while rows are followed.
struct Ways {
    loads: Pairs<PlaceIndex, u32>,
    by_receiver: Pairs<PlaceIndex, u32>,
    by_argument: Pairs<PlaceIndex, u32>,
    results: Pairs<PlaceIndex, (FunctionIndex, u32)>,
    callers: Pairs<FunctionIndex, u32>,
    returned: Pairs<PlaceIndex, PlaceIndex>,
}

/// What belongs to what, in order: there are as many as calls have arguments, and few are asked for.
struct Pairs<K, V>(Vec<(K, V)>);

impl<K: Ord + Copy, V: Ord + Copy> Pairs<K, V> {
    fn of(pairs: impl Iterator<Item = (K, V)>) -> Self {
        let mut pairs: Vec<(K, V)> = pairs.collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    fn get(&self, key: K) -> impl Iterator<Item = V> + '_ {
        let first = self.0.partition_point(|(own, _)| *own < key);
        self.0[first..]
            .iter()
            .take_while(move |(own, _)| *own == key)
            .map(|(_, value)| *value)
    }
}

/// A place to follow: from where on in its function, if it is a cursor that may be used for several statements, and up to where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Held {
    place: PlaceIndex,
    shape: Shape,
    between: Option<(Position, Position)>,
    /// The statement was only prepared: its parameters are still to come.
    is_prepared: bool,
}

impl Collector<'_, '_> {
    pub(super) fn statements(&mut self) {
        let texts = texts(self.solver);
        if texts.is_empty() {
            return;
        }
        let mut selecting = Vec::new();
        let mut used: FxHashMap<PlaceIndex, Vec<Position>> = FxHashMap::default();
        for call in 0..self.solver.calls.len() as u32 {
            let row = &self.solver.calls[call as usize];
            if row.silent {
                continue;
            }
            let arguments = self.solver.call_arguments(call);
            let found = arguments.iter().enumerate().find_map(|(at, argument)| {
                let Some(Part::Text(text)) = self.solver.constant_known(argument) else {
                    return None;
                };
                Some((at, texts.get(&text)?))
            });
            let Some((at, statement)) = found else { continue };
            if let Some(receiver) = row.receiver {
                used.entry(receiver).or_default().push(row.position);
            }
            let (site, function) = (self.call_site(call), row.function);
            for column in &statement.named {
                self.access(EdgeKind::UsesKey, function, End::Key(*column), Rule::WireName, site);
            }
            for (from, to) in &statement.derived {
                self.flow(End::Key(*from), End::Key(*to), How::Encode, Rule::WireName, site);
            }
            for (from, to) in &statement.decided {
                self.flow(End::Key(*from), End::Key(*to), How::Test, Rule::WireName, site);
            }
            let behind: Vec<ArgumentRow> = arguments[at + 1..].to_vec();
            for (parameter, column) in &statement.parameters {
                for place in self.given_for(parameter, &behind) {
                    self.written_by_key(function, (place, *column), Rule::WireName, site);
                }
            }
            if !statement.columns.is_empty() || self.last_name(call).starts_with("prepare") {
                selecting.push((call, statement));
            }
        }
        if selecting.is_empty() {
            return;
        }
        used.values_mut().for_each(|positions| positions.sort_unstable());
        let ways = Ways::find(self.solver);
        for (call, statement) in selecting {
            self.follow_rows(call, statement, &used, &ways);
        }
    }

    /// The values that a parameter is given.
    fn given_for(&self, parameter: &Parameter<Symbol>, behind: &[ArgumentRow]) -> Vec<PlaceIndex> {
        let whole: Vec<&ArgumentRow> = behind.iter().filter(|argument| argument.name.is_none()).collect();
        let (part, given) = match parameter {
            Parameter::Position(position) => {
                let given = whole.get(*position as usize);
                (
                    Part::Index(*position),
                    given.filter(|given| given.kind == ArgumentKind::Positional),
                )
            }
            Parameter::Name(name) => {
                let given = behind.iter().find(|argument| argument.name == Some(*name));
                if let Some(given) = given {
                    return given.place.into_iter().collect();
                }
                (Part::Text(*name), None)
            }
        };
        let containers: Vec<PlaceIndex> = whole.iter().filter_map(|argument| argument.place).collect();
        if let [container] = containers.as_slice()
            && whole.len() == 1
        {
            let parts = self.parts_given(*container, part, 2);
            if !parts.is_empty() {
                return parts;
            }
        }
        given.and_then(|given| given.place).into_iter().collect()
    }

    /// The part of a sequence or mapping, or of those in it.
    fn parts_given(&self, container: PlaceIndex, part: Part, depth: u8) -> Vec<PlaceIndex> {
        let Some(depth) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (id, object) in self.solver.held(container) {
            if !matches!(object, Object::Container { .. }) {
                continue;
            }
            let parts = self.solver.parts.get(&id).into_iter().flatten();
            let inner: Vec<PlaceIndex> = parts
                .flat_map(|(_, place)| self.parts_given(*place, part, depth))
                .collect();
            match inner.is_empty() {
                true => found.extend(self.solver.elements.get(&(id, part)).copied()),
                false => found.extend(inner),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What is read out of the result of a statement by position.
    fn follow_rows(
        &mut self,
        call: u32,
        statement: &Statement<Symbol>,
        used: &FxHashMap<PlaceIndex, Vec<Position>>,
        ways: &Ways,
    ) {
        let row = &self.solver.calls[call as usize];
        let mut open = Vec::new();
        let asked = self.last_name(call);
        let is_prepared = asked.starts_with("prepare");
        for result in self.solver.call_results(call) {
            if self.taken(&asked, *result, statement, self.call_site(call)) {
                continue;
            }
            let shape = shape_of(&asked).unwrap_or(Shape::Rows);
            open.push(Held {
                place: *result,
                shape,
                between: None,
                is_prepared,
            });
        }
        if let Some(receiver) = row.receiver.filter(|_| asked.starts_with("execute")) {
            let next = used
                .get(&receiver)
                .into_iter()
                .flatten()
                .find(|next| **next > row.position);
            let end = next.copied().unwrap_or(Position {
                line: u32::MAX,
                column: 0,
            });
            open.push(Held {
                place: receiver,
                shape: Shape::Rows,
                between: Some((row.position, end)),
                is_prepared: false,
            });
        }
        let mut seen = FxHashSet::default();
        while let Some(held) = open.pop().filter(|_| seen.len() < FOLLOWED_LIMIT) {
            if !seen.insert(held) {
                continue;
            }
            let Held {
                place,
                shape,
                between,
                is_prepared,
            } = held;
            let is_meant = |at: Position| between.is_none_or(|(from, to)| from < at && at < to);
            let on = |place, shape| Held {
                place,
                shape,
                between: None,
                is_prepared,
            };
            for load in ways.loads.get(place) {
                let load = self.solver.element_loads[load as usize];
                if !is_meant(load.position) {
                    continue;
                }
                match (shape, load.key) {
                    (Shape::Rows, RowKey::Index(_) | RowKey::Back(_) | RowKey::At(_) | RowKey::Any) => {
                        open.push(on(load.value, Shape::Row));
                    }
                    (Shape::Rows, RowKey::Returned) => open.push(on(load.value, shape)),
                    (Shape::Rows, key) if key.is_iteration() => open.push(on(load.value, Shape::Row)),
                    (Shape::Row, RowKey::Returned) => open.push(on(load.value, shape)),
                    (Shape::Row, RowKey::Index(at)) => {
                        self.column_read(
                            statement,
                            at as usize,
                            (load.value, load.function),
                            EdgeSite::from((load.file, load.position)),
                        );
                    }
                    _ => {}
                }
            }
            for call in ways.by_receiver.get(place) {
                if is_meant(self.solver.calls[call as usize].position) {
                    open.extend(
                        self.rows_asked(call, (shape, is_prepared), statement)
                            .map(|(place, shape)| on(place, shape)),
                    );
                }
            }
            if between.is_some() {
                continue;
            }
            let assigned = self.tables.assigned.get(&place).into_iter().flatten();
            let assigned = assigned.copied().chain(ways.returned.get(place));
            open.extend(assigned.map(|to| on(to, shape)));
            for call in ways.by_argument.get(place) {
                for target in &self.solver.calls[call as usize].targets {
                    let Some((function, bound, base)) = self.solver.entered_as(call, *target) else {
                        continue;
                    };
                    let passings = self.solver.passings(call, function, bound, base).into_iter();
                    let whole =
                        passings.filter(|row| row.from == place && row.gathered.is_none() && row.spread.is_none());
                    open.extend(whole.map(|row| on(row.to, shape)));
                }
            }
            for (function, index) in ways.results.get(place) {
                for call in ways.callers.get(function) {
                    let given = self.solver.call_results(call).get(index as usize);
                    open.extend(given.map(|place| on(*place, shape)));
                }
            }
        }
    }

    /// What a method of a cursor or of a row gives.
    fn rows_asked(
        &mut self,
        call: u32,
        (shape, is_prepared): (Shape, bool),
        statement: &Statement<Symbol>,
    ) -> Option<(PlaceIndex, Shape)> {
        let (asked, site) = (self.last_name(call), self.call_site(call));
        if is_prepared && takes_parameters(&asked) {
            let function = self.solver.calls[call as usize].function;
            let skipped = usize::from(asked.ends_with("context"));
            let given: Vec<ArgumentRow> = self.solver.call_arguments(call).iter().skip(skipped).copied().collect();
            for (parameter, column) in statement.parameters.iter().filter(|_| !given.is_empty()) {
                for place in self.given_for(parameter, &given) {
                    self.written_by_key(function, (place, *column), Rule::WireName, site);
                }
            }
        }
        if asked == "scan" {
            for index in 0..statement.columns.len() {
                let function = self.solver.calls[call as usize].function;
                for place in self.with_pointed_at(&Subject::Argument(index), call) {
                    self.column_read(statement, index, (place, function), site);
                }
            }
            return None;
        }
        let result = self.solver.call_results(call).first().copied()?;
        if self.taken(&asked, result, statement, site) {
            return None;
        }
        match shape {
            Shape::Rows => shape_of(&asked).map(|shape| (result, shape)),
            Shape::Row => None,
        }
    }

    /// Whether a call gives the first column of the first row, which is said then.
    fn taken(&mut self, asked: &str, result: PlaceIndex, statement: &Statement<Symbol>, site: EdgeSite) -> bool {
        let is_value = gives_value(asked);
        if is_value && let Some(function) = self.solver.program.owner_of(result) {
            self.column_read(statement, 0, (result, function), site);
        }
        is_value
    }

    fn column_read(
        &mut self,
        statement: &Statement<Symbol>,
        at: usize,
        (place, function): (PlaceIndex, FunctionIndex),
        site: EdgeSite,
    ) {
        for column in statement.columns.get(at).into_iter().flatten() {
            self.read_by_key(function, (*column, place), Rule::WireName, site);
        }
        for column in statement.columns_decided.get(at).into_iter().flatten() {
            self.access(EdgeKind::UsesKey, function, End::Key(*column), Rule::WireName, site);
            self.flow(End::Key(*column), End::Place(place), How::Test, Rule::WireName, site);
        }
    }

    /// The name of what is called, in small letters.
    fn last_name(&self, call: u32) -> String {
        let text = self.solver.program.symbols.text(self.solver.calls[call as usize].text);
        last_part(text).to_lowercase()
    }
}

pub(super) fn last_part(text: &str) -> &str {
    text.rsplit('.').next().unwrap_or(text)
}

/// Whether a method of this name may be one of a cursor, a prepared statement or rows.
fn is_asked_of_rows(name: &str) -> bool {
    let name = name.to_lowercase();
    name == "scan" || takes_parameters(&name) || gives_value(&name) || shape_of(&name).is_some()
}

/// `statement := db.Prepare(text)`, `statement.Exec(age)`
fn takes_parameters(asked: &str) -> bool {
    ["append", "exec", "query", "fetch"]
        .iter()
        .any(|word| asked.starts_with(word))
}

/// Whether a method of this name gives the first column of the first row.
fn gives_value(asked: &str) -> bool {
    matches!(
        asked,
        "fetchval" | "fetch_val" | "scalar" | "scalar_one" | "scalar_one_or_none"
    )
}

/// What methods of these names give of a result.
fn shape_of(asked: &str) -> Option<Shape> {
    match asked {
        "fetchone" | "fetch_one" | "fetchrow" | "first" | "one" | "one_or_none" | "queryrow" | "queryrowcontext" => {
            Some(Shape::Row)
        }
        "fetchall" | "fetch_all" | "fetchmany" | "all" | "fetch" | "execute" | "tuples" | "partitions" | "query"
        | "querycontext" => Some(Shape::Rows),
        _ => None,
    }
}

/// The statements of all files, by their text.
fn texts(solver: &Solver<'_>) -> FxHashMap<Symbol, Statement<Symbol>> {
    let mut texts = FxHashMap::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let symbol = |name| solver.program.symbol(FileIndex(index as u32), name);
        for (text, statement) in &file.facts.statements {
            texts.insert(symbol(*text), statement.with(|name| symbol(*name)));
        }
    }
    texts
}

impl Ways {
    fn find(solver: &Solver<'_>) -> Self {
        let rows = solver.element_loads.iter().enumerate();
        let is_kept = |key: RowKey| !matches!(key, RowKey::Text(_) | RowKey::Target | RowKey::Keys);
        let rows = rows.filter(|(_, row)| !row.silent && is_kept(row.key));
        let loads = rows.map(|(index, row)| (row.base, index as u32));
        let calls = || solver.calls.iter().enumerate().filter(|(_, row)| !row.silent);
        let asks = |row: &CallRow| is_asked_of_rows(last_part(solver.program.symbols.text(row.text)));
        let receivers = calls().filter(|(_, row)| row.receiver.is_some() && asks(row));
        let receivers = receivers.filter_map(|(index, row)| Some((row.receiver?, index as u32)));
        let is_entered = |row: &CallRow| {
            row.targets
                .iter()
                .any(|target| matches!(target, Target::Function { .. } | Target::Constructor { .. }))
        };
        let arguments = calls().filter(|(_, row)| is_entered(row)).flat_map(|(index, _)| {
            let given = solver.call_arguments(index as u32).iter();
            given.filter_map(move |argument| Some((argument.place?, index as u32)))
        });
        let callers = calls().flat_map(|(index, row)| {
            row.targets.iter().filter_map(move |target| match target {
                Target::Function { function, .. } => Some((*function, index as u32)),
                _ => None,
            })
        });
        let functions = (0..solver.program.functions.len() as u32).map(FunctionIndex);
        let results = functions.flat_map(|function| {
            let results = solver.function_results(function).into_iter().enumerate();
            results.map(move |(at, place)| (place, (function, at as u32)))
        });
        let returned = solver.program.files.iter().enumerate().flat_map(|(index, file)| {
            let place = move |own| solver.program.place(FileIndex(index as u32), own);
            let flows = file.facts.flows.iter().filter(|flow| flow.how == How::Return);
            flows.map(move |flow| (place(flow.from), place(flow.to)))
        });
        Self {
            loads: Pairs::of(loads),
            by_receiver: Pairs::of(receivers),
            by_argument: Pairs::of(arguments),
            results: Pairs::of(results),
            callers: Pairs::of(callers),
            returned: Pairs::of(returned),
        }
    }
}
