//! What library code does with data: a table per language, and what a user adds in `ripple.toml`.
//!
//! ```toml
//! ["strings.TrimSpace"]
//! flows = ["0 -> result"]
//!
//! ["encoding/json.Unmarshal"]
//! flows = ["decode 0 -> 1"]
//!
//! ["list.append"]
//! flows = ["0 => receiver[]"]
//! ```
//!
//! An entry is named by the callee's full name, a method by its type's name and its own. Ends of a flow are `0`, `1`, … (an
//! argument), `name=` (an argument by keyword), `args` (all of them), `only` (argument 0 where it is the only one by position), `several` (all of them where it is not), `receiver`, `result`, `result 1` (the second of several); `[]` behind one means its parts, `.1` what is at position 1, `[].1` position 1 of the
//! tuples in it, `[0]` its part under the constant text given as argument 0, `key 0` the wire key of that text, `key on=` that of an argument by keyword, `path 0` the last one of a path. `->` carries what is computed from the
//! source, `=>` the objects themselves, `~>` the outcome of a test. `decode a -> b` fills the fields of `b` by their wire names, `encode a -> b` is the way
//! back, `encode a -> wire` where nothing keeps what is written; `encode columns a` goes by the names of columns (`db`, `gorm`), `encode keywords` by those of the arguments. `containers a => b` hands on the containers among the objects of `a` alone. `[name 0]` is as `[0]` with the name of a header, `[option]` the part that is named like the command-line option which the call declares, `[0][]` the parts of what is there, `0[][]` those of all that is in it. `call 0(1[]) => result[]` calls argument 0 with the parts of argument 1, `call 0.__str__() => result` a method of argument 0 where there is
//! one; `call key=(0[]) ~> result` calls what chooses the result, `start 0()` as `call 0()` at any time from then on, and `start 0` lets what gave argument 0 go on by itself; `remote 1(0, 2) => 3` the method of a service that the text of argument 1 names. `each 0(result[])` goes over argument 0, where that is a function, as a loop does, and puts what it hands out into the result. `call 0[through Unwrap].Is(1)` asks argument 0, what its `Unwrap` gives, and so on, `call 0[within].MarshalJSON()` what lies in it. `0[next]` is what its next step gives, `0[last]` its last part unless an argument says another, `0[first]` its first, `0[sent]` what is sent into a generator, `0[thrown]` what is thrown into it, `0[values]` its parts, where `0[]` would be the keys of a mapping, `0[*] => result[*]` hands parts on under their keys, `0[][*] => result[*]` those of each part, `keywords => result[*]` keyword arguments under their names, `keywords => result[members]` as members. `call 0(others)` hands on all arguments behind that one, `_` is an argument of which nothing is known, `call target=(*args=, **kwargs=)` what is in two of them, by position and by keyword, `call 0(*1[])` the parts of each part. `copy 0 => result` gives objects of their own that begin with the same, `deepcopy 0 => result` with copies of it, `drop receiver[]` takes parts out, `resize receiver` changes how many there are, `stir receiver` moves them about. `partial` gives argument 0 with
//! the others held back, `render 0` writes the declared fields of a serializer, each read of argument 0, `hooks read` and `hooks write` call the methods that its class runs around that, `fill keywords` puts arguments by keyword into the fields of the class that the receiver was read from, `getter parts` and `getter members` a function that takes what the arguments name out of what it is given, `getter method` one that calls its method of that name, `class` the class of argument 0, `instance 0` an object of the class that it is or that it names, `rows 0` several of those, one by one, `subclasses receiver` the classes that derive from it; `relate name= as type` gives the objects of that class a member which gives those of the class that the call stands in. `serve 0` says that requests fill the parameters of argument 0, and that its result is sent, `bring 0` that they fill them. `expression -> result` reads the columns that an expression in the arguments names. `rows` says that the columns which the arguments name (`total=…`, `sum(…).alias("total")`) are made of the rows that `filter` or `where` chose before. `pick` gives the fields that constant arguments name of the class that the receiver was read from, under their names, `rename` reads the names of columns that a mapping among the arguments gives others, `columns of 0 by columns=` gives the result what stands in each row of argument 0 at the position of each name. An entry without flows carries nothing.
//! `row of receiver` makes a row of a table, `row` that row, `receiver[told] => result[*]` the parts under the texts among the arguments.
//! `edits` says in a word all that is done to the receiver's parts: see [`Change`].
//! `returns` names the type of the result, where that is not the entry's own, `type` that of the entry itself; `holds` the container that its result, or a value of that
//! type, keeps its parts in, of which the table tells all. `record` is a mapping whose parts are attributes. `asks` is of what calls methods
//! of that which it is given by names that nobody sees: a template. `remembers` is of what calls argument 0 once and gives what that gave each time. `modules` names modules of the index that it stands for: `settings`. `declares = "keys"` is of classes whose attributes are keys of requests: forms; `declares = "table"` of classes whose attributes are columns of a table that is called as the folder and the class are. `rows` is of types whose values give objects of a class one by one, managers and queries, and of members that hold what their type is of. `*.query` is what methods of that name give which are asked for a class, or for what gives rows, whatever they are asked of.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::signatures::Signatures;
use super::solve::Solver;
use crate::link::{FileIndex, Symbol};

mod written;

/// The table.
#[derive(Debug, Default, Clone)]
pub struct Library {
    entries: FxHashMap<String, Entry>,
    signatures: Signatures,
}

/// What one library function does.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Data it moves.
    pub flows: Vec<Effect>,
    /// What it does to the parts of its receiver, all of it.
    pub edits: Vec<Change>,
    /// Name of the type of its result.
    pub returns: Option<String>,
    /// Name of the type of the entry itself, when it is a member and not a function.
    pub type_name: Option<String>,
    /// What its result, or a value of that type, keeps its parts in: a container of which the table tells all.
    pub holds: Option<String>,
    /// It asks what it is given by names that nobody sees here: a template does.
    pub asks: bool,
    /// What argument 0 gave once is given again: the function is not called anew.
    pub remembers: bool,
    /// The attributes of classes below it are the keys of requests.
    pub declares_keys: bool,
    /// The classes below it stand for tables that are called as they are.
    pub declares_table: bool,
    /// A value of this type gives objects of a class one by one: of the class that it was read from, or that its type names.
    pub gives_rows: bool,
    /// It stands for the modules of this name, or in a package of this name: what is read from it is read from those.
    pub modules: Option<String>,
}

/// What a library function does to its receiver, a list or a mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Argument 0 is put behind the last part.
    Append,
    /// Argument 0 is put before the first.
    Prepend,
    /// Argument 1 is put at the position that argument 0 is.
    Insert,
    /// The parts of argument 0 are put behind the last.
    Extend,
    /// Argument 1 is put under argument 0.
    Put,
    /// The last part is taken out, or the one at the position that argument 0 is.
    Pop,
    /// The first part is taken out.
    PopFirst,
    /// All parts are taken out.
    Clear,
    /// The parts are turned round.
    Reverse,
    /// What is under argument 0 is taken out.
    Take,
    /// Argument 1 is put under argument 0, if nothing is there.
    Default,
    /// The parts of argument 0 and the arguments by keyword are put under their keys.
    Update,
}

/// Data that a library function moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// From one end to the other.
    Move {
        /// From.
        from: End,
        /// To.
        to: End,
        /// What of it.
        carries: Carries,
    },
    /// Fills fields by their wire names.
    Decode {
        /// The wire text.
        from: End,
        /// What is filled.
        to: End,
        /// By which names.
        by: WireNames,
    },
    /// Writes fields under their wire names.
    Encode {
        /// What is written.
        from: End,
        /// The wire text.
        to: End,
        /// By which names.
        by: WireNames,
    },
    /// Goes over an argument that is a function, as a loop does.
    Iterate {
        /// Which.
        over: End,
        /// Where what it hands out goes, value by value.
        into: Vec<End>,
    },
    /// Takes parts out.
    Drop(End),
    /// Changes how many parts there are.
    Resize(End),
    /// Moves parts about.
    Stir(End),
    /// Gives argument 0, with the other arguments held back.
    Partial,
    /// Gives a function that takes parts or members out of what it is called with.
    Getter(Getter),
    /// Gives the class of argument 0.
    ClassOf,
    /// Gives an object of the class that this is, or that this text names.
    InstanceOf(End),
    /// The result holds the classes that derive from the class here, one by one.
    SubclassesOf(End),
    /// Gives objects of the class that this is, or that this text names, one by one.
    RowsOf(End),
    /// Objects of the class that argument 0 is, or names, have a member that gives those of the class in which the call stands.
    Relate {
        /// The keyword that says the member's name.
        keyword: String,
        /// What the member is.
        given: String,
    },
    /// This function is called with what requests bring, and what it gives is sent back.
    Serve {
        /// What is called.
        served: End,
        /// Its result is sent.
        answers: bool,
    },
    /// Arguments by keyword, or the parts of one, go into the fields of the class that the receiver was read from.
    Fill(End),
    /// Rows are made of the fields, named by the arguments, of the class that the receiver was read from.
    Pick,
    /// What chose the rows of the receiver says of which the columns are made that the arguments name.
    Rows,
    /// The columns that an expression names which stands in the arguments go to the result, or its outcome depends on them.
    Expression {
        /// It depends on them.
        is_test: bool,
    },
    /// What a mapping of constants among the arguments calls otherwise goes by the other name from here on.
    Rename,
    /// Calls the method of a service that a constant argument names (`/shop.Orders/Get`), wherever the index implements it.
    Remote {
        /// The argument that holds the name.
        name: usize,
        /// With these arguments.
        arguments: Vec<End>,
        /// Where its result goes.
        result: Option<End>,
    },
    /// Calls an argument, or a method of it.
    Call {
        /// Which.
        callee: End,
        /// The method, if it is one: nothing happens where there is none.
        method: Option<String>,
        /// With these arguments.
        arguments: Vec<End>,
        /// Where its result goes.
        result: Option<End>,
        /// What its result chooses, and is not in: the order, or which of several.
        chooses: Option<End>,
        /// It may run at any time from then on, and beside the caller.
        is_started: bool,
    },
    /// The call makes a row of this table: see [`super::records`].
    RowOf(End),
    /// The rows in the first have columns that the texts of the second name, position by position: the result has them under these names.
    Columns {
        /// Rows.
        rows: End,
        /// Names.
        names: End,
    },
    /// Writes the declared fields of a serializer: each is read of this, by the name that the field says.
    Render(End),
    /// Calls the methods of the receiver's class that are to run around a read or a write, as the decorators say.
    Hooks {
        /// A write.
        writes: bool,
    },
    /// The call that gave this argument only began something, which runs from then on, beside the caller: a coroutine that becomes a task.
    Start(End),
}

impl Effect {
    /// Whether the receiver is part of it.
    pub(super) fn is_of_receiver(&self) -> bool {
        let is_it = |end: &End| end.subject == Subject::Receiver;
        match self {
            Self::Move { from, to, .. } | Self::Decode { from, to, .. } | Self::Encode { from, to, .. } => {
                is_it(from) || is_it(to)
            }
            Self::Call { callee, arguments, .. } => is_it(callee) || arguments.iter().any(is_it),
            Self::Drop(end) | Self::Resize(end) | Self::Stir(end) => is_it(end),
            _ => false,
        }
    }

    /// Whether it names the arguments that go by this keyword.
    pub(super) fn names_keyword(&self, name: &str) -> bool {
        let is_it = |end: &End| match &end.subject {
            Subject::Keyword(own) | Subject::KeyBy(own) => own == name,
            Subject::Keywords | Subject::Others => true,
            _ => false,
        };
        match self {
            Self::Move { from, to, .. } | Self::Decode { from, to, .. } | Self::Encode { from, to, .. } => {
                is_it(from) || is_it(to)
            }
            Self::Call { callee, arguments, .. } => is_it(callee) || arguments.iter().any(is_it),
            Self::Iterate { over, .. } => is_it(over),
            Self::Columns { rows, names } => is_it(rows) || is_it(names),
            Self::Start(end) | Self::Fill(end) | Self::Render(end) | Self::InstanceOf(end) => is_it(end),
            Self::Partial => true,
            _ => false,
        }
    }
}

/// Which names of a field go on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireNames {
    /// Its keys.
    Keys,
    /// Those of columns, and its keys where it has none.
    Columns,
}

/// What such a function takes: what the arguments say that it was made with, several as a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Getter {
    /// The parts under these keys.
    Parts,
    /// The members of these names, each by way of those before a dot.
    Members,
    /// What the method of the first gives, called with the others.
    Method,
}

/// What a flow carries of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    /// What is computed from it.
    Computed,
    /// The objects themselves.
    Objects,
    /// Copies of the objects.
    Copies,
    /// The same, with copies of all that lies in them.
    DeepCopies,
    /// The containers among the objects.
    Containers,
    /// The outcome of a test of it.
    Test,
}

/// An end of a flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// What it is.
    pub subject: Subject,
    /// Which part of it.
    pub part: EndPart,
}

/// What an end is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// An argument by position.
    Argument(usize),
    /// An argument by keyword.
    Keyword(String),
    /// Argument 0, where no other is given by position.
    Only,
    /// Every argument, where two or more are given by position.
    Several,
    /// Every argument.
    Arguments,
    /// Every argument by keyword.
    Keywords,
    /// Every argument behind that which is called.
    Others,
    /// The receiver.
    Receiver,
    /// The value of the call.
    Result,
    /// A later value of a call that gives several.
    ResultAt(usize),
    /// The wire key of a constant argument.
    Key(usize),
    /// The wire key at the end of the path that this argument is the text of.
    Path(usize),
    /// The wire key that an argument by keyword is the text of.
    KeyBy(String),
    /// The row of a table that the call makes.
    Row,
    /// What goes out, and stays in nothing.
    Wire,
}

/// Which part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndPart {
    /// The whole.
    Whole,
    /// What is in it.
    Parts,
    /// The parts of what is in it.
    Inner,
    /// What is in it, under the keys and at the positions where it is.
    Same,
    /// What is in each of its parts, under the keys where it is there.
    InnerSame,
    /// What is in it under the texts that are arguments of the call, or all of it, where there are none.
    Told,
    /// What iteration over it gives: of a mapping the keys.
    Each,
    /// What is in it under the constant given as this argument.
    Under(usize),
    /// The same, where letters count by [`canonical`].
    UnderName(usize),
    /// What is in it under the name of the command-line option that the call declares: see [`option`].
    UnderOption,
    /// The parts of what is in it under the constant given as this argument, or under its canonical name.
    PartsUnder(usize, bool),
    /// What its `__next__` gives.
    Next,
    /// The last, when the call has no argument that says another.
    Last,
    /// The first.
    First,
    /// What is sent into a generator.
    Sent,
    /// What is thrown into a generator.
    Thrown,
    /// The keys of a mapping.
    Keys,
    /// What a pointer points at.
    Target,
    /// This position of the tuples in it.
    Tuple(u32),
    /// What is at this position.
    Position(u32),
    /// It, and what a method of it gives, and so on.
    Through(String),
    /// It, and what lies in it, as deep as it goes: fields that others may see, and parts.
    Within,
    /// Its members, under their names.
    Members,
    /// The same, and of members that are such objects theirs in turn.
    MembersWithin,
    /// As the arguments of a call: by position.
    Positions,
    /// What is in it, each as the arguments of a call.
    InnerPositions,
    /// As the arguments of a call: by keyword.
    Names,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    #[serde(default)]
    flows: Vec<String>,
    #[serde(default)]
    edits: Vec<Change>,
    returns: Option<String>,
    #[serde(rename = "type")]
    type_name: Option<String>,
    holds: Option<String>,
    #[serde(default)]
    asks: bool,
    #[serde(default)]
    remembers: bool,
    modules: Option<String>,
    #[serde(default)]
    rows: bool,
    declares: Option<Declares>,
}

/// What a class of the library says by its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Declares {
    /// The keys of a request.
    Keys,
    /// The columns of a table.
    Table,
}

impl Library {
    /// Adds the entries of a table's text; later entries replace earlier ones.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let raw: FxHashMap<String, RawEntry> = toml::from_str(text).map_err(|error| error.to_string())?;
        for (names, entry) in raw {
            let flows: Result<Vec<_>, _> = entry.flows.iter().map(|flow| written::effect(flow)).collect();
            let flows = flows.map_err(|message| format!("{names}: {message}"))?;
            for name in names.split_whitespace() {
                let entry = Entry {
                    flows: flows.clone(),
                    edits: entry.edits.clone(),
                    returns: entry.returns.clone(),
                    type_name: entry.type_name.clone(),
                    holds: entry.holds.clone(),
                    asks: entry.asks,
                    remembers: entry.remembers,
                    modules: entry.modules.clone(),
                    declares_keys: entry.declares == Some(Declares::Keys),
                    declares_table: entry.declares == Some(Declares::Table),
                    gives_rows: entry.rows,
                };
                self.entries.insert(name.to_owned(), entry);
            }
        }
        Ok(())
    }

    /// Takes the types of the library's functions from a table of them.
    pub fn add_signatures(&mut self, text: &'static str) {
        self.signatures = Signatures::read(text);
    }

    /// The types of the library's functions.
    pub fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    /// What is known of a name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }
}

/// The name of a header as its table writes it: `x-user` is `X-User`.
pub fn canonical(name: &str) -> String {
    let mut is_first = true;
    let letter = |letter: char| {
        let own = match is_first {
            true => letter.to_ascii_uppercase(),
            false => letter.to_ascii_lowercase(),
        };
        is_first = letter == '-';
        own
    };
    name.chars().map(letter).collect()
}

/// The name under which a value of a command-line option is found: `--dry-run` is `dry_run`. The first long one of several counts.
pub fn option<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<String> {
    let long = names.clone().find(|name| name.starts_with("--"));
    let name = long.or_else(|| names.into_iter().next())?;
    Some(name.trim_start_matches('-').replace('-', "_"))
}

impl<'p> Solver<'p> {
    /// What the table of a file's language says of library code.
    pub(super) fn table_entry(&self, file: FileIndex, name: Symbol) -> Option<&'p Entry> {
        let language = self.program.files[file.at()].language;
        self.libraries.get(&language)?.get(self.program.symbols.text(name))
    }

    /// What methods of that name do, whatever they are asked of, if the table says so.
    pub(super) fn entry_by_name(&self, file: FileIndex, name: Symbol) -> Option<&'p Entry> {
        let language = self.program.files[file.at()].language;
        let text = self.program.symbols.text(name);
        let last = text.rsplit('.').next().unwrap_or(text);
        self.libraries.get(&language)?.get(&format!("?.{last}"))
    }

    /// What the table says of methods of this name, if the call is one of a method.
    pub(super) fn entry_of_method(&self, call: u32, name: Symbol) -> Option<&'p Entry> {
        let row = &self.calls[call as usize];
        row.receiver.and_then(|_| self.entry_by_name(row.file, name))
    }
}
