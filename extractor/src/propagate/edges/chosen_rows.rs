//! What is made of rows that were chosen before: it depends on what they were chosen by.
//!
//! ```python
//! rows.filter(col("hours") > 0).agg(sum("fee").alias("total"))     # `total` by `hours`
//! Ticket.objects.filter(reopened=True).count()                     # by the field `reopened`
//! ```

use ripple_schema::{How, Rule};

use super::{Collector, End};
use crate::link::{PlaceIndex, Symbol};
use crate::propagate::solve::Solver;

/// Most calls that are looked at, one asked of what the other gave.
const CALL_LIMIT: usize = 6;

/// Methods that choose rows.
const CHOOSING: &[&str] = &["exclude", "filter", "query", "where"];

/// Methods that make one value of the rows of a column.
const SUMMING: &[&str] = &[
    "avg", "count", "first", "last", "len", "max", "mean", "median", "min", "n_unique", "quantile", "std", "sum", "var",
];

impl Collector<'_, '_> {
    /// The columns that a call names, and what it gives, where it is one number, by what its rows were chosen by.
    pub(super) fn made_of_rows(&mut self, call: u32) {
        let (solver, site) = (self.solver, self.call_site(call));
        let mut made: Vec<End> = self.columns_named(call).into_iter().map(End::Key).collect();
        let class = self.class_asked(call);
        if class.is_some() {
            made.extend(solver.call_results(call).iter().map(|result| End::Place(*result)));
        }
        for choosing in self.choosing(call) {
            let given = solver.call_arguments(choosing).iter();
            let by: Vec<PlaceIndex> = given
                .filter_map(|given| match (class, given.name) {
                    (Some(class), Some(name)) => solver.declared_key(class, self.field_asked(name)?),
                    _ => given.place,
                })
                .collect();
            for by in by {
                for to in &made {
                    self.flow(End::Place(by), *to, How::Test, Rule::LibraryTable, site);
                }
            }
        }
    }

    /// `minutes__gt`: the field `minutes`.
    fn field_asked(&self, name: Symbol) -> Option<Symbol> {
        let symbols = &self.solver.program.symbols;
        let field = symbols.text(name).split("__").next()?;
        symbols.find(field)
    }

    /// The columns that a call makes, each of many rows: `total=…`, `sum(…).alias("total")`.
    fn columns_named(&self, call: u32) -> Vec<Symbol> {
        let solver = self.solver;
        let sums = last_name(solver, call) != "select";
        let given = solver.call_arguments(call).iter();
        let named = given.filter_map(|given| {
            given.name.filter(|_| sums).or_else(|| {
                let naming = solver.call_that_gives(call, given.place?)?;
                let of = solver.calls[naming as usize].receiver;
                let summing = || {
                    solver
                        .call_that_gives(naming, of?)
                        .map(|summing| last_name(solver, summing))
                };
                let sums = sums || summing().is_some_and(|name| SUMMING.contains(&name));
                let named = solver.call_arguments(naming).first()?.text;
                named.filter(|_| sums && matches!(last_name(solver, naming), "alias" | "name"))
            })
        });
        named.collect()
    }

    /// The calls that chose the rows which a call is asked of; what they gave may have a name.
    fn choosing(&self, call: u32) -> Vec<u32> {
        let (solver, mut at) = (self.solver, call);
        let mut found = Vec::new();
        for _ in 0..CALL_LIMIT {
            let receiver = solver.calls[at as usize].receiver;
            let before = receiver.and_then(|receiver| solver.call_that_gives(at, self.assigned_from(receiver)));
            let Some(before) = before else { break };
            if CHOOSING.contains(&last_name(solver, before)) {
                found.push(before);
            }
            at = before;
        }
        found
    }

    /// What a variable is assigned; what is none is itself.
    fn assigned_from(&self, place: PlaceIndex) -> PlaceIndex {
        let program = &*self.solver.program;
        let Some((file, local)) = program.local_place(place) else {
            return place;
        };
        let mut flows = program.files[file.at()].facts.flows.iter();
        let from = flows.find(|flow| flow.to == local && flow.same).map(|flow| flow.from);
        from.map_or(place, |from| program.place(file, from))
    }
}

fn last_name<'s>(solver: &'s Solver<'_>, call: u32) -> &'s str {
    let text = solver.program.symbols.text(solver.calls[call as usize].text);
    text.rsplit('.').next().unwrap_or(text)
}
