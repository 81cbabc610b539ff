//! Columns of tables as pandas writes them: some rows of one, or several of them.
//!
//! ```python
//! df.loc[df["country"] == "NL", "is_dutch"] = 1     # puts into the column `is_dutch`, and the test chooses what
//! model.predict(df[["age", "income"]])              # of the columns `age` and `income`
//! ```

use tree_sitter::Node;

use super::{Walker, position};
use crate::facts::{Argument, ElementKey, Name, PlaceId, Position};
use crate::tree::children;
use ripple_schema::How;

/// The method, as the library's table calls it, by which a table gives some of its rows.
const ROWS: &str = "__getitem__";

/// Methods of columns that say so for each row.
const MASKS: [&str; 14] = [
    "isin",
    "notna",
    "isna",
    "notnull",
    "isnull",
    "between",
    "eq",
    "ne",
    "gt",
    "lt",
    "ge",
    "le",
    "duplicated",
    "contains",
];

/// Most columns that are told one by one.
const COLUMNS_LIMIT: usize = 64;

/// A column of some rows.
struct Column<'t> {
    table: Node<'t>,
    rows: Node<'t>,
    name: Name,
}

impl<'t> Walker<'t> {
    /// `table.loc[rows, "column"]`.
    fn column(&mut self, node: Node<'t>) -> Option<Column<'t>> {
        let by = node
            .child_by_field_name("value")
            .filter(|by| by.kind() == "attribute")?;
        let how = by.child_by_field_name("attribute")?;
        if !matches!(self.text_of(how), "loc" | "at") {
            return None;
        }
        let mut cursor = node.walk();
        let subscripts: Vec<_> = node.children_by_field_name("subscript", &mut cursor).collect();
        let [rows, column] = subscripts.as_slice() else {
            return None;
        };
        let text = self.constant_text(*column)?;
        let name = self.builder.name(&text);
        self.builder.key_use(name, position(*column));
        Some(Column {
            table: by.child_by_field_name("object")?,
            rows: *rows,
            name,
        })
    }

    /// Whether a target is a column of some rows, which the value is put into then.
    pub(super) fn put_in_column(&mut self, target: Node<'t>, value: Option<PlaceId>, at: Position) -> bool {
        let Some(Column { table, rows, name }) = self.column(target) else {
            return false;
        };
        let table = self.expression(table);
        let tested = match rows.kind() {
            "slice" => None,
            _ => self.expression(rows),
        };
        let held = self.builder.value(at);
        self.builder.derive(value, held, at);
        self.builder.test(tested, held, at);
        if let Some(table) = table {
            self.builder
                .element_store_at(table, (ElementKey::Text(name), None), Some(held), at);
        }
        true
    }

    /// What is read of a column of some rows; none if this is no such read.
    pub(super) fn column_of_rows(&mut self, node: Node<'t>) -> Option<Option<PlaceId>> {
        let Column { table, rows, name } = self.column(node)?;
        let table = self.look(table);
        let tested = match rows.kind() {
            "slice" => None,
            _ => self.expression(rows),
        };
        let at = position(node);
        let part = table.map(|table| self.builder.element_load(table, ElementKey::Text(name), at));
        part.into_iter().for_each(|part| self.builder.test(tested, part, at));
        Some(part)
    }

    /// `table[table["paid"] > 0]`, `table.loc[mask]`: the rows for which a test holds. Of a table they are a table again: see the method
    /// [`ROWS`] in the table of the library.
    pub(super) fn rows_of(&mut self, node: Node<'t>) -> Option<Option<PlaceId>> {
        let mut cursor = node.walk();
        let subscripts: Vec<_> = node.children_by_field_name("subscript", &mut cursor).collect();
        let [rows] = subscripts.as_slice() else { return None };
        let by = node.child_by_field_name("value")?;
        let is_located = by.kind() == "attribute"
            && by
                .child_by_field_name("attribute")
                .is_some_and(|how| self.text_of(how) == "loc");
        if !self.is_mask(*rows) {
            return None;
        }
        let table = if is_located {
            by.child_by_field_name("object")?
        } else {
            by
        };
        let whole = self.look(table);
        // What is no table has an attribute of that name.
        let base = if is_located { self.look(by) } else { whole };
        let (Some(table), Some(base)) = (whole, base) else {
            return Some(self.expression(*rows));
        };
        let at = position(node);
        let mask = self.expression(*rows);
        let part = self.builder.element_load(base, ElementKey::Rows, at);
        self.builder.test(mask, part, at);
        let given = Self::positional(mask, *rows);
        let chosen = self.builder.implicit_call(table, ROWS, vec![given], at);
        self.builder.flow(Some(chosen), part, How::Assign, at);
        Some(Some(part))
    }

    /// Whether an expression says for each row whether it is meant.
    fn is_mask(&mut self, node: Node<'t>) -> bool {
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "parenthesized_expression" => children(node).any(|inner| self.is_mask(inner)),
            "comparison_operator" => {
                let mut cursor = node.walk();
                let mut operators = node.children_by_field_name("operators", &mut cursor);
                operators.all(|operator| matches!(operator.kind(), "==" | "!=" | "<" | ">" | "<=" | ">="))
            }
            "unary_operator" => {
                let is_not = field("operator").is_some_and(|operator| operator.kind() == "~");
                is_not && field("argument").is_some_and(|inner| inner.kind() == "identifier" || self.is_mask(inner))
            }
            "binary_operator" => {
                let joins = field("operator").is_some_and(|operator| matches!(operator.kind(), "&" | "|"));
                joins
                    && ["left", "right"]
                        .into_iter()
                        .any(|side| field(side).is_some_and(|side| self.is_mask(side)))
            }
            "call" => {
                let method = field("function").and_then(|function| function.child_by_field_name("attribute"));
                method.is_some_and(|method| MASKS.contains(&self.text_of(method)))
            }
            "identifier" => {
                let name = self.text_of(node);
                let is_called_so = name == "mask" || name.ends_with("_mask");
                // A text, a number, a list of names is none.
                is_called_so && self.named_text(node).is_none() && self.display_named(node).is_none()
            }
            _ => false,
        }
    }

    /// `table[["age", "income"]]`: several columns, each under its name. What is made of all of them is made of each.
    pub(super) fn columns_of(&mut self, node: Node<'t>) -> Option<Option<PlaceId>> {
        let mut cursor = node.walk();
        let subscripts: Vec<_> = node.children_by_field_name("subscript", &mut cursor).collect();
        let [names] = subscripts.as_slice() else { return None };
        let list = self.display_named(*names).unwrap_or(*names);
        let columns: Vec<Node<'t>> = children(list).collect();
        let is_text = |column: &Node<'t>| column.kind() == "string";
        if list.kind() != "list" || columns.is_empty() || columns.len() > COLUMNS_LIMIT || !columns.iter().all(is_text)
        {
            return None;
        }
        let at = position(node);
        let Some(table) = node.child_by_field_name("value").and_then(|table| self.look(table)) else {
            return Some(None);
        };
        let whole = self.builder.element_load(table, ElementKey::Rows, at);
        let mut given = Vec::new();
        for column in columns {
            let Some(text) = self.constant_text(column) else {
                continue;
            };
            let name = self.builder.name(&text);
            // Of what is no table that is made here, a list by its name says no more than the whole.
            if list == *names {
                let own = position(column);
                self.builder.key_use(name, own);
                let part = self.builder.element_load(table, ElementKey::Column(name), own);
                self.builder.derive(Some(part), whole, own);
            }
            given.push(Argument {
                text: Some(name),
                ..Self::positional(None, *names)
            });
        }
        let chosen = self.builder.implicit_call(table, ROWS, given, at);
        self.builder.flow(Some(chosen), whole, How::Assign, at);
        Some(Some(whole))
    }
}
