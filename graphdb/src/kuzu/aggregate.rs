//! Aggregates, put in the order in which the engine counts them right.
//!
//! Where rows are grouped, Kùzu 0.11.3 keeps a plain aggregate's state in the wrong place if a `DISTINCT` aggregate stands before it
//! (`AggregateHashTable::updateAggStates` steps over the states of plain ones alone): a count comes out as 0, and a text or a list ends the
//! process. Behind the plain ones, `DISTINCT` ones do no harm. So
//!
//! ```cypher
//! MATCH (f)-[:CALLS]->(g) RETURN f.name, count(DISTINCT g) AS callees, count(*) AS calls
//! ```
//!
//! is run with `RETURN f.name, count(*) AS calls, count(DISTINCT g) AS callees`, and the columns of its answer are put back. What cannot be put
//! right by order, two of them in one expression, is refused with its place.

use std::ops::Range;

use crate::Error;
use crate::guard::token::{Kind, Token, tokens};

/// What gathers rows, where it stands before a parenthesis.
const AGGREGATES: [&str; 6] = ["count", "sum", "avg", "min", "max", "collect"];
/// What ends the list behind `RETURN` or `WITH`.
const ENDS: [&str; 11] = [
    "order", "skip", "limit", "where", "match", "optional", "unwind", "with", "return", "call", "union",
];

/// A text that the engine counts right.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ordered {
    /// The text.
    pub(super) text: String,
    /// Where each column that was asked for stands in the answer; empty if they stand as asked.
    pub(super) columns: Vec<usize>,
}

/// Puts the items of each `RETURN` and `WITH` in order. `None` if they are already: nearly always. `offset` is where the text starts in the one
/// that was asked, for the place of a refusal.
pub(super) fn order(text: &str, offset: usize) -> Result<Option<Ordered>, Error> {
    let Ok(tokens) = tokens(text) else { return Ok(None) };
    let query = Query { text, offset, tokens };
    if !(0..query.tokens.len()).any(|at| query.aggregate(at) == Some(Aggregate::Distinct)) {
        return Ok(None);
    }
    let mut edits = Vec::new();
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for clause in query.clauses() {
        let order = query.order_of(&clause)?;
        if order.is_sorted() {
            columns.extend(clause.returns.then(Vec::new));
            continue;
        }
        let items: Vec<&str> = order.iter().map(|&item| query.slice(&clause.items[item])).collect();
        let (Some(first), Some(last)) = (clause.items.first(), clause.items.last()) else {
            continue;
        };
        edits.push((query.span(&(first.start..last.end)), items.join(", ")));
        if clause.returns {
            if clause.items.iter().any(|item| query.slice(item) == "*") {
                return Err(query.refuse(first, "name the columns instead of `*`"));
            }
            let place = |item| order.iter().position(|&other| other == item);
            columns.push((0..order.len()).filter_map(place).collect());
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    if let [first, others @ ..] = columns.as_slice()
        && others.iter().any(|other| other != first)
    {
        return Err(query.refuse(
            &(0..1),
            "give the parts of the UNION the same order, `DISTINCT` aggregates last",
        ));
    }
    let mut ordered = text.to_owned();
    for (span, items) in edits.into_iter().rev() {
        ordered.replace_range(span, &items);
    }
    Ok(Some(Ordered {
        text: ordered,
        columns: columns.pop().unwrap_or_default(),
    }))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aggregate {
    Plain,
    Distinct,
}

/// The list behind one `RETURN` or `WITH`.
struct Clause {
    returns: bool,
    /// Tokens of each item.
    items: Vec<Range<usize>>,
}

struct Query<'t> {
    text: &'t str,
    offset: usize,
    tokens: Vec<Token>,
}

impl Query<'_> {
    /// The lists outside of all brackets, in order.
    fn clauses(&self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let mut open: Option<Clause> = None;
        let mut start = 0;
        let mut depth = 0usize;
        let mut close = |clause: Option<Clause>, item: Range<usize>| {
            if let Some(mut clause) = clause {
                clause.items.push(item);
                clauses.push(clause);
            }
        };
        for at in 0..self.tokens.len() {
            match self.tokens[at].kind {
                Kind::Symbol('(' | '[' | '{') => depth += 1,
                Kind::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
                Kind::Symbol(',') if depth == 0 => {
                    if let Some(clause) = &mut open {
                        clause.items.push(start..at);
                        start = at + 1;
                    }
                }
                Kind::Symbol(';') if depth == 0 => close(open.take(), start..at),
                Kind::Word if depth == 0 && self.is_keyword(at) => {
                    let word = self.word(at);
                    if ENDS.contains(&word.as_str()) {
                        close(open.take(), start..at);
                    }
                    if word == "return" || word == "with" {
                        let distinct = at + 1 < self.tokens.len() && self.word(at + 1) == "distinct";
                        start = at + 1 + usize::from(distinct);
                        open = Some(Clause {
                            returns: word == "return",
                            items: Vec::new(),
                        });
                    }
                }
                _ => {}
            }
        }
        close(open, start..self.tokens.len());
        clauses
    }

    /// The numbers of a clause's items in the order to ask for them.
    fn order_of(&self, clause: &Clause) -> Result<Vec<usize>, Error> {
        let mut classes = Vec::with_capacity(clause.items.len());
        for item in &clause.items {
            let found: Vec<Aggregate> = item.clone().filter_map(|at| self.aggregate(at)).collect();
            let distinct = found.iter().position(|aggregate| *aggregate == Aggregate::Distinct);
            let plain = found.iter().rposition(|aggregate| *aggregate == Aggregate::Plain);
            classes.push(match (plain, distinct) {
                (_, None) => 0,
                (None, Some(_)) => 2,
                (Some(plain), Some(distinct)) if plain < distinct => 1,
                (Some(_), Some(_)) => return Err(self.refuse(item, "compute the two in a WITH first")),
            });
        }
        if let Some(second) = (0..classes.len()).filter(|&item| classes[item] == 1).nth(1) {
            return Err(self.refuse(&clause.items[second], "compute the aggregates in a WITH first"));
        }
        let has_plain = |item: &Range<usize>| item.clone().any(|at| self.aggregate(at) == Some(Aggregate::Plain));
        let first = classes.iter().position(|class| *class > 0).unwrap_or(classes.len());
        let mut order: Vec<usize> = (0..classes.len()).collect();
        if clause.items.iter().skip(first + 1).any(has_plain) {
            order.sort_by_key(|&item| classes[item]);
        }
        Ok(order)
    }

    /// Whether an aggregate begins at this token.
    fn aggregate(&self, at: usize) -> Option<Aggregate> {
        let token = self.tokens.get(at)?;
        let opens = self.tokens.get(at + 1)?.kind == Kind::Symbol('(');
        if token.kind != Kind::Word || !opens || !AGGREGATES.contains(&self.word(at).as_str()) {
            return None;
        }
        let distinct = self.tokens.get(at + 2)?.kind == Kind::Word && self.word(at + 2) == "distinct";
        Some(if distinct {
            Aggregate::Distinct
        } else {
            Aggregate::Plain
        })
    }

    /// Whether a word is not the name of a property or a label, nor part of `STARTS WITH`.
    fn is_keyword(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        match self.tokens[before].kind {
            Kind::Symbol('.' | ':') => false,
            Kind::Word => !["starts", "ends"].contains(&self.word(before).as_str()),
            _ => true,
        }
    }

    fn word(&self, at: usize) -> String {
        self.text[self.tokens[at].span.clone()].to_lowercase()
    }

    fn slice(&self, item: &Range<usize>) -> &str {
        &self.text[self.span(item)]
    }

    /// The bytes of some tokens.
    fn span(&self, item: &Range<usize>) -> Range<usize> {
        match (
            self.tokens.get(item.start),
            item.end.checked_sub(1).and_then(|last| self.tokens.get(last)),
        ) {
            (Some(first), Some(last)) if item.start < item.end => first.span.start..last.span.end,
            _ => 0..0,
        }
    }

    fn refuse(&self, item: &Range<usize>, advice: &str) -> Error {
        let span = self.span(item);
        Error::Engine {
            message: format!(
                "the engine counts wrongly where a DISTINCT aggregate stands before another one; {advice}"
            ),
            span: Some(span.start + self.offset..span.end + self.offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(text: &str) -> Option<(String, Vec<usize>)> {
        match order(text, 0) {
            Ok(ordered) => ordered.map(|ordered| (ordered.text, ordered.columns)),
            Err(error) => Some((error.to_string(), Vec::new())),
        }
    }

    #[test]
    fn distinct_aggregates_go_behind_the_others() {
        let check = |text: &str, expected: &str, columns: &[usize]| {
            assert_eq!(ordered(text), Some((expected.to_owned(), columns.to_vec())));
        };
        check(
            "MATCH (a) RETURN a.name, COUNT( distinct a.id ) AS d, min(a.file), 1 // all\n, collect(a.id) ORDER BY d LIMIT 3",
            "MATCH (a) RETURN a.name, min(a.file), 1, collect(a.id), COUNT( distinct a.id ) AS d ORDER BY d LIMIT 3",
            &[0, 4, 1, 2, 3],
        );
        check(
            "MATCH (a) WITH a.name AS n, count(DISTINCT a) AS d, sum(a.line)/count(DISTINCT a.x) AS s WHERE n STARTS WITH 'x' RETURN n, d",
            "MATCH (a) WITH a.name AS n, sum(a.line)/count(DISTINCT a.x) AS s, count(DISTINCT a) AS d WHERE n STARTS WITH 'x' RETURN n, d",
            &[],
        );
        check(
            "MATCH (a) RETURN count(DISTINCT a), count(*) UNION ALL MATCH (b) RETURN count(DISTINCT b), count(*);",
            "MATCH (a) RETURN count(*), count(DISTINCT a) UNION ALL MATCH (b) RETURN count(*), count(DISTINCT b);",
            &[1, 0],
        );
    }

    #[test]
    fn what_is_in_order_stays_as_it_is() {
        for text in [
            "MATCH (a) RETURN DISTINCT a.name, count(*)",
            "MATCH (a) RETURN a.name, count(*), count(DISTINCT a.id), count(DISTINCT a.file)",
            "MATCH (a) RETURN count(DISTINCT a.id), a.name, a.count",
            "MATCH (a) RETURN 'count(DISTINCT x), count(*)'",
            "MATCH (a) WITH count(DISTINCT a.id) AS d RETURN d, count(*)",
            "MATCH (a) WHERE a.name ENDS WITH 'x' RETURN a.line, 1.0 * count(*) / count(DISTINCT a.file)",
            "",
        ] {
            assert_eq!(ordered(text), None, "{text}");
        }
    }

    #[test]
    fn what_order_cannot_mend_is_refused() {
        for text in [
            "MATCH (a) RETURN a.name, count(DISTINCT a.id) * 1.0 / count(*)",
            "MATCH (a) RETURN *, count(DISTINCT a.id), count(*)",
            "MATCH (a) RETURN count(DISTINCT a.id), count(*) UNION MATCH (a) RETURN count(*), count(DISTINCT a.id)",
            "MATCH (a) RETURN count(*) + count(DISTINCT a.id), sum(a.line) + count(DISTINCT a.file)",
        ] {
            let told = ordered(text).map(|(told, _)| told).unwrap_or_default();
            assert!(told.starts_with("the engine counts wrongly"), "{text}: {told}");
        }
    }
}
