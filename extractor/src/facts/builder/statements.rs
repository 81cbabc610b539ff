//! Statements of SQL that a file has: each text is read once.

use super::Builder;
use crate::facts::{ColumnsNamed, Name};
use crate::sql;

impl Builder {
    /// The name of a text that is a statement.
    pub fn statement(&mut self, text: &str) -> Option<Name> {
        if !sql::may_be_statement(text) {
            return None;
        }
        if let Some(known) = self.statements.get(text) {
            return *known;
        }
        let read = sql::read(text).map(|statement| {
            let name = self.name(text);
            let statement = statement.with(|column| self.name(column));
            self.facts.statements.push((name, statement));
            name
        });
        self.statements.insert(text.to_owned(), read);
        read
    }

    /// Notes what the expressions name that stand in a text.
    pub fn expressions(&mut self, text: &str) {
        // What is asked of a database is a statement, and what a script says is neither.
        if sql::may_be_statement(text) || text.contains("redis.") {
            return;
        }
        let found = sql::expressions(text);
        if found.is_empty() {
            return;
        }
        let name = self.name(text);
        if self.facts.expressions.iter().any(|(known, _)| *known == name) {
            return;
        }
        let told = found.into_iter().map(|found| {
            let reads = found.reads.iter().map(|read| self.name(read)).collect();
            let makes = found.makes.map(|makes| self.name(&makes));
            ColumnsNamed { reads, makes }
        });
        let told = told.collect();
        self.facts.expressions.push((name, told));
    }
}
