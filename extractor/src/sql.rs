//! Statements of SQL, as far as they say which value stands under the name of which column.
//!
//! ```text
//! INSERT INTO people (age, income) VALUES (%s, %s)      parameter 0 goes to `age`, 1 to `income`
//! UPDATE people SET age = :years WHERE id = :id         the parameter `years` to `age`
//! SELECT id, income * 12 AS yearly FROM people          position 0 is `id`, 1 is `yearly`, which `income` becomes
//! ```
//!
//! Parameters are written as libraries want them: `?`, `$1`, `%s`, `:name`, `@name`, `%(name)s`. What cannot be read as SQL is no statement. What a condition
//! of the statement compares with a parameter (`WHERE id = ?`) goes nowhere; what a value is made of may stand in a condition inside of it (`CASE WHEN a > 1 THEN b END`).

mod choosing;
mod expression;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use sqlparser::ast::{
    Assignment, AssignmentTarget, BinaryOperator, Expr, Insert, ObjectName, OnConflictAction, OnInsert, Query, Select,
    SelectItem, SetExpr, Statement as Parsed, Value, Visit, Visitor, visit_expressions,
};
use sqlparser::dialect::{Dialect, GenericDialect, MySqlDialect, PostgreSqlDialect};
use sqlparser::parser::Parser;

pub use expression::expressions;

use choosing::{Choosing, Known};

/// What front ends write where a piece of the text is not known: a table's name, say.
pub const HOLE: &str = "ripple_hole";

/// A longer text is not read.
const LENGTH_LIMIT: usize = 50_000;

/// Nor is one with more operators: a chain of them is as deep a tree, and who walks it needs a stack for that.
const OPERATOR_LIMIT: usize = 1_000;

/// A statement, with the names of columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement<N = String> {
    /// Parameters, and the columns that they are written to.
    pub parameters: Vec<(Parameter<N>, N)>,
    /// Columns that others are computed from: from, to.
    pub derived: Vec<(N, N)>,
    /// Columns that say of which rows others are made: from, to.
    pub decided: Vec<(N, N)>,
    /// What the result has by position: the names of columns that it comes from.
    pub columns: Vec<Vec<N>>,
    /// Columns that say of which rows that is made, where they are not told of its name.
    pub columns_decided: Vec<Vec<N>>,
    /// All columns that it reads or writes.
    pub named: Vec<N>,
    /// The tables that it speaks of, in small letters.
    pub tables: Vec<N>,
}

/// A value that is given to a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parameter<N = String> {
    /// By position, from 0.
    Position(u32),
    /// By name.
    Name(N),
}

impl<M> Statement<M> {
    /// The same with names of another kind.
    pub fn with<N>(&self, mut name: impl FnMut(&M) -> N) -> Statement<N> {
        let mut parameters = Vec::new();
        for (parameter, column) in &self.parameters {
            let parameter = match parameter {
                Parameter::Position(position) => Parameter::Position(*position),
                Parameter::Name(own) => Parameter::Name(name(own)),
            };
            parameters.push((parameter, name(column)));
        }
        let derived = self.derived.iter().map(|(from, to)| (name(from), name(to))).collect();
        let decided = self.decided.iter().map(|(from, to)| (name(from), name(to))).collect();
        let mut names = |names: &Vec<M>| names.iter().map(&mut name).collect();
        Statement {
            parameters,
            derived,
            decided,
            columns: self.columns.iter().map(&mut names).collect(),
            columns_decided: self.columns_decided.iter().map(&mut names).collect(),
            named: names(&self.named),
            tables: names(&self.tables),
        }
    }
}

/// Whether a text begins as a statement does: cheap, and true of some texts that are none.
pub fn may_be_statement(text: &str) -> bool {
    const WORDS: [&str; 7] = ["insert", "update", "select", "replace", "with", "create", "merge"];
    let mut rest = text.trim_start();
    // `-- name: GetUser :one`
    while let Some(comment) = rest.strip_prefix("--") {
        rest = comment.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let rest = rest.trim_start_matches('(');
    text.len() <= LENGTH_LIMIT
        && WORDS.iter().any(|word| {
            let head = rest
                .get(..word.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(word));
            head && rest[word.len()..].starts_with(|next: char| next.is_whitespace() || next == '\\')
        })
}

/// Reads a statement; none if it is not one, or tells nothing of columns.
pub fn read(text: &str) -> Option<Statement> {
    if !may_be_statement(text) || operators(text) > OPERATOR_LIMIT {
        return None;
    }
    let text = numbered(&text.replace("\\n", "\n").replace("\\t", " "));
    let dialects: [&dyn Dialect; 3] = [&GenericDialect {}, &PostgreSqlDialect {}, &MySqlDialect {}];
    let parse = |text: &str| {
        let mut dialects = dialects.iter();
        dialects.find_map(|dialect| Parser::parse_sql(*dialect, text).ok())
    };
    let parsed = parse(&text).or_else(|| parse(&with_values(&text)?))?;
    let mut reader = Reader {
        found: Statement {
            parameters: Vec::new(),
            derived: Vec::new(),
            decided: Vec::new(),
            columns: Vec::new(),
            columns_decided: Vec::new(),
            named: Vec::new(),
            tables: Vec::new(),
        },
        known: Known::default(),
    };
    for statement in &parsed {
        reader.statement(statement);
    }
    let _ = parsed.visit(&mut reader);
    let mut found = reader.found;
    found.parameters.retain(|(_, column)| column != HOLE);
    for pairs in [&mut found.derived, &mut found.decided] {
        pairs.retain(|(from, to)| from != to && is_known(from) && is_known(to));
        pairs.sort_unstable();
        pairs.dedup();
    }
    found.columns_decided.iter_mut().for_each(|columns| {
        columns.retain(|column| is_known(column));
        columns.sort_unstable();
        columns.dedup();
    });
    found.named.retain(|column| column != HOLE);
    found.named.sort_unstable();
    found.named.dedup();
    found.tables.retain(|table| is_known(table));
    found.tables.sort_unstable();
    found.tables.dedup();
    (!found.named.is_empty()).then_some(found)
}

/// `INSERT INTO people (age, income)`, of which the values are given row by row: with a parameter for each.
fn with_values(text: &str) -> Option<String> {
    let columns = text.trim_end().strip_suffix(')')?.rsplit_once('(')?.1;
    let is_insert = text.trim_start().get(..6)?.eq_ignore_ascii_case("insert");
    let values: Vec<String> = (1..=columns.split(',').count())
        .map(|number| format!("${number}"))
        .collect();
    is_insert.then(|| format!("{text} VALUES ({})", values.join(", ")))
}

/// How many operators a text may have: signs between words, and words that join.
fn operators(text: &str) -> usize {
    const WORDS: [&str; 15] = [
        "and",
        "at",
        "between",
        "case",
        "collate",
        "except",
        "ilike",
        "in",
        "intersect",
        "is",
        "like",
        "not",
        "or",
        "select",
        "union",
    ];
    let is_sign = |letter: &char| {
        letter.is_ascii_punctuation() && !matches!(letter, ',' | '(' | ')' | '_' | '\'' | '"' | '`' | '$' | '?')
    };
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let joins = words.filter(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)));
    text.chars().filter(is_sign).count() + joins.count()
}

fn is_known(column: &str) -> bool {
    !column.contains(HOLE)
}

/// The text with each parameter written as `$1` or `:name`.
fn numbered(text: &str) -> String {
    let (mut written, mut count) = (String::with_capacity(text.len()), 0u32);
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '%', '?', '-']) {
        let (before, found) = rest.split_at(at);
        written.push_str(before);
        let mut next = || {
            count += 1;
            format!("${count}")
        };
        let length = if let Some(quoted) = found.strip_prefix('\'') {
            let length = quoted.find('\'').map_or(found.len(), |end| end + 2);
            written.push_str(&found[..length]);
            length
        } else if found.starts_with("--") {
            found.find('\n').unwrap_or(found.len())
        } else if found.starts_with("%s") || found.starts_with('?') {
            written.push_str(&next());
            if found.starts_with('?') { 1 } else { 2 }
        } else if let Some((name, _)) = found.strip_prefix("%(").and_then(|rest| rest.split_once(")s")) {
            written.push(':');
            written.push_str(name);
            name.len() + 4
        } else {
            written.push_str(&found[..1]);
            if found.starts_with("%%") { 2 } else { 1 }
        };
        rest = &found[length..];
    }
    written + rest
}

struct Reader {
    found: Statement,
    known: Known,
}

impl Reader {
    fn statement(&mut self, statement: &Parsed) {
        match statement {
            Parsed::Insert(insert) => self.insert(insert),
            Parsed::Update(update) => {
                self.assignments(&update.assignments);
                self.result(update.returning.iter().flatten());
            }
            Parsed::Query(query) => self.outer_query(query),
            _ => {}
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let columns = insert.columns.iter().map(last_of);
        let columns: Vec<Option<&str>> = columns.take_while(|column| column.is_none_or(is_known)).collect();
        self.found
            .named
            .extend(columns.iter().flatten().map(|column| (*column).to_owned()));
        self.assignments(&insert.assignments);
        match &insert.on {
            Some(OnInsert::DuplicateKeyUpdate(assignments)) => self.assignments(assignments),
            Some(OnInsert::OnConflict(conflict)) => {
                if let OnConflictAction::DoUpdate(update) = &conflict.action {
                    self.assignments(&update.assignments);
                }
            }
            _ => {}
        }
        match insert.source.as_deref().map(|source| source.body.as_ref()) {
            Some(SetExpr::Values(values)) => {
                for row in &values.rows {
                    let row: &[Expr] = row;
                    for (column, value) in columns.iter().zip(row) {
                        if !within(value).columns.iter().all(|column| is_known(column)) {
                            break;
                        }
                        self.written(*column, value);
                    }
                }
            }
            Some(body) => {
                for select in selects(body) {
                    let choosing = Choosing::of(select, &self.known);
                    for (column, item) in columns.iter().zip(&select.projection) {
                        match item {
                            SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. } => {
                                self.written(*column, value);
                                self.decided(*column, choosing.deciding(value));
                            }
                            _ => break,
                        }
                    }
                }
            }
            None => {}
        }
        self.result(insert.returning.iter().flatten());
    }

    fn assignments(&mut self, assignments: &[Assignment]) {
        for Assignment { target, value } in assignments {
            match (target, value) {
                (AssignmentTarget::ColumnName(column), value) => self.assigned(column, value),
                (AssignmentTarget::Tuple(columns), Expr::Tuple(values)) => {
                    columns
                        .iter()
                        .zip(values)
                        .for_each(|(column, value)| self.assigned(column, value));
                }
                (AssignmentTarget::Tuple(columns), value) => {
                    columns.iter().for_each(|column| self.assigned(column, value));
                }
            }
        }
    }

    fn assigned(&mut self, column: &ObjectName, value: &Expr) {
        let column = last_of(column);
        self.found.named.extend(column.map(str::to_owned));
        self.written(column, value);
    }

    /// A value goes to a column.
    fn written(&mut self, column: Option<&str>, value: &Expr) {
        let Some(column) = column else { return };
        let Within { columns, parameters } = within(value);
        let parameters = parameters.into_iter().map(|parameter| (parameter, column.to_owned()));
        self.found.parameters.extend(parameters);
        let derived = columns.into_iter().map(|from| (from, column.to_owned()));
        self.found.derived.extend(derived);
    }

    /// What says of which rows the value of a column is made.
    fn decided(&mut self, column: Option<&str>, by: Vec<String>) {
        let Some(column) = column else { return };
        self.found.named.extend(by.iter().cloned());
        self.found
            .decided
            .extend(by.into_iter().map(|from| (from, column.to_owned())));
    }

    fn outer_query(&mut self, query: &Query) {
        choosing::note_named(query, &mut self.known);
        match selects(&query.body).first() {
            Some(first) => {
                self.result(first.projection.iter());
                let choosing = Choosing::of(first, &self.known);
                let items = first.projection.iter().take(self.found.columns.len());
                let decided = items.map(|item| match item {
                    SelectItem::UnnamedExpr(value) => choosing.deciding(value),
                    _ => Vec::new(),
                });
                self.found.columns_decided = decided.collect();
                let named = self.found.columns_decided.iter().flatten().cloned();
                self.found.named.extend(named);
            }
            None => {
                if let SetExpr::Insert(inner) | SetExpr::Update(inner) = query.body.as_ref() {
                    self.statement(inner);
                }
            }
        }
    }

    /// What the columns of the result come from, up to the first that may be several.
    fn result<'q>(&mut self, items: impl Iterator<Item = &'q SelectItem>) {
        // Of several statements the last one says.
        self.found.columns.clear();
        self.found.columns_decided.clear();
        for item in items {
            let columns = match item {
                SelectItem::UnnamedExpr(value) => within(value).columns,
                SelectItem::ExprWithAlias { alias, .. } => vec![alias.value.clone()],
                _ => return,
            };
            // A hole may be several.
            if !columns.iter().all(|column| is_known(column)) {
                return;
            }
            self.found.columns.push(columns);
        }
    }

    /// Columns that get another name, or are computed.
    fn projection(&mut self, select: &Select) {
        let choosing = Choosing::of(select, &self.known);
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(value) => self.found.named.extend(within(value).columns),
                SelectItem::ExprWithAlias { expr, alias } => {
                    let columns = within(expr).columns;
                    self.found
                        .named
                        .extend(columns.iter().cloned().chain([alias.value.clone()]));
                    let derived = columns.into_iter().map(|from| (from, alias.value.clone()));
                    self.found.derived.extend(derived);
                    self.decided(Some(&alias.value), choosing.deciding(expr));
                }
                _ => {}
            }
        }
    }
}

impl Visitor for Reader {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        choosing::note_named(query, &mut self.known);
        for select in selects(&query.body) {
            self.projection(select);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, table: &ObjectName) -> ControlFlow<()> {
        self.found.tables.extend(last_of(table).map(str::to_lowercase));
        ControlFlow::Continue(())
    }
}

/// The `SELECT`s that a query is put together of.
fn selects(body: &SetExpr) -> Vec<&Select> {
    let (mut found, mut open) = (Vec::new(), vec![body]);
    while let Some(body) = open.pop() {
        match body {
            SetExpr::Select(select) => found.push(select.as_ref()),
            SetExpr::Query(query) => open.push(&query.body),
            SetExpr::SetOperation { left, right, .. } => open.extend([right.as_ref(), left.as_ref()]),
            _ => {}
        }
    }
    found
}

/// What an expression is made of.
#[derive(Default)]
struct Within {
    columns: Vec<String>,
    parameters: Vec<Parameter>,
}

fn within(expression: &Expr) -> Within {
    let mut found = Within::default();
    let _ = visit_expressions(expression, |inner: &Expr| {
        match inner {
            // `@age` is a name to some dialects.
            Expr::Identifier(name) => match name.value.strip_prefix('@') {
                Some(own) => found.parameters.push(Parameter::Name(own.to_owned())),
                None => found.columns.push(name.value.clone()),
            },
            Expr::CompoundIdentifier(names) => found.columns.extend(names.last().map(|name| name.value.clone())),
            // `payload ->> 'amount'`
            Expr::BinaryOp {
                op: BinaryOperator::Arrow | BinaryOperator::LongArrow,
                right,
                ..
            } => {
                if let Expr::Value(value) = right.as_ref()
                    && let Value::SingleQuotedString(key) = &value.value
                {
                    found.columns.push(key.clone());
                }
            }
            Expr::Value(value) => {
                if let Value::Placeholder(text) = &value.value {
                    found.parameters.extend(parameter(text));
                }
            }
            _ => {}
        }
        ControlFlow::<()>::Continue(())
    });
    found
}

fn parameter(text: &str) -> Option<Parameter> {
    let name = text.trim_start_matches(['$', ':', '@']);
    match name.parse::<u32>() {
        Ok(number) => number.checked_sub(1).map(Parameter::Position),
        Err(_) => (!name.is_empty()).then(|| Parameter::Name(name.to_owned())),
    }
}

fn last_of(name: &ObjectName) -> Option<&str> {
    let part = name.0.last()?.as_ident()?;
    Some(part.value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters, derived columns and positions, as one reads them.
    fn shown(text: &str) -> String {
        let Some(found) = read(text) else { return "-".to_owned() };
        let mut lines = Vec::new();
        for (parameter, column) in &found.parameters {
            lines.push(match parameter {
                Parameter::Position(position) => format!("{position}>{column}"),
                Parameter::Name(name) => format!(":{name}>{column}"),
            });
        }
        lines.extend(found.derived.iter().map(|(from, to)| format!("{from}>{to}")));
        lines.extend(found.decided.iter().map(|(from, to)| format!("{from}~{to}")));
        lines.extend(
            found
                .columns
                .iter()
                .enumerate()
                .map(|(at, names)| format!("{at}={}", names.join("+"))),
        );
        let decided = found.columns_decided.iter().enumerate();
        let decided = decided.filter(|(_, names)| !names.is_empty());
        lines.extend(decided.map(|(at, names)| format!("{at}~{}", names.join("+"))));
        lines.join(" ")
    }

    #[test]
    fn parameters_go_to_columns() {
        let cases = [
            ("INSERT INTO p (age, income) VALUES (%s, %s)", "0>age 1>income"),
            (
                "insert into p (age, income) values (?, ? * 2) on conflict (id) do update set age = excluded.age returning id",
                "0>age 1>income 0=id",
            ),
            ("INSERT INTO p (id, age) VALUES (nextval('ids?'), $1::int)", "0>age"),
            ("INSERT INTO p (age) VALUES (%(years)s)", ":years>age"),
            ("INSERT INTO p (age, at) VALUES (:years, now())", ":years>age"),
            ("INSERT INTO p (age) VALUES (@years)", ":years>age"),
            (
                "UPDATE p SET age = $2, income = income + $3 WHERE id = $1",
                "1>age 2>income",
            ),
            ("INSERT INTO f (a, b) SELECT x + y, z FROM r WHERE k = ?", "x>a y>a z>b"),
            ("INSERT INTO p VALUES (?, ?)", "-"),
            ("INSERT INTO p (age, income)", "0>age 1>income"),
            ("REPLACE INTO `p` (`age`) VALUES (?)", "0>age"),
        ];
        for (text, wanted) in cases {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn results_come_from_columns() {
        let cases = [
            (
                "SELECT id, t.income * 12 AS yearly FROM people t WHERE age > 3",
                "income>yearly 0=id 1=yearly",
            ),
            (
                "-- name: GetUser :one\nSELECT id, email FROM users\nWHERE id = $1 LIMIT 1",
                "0=id 1=email",
            ),
            ("SELECT count(*), max(age), * FROM p", "0= 1=age"),
            (
                "WITH s AS (SELECT sum(a) AS total FROM t) SELECT total FROM s",
                "a>total 0=total",
            ),
            (
                "SELECT (payload->>'amt')::numeric AS amount FROM e",
                "amt>amount payload>amount 0=amount",
            ),
            ("CREATE VIEW v AS SELECT a / b AS ratio FROM t", "a>ratio b>ratio"),
            ("SELECT id, ripple_hole, b FROM t", "0=id"),
            ("SELECT ripple_hole_id, b FROM t", ""),
            ("SELECT a FROM t; SELECT b FROM u", "0=b"),
            ("SELECT * FROM t", "-"),
            ("select a file to open", "-"),
            ("update the index", "-"),
            ("selected", "-"),
        ];
        for (text, wanted) in cases {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn rows_are_chosen_by_columns() {
        let cases = [
            (
                "SELECT sum(fee) AS revenue FROM visits WHERE hours > 0",
                "fee>revenue hours~revenue 0=revenue",
            ),
            ("SELECT sum(fee) FROM visits WHERE hours > 0", "0=fee 0~hours"),
            (
                "SELECT fee AS paid, name FROM visits WHERE hours > 0",
                "fee>paid 0=paid 1=name",
            ),
            (
                "SELECT city, count(*) AS n FROM visits GROUP BY city, day HAVING max(hours) > 1",
                "day~n hours~n 0=city 1=n",
            ),
            (
                "SELECT v.fee AS paid, r.risk AS region_risk FROM visits v LEFT JOIN regions r ON r.code = v.post",
                "fee>paid risk>region_risk code~region_risk post~region_risk 0=paid 1=region_risk",
            ),
            (
                "SELECT avg(risk) AS mean FROM visits JOIN regions USING (code)",
                "risk>mean code~mean 0=mean",
            ),
            (
                "WITH ok AS (SELECT * FROM visits WHERE hours > 0) SELECT sum(fee) AS revenue FROM ok",
                "fee>revenue hours~revenue 0=revenue",
            ),
            (
                "SELECT sum(fee) AS revenue FROM (SELECT fee FROM visits WHERE hours > 0) t",
                "fee>revenue hours~revenue 0=revenue",
            ),
            (
                "INSERT INTO totals (revenue) SELECT sum(fee) FROM visits WHERE hours > 0",
                "fee>revenue hours~revenue",
            ),
            ("SELECT minute(at) AS m FROM visits WHERE hours > 0", "at>m 0=m"),
            (
                "SELECT (SELECT count(*) FROM fees) AS n FROM visits WHERE hours > 0",
                "0=n",
            ),
            (
                "SELECT row_number() OVER (ORDER BY at) AS n FROM visits WHERE hours > 0",
                "at>n hours~n 0=n",
            ),
        ];
        for (text, wanted) in cases {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn long_chains_fit_on_a_small_stack() {
        let chains = [
            "+a",
            "::int",
            " union select a",
            " is null",
            "[1]",
            " or a",
            ".a",
            " collate c",
            " at time zone a",
        ];
        for chain in chains {
            // The longest that is read, and one that is not.
            let most = OPERATOR_LIMIT / operators(chain).max(1) - 2;
            for times in [most, LENGTH_LIMIT / chain.len()] {
                let text = format!("select a{}", chain.repeat(times));
                let small = std::thread::Builder::new().stack_size(2 << 20);
                let read = small.spawn(move || read(&text));
                assert!(read.is_ok_and(|read| read.join().is_ok()), "{chain}");
            }
        }
    }
}
