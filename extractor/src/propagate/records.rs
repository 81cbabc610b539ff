//! Objects of library code that keep what they are given under the names of attributes, and have no others.
//!
//! ```python
//! row = SimpleNamespace(name=name, age=3)
//! row.mail = mail
//! send(row.mail)          # what was put in as that, and nothing of `row.name`
//! ```
//!
//! Such a record is a mapping whose parts are read and written as attributes. The tables write `returns = "record"`. Tables of rows are records of
//! columns, and a row that one of them gives is one of what is in these: `for row in table.itertuples(): row.mail`.

use super::library::{Entry, Subject};
use super::object::{Object, ObjectId};
use super::solve::{ElementRow, LoadRow, RowBase, RowKey, RowSite, Solver, StoreRow};
use crate::facts::ContainerKind;
use crate::link::{PlaceIndex, Symbol};

/// What the tables call a record.
const NAME: &str = "record";

/// What they call the rows of a table in groups: by position, and their columns by name.
const GROUPS: &str = "groups";

/// What the tables call the library's own class of tables, which its attributes are asked of.
pub(super) const FRAME: &str = "pandas.DataFrame";

/// The library's own class of rows.
const SERIES: &str = "pandas.Series";

/// What tables call their columns by.
const COLUMNS: &str = "columns";

/// What they call a row of a table, which can be asked by position, too.
const ROW: &str = "row";

/// What the tables call a container, as its kind.
pub(super) fn container_named(name: &str) -> Option<ContainerKind> {
    match name {
        NAME => Some(ContainerKind::Map),
        ROW => Some(ContainerKind::Row),
        "table" | GROUPS => Some(ContainerKind::Table),
        name => super::parts::container_named(name),
    }
}

impl Solver<'_> {
    /// Notes a container that is a record, if the table says so.
    pub(super) fn note_record(&mut self, returned: &str, object: ObjectId) {
        if matches!(returned, NAME | ROW | GROUPS) {
            self.records.insert(object);
        }
    }

    /// Whether what has no names is put into a table: containers in it are rows, whose parts are told by themselves.
    pub(super) fn is_made_of_rows(&self, (list, kind): (ObjectId, ContainerKind), table: ObjectId) -> bool {
        list != table && !kind.has_names() && self.records.contains(&table)
    }

    /// `row of receiver`: a call makes a row of a table, of what is in each of its columns.
    pub(super) fn make_row(&mut self, call: u32, table: &Subject) {
        let row = self.passing(call);
        let container = self.objects.intern(Object::Container {
            kind: ContainerKind::Row,
            site: row,
        });
        self.records.insert(container);
        self.add(row, container);
        let made_by = self.calls[call as usize].clone();
        for table in self.subject_places(call, table) {
            self.copy_parts_by(&made_by, table, row);
        }
        self.rows_made.insert(call, row);
    }

    /// Whether a place holds records, and nothing else: its attributes are told as parts.
    pub(super) fn holds_records(&self, place: PlaceIndex) -> bool {
        let mut held = self.contents(place).iter().peekable();
        held.peek().is_some() && held.all(|object| self.records.contains(object))
    }

    /// Whether this object has nothing to do with what is read or written: an attribute of records, or what lies in containers.
    pub(super) fn is_passed_by(&self, row: &ElementRow, object: ObjectId) -> bool {
        match row.of {
            RowBase::Record => !self.records.contains(&object),
            RowBase::Rows => self.frames.contains(&object),
            RowBase::Argument => match self.objects.get(object) {
                object if row.key == RowKey::Keys => !super::looked_into::has_keys(object),
                object => !matches!(object, Object::Container { .. }),
            },
            _ => false,
        }
    }

    /// Whether the table tells what the language asks of an object of library code: `table[mask]`.
    pub(super) fn is_told_of(&self, object: Symbol, row: &LoadRow) -> bool {
        let symbols = &self.program.symbols;
        let name = format!("{}.{}", symbols.text(object), symbols.text(row.member));
        let library = self.libraries.get(&self.program.files[row.file.at()].language);
        symbols.text(row.member) == "__getitem__" && library.is_some_and(|library| library.get(&name).is_some())
    }

    /// `row.name`, where a record arrives.
    pub(super) fn load_from_record(&mut self, load: u32, record: ObjectId, row: &LoadRow) {
        let text = self.program.symbols.text(row.member);
        let method = format!("{SERIES}.{text}");
        if self.objects.get(record).is_row() && self.is_told(row.file, &method) {
            let method = self.method_taken(row, &method);
            return self.add(row.to, method);
        }
        if self.elements_asked.insert((load, row.member)) {
            let asked = attribute((row.base, row.member, row.to), row.at());
            // `table.values`: what is in all of its columns; `table.columns`: what these are called.
            let key = match text {
                "values" if self.frames.contains(&record) => RowKey::Any,
                COLUMNS if self.frames.contains(&record) => RowKey::Keys,
                _ => asked.key,
            };
            self.push_element_load(ElementRow {
                known: row.known,
                key,
                ..asked
            });
        }
    }

    /// `row.name = value`, where a record arrives.
    pub(super) fn store_in_record(&mut self, row: &StoreRow, record: ObjectId) {
        // Other names for its columns are none of these.
        if self.frames.contains(&record) && self.program.symbols.text(row.member) == COLUMNS {
            return;
        }
        let is_new = self.stored_in_records.insert((row.base, row.member, row.point));
        if let Some(from) = row.from.filter(|_| is_new) {
            self.push_element_store(attribute((row.base, row.member, from), row.at()));
        }
    }
}

/// Whether a row has itself under this name, to be asked in another way.
pub(super) fn is_itself(attribute: &str) -> bool {
    matches!(attribute, "loc" | "iloc" | "at" | "iat" | "values" | "array")
}

/// An attribute of a record as a part of a mapping.
fn attribute((base, member, value): (PlaceIndex, Symbol, PlaceIndex), at: RowSite) -> ElementRow {
    ElementRow::made((base, RowKey::Text(member), value), RowBase::Record, at)
}

/// The container that an entry says is held.
pub(super) fn holds(entry: &Entry) -> Option<ContainerKind> {
    container_named(entry.holds.as_deref()?)
}
