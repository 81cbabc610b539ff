//! Exceptions from `raise` to `except`, through the functions in between.
//!
//! ```python
//! def check(mail):
//!     raise Bad(mail)          # leaves check: nothing there catches it
//! try:
//!     check(secret)            # lets it through to this guard,
//! except Bad as error:         # whose handler takes it
//!     send(error)
//! ```
//!
//! Each function has a list of the exceptions that it lets out, its callees' included, up to [`DEPTH_LIMIT`] calls deep. Only what
//! arrives at a handler that looks at it becomes edges: from the exception to what the function lets out, and on, call by call.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::conditions::callees;
use super::container_classes::is_plain_container;
use super::grouped::Grouped;
use super::object::{Object, ObjectId};
use super::solve::{LoadRow, Solver, Target};
use crate::builtins::is_builtin;
use crate::facts::order::Point;
use crate::facts::{self, Position, TypeExpression, TypeExpressionId};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, TypeIndex};

/// Most calls between `raise` and `except`.
const DEPTH_LIMIT: usize = 4;

/// Most exceptions that one function is known to let out.
const OUT_LIMIT: usize = 8;

/// A [`facts::Raise`] in the program's numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct RaiseRow {
    pub value: PlaceIndex,
    pub function: FunctionIndex,
    guard: Option<u32>,
    is_thrown: bool,
    pub point: Point,
    file: FileIndex,
    position: Position,
}

/// A [`facts::Guard`] in the program's numbers.
#[derive(Debug)]
pub(super) struct GuardRow {
    outer: Option<u32>,
    handlers: Vec<HandlerRow>,
}

#[derive(Debug)]
struct HandlerRow {
    to: Option<PlaceIndex>,
    /// What it catches; none for everything.
    classes: Option<Vec<ObjectId>>,
    looks_on: Option<u32>,
}

/// An exception that a function lets out.
#[derive(Debug, Clone, Copy)]
struct Out {
    value: PlaceIndex,
    /// The call that let it out to here, and its callee; none where it is raised.
    through: Option<(u32, FunctionIndex)>,
    site: (FileIndex, Position),
}

type Outs = FxHashMap<FunctionIndex, Vec<Out>>;

impl Solver<'_> {
    /// Whether a member is what an exception was made with: no other tuple has one of that name.
    pub(super) fn asks_for_args(&self, row: &LoadRow) -> bool {
        self.program.symbols.text(row.member) == "args"
    }

    pub(super) fn lay_out_exceptions(&mut self, file: FileIndex, facts: &facts::FileFacts) {
        let first = self.guards.len() as u32;
        for guard in &facts.guards {
            let handlers = guard.handlers.iter().map(|handler| HandlerRow {
                to: handler.to.map(|to| self.program.place(file, to)),
                classes: handler.class.map(|class| self.handled_classes(file, facts, class)),
                looks_on: handler.looks_on.map(|call| self.calls.len() as u32 + call),
            });
            let handlers = handlers.collect();
            self.guards.push(GuardRow {
                outer: guard.outer.map(|outer| first + outer.0),
                handlers,
            });
        }
        for raise in &facts.raises {
            self.raises.push(RaiseRow {
                value: self.program.place(file, raise.value),
                function: self.program.function(file, raise.function),
                guard: raise.guard.map(|guard| first + guard.0),
                is_thrown: raise.is_thrown,
                point: raise.point,
                file,
                position: raise.position,
            });
        }
    }

    /// What a handler is for; an exception of the language by its name.
    fn handled_classes(&mut self, file: FileIndex, facts: &facts::FileFacts, class: TypeExpressionId) -> Vec<ObjectId> {
        let known = self.type_objects(file, class);
        match facts.type_expressions.get(class.0 as usize) {
            Some(TypeExpression::Path { parts, .. }) if known.is_empty() => match parts.as_slice() {
                [name] => {
                    let name = self.program.symbol(file, *name);
                    let is_own = self.is_own_exception(file, self.program.symbols.text(name));
                    is_own
                        .then(|| self.objects.intern(Object::External(name)))
                        .into_iter()
                        .collect()
                }
                _ => known,
            },
            _ => known,
        }
    }

    /// Whether an exception is one of the language, and goes by one name.
    fn is_own_exception(&self, file: FileIndex, name: &str) -> bool {
        let language = self.program.files[file.at()].language;
        let has_others = matches!(name, "IOError" | "EnvironmentError");
        name.starts_with(char::is_uppercase) && is_builtin(language, name) && !has_others
    }

    /// Finds the handlers of what is raised; of exceptions of which nothing is known only at the end.
    pub(super) fn route_exceptions(&mut self, at_the_end: bool) {
        let mut outs = Outs::default();
        self.raised_further.clear();
        for index in 0..self.raises.len() {
            let raise = self.raises[index];
            if self.contents(raise.value).is_empty() && (!at_the_end || raise.is_thrown) {
                continue;
            }
            let (handlers, leaves) = self.handlers_of(raise.value, raise.guard);
            for to in handlers {
                self.catch(raise.value, to, None, (raise.file, raise.position));
            }
            if leaves {
                // What a generator raises arrives where it is stepped.
                if self.program.order(raise.function).is_some_and(|order| order.is_delayed) {
                    self.raised_further.insert(raise.value);
                }
                let out = Out {
                    value: raise.value,
                    through: None,
                    site: (raise.file, raise.position),
                };
                outs.entry(raise.function).or_default().push(out);
            }
        }
        let sites = self.call_sites();
        let mut fresh: Vec<FunctionIndex> = outs.keys().copied().collect();
        fresh.sort_unstable();
        for _ in 0..DEPTH_LIMIT {
            fresh = self.let_through(&mut outs, &fresh, &sites);
        }
        for function in fresh.iter().filter(|function| !sites.of(function.at()).is_empty()) {
            let last = outs.get(function).into_iter().flatten();
            self.raised_further.extend(last.map(|out| out.value));
        }
    }

    /// The calls of each function by others, in order.
    fn call_sites(&self) -> Grouped {
        let sites = (0..self.calls.len() as u32).flat_map(|call| {
            let others = callees(self, call).filter(move |callee| *callee != self.calls[call as usize].function);
            others.map(move |callee| (callee.at(), call))
        });
        let sites: Vec<(usize, u32)> = sites.collect();
        Grouped::new(self.program.functions.len(), || sites.iter().copied())
    }

    /// The handlers that may also get what was not followed to them.
    pub(super) fn open_handlers(&self) -> FxHashSet<PlaceIndex> {
        let mut open = FxHashSet::default();
        for call in 0..self.calls.len() as u32 {
            let mut guard = self.calls[call as usize].guard;
            if guard.is_none() || self.calls[call as usize].silent || !self.may_raise_others(call) {
                continue;
            }
            while let Some(index) = guard {
                let row = &self.guards[index as usize];
                let catching = row.handlers.iter().filter(|handler| handler.looks_on.is_none());
                open.extend(catching.filter_map(|handler| handler.to));
                guard = row.outer;
            }
        }
        let handlers = self.guards.iter().flat_map(|row| &row.handlers);
        for handler in handlers.filter(|handler| handler.looks_on.is_none()) {
            let takes = |value: &PlaceIndex| match &handler.classes {
                None => true,
                Some(classes) => self.is_caught(*value, classes) != Some(false),
            };
            if self.raised_further.iter().any(takes) {
                open.extend(handler.to);
            }
        }
        open
    }

    /// Whether a call may raise what no function of the index is seen to raise there: it is not known what is called, or code that is
    /// not followed gets hold of what it may call.
    fn may_raise_others(&self, call: u32) -> bool {
        let row = &self.calls[call as usize];
        let given = self.call_arguments(call).iter().filter_map(|argument| argument.place);
        let mut given = given.chain(row.receiver);
        let is_ours = |place: PlaceIndex| {
            self.held(place).any(|(_, object)| {
                matches!(
                    object,
                    Object::Function(_)
                        | Object::Bound { .. }
                        | Object::Class(_)
                        | Object::Instance(_)
                        | Object::AnyOf(_)
                )
            })
        };
        match row.targets.as_slice() {
            [] => row.how != How::Implicit,
            targets => targets.iter().any(|target| match target {
                Target::Opaque => true,
                Target::External(name) => self.table_entry(row.file, *name).is_none() && given.any(is_ours),
                _ => false,
            }),
        }
    }

    /// What the callees of each call let out, one call further. Gives the functions that let out more than before.
    fn let_through(&mut self, outs: &mut Outs, fresh: &[FunctionIndex], sites: &Grouped) -> Vec<FunctionIndex> {
        let mut changed = Vec::new();
        for callee in fresh {
            let own = outs.get(callee).cloned().unwrap_or_default();
            for call in sites.of(callee.at()) {
                let row = &self.calls[*call as usize];
                let (caller, guard, site) = (row.function, row.guard, (row.file, row.position));
                for out in own.iter().copied() {
                    let (handlers, leaves) = self.handlers_of(out.value, guard);
                    for to in handlers {
                        let from = self.let_out(outs, *callee, out);
                        self.catch(from, to, Some(*call), site);
                    }
                    let known = outs.entry(caller).or_default();
                    let is_new = leaves && known.iter().all(|known| known.value != out.value);
                    if is_new && known.len() >= OUT_LIMIT {
                        self.raised_further.insert(out.value);
                    } else if is_new {
                        known.push(Out {
                            value: out.value,
                            through: Some((*call, *callee)),
                            site,
                        });
                        changed.push(caller);
                    }
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The place of an exception where it leaves a function, with its way there.
    fn let_out(&mut self, outs: &Outs, function: FunctionIndex, out: Out) -> PlaceIndex {
        if let Some(place) = self.raised.get(&(function, out.value)) {
            return *place;
        }
        let place = self.derive_place(DerivedPlace::Passing(function));
        self.raised.insert((function, out.value), place);
        match out.through {
            None => self.catch(out.value, place, None, out.site),
            Some((call, callee)) => {
                let inner = outs.get(&callee).into_iter().flatten();
                if let Some(inner) = inner.clone().find(|inner| inner.value == out.value).copied() {
                    let from = self.let_out(outs, callee, inner);
                    self.catch(from, place, Some(call), out.site);
                }
            }
        }
        place
    }

    fn catch(&mut self, from: PlaceIndex, to: PlaceIndex, call: Option<u32>, site: (FileIndex, Position)) {
        if self.caught_pairs.insert((from, to, call)) {
            self.caught.push((from, to, call, site.0, site.1));
            self.copy(from, to);
        }
    }

    /// Handlers that look at an exception raised inside a guard, and whether it may get past all guards.
    fn handlers_of(&self, value: PlaceIndex, mut guard: Option<u32>) -> (Vec<PlaceIndex>, bool) {
        let mut handlers = Vec::new();
        while let Some(index) = guard {
            let row = &self.guards[index as usize];
            for handler in &row.handlers {
                if let Some(call) = handler.looks_on {
                    let is_seen = callees(self, call).any(|own| self.program.function_facts(own).looks_at_raised);
                    handlers.extend(handler.to.filter(|_| is_seen));
                    continue;
                }
                let verdict = match &handler.classes {
                    None => Some(true),
                    Some(classes) => self.is_caught(value, classes),
                };
                if verdict != Some(false) {
                    handlers.extend(handler.to);
                }
                if verdict == Some(true) {
                    return (handlers, false);
                }
            }
            guard = row.outer;
        }
        (handlers, true)
    }

    /// Whether a handler for these classes takes the exception; none where that is not known.
    fn is_caught(&self, value: PlaceIndex, classes: &[ObjectId]) -> Option<bool> {
        if self.contents(value).is_empty() || classes.is_empty() {
            return None;
        }
        let language = self
            .program
            .local_place(value)
            .map(|(file, _)| self.program.files[file.at()].language);
        let is_hidden = |name: &str| language.is_none_or(|language| !is_builtin(language, name));
        let (mut any, mut all) = (false, true);
        // Beside an exception of the language lies the tuple that it was made with.
        let raised = self.held(value).map(|(_, object)| object);
        for raised in raised.filter(|object| !matches!(object, Object::Container { .. })) {
            let kinds = classes.iter().map(|class| self.objects.get(*class));
            let caught = kinds.clone().any(|class| self.is_kind_of(raised, class));
            any |= caught
                || kinds
                    .into_iter()
                    .any(|class| self.may_be_kind_of(raised, class, is_hidden));
            all &= caught;
        }
        match (any, all) {
            (_, true) => Some(true),
            (false, _) => Some(false),
            _ => None,
        }
    }

    /// Whether an exception has bases that nobody sees, which may be exceptions of the language.
    fn may_be_kind_of(&self, raised: Object, class: Object, is_hidden: impl Fn(&str) -> bool) -> bool {
        matches!(class, Object::External(_))
            && match raised {
                Object::Instance(index) | Object::AnyOf(index) | Object::Class(index) => {
                    self.external_bases(index).any(is_hidden)
                }
                Object::External(raised) => is_hidden(self.program.symbols.text(raised)),
                _ => false,
            }
    }

    fn is_kind_of(&self, raised: Object, class: Object) -> bool {
        let index = |object| match object {
            Object::Instance(index) | Object::AnyOf(index) | Object::Class(index) => Some(index),
            _ => None,
        };
        match (index(raised), index(class), class) {
            (Some(raised), Some(class), _) => self.program.types[raised.at()].order.contains(&class),
            (Some(raised), None, Object::External(class)) => {
                let class = self.program.symbols.text(class);
                self.external_bases(raised).any(|base| is_exception_of(base, class))
            }
            (None, None, Object::External(class)) => match raised {
                Object::External(raised) => {
                    is_exception_of(self.program.symbols.text(raised), self.program.symbols.text(class))
                }
                _ => true,
            },
            // A tuple of classes that is built elsewhere.
            (_, None, _) => true,
            (None, Some(_), _) => false,
        }
    }

    /// Whether instances of a class have methods and fields that nobody sees: its bases are outside, and neither exceptions of the language,
    /// which keep what they are given and nothing else, nor its containers.
    pub(super) fn is_hidden(&self, index: TypeIndex) -> bool {
        let is_known = |base: &str| {
            base.starts_with(char::is_uppercase) && is_builtin(self.program.type_language(index), base)
                || matches!(base, "object" | "typing.NamedTuple" | "collections.namedtuple")
                || is_plain_container(base)
        };
        self.program.types[index.at()].open && !self.external_bases(index).all(is_known)
    }

    pub(super) fn external_bases(&self, index: TypeIndex) -> impl Iterator<Item = &str> {
        let order = &self.program.types[index.at()].order;
        order.iter().flat_map(|base| {
            self.program.types[base.at()]
                .bases
                .iter()
                .filter_map(|base| match base {
                    crate::link::Base::External(name) => Some(self.program.symbols.text(*name)),
                    crate::link::Base::Type(_) => None,
                })
        })
    }
}

/// Whether one built-in exception is a kind of another. <https://docs.python.org/3/library/exceptions.html#exception-hierarchy>
fn is_exception_of(raised: &str, class: &str) -> bool {
    const BASES: &[(&str, &[&str])] = &[
        (
            "ArithmeticError",
            &["FloatingPointError", "OverflowError", "ZeroDivisionError"],
        ),
        (
            "ConnectionError",
            &[
                "BrokenPipeError",
                "ConnectionAbortedError",
                "ConnectionRefusedError",
                "ConnectionResetError",
            ],
        ),
        ("ImportError", &["ModuleNotFoundError"]),
        ("LookupError", &["IndexError", "KeyError"]),
        (
            "OSError",
            &[
                "BlockingIOError",
                "BrokenPipeError",
                "ChildProcessError",
                "ConnectionAbortedError",
                "ConnectionError",
                "ConnectionRefusedError",
                "ConnectionResetError",
                "FileExistsError",
                "FileNotFoundError",
                "IOError",
                "InterruptedError",
                "IsADirectoryError",
                "NotADirectoryError",
                "PermissionError",
                "ProcessLookupError",
                "TimeoutError",
            ],
        ),
        ("RuntimeError", &["NotImplementedError", "RecursionError"]),
        ("SyntaxError", &["IndentationError", "TabError"]),
        (
            "UnicodeError",
            &["UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError"],
        ),
        (
            "ValueError",
            &[
                "UnicodeDecodeError",
                "UnicodeEncodeError",
                "UnicodeError",
                "UnicodeTranslateError",
            ],
        ),
        (
            "Warning",
            &[
                "BytesWarning",
                "DeprecationWarning",
                "EncodingWarning",
                "FutureWarning",
                "ImportWarning",
                "PendingDeprecationWarning",
                "ResourceWarning",
                "RuntimeWarning",
                "SyntaxWarning",
                "UnicodeWarning",
                "UserWarning",
            ],
        ),
    ];
    let not_an_exception = matches!(raised, "KeyboardInterrupt" | "SystemExit" | "GeneratorExit");
    raised == class
        || class == "BaseException"
        || class == "Exception" && !not_an_exception
        || BASES
            .iter()
            .any(|(base, kinds)| *base == class && kinds.contains(&raised))
}
