//! Classes whose objects are rows of tables: which table, and which column an attribute is.
//!
//! ```python
//! class Loan(Base):
//!     __tablename__ = "loans"
//!     income = Column("net_income", Integer)         # the column `net_income`
//! class Customer(models.Model):
//!     mail = models.TextField(db_column="email")
//!     class Meta: db_table = "customers"
//! class CustomerSerializer(serializers.ModelSerializer):
//!     class Meta:
//!         model = Customer
//!         fields = ["mail"]
//! ```

use tree_sitter::Node;

use super::Walker;
use super::wire_names::assignment;
use crate::facts::Name;
use crate::tree::children;

/// How the configuration of a class calls its table.
const NAMES: &[&str] = &["db_table", "table_name", "table"];

/// Keywords that name a column.
const KEYWORDS: &[&str] = &["db_column", "column_name", "source_field"];

impl<'t> Walker<'t> {
    /// The table of which the objects of a class are rows, as its body says.
    pub(super) fn table_of_class(&mut self, class: Node<'t>) -> Option<Name> {
        let body = class.child_by_field_name("body")?;
        let said = children(body).find_map(|line| self.table_said(line));
        let table = said.and_then(|said| self.constant_text(said)).or_else(|| {
            let bases = class.child_by_field_name("superclasses")?;
            let is_table = self.keyword_in(bases, "table").map(|value| self.text_of(value)) == Some("True");
            let name = class.child_by_field_name("name").filter(|_| is_table)?;
            Some(self.text_of(name).to_owned())
        })?;
        Some(self.builder.name(&table.to_lowercase()))
    }

    fn table_said(&self, line: Node<'t>) -> Option<Node<'t>> {
        if line.kind() == "class_definition" {
            return self.configured(line, "Meta", NAMES);
        }
        let (left, right) = assignment(line)?;
        (self.text_of(left) == "__tablename__").then_some(right)
    }

    /// The column that an attribute says it is: `Column("net_income", Integer)`.
    pub(super) fn column_named(&mut self, value: Node<'t>) -> Option<Name> {
        let function = value
            .child_by_field_name("function")
            .filter(|_| value.kind() == "call")?;
        let last = self.text_of(function).rsplit('.').next().unwrap_or_default();
        let is_column = matches!(last, "Column" | "mapped_column");
        let first = || {
            let first = children(value.child_by_field_name("arguments")?).next()?;
            (first.kind() == "string").then_some(first)
        };
        let by_keyword = KEYWORDS.iter().find_map(|word| self.keyword(value, word));
        let own = || self.keyword(value, "name").or_else(first);
        let named = by_keyword.or_else(|| own().filter(|_| is_column))?;
        let text = self.constant_text(named)?;
        Some(self.builder.name(&text))
    }

    /// `fields = ("id", "mail")`, or `"__all__"`.
    pub(super) fn names_listed(&mut self, value: Node<'t>) -> Vec<Name> {
        let texts: Vec<String> = match value.kind() {
            "string" => self.constant_text(value).into_iter().collect(),
            "list" | "tuple" => children(value).filter_map(|item| self.constant_text(item)).collect(),
            _ => Vec::new(),
        };
        texts.iter().map(|text| self.builder.name(text)).collect()
    }
}
