//! Statements of SQL that a file has: each text is read once.

use super::Builder;
use crate::facts::Name;
use crate::sql;

impl Builder {
    /// The name of a text that is a statement.
    pub fn statement(&mut self, text: &str) -> Option<Name> {
        if !sql::may_be_statement(text) {
            return None;
        }
        let name = self.name(text);
        if !self.facts.statements.iter().any(|(known, _)| *known == name) {
            let statement = sql::read(text)?.with(|column| self.name(column));
            self.facts.statements.push((name, statement));
        }
        Some(name)
    }
}
