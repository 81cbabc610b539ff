//! What one file says, language-neutral, computed from that file alone.
//!
//! First, some terminology, on top of the words in [`ripple_schema`]:
//!
//! - A **place** is written down as an index into [`FileFacts::places`]. Places that a person would name (variables,
//!   parameters, results) become nodes; *bindings* (the name of a function, a class, an import) and *values* (what an
//!   expression is worth on its way) only join others.
//! - An **object** is what a place can hold that has members or can be called: a function, a class, an imported module, an
//!   instance, a container. Objects travel along flows later, in [`crate::propagate`].
//! - A **load** or **store** names a member of whatever its base holds; an **element** load or store names a part of a
//!   container, by constant key where there is one. What they mean depends on the objects that reach the base.
//!
//! One small program, followed through:
//!
//! ```python
//! class Cart:
//!     def total(self, tax):
//!         return self.net * tax
//! print(Cart().total(2))
//! ```
//!
//! gives types `[Cart]`; functions `[<body>, Cart.total]`; for the body: a binding `Cart` holding the class, a call of it
//! whose value `v1` is the base of a load of `total` into `v2`, a call of `v2`, a use of the name `print`, a call of that;
//! for `total`: parameters `self`, `tax`, a load of `net` from `self` into `v3`, and flows `v3 -> result`, `tax -> result`.

pub mod access;
pub mod builder;
pub mod by_name;
pub mod cache;
pub mod constant;
mod feasible;
mod file_names;
mod members;
pub mod order;
pub mod path;
mod place;
mod reaching;
pub mod steps;
mod types;

pub use access::{
    AtEnd, ChosenByKey, ColumnsNamed, ContainerKind, Drop, ElementKey, ElementLoad, ElementStore, EndChange, Load,
    PartCopy, Store,
};
pub use constant::{
    Answer, AskedPart, Condition, ConditionId, Constant, Display, FieldAsked, FieldMade, FlagAsked, LookupAsked,
    MadeArgument, MadeFrom, MadeResult, PartAsked, Question,
};
pub use file_names::{BodyRead, NameStore, NameUse};
pub use members::{BaseGiven, MemberBinding, MemberValue, PropertyMade};
use order::{Order, Point};
pub use place::{Place, PlaceKind};
use ripple_schema::How;
use serde::{Deserialize, Serialize};
use steps::Steps;
pub use types::{MARKERS, Naming, TypeExpression};

/// A name, as an index into [`FileFacts::names`]. Index 0 is the empty name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Name(pub u32);

/// Index into [`FileFacts::places`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlaceId(pub u32);

/// Index into [`FileFacts::functions`]. Index 0 is the body of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FunctionId(pub u32);

/// Index into [`FileFacts::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeId(pub u32);

/// Index into [`FileFacts::type_expressions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TypeExpressionId(pub u32);

/// Line and column in bytes, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// The wire name of a field that goes by the name of what is around it.
pub const NAMELESS: &str = ",";

/// What a call is named that stands for a member of an enumeration, which is made as the class is.
pub const MEMBER: &str = "(member)";

/// Everything one file says.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct FileFacts {
    /// Names, by [`Name`].
    pub names: Vec<String>,
    /// The package clause (Go), else empty.
    pub package: String,
    /// Documentation of the file.
    pub doc: String,
    /// Functions; the first is the body of the file.
    pub functions: Vec<Function>,
    /// Classes, structs, interfaces, named types.
    pub types: Vec<Type>,
    /// Other names that variables of the file give classes: `Alias = Base`.
    pub class_names: Vec<by_name::ClassName>,
    /// Names that the file gives to types that are no single class: `Out = Union[File, Socket]`.
    pub type_aliases: Vec<(Name, TypeExpressionId)>,
    /// Where constants are put into mappings, under which name.
    pub constant_parts: Vec<(PlaceId, Name, FunctionId, Position)>,
    /// What holds of parameters where things happen, by [`ConditionId`] less one.
    pub conditions: Vec<Condition>,
    /// Parts of parameters that conditions ask for.
    pub parts_asked: Vec<PartAsked>,
    /// Containers of which arguments say what is in them, by [`Constant::Display`].
    pub displays: Vec<Display>,
    /// What holds where something happens, of points where anything does.
    pub points_under: Vec<(FunctionId, Point, ConditionId)>,
    /// Places.
    pub places: Vec<Place>,
    /// File-level names and the places they are bound to once the body has run. One name may have several.
    pub exports: Vec<(Name, PlaceId)>,
    /// Names in annotations, and the parameters of those: one may stand for `Annotated[T, Depends(f)]`.
    pub annotated: Vec<(PlaceId, PlaceId, Position)>,
    /// Imports.
    pub imports: Vec<Import>,
    /// The names that `from this import *` gives away, when the file says so.
    pub star_names: Option<Vec<Name>>,
    /// Data that moves inside a function, or into a closure.
    pub flows: Vec<Flow>,
    /// Objects made in this file, and the places they are first in.
    pub objects: Vec<(PlaceId, Object)>,
    /// Member reads.
    pub loads: Vec<Load>,
    /// Member writes.
    pub stores: Vec<Store>,
    /// Reads of a container's part.
    pub element_loads: Vec<ElementLoad>,
    /// Writes of a container's part.
    pub element_stores: Vec<ElementStore>,
    /// Parts that are taken out.
    pub drops: Vec<Drop>,
    /// What is done at the ends of lists and channels.
    pub end_changes: Vec<EndChange>,
    /// Containers whose parts are put into others.
    pub part_copies: Vec<PartCopy>,
    /// When a variable gets what is somewhere else: (from, to, when). Of structures that is a copy.
    pub assigned: Vec<(PlaceId, PlaceId, Point)>,
    /// Definitions and uses of variables whose address is taken.
    pub boxed: Vec<Boxed>,
    /// How many parts a container has where it is made.
    pub lengths: Vec<(PlaceId, u32)>,
    /// The keys of a map where it is made, where all are constants.
    pub keyed: Vec<(PlaceId, Vec<ElementKey>)>,
    /// Names of the file that stand for a constant, as keys.
    pub constants: Vec<(Name, ElementKey)>,
    /// Texts that are statements of SQL.
    pub statements: Vec<(Name, crate::sql::Statement<Name>)>,
    /// What classes of the file bind once, to a constant: class, member and constant. Members of enumerations are constants themselves, and no texts.
    pub class_constants: Vec<(Name, Name, ElementKey, bool)>,
    /// What class bodies bind once, whatever happens, to a constant: class, member and constant. Somebody may set it.
    pub bound_in_classes: Vec<(TypeId, Name, Constant)>,
    /// Arguments that are a number and say which part is meant, by the index of the call.
    pub numbers: Vec<(u32, i32)>,
    /// What a class body or a struct literal puts in a member of a type of this file.
    pub member_values: Vec<MemberValue>,
    /// Uses of names that no scope of this file's functions binds.
    pub name_uses: Vec<NameUse>,
    /// Uses of file-level names by the body of the file itself.
    pub body_reads: Vec<BodyRead>,
    /// Values that are compared, or are keys: all of their fields are read.
    pub wholes_read: Vec<BodyRead>,
    /// Assignments to file-level names from inside a function.
    pub name_stores: Vec<NameStore>,
    /// Calls.
    pub calls: Vec<Call>,
    /// When a variable's definition comes into a closure: where it is made, or where the variable is defined after that. None of those
    /// that closures assign: (definition, in the closure, point of the function that makes it).
    pub captures: Vec<(PlaceId, PlaceId, Point)>,
    /// When functions between a closure and the one whose variable it keeps make what keeps it: (in the closure, by whom, when).
    pub passed_on: Vec<(PlaceId, FunctionId, Point)>,
    /// When a closure assigns a variable of the function around it: (definition, point of the closure).
    pub inner_writes: Vec<(PlaceId, Point)>,
    /// The points of each function.
    pub orders: Vec<Order>,
    /// Values that are known to be of a type from here on.
    pub narrowings: Vec<Narrowing>,
    /// Values whose type is asserted, or told apart by a switch.
    pub assertions: Vec<Assertion>,
    /// Fields of what parameters bring that conditions ask for.
    pub fields_asked: Vec<FieldAsked>,
    /// Reads of members past a class of another file, by their index.
    pub supers: Vec<(u32, TypeExpressionId)>,
    /// What is handed by name.
    pub by_name: by_name::ByName,
    /// Properties that a decorator makes which may be a class of the program, with its call.
    pub described: Vec<(FunctionId, u32)>,
    /// Functions that properties are made of by a call, with what writes them and takes them away.
    pub properties_made: Vec<PropertyMade>,
    /// Bases that are only known while the program runs.
    pub bases_given: Vec<BaseGiven>,
    /// Reads of members that are named while the program runs: from where, and where the member goes.
    pub computed_members: Vec<(PlaceId, PlaceId)>,
    /// What else is done to members that are named while the program runs.
    pub computed_uses: Vec<by_name::ComputedUse>,
    /// Lists that are made where there is none yet (`self.items = append(self.items, x)`): what is made, what for, and how that is written.
    pub grown: Vec<(PlaceId, PlaceId, Name)>,
    /// Whether tables have a part under a key that a parameter brings, where conditions ask for that.
    pub lookups_asked: Vec<LookupAsked>,
    /// Values of loops over pairs, where a test says of which key they are.
    pub chosen_by_key: Vec<ChosenByKey>,
    /// Texts with expressions that calls are given.
    pub expressions: Vec<(Name, Vec<ColumnsNamed>)>,
    /// What stands for the call of a function, and a constant that it keeps in a field or a part whenever it is called.
    pub kept_constants: Vec<(PlaceId, PlaceId, Position)>,
    /// Calls that are statements, by their index, and what was tested before.
    pub calls_tested: Vec<(u32, PlaceId)>,
    /// Constant texts in displays of lists: the list, the text, and at which position, where that is known.
    pub texts_listed: Vec<(PlaceId, Name, Option<u32>)>,
    /// Texts that literals put in fields: the literal, the field, the text, and where.
    pub texts_in_fields: Vec<(PlaceId, Name, Name, Position)>,
    /// Texts that displays put in mappings: the mapping, the constant key, the text.
    pub texts_under: Vec<(PlaceId, Name, Name)>,
    /// Whole numbers in displays of lists, as they are written: the list, the number, at which position.
    pub numbers_listed: Vec<(PlaceId, Name, u32)>,
    /// Texts that are put together around one value: what was made, what stands before the value, the value, and what stands behind it.
    pub composed: Vec<(PlaceId, Name, PlaceId, Name)>,
    /// Functions that do nothing but give back a constant text.
    pub texts_returned: Vec<(FunctionId, Name)>,
    /// The constant keys of mappings that displays make, where these are all.
    pub display_keys: Vec<(PlaceId, Vec<ElementKey>)>,
    /// Variables of the file that hold a constant, unless somebody sets them.
    pub flags: Vec<(PlaceId, Constant)>,
    /// Names of other modules that conditions ask for.
    pub flags_asked: Vec<FlagAsked>,
    /// Arguments and receivers of which all fields are told where they are made.
    pub made_arguments: Vec<MadeArgument>,
    /// What constructors put in fields of what they make, whatever happens.
    pub fields_made: Vec<FieldMade>,
    /// What functions give back, where all fields of it are told.
    pub made_results: Vec<MadeResult>,
    /// What calls are asked beside what they give.
    pub answers: Vec<Answer>,
    /// Fields that are assigned, or of which the address is taken, other than where a structure is made.
    pub fields_assigned: Vec<Name>,
    /// Loops over what may be a function.
    pub loops: Vec<LoopOver>,
    /// Type parameters of functions, in order.
    pub type_parameters: Vec<(FunctionId, Name)>,
    /// Types that calls are given, in order, by the index of the call.
    pub type_arguments: Vec<(u32, TypeExpressionId)>,
    /// Steps of generators: how many were taken before, by the index of the call that takes one.
    pub steps: Vec<(u32, Steps)>,
    /// What a `__getattr__` asks by the name that it is asked for, by the members that lead there from its receiver.
    pub handed_on: Vec<(FunctionId, Vec<Name>)>,
    /// What is raised.
    pub raises: Vec<Raise>,
    /// Regions whose exceptions are caught.
    pub guards: Vec<Guard>,
    /// Type expressions.
    pub type_expressions: Vec<TypeExpression>,
    /// Wire names that functions mention (string subscripts, tags are with the fields).
    pub key_uses: Vec<KeyUse>,
    /// Texts that are sought in something: `"mail" in row`. Wire names, where others say that they are.
    pub keys_sought: Vec<KeySought>,
    /// Places with a declared type.
    pub declared: Vec<(PlaceId, TypeExpressionId)>,
    /// How members bind that hold what other functions made.
    pub member_bindings: Vec<MemberBinding>,
    /// What could not be read.
    pub diagnostics: Vec<FactDiagnostic>,
    /// Number of lines.
    pub lines: u32,
    /// Left out of the build (Go build constraints, `//go:build ignore`).
    pub excluded: bool,
    /// Holds test code.
    pub test: bool,
}

/// What a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FunctionKind {
    /// A function with a name.
    Function,
    /// A method; also of an interface.
    Method,
    /// A function literal or lambda.
    Closure,
    /// The body of a file.
    Initializer,
}

/// How arguments reach a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ParameterKind {
    /// By position or keyword.
    Normal,
    /// By position only.
    PositionalOnly,
    /// By keyword only.
    KeywordOnly,
    /// Gathers what positions are left (`*args`, `args ...T`).
    Rest,
    /// Gathers what keywords are left (`**kwargs`).
    RestKeywords,
}

/// A parameter.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Parameter {
    /// Its place.
    pub place: PlaceId,
    /// Its name.
    pub name: Name,
    /// How arguments reach it.
    pub kind: ParameterKind,
    /// What it is where no argument is given, if that is a constant.
    pub default: Option<Constant>,
    /// A call has to give it.
    pub required: bool,
    /// What it is called where a request brings it, if that is not its name.
    pub wire_name: Option<Name>,
}

/// What the language makes of a method when it is read from an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Binding {
    /// The receiver is the first argument.
    #[default]
    Instance,
    /// No receiver.
    Static,
    /// The class is the first argument.
    Class,
    /// Reading the member calls it.
    Property,
    /// Writing the member calls it.
    Setter,
}

/// A function.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Function {
    /// Its name; `func1`, `<lambda>` for closures.
    pub name: Name,
    /// What it is.
    pub kind: FunctionKind,
    /// The function around it.
    pub parent: Option<FunctionId>,
    /// The class around it (Python), or the interface that declares it (Go).
    pub owner: Option<TypeId>,
    /// Type of the receiver (Go methods).
    pub receiver_type: Option<TypeExpressionId>,
    /// Place of the receiver when it is not among the parameters (Go).
    pub receiver: Option<PlaceId>,
    /// Parameters in order; Python's `self` included.
    pub parameters: Vec<Parameter>,
    /// Results in order.
    pub results: Vec<PlaceId>,
    /// Where its name stands.
    pub position: Position,
    /// Last line.
    pub end_line: u32,
    /// Declaration on one line.
    pub signature: String,
    /// Documentation.
    pub doc: String,
    /// How it binds as a method.
    pub binding: Binding,
    /// Has no body (interface methods, stubs).
    pub is_abstract: bool,
    /// Every way through it ends in an exception.
    pub always_raises: bool,
    /// As the end of a `with` block, it looks at what was raised there.
    pub looks_at_raised: bool,
    /// A decorator may stand between a call and its parameters.
    pub decorated: bool,
    /// A test.
    pub test: bool,
}

/// What a type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TypeKind {
    /// A class.
    Class,
    /// A class that a call makes: `Point = namedtuple("Point", "east north")`.
    ClassByCall,
    /// A struct.
    Struct,
    /// An interface.
    Interface,
    /// A named type on something else.
    Named,
    /// Another name for a type.
    Alias,
}

impl TypeKind {
    /// Whether calling it makes an instance.
    pub fn is_class(self) -> bool {
        matches!(self, Self::Class | Self::ClassByCall)
    }
}

/// A type.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Type {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: TypeKind,
    /// The function it is declared in.
    pub function: FunctionId,
    /// The type it is declared in.
    pub outer: Option<TypeId>,
    /// Where its name stands.
    pub position: Position,
    /// Last line.
    pub end_line: u32,
    /// Declaration on one line.
    pub signature: String,
    /// Documentation.
    pub doc: String,
    /// Base classes; embedded types of an interface.
    pub bases: Vec<TypeExpressionId>,
    /// What a named type or alias stands for.
    pub underlying: Option<TypeExpressionId>,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Arguments of its constructor fill its fields in order (dataclasses and their like).
    pub generated_constructor: bool,
    /// The fields that a pattern takes by position, where the class says so.
    pub match_args: Vec<Name>,
    /// The class of the class.
    pub metaclass: Option<TypeExpressionId>,
    /// The types that it is given.
    pub parameters: Vec<Name>,
    /// How its fields are called on a wire, those of classes below it included.
    pub naming: Option<Naming>,
    /// The names that it lists as its `fields`: of the configuration of a class.
    pub listed: Vec<Name>,
    /// The table of which its objects are rows, where it says so, in small letters.
    pub table: Option<Name>,
}

/// What a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FieldKind {
    /// Of a struct.
    Field,
    /// Set on instances.
    Attribute,
    /// Set in the class body.
    ClassAttribute,
}

/// How a generated constructor fills a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Given {
    /// By position or keyword.
    #[default]
    Normal,
    /// By keyword only.
    ByKeyword,
    /// As [`Given::Normal`], but only a method at the end hears of it: `InitVar`.
    Handed,
    /// Not at all.
    Not,
}

impl Given {
    /// Whether an argument by position fills it.
    pub fn is_in_order(self) -> bool {
        matches!(self, Self::Normal | Self::Handed)
    }
}

/// A field.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: FieldKind,
    /// Where it is declared or first set.
    pub position: Position,
    /// Its declared type.
    pub declared: Option<TypeExpressionId>,
    /// Wire names: from its tags, or by the language's default.
    pub keys: Vec<Name>,
    /// What the columns of tables are called that it is kept in.
    pub columns: Vec<Name>,
    /// Its members are also members of the struct.
    pub embedded: bool,
    /// How a generated constructor fills it.
    pub given: Given,
    /// A generated text leaves it out.
    pub is_hidden: bool,
    /// The class body sets it, or every way through the constructor.
    pub is_always_set: bool,
    /// It is an array, which is there from the start.
    pub is_array: bool,
    /// Documentation.
    pub doc: String,
}

/// An import.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Import {
    /// Import path (`net/http`), or dotted module (`os.path`).
    pub path: Name,
    /// How many packages up a relative import starts; 0 for an absolute one.
    pub level: u32,
    /// The one name that is taken out of the module.
    pub member: Option<Name>,
    /// Takes everything (`import *`, Go's dot import).
    pub star: bool,
    /// Binds the first part of a dotted path (`import a.b` binds `a`).
    pub binds_first: bool,
    /// The name that it binds in the file; empty for a blank import.
    pub alias: Name,
    /// Where it stands.
    pub position: Position,
}

/// Index into [`FileFacts::imports`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ImportId(pub u32);

/// What a place holds at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Object {
    /// A function of this file.
    Function(FunctionId),
    /// A class of this file.
    Class(TypeId),
    /// What an import binds.
    Import(ImportId),
    /// The module that this file is.
    OwnModule,
    /// A module of which nobody knows the name before the program runs.
    AnyModule,
    /// A container made here.
    Container(ContainerKind),
    /// A new instance of the type.
    Instance(TypeExpressionId),
    /// An instance of a type built into the language: `str`.
    Builtin(Name),
    /// The address of a variable.
    Address(PlaceId),
}

/// Data moves.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Flow {
    /// From here.
    pub from: PlaceId,
    /// To there.
    pub to: PlaceId,
    /// The way.
    pub how: How,
    /// Objects travel along, not just what was computed from them (`y = x`, unlike `y = x + 1`).
    pub same: bool,
    /// When it does.
    pub condition: ConditionId,
    /// The expression.
    pub position: Position,
}

/// A variable whose address is taken is defined, or used.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Boxed {
    /// Where all that is ever in the variable is.
    pub variable: PlaceId,
    /// The definition, or what the use is worth.
    pub place: PlaceId,
    /// Whether it is a definition.
    pub is_written: bool,
    /// When it happens.
    pub point: Point,
}

/// How an argument is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArgumentKind {
    /// By position.
    Positional,
    /// By keyword.
    Keyword(Name),
    /// A sequence spread over positions (`*xs`, `xs...`).
    Spread,
    /// A mapping spread over keywords (`**kw`).
    SpreadKeywords,
}

/// An argument.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Argument {
    /// How it is given.
    pub kind: ArgumentKind,
    /// Its value; none for a literal.
    pub place: Option<PlaceId>,
    /// A constant text given as argument.
    pub text: Option<Name>,
    /// The constant that it is.
    pub constant: Option<Constant>,
    /// Where it stands.
    pub position: Position,
}

/// A call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call {
    /// What is called.
    pub callee: PlaceId,
    /// The callee as written, for the name of an `External`: `os.path.join`.
    pub text: Name,
    /// The value that the callee is a member of.
    pub receiver: Option<PlaceId>,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// Values of the call, by result.
    pub results: Vec<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// Where the callee's last name stands.
    pub position: Position,
    /// The way it is called.
    pub how: How,
    /// Who catches what it raises.
    pub guard: Option<GuardId>,
    /// When it happens.
    pub point: Point,
}

/// Index into [`FileFacts::guards`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GuardId(pub u32);

/// What a test asks of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Test {
    /// To be of this type: `isinstance(x, C)`.
    Class(TypeExpressionId),
    /// To be of this type, and of none below it: `type(x) is C`.
    Exactly(TypeExpressionId),
    /// To have this member: `hasattr(x, "name")`.
    Member(Name),
    /// Nothing of the value: that what is in the place that is named lacks this member, for which the value stands in.
    Lacks(Name),
    /// Nothing of the value: that a call by the way ends, by its index.
    End(u32),
}

/// After `isinstance(x, C)` what is in `x` is a `C`, or is none.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Narrowing {
    /// What is tested.
    pub from: PlaceId,
    /// What it is on this way.
    pub to: PlaceId,
    /// What it is asked.
    pub test: Test,
    /// What the names of a type hold, in case that they are variables.
    pub named: Vec<PlaceId>,
    /// Whether the test holds on this way.
    pub holds: bool,
}

/// What is in `from` goes on to `to` if it is of one of these types, or of none of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Assertion {
    /// What is tested.
    pub from: PlaceId,
    /// Where it goes.
    pub to: PlaceId,
    /// The types.
    pub types: Vec<TypeExpressionId>,
    /// Whether what is of them goes on, or what is not.
    pub holds: bool,
    /// Types that were asked for before: what surely is of one of them does not come here.
    pub except: Vec<TypeExpressionId>,
    /// Where it goes is what was tested, under its own type.
    pub is_itself: bool,
}

/// A loop over what may be a function, which is then called with the loop's body.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LoopOver {
    /// What the loop goes over.
    pub over: PlaceId,
    /// What the body is given each time.
    pub values: Vec<PlaceId>,
    /// In this function.
    pub function: FunctionId,
    /// The expression.
    pub position: Position,
}

/// An exception is raised.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Raise {
    /// The exception, or its class.
    pub value: PlaceId,
    /// In this function.
    pub function: FunctionId,
    /// Who catches it.
    pub guard: Option<GuardId>,
    /// Whoever steps the generator may throw it in there; mostly nobody does.
    pub is_thrown: bool,
    /// When it happens.
    pub point: Point,
    /// The statement.
    pub position: Position,
}

/// A region whose exceptions are caught.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Guard {
    /// The one around it.
    pub outer: Option<GuardId>,
    /// Who catches, in order.
    pub handlers: Vec<Handler>,
}

/// An `except` clause.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Handler {
    /// Where the exception goes, if anyone looks at it.
    pub to: Option<PlaceId>,
    /// What it catches; none for everything.
    pub class: Option<TypeExpressionId>,
    /// The call, by its index, that only looks on, as that of `__exit__` does: the exception goes further.
    pub looks_on: Option<u32>,
}

/// A function mentions a wire name.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct KeyUse {
    /// The wire name.
    pub key: Name,
    /// The function.
    pub function: FunctionId,
    /// Where.
    pub position: Position,
}

/// A text is sought in something: `"mail" in row`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct KeySought {
    /// The text.
    pub used: KeyUse,
    /// In what.
    pub base: Option<PlaceId>,
    /// Whether it is there.
    pub outcome: Option<PlaceId>,
}

/// Something in this file that a person should know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FactDiagnostic {
    /// Line, from 1; 0 for the whole file.
    pub line: u32,
    /// Short fixed word.
    pub code: String,
    /// One sentence.
    pub message: String,
}

impl FileFacts {
    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        self.names.get(name.0 as usize).map_or("", String::as_str)
    }
}
