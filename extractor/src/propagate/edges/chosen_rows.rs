//! What is made of rows that were chosen before: it depends on what they were chosen by.
//!
//! ```python
//! rows.filter(col("hours") > 0).agg(sum("fee").alias("total"))     # `total` by `hours`
//! Ticket.objects.filter(reopened=True).count()                     # by the field `reopened`
//! ```

use ripple_schema::{How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::statements::last_part;
use super::{Collector, End};
use crate::facts::Constant;
use crate::link::{PlaceIndex, Symbol};
use crate::propagate::solve::Solver;

/// Most calls that are looked at, one asked of what the other gave.
const CALL_LIMIT: usize = 6;

/// Methods that choose rows.
const CHOOSING: &[&str] = &["exclude", "filter", "query", "where"];

/// Methods that put rows together, or leave some out, by columns that they name.
const BY_COLUMNS: &[&str] = &[
    "drop_duplicates",
    "dropna",
    "groupBy",
    "group_by",
    "groupby",
    "sort_values",
    "unique",
];

/// Methods that make one value of the rows of a column.
const SUMMING: &[&str] = &[
    "avg", "count", "first", "last", "len", "max", "mean", "median", "min", "n_unique", "quantile", "std", "sum", "var",
];

impl Collector<'_, '_> {
    /// The columns that calls name, and what they give where that is one number, by what their rows were chosen by.
    pub(super) fn made_of_rows(&mut self) {
        let asked = std::mem::take(&mut self.rows_asked);
        if asked.is_empty() {
            return;
        }
        let given = Given::new(self.solver, &asked);
        for call in asked {
            let choosing = given.choosing(call);
            if choosing.is_empty() {
                continue;
            }
            let (solver, site) = (self.solver, self.call_site(call));
            let mut made: Vec<End> = given.columns_named(call).into_iter().map(End::Key).collect();
            let class = self.class_asked(call);
            if class.is_some() {
                made.extend(solver.call_results(call).iter().map(|result| End::Place(*result)));
            }
            for choosing in choosing {
                let by = solver.call_arguments(choosing).iter();
                let by = by.filter_map(|given| match (class, given.name) {
                    (Some(class), Some(name)) => solver.declared_key(class, field_asked(solver, name)?),
                    _ => given.place,
                });
                let columns = match class.is_none() && BY_COLUMNS.contains(&given.name_of(choosing)) {
                    true => self.columns_given(choosing),
                    false => Vec::new(),
                };
                let by: Vec<End> = by.map(End::Place).chain(columns.into_iter().map(End::Key)).collect();
                for by in by {
                    for to in made.iter().filter(|to| **to != by) {
                        self.flow(by, *to, How::Test, Rule::LibraryTable, site);
                    }
                }
            }
        }
    }
}

impl Collector<'_, '_> {
    /// The columns that the arguments of a call name: by one text, or by a list of them.
    fn columns_given(&self, call: u32) -> Vec<Symbol> {
        let solver = self.solver;
        let file = solver.calls[call as usize].file;
        let facts = &solver.program.files[file.at()].facts;
        let mut columns = Vec::new();
        for argument in solver.call_arguments(call) {
            columns.extend(argument.text);
            let Some(Constant::Display(display)) = argument.constant else {
                continue;
            };
            let parts = facts.displays.get(display as usize).map(|display| &display.parts);
            for (_, part) in parts.into_iter().flatten() {
                if let Some(Constant::Text(text)) = part {
                    columns.push(solver.program.symbol(file, *text));
                }
            }
        }
        columns
    }
}

/// Which calls give what is in places.
struct Given<'s, 'p> {
    solver: &'s Solver<'p>,
    calls: FxHashMap<PlaceIndex, u32>,
    /// What variables are assigned.
    assigned: FxHashMap<PlaceIndex, PlaceIndex>,
}

impl<'s, 'p> Given<'s, 'p> {
    /// Of the files that these calls are in.
    fn new(solver: &'s Solver<'p>, asked: &[u32]) -> Self {
        let files: FxHashSet<_> = asked.iter().map(|call| solver.calls[*call as usize].file).collect();
        let calls = solver
            .calls
            .iter()
            .enumerate()
            .filter(|(_, row)| files.contains(&row.file));
        let calls = calls.flat_map(|(call, _)| {
            let results = solver.call_results(call as u32).iter();
            results.map(move |result| (*result, call as u32))
        });
        let mut assigned = FxHashMap::default();
        for file in &files {
            let place = |own| solver.program.place(*file, own);
            for flow in solver.program.files[file.at()]
                .facts
                .flows
                .iter()
                .filter(|flow| flow.same)
            {
                assigned.entry(place(flow.to)).or_insert_with(|| place(flow.from));
            }
        }
        Self {
            solver,
            calls: calls.collect(),
            assigned,
        }
    }

    /// The columns that a call makes, each of many rows: `total=…`, `sum(…).alias("total")`.
    fn columns_named(&self, call: u32) -> Vec<Symbol> {
        let solver = self.solver;
        let sums = self.name_of(call) != "select";
        let given = solver.call_arguments(call).iter();
        let named = given.filter_map(|given| {
            given.name.filter(|_| sums).or_else(|| {
                let naming = *self.calls.get(&given.place?)?;
                let of = solver.calls[naming as usize].receiver;
                let summing = of.and_then(|of| self.calls.get(&of));
                let sums = sums || summing.is_some_and(|summing| SUMMING.contains(&self.name_of(*summing)));
                let named = solver.call_arguments(naming).first()?.text;
                named.filter(|_| sums && matches!(self.name_of(naming), "alias" | "name"))
            })
        });
        named.collect()
    }

    /// The calls that chose the rows which a call is asked of; what they gave may have a name.
    fn choosing(&self, call: u32) -> Vec<u32> {
        let mut at = call;
        let mut found = Vec::new();
        for _ in 0..CALL_LIMIT {
            let Some(receiver) = self.solver.calls[at as usize].receiver else {
                break;
            };
            let receiver = self.assigned.get(&receiver).copied().unwrap_or(receiver);
            let Some(before) = self.calls.get(&receiver).copied().filter(|before| *before < at) else {
                break;
            };
            let name = self.name_of(before);
            if CHOOSING.contains(&name) || BY_COLUMNS.contains(&name) {
                found.push(before);
            }
            at = before;
        }
        found
    }

    fn name_of(&self, call: u32) -> &'s str {
        last_part(self.solver.program.symbols.text(self.solver.calls[call as usize].text))
    }
}

/// `minutes__gt`: the field `minutes`.
fn field_asked(solver: &Solver<'_>, name: Symbol) -> Option<Symbol> {
    let field = solver.program.symbols.text(name).split("__").next()?;
    solver.program.symbols.find(field)
}
