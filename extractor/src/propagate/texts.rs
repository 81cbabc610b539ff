//! Texts of instances whose class has a generated method for that: the text of a data class holds its fields.
//!
//! ```python
//! @dataclass
//! class User: name: str; token: str = field(repr=False)
//! print(f"{User(name, token)}")         # `name`, and not `token`
//! ```
//!
//! In Go that is the text of every structure without `String` and `Error`: `fmt.Sprintf("%v", user)` shows all its fields.
//!
//! The methods are looked for as any are that the language calls by itself; where the class has none of its own, what the call gives is
//! computed from the fields.

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::Object;
use super::solve::Solver;
use crate::facts::{PlaceKind, TypeKind};
use crate::link::{FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use ripple_schema::How;

/// Methods that give a text, and those that they fall back to.
const METHODS: &[(&str, &[&str])] = &[
    ("__repr__", &["__repr__"]),
    ("__str__", &["__str__", "__repr__"]),
    ("__format__", &["__format__", "__str__", "__repr__"]),
    ("String", &["String", "Error"]),
    ("Error", &["String", "Error"]),
];

/// For a method that gives a text, it and those that it falls back to.
pub(super) fn text_methods(name: &str) -> Option<&'static [&'static str]> {
    METHODS.iter().find(|(method, _)| *method == name).map(|(_, all)| *all)
}

/// A call that makes a text of an instance.
#[derive(Debug)]
pub(super) struct Text {
    pub call: u32,
    /// Whose.
    pub of: PlaceIndex,
    /// The text.
    pub to: PlaceIndex,
    /// The fields that are in it.
    pub fields: Vec<(Symbol, PlaceIndex)>,
}

impl Solver<'_> {
    /// The calls that make such texts.
    pub(super) fn texts(&self) -> Vec<Text> {
        let mut methods: FxHashMap<Symbol, &[&str]> = FxHashMap::default();
        for (name, others) in METHODS {
            methods.extend(self.program.symbols.find(name).map(|name| (name, *others)));
        }
        let loads = self.loads.iter().filter(|row| row.implicit);
        let asked: FxHashMap<PlaceIndex, &[&str]> = loads
            .filter_map(|row| Some((row.to, *methods.get(&row.member)?)))
            .collect();
        let mut texts = Vec::new();
        for (call, row) in self.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            let is_asked = matches!(row.how, How::Implicit | How::Callback);
            let Some(names) = asked.get(&row.callee).filter(|_| is_asked) else {
                continue;
            };
            let (Some(of), Some(to)) = (row.receiver, self.call_results(call as u32).first().copied()) else {
                continue;
            };
            let mut fields = Vec::new();
            for (_, object) in self.held(of) {
                if let Object::Instance(class) = object {
                    fields.extend(self.fields_shown(class, names));
                }
            }
            if !fields.is_empty() {
                let call = call as u32;
                texts.push(Text { call, of, to, fields });
            }
        }
        texts
    }

    /// The places of which the language or library code makes a text.
    pub(super) fn made_texts_of(&self) -> FxHashSet<PlaceIndex> {
        let names = METHODS.iter().filter_map(|(name, _)| self.program.symbols.find(name));
        let names: FxHashSet<Symbol> = names.collect();
        let loads = self.loads.iter().filter(|row| row.implicit);
        loads
            .filter(|row| names.contains(&row.member))
            .map(|row| row.base)
            .collect()
    }

    /// The fields that a text of their object shows: all those that are in a generated one, and those that a method reads which gives a text.
    pub(super) fn fields_in_texts(&self) -> FxHashSet<PlaceIndex> {
        let names: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
        let members: Vec<Symbol> = names
            .iter()
            .filter_map(|name| self.program.symbols.find(name))
            .collect();
        let classes = (0..self.program.types.len()).map(|index| TypeIndex(index as u32));
        let mut fields: FxHashSet<PlaceIndex> = FxHashSet::default();
        let mut methods: FxHashSet<FunctionIndex> = FxHashSet::default();
        for class in classes {
            fields.extend(self.fields_shown(class, &names).into_iter().map(|(_, field)| field));
            let own = members.iter();
            let own = own.filter_map(|name| self.program.types[class.at()].members.get(name));
            methods.extend(
                own.flat_map(|member| self.held(*member))
                    .filter_map(|(_, object)| match object {
                        Object::Function(function) => Some(function),
                        _ => None,
                    }),
            );
        }
        for row in self.loads.iter().filter(|row| methods.contains(&row.function)) {
            let is_own = self.program.place_kind(row.base) == Some(PlaceKind::Receiver);
            for (_, object) in self.held(row.base).filter(|_| is_own) {
                if let Object::Instance(class) | Object::AnyOf(class) = object {
                    fields.extend(self.program.find_readable(class, row.member));
                }
            }
        }
        fields
    }

    /// The fields in the generated text of a class; none where it has a method of its own.
    pub(super) fn fields_shown(&self, class: TypeIndex, names: &[&str]) -> Vec<(Symbol, PlaceIndex)> {
        if names.iter().any(|name| self.has(class, name)) {
            return Vec::new();
        }
        let facts = self.program.type_facts(class);
        if facts.kind == TypeKind::Struct {
            let file = self.program.types[class.at()].file;
            let names = facts.fields.iter().map(|field| self.program.symbol(file, field.name));
            let members = &self.program.types[class.at()].members;
            return names.filter_map(|name| Some((name, *members.get(&name)?))).collect();
        }
        if !self.has_generated_constructor(class) {
            return Vec::new();
        }
        let fields = self.constructor_fields(class).into_iter();
        let shown = fields.filter(|field| field.is_shown);
        shown.map(|field| (field.name, field.place)).collect()
    }
}
