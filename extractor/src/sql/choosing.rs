//! By which columns the rows of a `SELECT` are chosen and put together, and which of its values depend on that.
//!
//! ```text
//! SELECT sum(fee) AS revenue FROM visits WHERE hours > 0                          `revenue` by `hours`
//! SELECT r.risk AS region_risk FROM visits v JOIN regions r ON r.code = v.post    `region_risk` by `code` and `post`
//! SELECT fee AS paid FROM visits WHERE hours > 0                                  the same fee, whichever rows there are
//! ```

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use sqlparser::ast::{
    Expr, GroupByExpr, Join, JoinConstraint, JoinOperator, Query, Select, SelectItem, TableFactor, Visit, Visitor,
};

use super::{last_of, selects, within};

/// Functions that make one value of many rows.
const OF_ROWS: &[&str] = &[
    "any_value",
    "arg_max",
    "arg_min",
    "argmax",
    "argmin",
    "array_agg",
    "avg",
    "avgif",
    "corr",
    "count",
    "count_if",
    "countif",
    "entropy",
    "every",
    "first",
    "group_concat",
    "histogram",
    "json_agg",
    "json_group_array",
    "json_group_object",
    "json_object_agg",
    "jsonb_agg",
    "jsonb_object_agg",
    "kurtosis",
    "last",
    "list",
    "listagg",
    "max",
    "max_by",
    "mean",
    "median",
    "min",
    "min_by",
    "mode",
    "skewness",
    "stdev",
    "string_agg",
    "sum",
    "sumif",
    "total",
    "uniq",
    "variance",
];

/// The beginnings of the names of more of them.
const FAMILIES: &[&str] = &[
    "approx_",
    "bit_",
    "bool_",
    "collect_",
    "covar_",
    "percentile_",
    "quantile",
    "regr_",
    "stddev",
    "uniq",
    "var_",
];

/// What named queries choose their rows by.
pub(super) type Known = FxHashMap<String, Vec<String>>;

/// What a `SELECT` does with rows.
pub(super) struct Choosing {
    /// Columns that say which rows there are.
    rows: Vec<String>,
    /// Columns that tables are joined by.
    joined_by: Vec<String>,
    /// The names of the tables that are joined to the first one.
    joined: Vec<String>,
}

impl Choosing {
    pub(super) fn of(select: &Select, known: &Known) -> Self {
        let mut found = Self {
            rows: Vec::new(),
            joined_by: Vec::new(),
            joined: Vec::new(),
        };
        let conditions = [&select.selection, &select.having, &select.qualify, &select.prewhere];
        let mut asked: Vec<&Expr> = conditions.into_iter().flatten().collect();
        // What the rows are put together by stands beside the sums, if it is told.
        let is_told = |grouped: &&Expr| {
            let mut items = select.projection.iter();
            items.any(|item| matches!(item, SelectItem::UnnamedExpr(told) if told == *grouped))
        };
        if let GroupByExpr::Expressions(grouped, _) = &select.group_by {
            asked.extend(grouped.iter().filter(|grouped| !is_told(grouped)));
        }
        found
            .rows
            .extend(asked.into_iter().flat_map(|asked| within(asked).columns));
        for table in &select.from {
            found.of_table(&table.relation, known);
            for join in &table.joins {
                found.join(join, known);
            }
        }
        found
    }

    fn join(&mut self, join: &Join, known: &Known) {
        self.of_table(&join.relation, known);
        self.joined.extend(name_of(&join.relation).map(str::to_lowercase));
        match constraint(&join.join_operator) {
            Some(JoinConstraint::On(condition)) => self.joined_by.extend(within(condition).columns),
            Some(JoinConstraint::Using(columns) | JoinConstraint::UsingAlias(columns, _)) => {
                let columns = columns.iter().filter_map(last_of);
                self.joined_by.extend(columns.map(str::to_owned));
            }
            _ => {}
        }
    }

    fn of_table(&mut self, table: &TableFactor, known: &Known) {
        match table {
            TableFactor::Table { name, .. } => {
                let known = last_of(name).and_then(|name| known.get(&name.to_lowercase()));
                self.rows.extend(known.into_iter().flatten().cloned());
            }
            TableFactor::Derived { subquery, .. } => self.rows.extend(rows(subquery, known)),
            _ => {}
        }
    }

    /// The columns by which a value depends on which rows there are.
    pub(super) fn deciding(&self, value: &Expr) -> Vec<String> {
        let is_of_rows = is_of_rows(value);
        let is_of_joined = || !self.joined.is_empty() && self.is_of_joined(value);
        let rows = self.rows.iter().filter(|_| is_of_rows);
        let joined_by = self.joined_by.iter().filter(|_| is_of_rows || is_of_joined());
        rows.chain(joined_by).cloned().collect()
    }

    /// Whether a column of a joined table is in a value.
    fn is_of_joined(&self, value: &Expr) -> bool {
        is_any(value, |inner| match inner {
            Expr::CompoundIdentifier(names) => {
                let table = names.len().checked_sub(2).and_then(|at| names.get(at));
                table.is_some_and(|table| self.joined.contains(&table.value.to_lowercase()))
            }
            _ => false,
        })
    }
}

/// What a query chooses its rows by.
pub(super) fn rows(query: &Query, known: &Known) -> Vec<String> {
    let selects = selects(&query.body).into_iter();
    let mut columns: Vec<String> = selects
        .flat_map(|select| {
            let found = Choosing::of(select, known);
            found.rows.into_iter().chain(found.joined_by)
        })
        .collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// Notes what the queries choose by that a query names at its beginning.
pub(super) fn note_named(query: &Query, known: &mut Known) {
    for named in query.with.iter().flat_map(|with| &with.cte_tables) {
        let columns = rows(&named.query, known);
        known.insert(named.alias.name.value.to_lowercase(), columns);
    }
}

/// Whether a value is made of several rows: by an aggregate function, or over a window.
fn is_of_rows(value: &Expr) -> bool {
    is_any(value, |inner| match inner {
        Expr::Function(function) => {
            let name = last_of(&function.name).unwrap_or_default().to_lowercase();
            function.over.is_some()
                || OF_ROWS.contains(&name.as_str())
                || FAMILIES.iter().any(|family| name.starts_with(family))
        }
        _ => false,
    })
}

/// Whether something holds of an expression in this one; a query in it has rows of its own.
fn is_any(value: &Expr, holds: impl Fn(&Expr) -> bool) -> bool {
    struct Seeking<F>(F, u32);
    impl<F: Fn(&Expr) -> bool> Visitor for Seeking<F> {
        type Break = ();

        fn pre_visit_query(&mut self, _query: &Query) -> ControlFlow<()> {
            self.1 += 1;
            ControlFlow::Continue(())
        }

        fn post_visit_query(&mut self, _query: &Query) -> ControlFlow<()> {
            self.1 -= 1;
            ControlFlow::Continue(())
        }

        fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
            match self.1 == 0 && (self.0)(expression) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }
    value.visit(&mut Seeking(holds, 0)).is_break()
}

/// What a table is called in the statement.
fn name_of(table: &TableFactor) -> Option<&str> {
    match table {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(alias.name.value.as_str())
        }
        TableFactor::Table { name, .. } => last_of(name),
        _ => None,
    }
}

fn constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint)
        | JoinOperator::CrossJoin(constraint)
        | JoinOperator::AsOf { constraint, .. } => Some(constraint),
        _ => None,
    }
}
