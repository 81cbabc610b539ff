//! Objects that library code makes of classes of the index: rows of tables, found through a manager, a query, a relation.
//!
//! ```python
//! class Loan(models.Model):
//!     borrower = models.ForeignKey("Borrower", related_name="loans")
//! for loan in Loan.objects.filter(open=True):      # `Loan`s
//!     loan.borrower.loans.first()                  # a `Borrower`, its `Loan`s, one of them
//! ```
//!
//! A manager or query is what the library says and, beside that, a container that a type declares: objects of the class come out of it, one by one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::library::{Effect, Entry, Subject};
use super::object::{Object, ObjectId};
use super::rows::{ElementRow, LoadRow, RowBase, RowKey};
use super::solve::{Constraint, Solver};
use crate::facts::{ArgumentKind, ContainerKind};
use crate::link::{FileIndex, PlaceIndex, Symbol, TypeIndex};

/// How the table says that a relation gives one object.
const ONE: &str = "one";

/// What a relation of another class gives an object of this one, under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Related {
    /// The class that the relation stands in.
    class: TypeIndex,
    /// What the library gives: a manager; none for one object.
    given: Option<ObjectId>,
}

/// What relations say.
#[derive(Debug, Default)]
pub(super) struct Relations {
    by_call: FxHashMap<u32, (Symbol, Related)>,
    /// By the class that they lead to, and the name there.
    members: FxHashMap<(TypeIndex, Symbol), Vec<Related>>,
    /// The files that have a class of a name, of those that were asked for.
    files: FxHashMap<Symbol, Vec<FileIndex>>,
    /// Calls of methods that gave rows by their name.
    told: FxHashSet<u32>,
}

impl<'p> Solver<'p> {
    /// The result of a call is made with the class that an argument or the receiver is, or that its text names.
    pub(super) fn of_class(&mut self, call: u32, subject: &Subject, constraint: fn(PlaceIndex) -> Constraint) {
        let Some(result) = self.call_results(call).first().copied() else {
            return;
        };
        for of in self.subject_places(call, subject) {
            self.attach(of, constraint(result));
        }
        if let Some(class) = self.class_in_text(call, subject) {
            let class = self.objects.intern(Object::Class(class));
            self.fire(constraint(result), result, class);
        }
    }

    /// Objects of the class that arrives, one by one.
    pub(super) fn rows_of(&mut self, object: ObjectId, to: PlaceIndex) {
        if let Object::Class(class) = self.objects.get(object) {
            let row = self.objects.intern(Object::AnyOf(class));
            let rows = self.one_by_one(vec![row]);
            self.add(to, rows);
        }
    }

    /// What gives these objects, one by one.
    pub(super) fn one_by_one(&mut self, rows: Vec<ObjectId>) -> ObjectId {
        let (key, element) = (self.objects.intern_list(Vec::new()), self.objects.intern_list(rows));
        let kind = ContainerKind::Generator;
        self.objects.intern(Object::Typed { kind, key, element })
    }

    /// What was read from a class gives objects of that class, if it is a manager of the library, or an object of a class below one.
    pub(super) fn rows_read(&mut self, row: &LoadRow, from: ObjectId, object: ObjectId) {
        if let Object::Class(_) = self.objects.get(from)
            && self.gives_rows(row.file, object)
        {
            self.rows_of(from, row.to);
        }
    }

    /// A member that the library has of a class, and that gives objects of it: `objects`.
    pub(super) fn rows_told(&mut self, row: &LoadRow, base: Symbol, class: ObjectId) {
        let symbols = &self.program.symbols;
        let name = format!("{}.{}", symbols.text(base), symbols.text(row.member));
        let library = self.libraries.get(&self.program.files[row.file.at()].language);
        let told = library.and_then(|library| library.get(library.get(&name)?.type_name.as_deref()?));
        if told.is_some_and(|entry| entry.gives_rows) {
            self.rows_of(class, row.to);
        }
    }

    /// A member that holds what its type is of: `request.Msg` of a `Request[Order]`.
    pub(super) fn load_inner(&mut self, row: &LoadRow) {
        let each = ElementRow::made((row.base, RowKey::Any, row.to), RowBase::Plain, row.at());
        self.push_element_load(ElementRow { silent: true, ..each });
    }

    /// Whether a value gives objects of a class, as the library says.
    pub(super) fn gives_rows(&self, file: FileIndex, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::External(name) => self.table_entry(file, name).is_some_and(|entry| entry.gives_rows),
            Object::Instance(class) | Object::AnyOf(class) => self.is_row_giver(class),
            _ => false,
        }
    }

    /// Whether a class stands on one of the library whose values give objects of a class.
    pub(super) fn is_row_giver(&self, class: TypeIndex) -> bool {
        let library = self.libraries.get(&self.program.type_language(class));
        let gives = |name: &str| library.is_some_and(|library| library.get(name).is_some_and(|entry| entry.gives_rows));
        self.program.types[class.at()].open && self.external_bases(class).any(gives)
    }

    /// A call of a method of which only the name is known may be one that gives rows: what it is asked for says so.
    pub(super) fn ask_for_rows(&mut self, call: u32) {
        let asked = self.subject_places(call, &Subject::Argument(0)).first().copied();
        if let (Some(asked), Some(_)) = (asked, self.entry_for_rows(call)) {
            self.attach_once(asked, Constraint::RowsByName(call));
        }
    }

    /// What it is asked for arrives: a class, or what gives rows.
    pub(super) fn rows_by_name(&mut self, call: u32, object: ObjectId) {
        let file = self.calls[call as usize].file;
        let Some(entry) = self.entry_for_rows(call) else { return };
        let makes_one = entry.flows.iter().any(|effect| matches!(effect, Effect::InstanceOf(_)));
        let takes_class = makes_one || entry.flows.iter().any(|effect| matches!(effect, Effect::RowsOf(_)));
        // Of a class that stands on none of a library, no library has rows.
        let is_class = match self.objects.get(object) {
            Object::Class(class) => !makes_one || self.program.types[class.at()].open,
            _ => false,
        };
        if is_class != takes_class || !is_class && !self.gives_rows(file, object) {
            return;
        }
        if let (Some(returned), Some(result)) = (&entry.returns, self.call_results(call).first().copied()) {
            self.add_returned(call, returned, result);
        }
        // Whatever arrives later comes along by itself.
        if self.relations.told.insert(call) {
            self.apply(call, entry);
        }
    }

    fn entry_for_rows(&self, call: u32) -> Option<&'p Entry> {
        let row = &self.calls[call as usize];
        row.receiver?;
        let text = self.program.symbols.text(row.text);
        let last = text.rsplit('.').next().unwrap_or(text);
        let library = self.libraries.get(&self.program.files[row.file.at()].language)?;
        library.get(&format!("*.{last}"))
    }

    /// A relation: objects of the class that an argument is give those of the class that the call stands in, under the name that `keyword` says.
    pub(super) fn relate(&mut self, call: u32, keyword: &str, given: &str) {
        let Some(class) = self.class_around(call) else { return };
        let keyword = self.program.symbols.find(keyword);
        let mut arguments = self.call_arguments(call).iter();
        let told = arguments.find(|argument| argument.name.is_some() && argument.name == keyword);
        let name = match told.map(|argument| argument.text) {
            Some(Some(name)) if !self.program.symbols.text(name).ends_with('+') => name,
            Some(_) => return,
            None => {
                let own = self.program.type_name(class);
                let own = own.rsplit('.').next().unwrap_or(&own).to_lowercase();
                let set = if given == ONE { "" } else { "_set" };
                self.program.symbols.intern(&format!("{own}{set}"))
            }
        };
        let given = (given != ONE).then(|| self.external(given));
        self.relations.by_call.insert(call, (name, Related { class, given }));
        for subject in [Subject::Argument(0), Subject::Keyword("to".to_owned())] {
            for of in self.subject_places(call, &subject) {
                self.attach(of, Constraint::Relate(call));
            }
            if let Some(of) = self.class_in_text(call, &subject) {
                self.relate_to(call, of);
            }
        }
    }

    pub(super) fn relate_given(&mut self, call: u32, object: ObjectId) {
        if let Object::Class(to) = self.objects.get(object) {
            self.relate_to(call, to);
        }
    }

    /// The class that a relation leads to is known.
    fn relate_to(&mut self, call: u32, to: TypeIndex) {
        let Some((name, related)) = self.relations.by_call.get(&call).copied() else {
            return;
        };
        let known = self.relations.members.entry((to, name)).or_default();
        if known.contains(&related) {
            return;
        }
        known.push(related);
        // Who asked for it before finds it now.
        for (load, object) in self.missed_loads.get(&name).cloned().unwrap_or_default() {
            if let Object::Instance(asked) | Object::AnyOf(asked) = self.objects.get(object)
                && self.program.types[asked.at()].order.contains(&to)
            {
                let row = self.loads[load as usize];
                self.give_related(&row, related);
            }
        }
    }

    /// A member that only relations of other classes give. Whether there is one.
    pub(super) fn load_related(&mut self, row: &LoadRow, asked: TypeIndex) -> bool {
        if self.relations.members.is_empty() {
            return false;
        }
        let order = self.program.types[asked.at()].order.iter();
        let related = order.filter_map(|class| self.relations.members.get(&(*class, row.member)));
        let related: Vec<Related> = related.flatten().copied().collect();
        for related in &related {
            self.give_related(row, *related);
        }
        !related.is_empty()
    }

    fn give_related(&mut self, row: &LoadRow, Related { class, given }: Related) {
        let Some(given) = given else {
            let one = self.objects.intern(Object::AnyOf(class));
            return self.add(row.to, one);
        };
        self.add(row.to, given);
        let class = self.objects.intern(Object::Class(class));
        self.rows_of(class, row.to);
    }

    /// The class that a constant argument names: `"Borrower"`, `"loans.Borrower"`, `"self"`.
    fn class_in_text(&mut self, call: u32, subject: &Subject) -> Option<TypeIndex> {
        let mut arguments = self.call_arguments(call).iter();
        let given = match subject {
            Subject::Argument(position) => arguments
                .filter(|argument| argument.kind == ArgumentKind::Positional)
                .nth(*position),
            Subject::Keyword(keyword) => {
                let keyword = self.program.symbols.find(keyword)?;
                arguments.find(|argument| argument.name == Some(keyword))
            }
            _ => None,
        };
        let text = self.program.symbols.text(given?.text?).to_owned();
        if text == "self" {
            return self.class_around(call);
        }
        let (package, name) = text.rsplit_once('.').unwrap_or(("", &text));
        let name = self.program.symbols.find(name)?;
        let file = self.calls[call as usize].file;
        if let ([only], true) = (self.program.types_named(file, name), package.is_empty()) {
            return Some(self.program.type_index(file, *only));
        }
        let language = self.program.files[file.at()].language;
        let mut found = self.files_naming(name).to_vec();
        found.retain(|other| self.program.files[other.at()].language == language);
        // An application is a folder.
        let folder = package.rsplit('.').next().unwrap_or(package);
        let lies_in = |file: &FileIndex| {
            let mut parts = self.program.files[file.at()].relative.split('/');
            parts.any(|part| part == folder)
        };
        let own: Vec<FileIndex> = found.iter().copied().filter(lies_in).collect();
        let file = match (own.as_slice(), found.as_slice()) {
            ([only], _) | ([], [only]) => *only,
            _ => return None,
        };
        match self.program.types_named(file, name) {
            [only] => Some(self.program.type_index(file, *only)),
            _ => None,
        }
    }

    /// The files that have a class of a name.
    fn files_naming(&mut self, name: Symbol) -> &[FileIndex] {
        let program = &self.program;
        self.relations.files.entry(name).or_insert_with(|| {
            let files = (0..program.files.len() as u32).map(FileIndex);
            files
                .filter(|file| !program.types_named(*file, name).is_empty())
                .collect()
        })
    }

    /// The fields of a class that stands for a table, those of the classes above it included, each by its name.
    pub(super) fn fields_of_model(&self, class: TypeIndex) -> Vec<(Symbol, PlaceIndex)> {
        let mut fields = Vec::new();
        for base in &self.program.types[class.at()].order {
            let file = self.program.types[base.at()].file;
            for field in &self.program.type_facts(*base).fields {
                let name = self.program.symbol(file, field.name);
                let place = self.declared_key(class, name);
                fields.extend(place.map(|place| (name, place)));
            }
        }
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// The innermost class in which a call stands.
    fn class_around(&self, call: u32) -> Option<TypeIndex> {
        let row = &self.calls[call as usize];
        let types = self.program.files[row.file.at()].facts.types.iter().enumerate();
        let line = row.position.line;
        let around = types.filter(|(_, class)| class.position.line <= line && line <= class.end_line);
        let (local, _) = around.max_by_key(|(_, class)| class.position.line)?;
        let local = crate::facts::TypeId(local as u32);
        Some(self.program.type_index(row.file, local))
    }
}
