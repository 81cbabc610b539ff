//! Names to definitions across files: the whole program as one set of numbered things.
//!
//! Facts of a file number their places, functions and types from 0. Linking lays the files end to end ([`Program`] gives every
//! place, function and type one number), sorts files into packages ([`package`]), resolves what names mean across files
//! ([`scope`]), and gives every type its members ([`member`]). It looks at declarations only: what a value *is* travels along
//! flows later, in [`crate::propagate`].
//!
//! `from shop.orders import Order` in `a.py`: the import means the places that `Order` is bound to at the end of
//! `shop/orders.py`; if that name is itself imported there, its own import leads on.

pub mod member;
mod namespaces;
pub mod package;
pub mod scope;

use std::sync::Arc;

use ripple_schema::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::discover::Discovery;
use crate::facts::order::{Order, Point};
use crate::facts::{self, FileFacts, FunctionKind, Name, PlaceId, TypeExpressionId};

/// Declares an index into one of the program's tables.
macro_rules! index {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn at(self) -> usize {
                self.0 as usize
            }
        }
    )+ };
}

index! {
    /// A file.
    FileIndex,
    /// A name, the same across files.
    Symbol,
    /// A place: those of the files first, then one for each member of a type.
    PlaceIndex,
    /// A function.
    FunctionIndex,
    /// A type.
    TypeIndex,
    /// A package or module.
    PackageIndex,
}

/// The whole program.
#[derive(Debug, Default)]
pub struct Program {
    /// Files with their facts.
    pub files: Vec<File>,
    /// Packages and modules.
    pub packages: Vec<package::Package>,
    /// Texts of symbols.
    pub symbols: Symbols,
    /// Functions of all files, in order of files.
    pub functions: Vec<FunctionRow>,
    /// Types of all files, in order of files.
    pub types: Vec<TypeRow>,
    /// Places that no file has by itself; they come after those of the files.
    pub derived_places: Vec<DerivedPlace>,
    /// Number of places in files.
    pub local_places: u32,
    /// The file of each of them: asked so often that a search for it would show.
    place_files: Vec<FileIndex>,
    /// What members of packages were found to mean.
    members: FxHashMap<(PackageIndex, Symbol), scope::Meaning>,
    /// Properties by their names: the classes that have one.
    properties: FxHashMap<Symbol, FxHashSet<TypeIndex>>,
    /// Names of classes that are being looked up, one by way of the other.
    naming: Vec<(FileIndex, Symbol)>,
    pub(crate) index: package::PackageIndexes,
}

/// A file of the program.
#[derive(Debug)]
pub struct File {
    /// What it says.
    pub facts: Arc<FileFacts>,
    /// Its language.
    pub language: Language,
    /// Its package.
    pub package: PackageIndex,
    /// Its path from its root.
    pub relative: String,
    /// Its root.
    pub root: usize,
    /// The symbol of each of its names.
    pub symbols: Vec<Symbol>,
    first_place: u32,
    first_function: u32,
    first_type: u32,
    /// Its types by name, in order.
    types_named: FxHashMap<Symbol, Vec<facts::TypeId>>,
    pub(crate) own_scope: FxHashMap<Symbol, Vec<PlaceIndex>>,
    pub(crate) declared: FxHashMap<PlaceId, TypeExpressionId>,
}

/// A function of the program.
#[derive(Debug, Clone, Copy)]
pub struct FunctionRow {
    /// Its file.
    pub file: FileIndex,
    /// Its number there.
    pub local: facts::FunctionId,
    /// The type that it is a method of.
    pub owner: Option<TypeIndex>,
}

/// A type of the program.
#[derive(Debug)]
pub struct TypeRow {
    /// Its file.
    pub file: FileIndex,
    /// Its number there.
    pub local: facts::TypeId,
    /// Its bases, or what it embeds, in order.
    pub bases: Vec<Base>,
    /// Itself and its bases in the order in which members are looked up (C3 where it exists).
    pub order: Vec<TypeIndex>,
    /// Types that have it in their `order`, itself left out.
    pub subtypes: Vec<TypeIndex>,
    /// Its own members by name.
    pub members: FxHashMap<Symbol, PlaceIndex>,
    /// Whether a base is not in the index: it may have members that nobody here knows.
    pub open: bool,
}

/// A place that no file has by itself.
#[derive(Debug, Clone, Copy)]
pub enum DerivedPlace {
    /// A member of a type.
    Member(member::Member),
    /// A part of the container that is made at a place.
    Element {
        /// Where the container is made.
        container: PlaceIndex,
        /// Which part.
        part: Part,
    },
    /// A field or part of one object, as one function sees it.
    Cell {
        /// The place that the object is first in there.
        owner: PlaceIndex,
        /// The way into it.
        step: Step,
        /// The function.
        function: FunctionIndex,
        /// The write that it holds; the first point for what is there before any.
        written: Point,
    },
    /// What a library call handles on its way, in this function.
    Passing(FunctionIndex),
    /// What a callee gives to a place, before it goes on from there.
    Given(PlaceIndex),
}

/// A way from an object into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// To a field.
    Member(Symbol),
    /// To a field of one type of structure, which no other type has.
    Field(PlaceIndex),
    /// To a part.
    Part(Part),
    /// To what a pointer points at.
    Target,
    /// To what a closure keeps of a variable around it.
    Kept(Symbol),
    /// To a global, from what stands for the module.
    Global(PlaceIndex),
}

/// A part of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Under a constant text.
    Text(Symbol),
    /// At a constant position.
    Index(u32),
    /// Put in under a key that is not known.
    Any,
    /// The one at this number from the end, of what was in it when the function began; 1 is the last.
    Last(u32),
    /// Under the key that this parameter brings.
    Under(PlaceIndex),
    /// Under one of several keys, of which there is a set of this number.
    OneOf(u32),
    /// Everything in it.
    All,
    /// Its keys.
    Keys,
    /// What a generator returns at its end.
    Returned,
    /// At this position or a later one, of what a generator gives: at least 1, at most [`Part::STEP_LIMIT`].
    From(u32),
    /// What is sent into a generator as the step of this number is asked for; under 0 where that is not known.
    Sent(u32),
    /// What is thrown into a generator.
    Thrown,
}

impl Part {
    /// Steps of a generator that are told apart.
    pub const STEP_LIMIT: u32 = 4;

    /// What is at a position or behind it.
    pub fn from(least: u32) -> Self {
        match least {
            0 => Self::Any,
            least => Self::From(least.min(Self::STEP_LIMIT)),
        }
    }

    /// What is sent at a step.
    pub fn sent(step: u32) -> Self {
        Self::Sent(if step > Self::STEP_LIMIT { 0 } else { step })
    }
}

/// A base class or embedded type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Base {
    /// In the index.
    Type(TypeIndex),
    /// Not in the index.
    External(Symbol),
}

/// Names shared by all files.
#[derive(Debug, Default)]
pub struct Symbols {
    texts: Vec<Box<str>>,
    index: FxHashMap<Box<str>, Symbol>,
}

impl Symbols {
    /// The symbol of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.index.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        self.texts.push(text.into());
        self.index.insert(text.into(), symbol);
        symbol
    }

    /// The symbol of a text, if some file has it.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.index.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.at()).map_or("", |text| text)
    }
}

/// Links the facts of all files. `facts` are those of `discovery.sources`, in order.
pub fn link(discovery: &Discovery, facts: Vec<Arc<FileFacts>>) -> Program {
    let mut program = Program::default();
    package::assign(&mut program, discovery, facts);
    program.number();
    scope::fill(&mut program);
    member::fill(&mut program);
    program
}

impl Program {
    fn number(&mut self) {
        let (mut places, mut functions, mut types) = (0u32, 0u32, 0u32);
        for (index, file) in self.files.iter_mut().enumerate() {
            let file_index = FileIndex(index as u32);
            file.symbols = file.facts.names.iter().map(|name| self.symbols.intern(name)).collect();
            file.first_place = places;
            file.first_function = functions;
            file.first_type = types;
            places += file.facts.places.len() as u32;
            self.place_files.resize(places as usize, file_index);
            functions += file.facts.functions.len() as u32;
            types += file.facts.types.len() as u32;
            for local in 0..file.facts.functions.len() as u32 {
                self.functions.push(FunctionRow {
                    file: file_index,
                    local: facts::FunctionId(local),
                    owner: None,
                });
            }
            for local in 0..file.facts.types.len() as u32 {
                let name = file.symbols[file.facts.types[local as usize].name.0 as usize];
                file.types_named.entry(name).or_default().push(facts::TypeId(local));
                self.types.push(TypeRow {
                    file: file_index,
                    local: facts::TypeId(local),
                    bases: Vec::new(),
                    order: Vec::new(),
                    subtypes: Vec::new(),
                    members: FxHashMap::default(),
                    open: false,
                });
            }
        }
        self.local_places = places;
    }

    /// Number of places, members' included.
    pub fn place_count(&self) -> usize {
        self.local_places as usize + self.derived_places.len()
    }

    /// The program's number of a file's place.
    pub fn place(&self, file: FileIndex, place: PlaceId) -> PlaceIndex {
        PlaceIndex(self.files[file.at()].first_place + place.0)
    }

    /// What the types of a file put in their members where they are declared: (value, member).
    pub fn member_values(&self, file: FileIndex) -> Vec<(PlaceIndex, PlaceIndex)> {
        let values = self.files[file.at()].facts.member_values.iter();
        let member = |value: &facts::MemberValue| {
            let owner = self.type_index(file, value.owner);
            let name = self.symbol(file, value.member);
            self.types[owner.at()].members.get(&name).copied()
        };
        values
            .filter_map(|value| Some((self.place(file, value.from), member(value)?)))
            .collect()
    }

    /// The fields of a file's types that say what they hold: (member, its type).
    pub fn declared_fields(&self, file: FileIndex) -> Vec<(PlaceIndex, TypeExpressionId)> {
        let mut fields = Vec::new();
        for (local, own) in self.files[file.at()].facts.types.iter().enumerate() {
            let owner = self.type_index(file, facts::TypeId(local as u32));
            for field in &own.fields {
                let name = self.symbol(file, field.name);
                let member = self.types[owner.at()].members.get(&name).copied();
                fields.extend(member.zip(field.declared));
            }
        }
        fields
    }

    /// The program's number of a file's function.
    pub fn function(&self, file: FileIndex, function: facts::FunctionId) -> FunctionIndex {
        FunctionIndex(self.files[file.at()].first_function + function.0)
    }

    /// The program's number of a file's type.
    pub fn type_index(&self, file: FileIndex, local: facts::TypeId) -> TypeIndex {
        TypeIndex(self.files[file.at()].first_type + local.0)
    }

    /// The symbol of a file's name.
    pub fn symbol(&self, file: FileIndex, name: Name) -> Symbol {
        self.files[file.at()].symbols[name.0 as usize]
    }

    /// The file and local number of a place; none for a derived one.
    pub fn local_place(&self, place: PlaceIndex) -> Option<(FileIndex, PlaceId)> {
        let file = *self.place_files.get(place.at())?;
        Some((file, PlaceId(place.0 - self.files[file.at()].first_place)))
    }

    /// Where a place is defined; a container's part, where the container is made.
    pub fn site_of(&self, place: PlaceIndex) -> Option<(FileIndex, facts::Position)> {
        if let Some((file, local)) = self.local_place(place) {
            return Some((file, self.files[file.at()].facts.places[local.0 as usize].position));
        }
        match self.derived_place(place)? {
            DerivedPlace::Element { container, .. } => self.site_of(*container),
            DerivedPlace::Cell { owner, .. } => self.site_of(*owner),
            DerivedPlace::Given(place) => self.site_of(*place),
            DerivedPlace::Passing(function) => Some((
                self.functions[function.at()].file,
                self.function_facts(*function).position,
            )),
            DerivedPlace::Member(member) => Some((member.file, member.position)),
        }
    }

    /// What a place of a file is; none for one that is derived.
    pub fn place_kind(&self, place: PlaceIndex) -> Option<facts::PlaceKind> {
        let (file, local) = self.local_place(place)?;
        Some(self.files[file.at()].facts.places[local.0 as usize].kind)
    }

    /// The function that a place belongs to; none for members of types.
    pub fn owner_of(&self, place: PlaceIndex) -> Option<FunctionIndex> {
        if let Some((file, local)) = self.local_place(place) {
            return Some(self.function(file, self.files[file.at()].facts.places[local.0 as usize].function));
        }
        match self.derived_place(place)? {
            DerivedPlace::Element { container, .. } => self.owner_of(*container),
            DerivedPlace::Given(place) => self.owner_of(*place),
            DerivedPlace::Passing(function) | DerivedPlace::Cell { function, .. } => Some(*function),
            DerivedPlace::Member(_) => None,
        }
    }

    /// The member that a place belongs to.
    pub fn member_of(&self, place: PlaceIndex) -> Option<&member::Member> {
        match self.derived_place(place)? {
            DerivedPlace::Member(member) => Some(member),
            _ => None,
        }
    }

    /// Whether a place is a field, and no method.
    pub fn is_field(&self, place: PlaceIndex) -> bool {
        self.member_of(place).is_some_and(|member| member.field.is_some())
    }

    /// The fields that a type has itself, in order of places.
    pub fn own_fields(&self, class: TypeIndex) -> Vec<PlaceIndex> {
        let members = self.types[class.at()].members.values().copied();
        let mut fields: Vec<PlaceIndex> = members.filter(|place| self.is_field(*place)).collect();
        fields.sort_unstable();
        fields
    }

    /// The fields of a type that are arrays, with what they are declared as.
    pub fn array_fields(&self, class: TypeIndex) -> Vec<(PlaceIndex, TypeExpressionId)> {
        let row = &self.types[class.at()];
        let fields = self.type_facts(class).fields.iter().filter(|field| field.is_array);
        fields
            .filter_map(|field| Some((*row.members.get(&self.symbol(row.file, field.name))?, field.declared?)))
            .collect()
    }

    /// What a place that comes after those of the files is.
    pub fn derived_place(&self, place: PlaceIndex) -> Option<&DerivedPlace> {
        self.derived_places
            .get(place.0.checked_sub(self.local_places)? as usize)
    }

    /// A new place after all others.
    pub fn derive_place(&mut self, place: DerivedPlace) -> PlaceIndex {
        self.derived_places.push(place);
        PlaceIndex(self.local_places + self.derived_places.len() as u32 - 1)
    }

    /// What a function says of itself.
    pub fn function_facts(&self, function: FunctionIndex) -> &facts::Function {
        let row = &self.functions[function.at()];
        &self.files[row.file.at()].facts.functions[row.local.0 as usize]
    }

    /// Whether a function is one of test code.
    pub fn is_test(&self, function: FunctionIndex) -> bool {
        let file = self.functions[function.at()].file;
        self.files[file.at()].facts.test || self.function_facts(function).test
    }

    /// What a type says of itself.
    pub fn type_facts(&self, index: TypeIndex) -> &facts::Type {
        let row = &self.types[index.at()];
        &self.files[row.file.at()].facts.types[row.local.0 as usize]
    }

    /// The language of a type.
    pub fn type_language(&self, index: TypeIndex) -> Language {
        self.files[self.types[index.at()].file.at()].language
    }

    /// The order of a function's points.
    pub fn order(&self, function: FunctionIndex) -> Option<&Order> {
        let row = self.functions[function.at()];
        self.files[row.file.at()].facts.orders.get(row.local.0 as usize)
    }

    /// A type expression of a file.
    pub fn type_expression(&self, file: FileIndex, id: TypeExpressionId) -> &facts::TypeExpression {
        &self.files[file.at()].facts.type_expressions[id.0 as usize]
    }

    /// Dotted path of a function from its package down.
    pub fn function_name(&self, function: FunctionIndex) -> String {
        let row = self.functions[function.at()];
        let file = &self.files[row.file.at()];
        let package = self.packages[file.package.at()].name.clone();
        let facts = &file.facts.functions[row.local.0 as usize];
        if facts.kind == FunctionKind::Initializer {
            return if file.language == Language::Go {
                format!("{package}.init")
            } else {
                package
            };
        }
        let name = file.facts.text(facts.name);
        if let Some(owner) = row.owner {
            return format!("{}.{name}", self.type_name(owner));
        }
        match facts.parent {
            Some(parent) => {
                let parent_kind = file.facts.functions[parent.0 as usize].kind;
                if parent_kind == FunctionKind::Initializer {
                    format!("{package}.{name}")
                } else {
                    format!("{}.{name}", self.function_name(self.function(row.file, parent)))
                }
            }
            None => format!("{package}.{name}"),
        }
    }

    /// Dotted path of a type from its package down.
    pub fn type_name(&self, index: TypeIndex) -> String {
        let row = &self.types[index.at()];
        let file = &self.files[row.file.at()];
        let facts = &file.facts.types[row.local.0 as usize];
        let name = file.facts.text(facts.name);
        if let Some(outer) = facts.outer {
            return format!("{}.{name}", self.type_name(self.type_index(row.file, outer)));
        }
        if file.facts.functions[facts.function.0 as usize].kind == FunctionKind::Initializer {
            return format!("{}.{name}", self.packages[file.package.at()].name);
        }
        format!("{}.{name}", self.function_name(self.function(row.file, facts.function)))
    }
}

impl Program {
    /// The type that a file declares a place with.
    pub fn declared_type(&self, file: FileIndex, place: PlaceId) -> Option<TypeExpressionId> {
        self.files[file.at()].declared.get(&place).copied()
    }
}
