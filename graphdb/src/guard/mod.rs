//! What Cypher may pass: one statement that only reads the graph.
//!
//! The engine's read-only mode is not enough: in it, `LOAD FROM '/etc/passwd' RETURN *` still reads that file and
//! `COPY (…) TO 'x.csv'` still writes one. So every text is cut into tokens (`token.rs`) and looked at before the engine
//! sees it. First, some terminology:
//!
//! - **clause word**: a bare word, outside every bracket, that may begin a clause: `MATCH`, `LOAD`, `SET`, …
//! - **name**: any other use of such a word: `n.set`, `(load:Call)`, `RETURN 1 AS delete`, `` `create` ``.
//!
//! `MATCH (set:Variable) RETURN set.name AS load` passes: `set` stands in brackets the first time, a `.` follows it the
//! second; `load` follows `AS`. `MATCH (n) SET n.name = ''` does not pass. Nor does `MATCH (set) RETURN set ORDER BY set.name`: a
//! text may call its variables `return` or `as`, so the words around `set` do not tell that it is a name. Where a text can
//! be read both ways it is refused, and backticks make it one.
//!
//! Why that is enough. In the engine's grammar a statement is a query only if it begins with a clause of a query; a query
//! is a chain of `MATCH`, `UNWIND`, `CALL`, `LOAD`, `WITH`, `RETURN`, `CREATE`, `MERGE`, `SET`, `DELETE`; and no clause
//! stands within brackets, but for `MATCH … WHERE …` in `EXISTS { }` and `COUNT { }`. That leaves function calls: those of
//! `CALL` are listed here, those in expressions are looked at in `functions.rs`.

mod functions;
#[cfg(test)]
mod tests;
pub(crate) mod token;

use std::ops::Range;

pub use functions::MAX_RANGE;
use token::{Kind, Token};

/// Longest text that passes, in bytes.
pub const MAX_LENGTH: usize = 100_000;
/// Deepest nesting of brackets that passes. The engine's parser recurses, and would run out of stack.
pub const MAX_DEPTH: usize = 100;
/// Most operators in a row that pass, for the same reason: `NOT NOT …`, `1 + 1 + …`.
pub const MAX_OPERATORS: usize = 2_000;

/// Functions that `CALL` may name: each tells about the schema, the statistics or the engine, and touches nothing else.
pub const CALLABLE: &[&str] = &[
    "bm_info",
    "catalog_version",
    "current_setting",
    "db_version",
    "show_connection",
    "show_functions",
    "show_indexes",
    "show_sequences",
    "show_tables",
    "show_warnings",
    "stats_info",
    "storage_info",
    "table_info",
];

/// Clauses that write, or read what is not the graph.
const FORBIDDEN: &[&str] = &["CREATE", "DELETE", "DETACH", "LOAD", "MERGE", "REMOVE", "SET"];
/// Clauses that a query may begin with.
const FIRST: &[&str] = &["CALL", "MATCH", "OPTIONAL", "RETURN", "UNWIND", "WITH"];

/// Every keyword of the grammar, reserved or not: a word that is none of them is a name for certain.
const KEYWORDS: &str = " ACYCLIC ANY ADD ALL ALTER AND AS ASC ASCENDING ATTACH BEGIN BY CALL CASE CAST CHECKPOINT COLUMN \
    COMMENT COMMIT COMMIT_SKIP_CHECKPOINT CONTAINS COPY COUNT CREATE CYCLE DATABASE DBTYPE DECIMAL DEFAULT DELETE DESC \
    DESCENDING DETACH DISTINCT DROP ELSE END ENDS EXISTS EXPLAIN EXPORT EXTENSION FALSE FROM FORCE GLOB GRAPH GROUP \
    HEADERS HINT IMPORT IF IN INCREMENT INSTALL IS JOIN KEY LIMIT LOAD LOGICAL MACRO MATCH MAXVALUE MERGE MINVALUE \
    MULTI_JOIN NO NODE NOT NONE NULL ON ONLY OPTIONAL OR ORDER PRIMARY PROFILE PROJECT READ REL RENAME RETURN ROLLBACK \
    ROLLBACK_SKIP_CHECKPOINT SEQUENCE SET SHORTEST SINGLE SKIP START STARTS STRUCT TABLE THEN TO TRAIL TRANSACTION TRUE \
    TYPE UNION UNINSTALL UNWIND UPDATE USE USER WHEN WHERE WITH WRITE WSHORTEST XOR YIELD ";

/// A text that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The statement without what follows it: blanks, comments, the closing `;`.
    pub statement: Range<usize>,
    /// Its last `RETURN` has a `LIMIT`, or what may be one.
    pub limited: bool,
    /// It joins queries by `UNION`.
    pub union: bool,
    /// It begins with `EXPLAIN` or `PROFILE`: its answer is the plan.
    pub plan: bool,
    /// It has a `RETURN`; a lone `CALL` may do without.
    pub returns: bool,
    /// Names of its parameters, in order of appearance, each once.
    pub parameters: Vec<String>,
}

impl Checked {
    /// Whether ` LIMIT n` may be written after [`Checked::statement`] without changing which rows come first.
    pub fn can_be_limited(&self) -> bool {
        self.returns && !self.limited && !self.union && !self.plan
    }
}

/// A text that did not pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// Why, as a fragment.
    pub reason: String,
    /// The offending part of `text`, in bytes.
    pub span: Range<usize>,
    /// The whole text.
    pub text: String,
    /// It is no query at all, whatever it would have done: a bracket is not closed, or nothing stands there.
    pub malformed: bool,
}

impl Refusal {
    pub(crate) fn malformed(self) -> Self {
        Self {
            malformed: true,
            ..self
        }
    }
}

/// Lets a text pass, or says what stands in the way.
pub fn check(text: &str) -> Result<Checked, Refusal> {
    if text.len() > MAX_LENGTH {
        return Err(refusal(
            text,
            &format!("longer than {MAX_LENGTH} bytes; pass values as parameters"),
            0..text.len(),
        ));
    }
    let mut tokens = token::tokens(text)?;
    let statement = Statement {
        text,
        end: one_statement(text, &mut tokens)?,
        tokens,
    };
    statement.balanced()?;
    let plan = statement.prefix()?;
    statement.only_reads(plan)?;
    statement.harmless_calls()?;
    Ok(statement.describe(plan > 0))
}

/// Takes the closing `;` away; refuses what follows it. Gives the end of the statement.
fn one_statement(text: &str, tokens: &mut Vec<Token>) -> Result<usize, Refusal> {
    if let Some(at) = tokens.iter().position(|token| token.kind == Kind::Symbol(';')) {
        if let Some(next) = tokens.get(at + 1) {
            return Err(refusal(
                text,
                "only one statement at a time",
                next.span.start..text.len(),
            ));
        }
        tokens.truncate(at);
    }
    match tokens.last() {
        Some(last) => Ok(last.span.end),
        None => Err(refusal(text, "there is no query in this text", 0..text.len()).malformed()),
    }
}

struct Statement<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    end: usize,
}

impl Statement<'_> {
    /// Brackets close in order and not too deep; operators do not pile up.
    fn balanced(&self) -> Result<(), Refusal> {
        let mut open: Vec<(char, &Token)> = Vec::new();
        let mut operators = 0;
        for (index, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Kind::Symbol(c @ ('(' | '[' | '{')) => {
                    open.push((c, token));
                    if open.len() > MAX_DEPTH {
                        return Err(self.refuse(&format!("brackets nest deeper than {MAX_DEPTH}"), token));
                    }
                }
                Kind::Symbol(c @ (')' | ']' | '}')) => {
                    let opener = open.pop().map(|(opener, _)| opener);
                    if !matches!((opener, c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                        return Err(self.refuse("this bracket closes nothing", token).malformed());
                    }
                }
                Kind::Symbol(',' | ':') => {}
                Kind::Symbol(_) => operators += 1,
                Kind::Word
                    if ["AND", "CASE", "IN", "NOT", "OR", "UNION", "XOR"]
                        .iter()
                        .any(|word| self.is(index, word)) =>
                {
                    operators += 1;
                }
                _ => {}
            }
            if operators > MAX_OPERATORS {
                return Err(self.refuse(
                    &format!("more than {MAX_OPERATORS} operators; pass values as parameters"),
                    token,
                ));
            }
        }
        match open.pop() {
            Some((_, token)) => Err(self.refuse("this bracket is never closed", token).malformed()),
            None => Ok(()),
        }
    }

    /// Number of tokens of `EXPLAIN`, `EXPLAIN LOGICAL` or `PROFILE`; refuses what is not a query after it.
    fn prefix(&self) -> Result<usize, Refusal> {
        let length = match () {
            () if self.is(0, "EXPLAIN") && self.is(1, "LOGICAL") => 2,
            () if self.is(0, "EXPLAIN") || self.is(0, "PROFILE") => 1,
            () => 0,
        };
        match self.tokens.get(length) {
            Some(_) if FIRST.iter().any(|word| self.is(length, word)) => Ok(length),
            Some(token) => {
                let refusal = self.refuse(
                    "a query that only reads begins with MATCH, OPTIONAL MATCH, WITH, UNWIND, CALL or RETURN",
                    token,
                );
                // `RETRN 1` does nothing that would have to be refused.
                let word = format!(" {} ", self.text[token.span.clone()].to_uppercase());
                Err(match token.kind == Kind::Word && !KEYWORDS.contains(&word) {
                    true => refusal.malformed(),
                    false => refusal,
                })
            }
            None => Err(refusal(self.text, "there is no query in this text", 0..self.end).malformed()),
        }
    }

    /// No clause writes or reads elsewhere.
    fn only_reads(&self, start: usize) -> Result<(), Refusal> {
        for index in self.outside_brackets(start) {
            if self.is_name(index) {
                continue;
            }
            if FORBIDDEN.iter().any(|word| self.is(index, word)) {
                return Err(self.refuse(
                    "only reading is allowed (if it is a name, put it in backticks)",
                    &self.tokens[index],
                ));
            }
            if self.is(index, "CALL") {
                self.callable(index)?;
            }
        }
        Ok(())
    }

    fn callable(&self, call: usize) -> Result<(), Refusal> {
        let Some(token) = self.tokens.get(call + 1) else {
            return Err(self.refuse("CALL of what?", &self.tokens[call]));
        };
        let listed = CALLABLE.iter().any(|function| self.is(call + 1, function));
        if listed && self.symbol(call + 2, '(') {
            Ok(())
        } else {
            Err(self.refuse(&format!("CALL may only name {}", CALLABLE.join(", ")), token))
        }
    }

    fn describe(&self, plan: bool) -> Checked {
        let outside: Vec<usize> = self.outside_brackets(0).collect();
        let clause = |word: &str| outside.iter().copied().rfind(|&i| self.is(i, word) && !self.is_name(i));
        let returned = clause("RETURN");
        let mut parameters: Vec<String> = Vec::new();
        for token in self.tokens.iter().filter(|token| token.kind == Kind::Parameter) {
            let name = self.text[token.span.start + 1..token.span.end].to_owned();
            if !parameters.contains(&name) {
                parameters.push(name);
            }
        }
        let start = self.tokens.first().map_or(0, |token| token.span.start);
        Checked {
            statement: start..self.end,
            limited: clause("LIMIT").is_some_and(|limit| returned.is_none_or(|returned| limit > returned)),
            union: clause("UNION").is_some(),
            plan,
            returns: returned.is_some(),
            parameters,
        }
    }

    /// Whether the word there is a name for certain: a property; followed by what follows no clause word; or an alias after
    /// an `AS` that cannot itself be a name.
    fn is_name(&self, index: usize) -> bool {
        let property = self.symbol_before(index, '.');
        let operand = self.symbol(index + 1, '.') || self.symbol(index + 1, ',') || index + 1 == self.tokens.len();
        property || operand || self.is_alias(index)
    }

    fn is_alias(&self, index: usize) -> bool {
        let Some(subject) = index.checked_sub(2).filter(|_| self.is(index - 1, "AS")) else {
            return false;
        };
        match self.tokens[subject].kind {
            Kind::Word => {
                let word = format!(" {} ", self.bare(subject).to_ascii_uppercase());
                !KEYWORDS.contains(&word) || self.symbol_before(subject, '.')
            }
            Kind::Quoted | Kind::Text | Kind::Number | Kind::Parameter => true,
            Kind::Symbol(c) => matches!(c, ')' | ']' | '}'),
        }
    }

    fn outside_brackets(&self, start: usize) -> impl Iterator<Item = usize> {
        let mut depth = 0_usize;
        (start..self.tokens.len()).filter(move |&index| {
            match self.tokens[index].kind {
                Kind::Symbol('(' | '[' | '{') => depth += 1,
                Kind::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// The text of a bare word; empty for anything else.
    fn bare(&self, index: usize) -> &str {
        match self.tokens.get(index) {
            Some(token) if token.kind == Kind::Word => &self.text[token.span.clone()],
            _ => "",
        }
    }

    fn is(&self, index: usize, word: &str) -> bool {
        self.bare(index).eq_ignore_ascii_case(word)
    }

    fn symbol(&self, index: usize, symbol: char) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|token| token.kind == Kind::Symbol(symbol))
    }

    fn symbol_before(&self, index: usize, symbol: char) -> bool {
        index.checked_sub(1).is_some_and(|before| self.symbol(before, symbol))
    }

    fn refuse(&self, reason: &str, token: &Token) -> Refusal {
        refusal(self.text, reason, token.span.clone())
    }
}

fn refusal(text: &str, reason: &str, span: Range<usize>) -> Refusal {
    Refusal {
        reason: reason.into(),
        span,
        text: text.into(),
        malformed: false,
    }
}
